"""The roster: raters in their pools, how they work, and notes about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count

from django.db import transaction
from django.http import QueryDict

from labelwright.crowd import MemberState
from labelwright.server.access.actions.audit import log_change
from labelwright.server.people import queries
from labelwright.server.people.actions.messages import LONGEST_BY_REQUESTER, BadMessage
from labelwright.server.people.queries import PoolSize, RosterLine
from labelwright.server.store.models import Member, Note, Rater, StudyRow
from labelwright.server.store.secrets import seal, unseal
from labelwright.server.web.desk.tables import (
    FilterOption,
    ShownTable,
    Table,
    TableColumn,
    TableFilter,
    TableQuery,
    Total,
)
from labelwright.server.web.errors import NotFound

ROSTER = Table(
    key="raters",
    one="rater",
    many="raters",
    search="Find a rater",
    columns=(
        TableColumn("name", "Rater", sort="r.pseudonym", css="l"),
        TableColumn("pool", "Pool", sort="(p.id, m.number)", css="l"),
        TableColumn("state", "State", sort="m.state", css="l"),
        TableColumn("submitted", "Submitted"),
        TableColumn("flags", "Flags"),
        TableColumn("score", "Score", sort="m.score", descending=True),
        TableColumn("consent", "Consent", sort="r.consented_at", descending=True),
        TableColumn("last", "Last offer"),
        TableColumn("notes", "Notes"),
        TableColumn("unread", "Unread"),
    ),
    default="pool",
    tie="m.number",
    filters=(TableFilter("state", "State", in_row=True), TableFilter("pool", "Pool", every="All pools")),
)
STATE_NAMES = {MemberState.ACTIVE: "Active", MemberState.PAUSED: "Paused", MemberState.EXCLUDED: "Excluded"}


@dataclass(frozen=True, slots=True)
class Roster:
    """A page of the roster."""

    shown: ShownTable[RosterLine]
    members: int
    """Members of all pools."""
    pools: list[PoolSize]


@dataclass(frozen=True, slots=True)
class ReadableNote:
    """A note about a rater, decrypted."""

    id: int
    author: str
    text: str
    at: datetime


def get_roster(study: StudyRow, address: QueryDict) -> Roster:
    """The members of a study that an address asks for, in the order in which they joined by default."""
    pools, states = queries.pool_sizes(study.pk), queries.member_states(study.pk)
    wanted = ROSTER.read(
        address,
        {
            "state": [FilterOption(s, name, states.get(s, 0)) for s, name in STATE_NAMES.items()],
            "pool": [FilterOption(each.name, each.name, each.members) for each in pools],
        },
    )
    members = sum(each.members for each in pools)
    total = queries.roster_total(study.pk, wanted) if wanted.is_filtered else Total(members)
    return Roster(wanted.shown(queries.roster_page(study.pk, wanted), total), members, pools)


def get_members(study: StudyRow, pool: str | None) -> Iterator[RosterLine]:
    """All members of a study or of a pool, in the order in which they joined; read in pages."""
    for page in count(1):
        chosen = {"pool": pool} if pool else {}
        wanted = TableQuery(ROSTER, "", chosen, ROSTER.default, page)
        shown = wanted.shown(queries.roster_page(study.pk, wanted))
        yield from shown.rows
        if not shown.has_next:
            return


def get_rater(study: StudyRow, pseudonym: str) -> Rater:
    """A rater of a study; raises NotFound."""
    found = (
        Rater.objects.select_related("person")
        .filter(study=study, pseudonym=pseudonym.replace("\x00", ""))
        .first()
    )
    if found is None:
        raise NotFound
    return found


def get_notes(raters: Sequence[int]) -> list[ReadableNote]:
    """The notes about a person's raters, newest first."""
    return [
        ReadableNote(note.pk, note.author, unseal(note.text_sealed), note.at)
        for note in Note.objects.filter(rater__in=raters).order_by("-id")
    ]


def get_memberships(raters: Sequence[int]) -> list[Member]:
    """The pools that a person's raters are in, in the order in which they entered."""
    found = Member.objects.filter(rater__in=raters).select_related("pool", "rater")
    return list(found.order_by("joined_at", "number"))


@transaction.atomic
def add_note(study: StudyRow, rater: Rater, who: str, text: str, now: datetime) -> None:
    """Adds a note about a rater, for requesters only."""
    cleaned = text.replace("\x00", "").strip()
    if not cleaned or len(cleaned) > LONGEST_BY_REQUESTER:
        raise BadMessage(f"a note must have 1 to {LONGEST_BY_REQUESTER:,} characters.")
    Note.objects.create(study=study, rater=rater, author=who, text_sealed=seal(cleaned), at=now)
    log_change(study.pk, who, "note", rater.pseudonym, now)


@transaction.atomic
def delete_note(study: StudyRow, rater: Rater, note: int, who: str, now: datetime) -> None:
    """Deletes a note."""
    if Note.objects.filter(study=study, rater=rater, pk=note).delete()[0]:
        log_change(study.pk, who, "delete_note", rater.pseudonym, now)
