"""Home: what needs attention in all studies, and the list of studies. Everything shown is stored; no work is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.http import QueryDict

from labelwright import __version__
from labelwright.crowd import StudyState, StudyVerb
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.results import queries
from labelwright.server.results.actions.figures import request_figures
from labelwright.server.results.queries import StudyGroup, StudyLine
from labelwright.server.store.models import User
from labelwright.server.studies.actions.life import change_state
from labelwright.server.web.desk.states import ORDER, STATES
from labelwright.server.web.desk.tables import (
    BulkAction,
    FilterOption,
    ShownTable,
    Table,
    TableColumn,
    TableFilter,
)

MOST_NEEDS = 20
MOST_REFRESHED = 5
"""How many studies one look at the page has computed anew; the next look goes on."""


def _number(name: str) -> str:
    return f"(s.summary->>'{name}')::numeric"


STUDIES = Table(
    key="studies",
    one="study",
    many="studies",
    search="Find a study or owner",
    columns=(
        TableColumn("name", "Study", sort="lower(s.title)", css="l"),
        TableColumn(
            "state",
            "State",
            sort=f"array_position(ARRAY[{', '.join(repr(s) for s in ORDER)}], s.state::text)",
            css="l",
        ),
        TableColumn(
            "progress", "Progress", sort=f"{_number('stored')} / nullif(s.wanted, 0)", descending=True
        ),
        TableColumn("days", "7 days", css="c"),
        TableColumn("axis", "Agreement on a shared axis", css="l", axis=True),
        TableColumn(
            "agreement", "Agreement, α", sort="(s.summary->'agreement'->>0)::numeric", descending=True
        ),
        TableColumn("owed", "Owed", sort="(s.summary->'owed'->0->>0)::numeric", descending=True),
        TableColumn("flags", "Flags", sort=_number("to_review"), descending=True),
        TableColumn("unread", "Unread", sort=_number("unanswered"), descending=True),
        TableColumn("owner", "Owner", sort="lower(s.owner)", css="l"),
        TableColumn("last", "Last activity", sort="s.last_at", descending=True),
    ),
    default="state",
    tie="s.id",
    filters=(TableFilter("state", "State", in_row=True), TableFilter("owner", "Owner", every="Everyone")),
    bulk=(BulkAction(StudyVerb.ARCHIVE, "Archive"),),
)
ARCHIVE = replace(STUDIES, bulk=(BulkAction(StudyVerb.RESTORE, "Restore"),))
"""The same list, of archived studies only."""


@dataclass(frozen=True, slots=True)
class Home:
    """The start page of requesters."""

    shown: ShownTable[StudyLine]
    needs: list[StudyLine]
    """Studies in which somebody has to act."""
    studies: int
    """All studies of the user, archived ones too."""


def get_home(user: User, address: QueryDict, now: datetime) -> Home:
    """The studies of a user, or all studies for a superuser; has out-of-date numbers computed anew."""
    every = user.is_superuser
    groups = queries.study_groups(user.pk, every=every)
    table = ARCHIVE if address.get("state") == StudyState.ARCHIVED else STUDIES
    wanted = table.read(address, {"state": _states(groups), "owner": _owners(groups)})
    shown = wanted.shown(
        queries.study_lines(user.pk, wanted, every=every), queries.study_total(user.pk, wanted, every=every)
    )
    for study in queries.studies_with_old_figures(user.pk, __version__, every=every, limit=MOST_REFRESHED):
        request_figures(study, now)
    needs = queries.studies_with_needs(user.pk, every=every, limit=MOST_NEEDS)
    return Home(shown, needs, sum(group.studies for group in groups))


def _states(groups: Sequence[StudyGroup]) -> list[FilterOption]:
    numbers = {state: sum(g.studies for g in groups if g.state == state) for state in ORDER}
    return [FilterOption(state, STATES[state].word, n) for state, n in numbers.items() if n]


def _owners(groups: Sequence[StudyGroup]) -> list[FilterOption]:
    owners = {str(group.owner_id): group.owner or "Nobody" for group in groups}
    return [FilterOption(key, name) for key, name in owners.items()] if len(owners) > 1 else []


@dataclass(frozen=True, slots=True)
class ArchiveResult:
    """What became of studies that were to be archived, or restored."""

    changed: list[str]
    """The public ids of those whose state changed."""
    refused: list[str]
    """The titles of those whose state does not allow it."""


def get_lines(user: User, public_ids: Sequence[str]) -> list[StudyLine]:
    """The lines of studies that somebody selected."""
    return queries.lines_of(user.pk, public_ids, every=user.is_superuser)


def archive_studies(user: User, public_ids: Sequence[str], verb: StudyVerb, now: datetime) -> ArchiveResult:
    """Archives or restores studies that the user administers; raises NotFound for others.

    A study that collects must be closed first, so it is refused.
    """
    result = ArchiveResult([], [])
    for public_id in public_ids:
        study = access_study(user, public_id, Permission.ADMINISTER)
        if verb.applies_to(StudyState(study.state)):
            change_state(study, verb, user.get_username(), now)
            result.changed.append(public_id)
        else:
            result.refused.append(study.title)
    return result
