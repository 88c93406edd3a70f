"""Actions on several raters at once. Each says what it would do before it does it, and can be undone.

Called by those who manage the raters of the study. Locks the raters in one order, as an offer locks one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.db import transaction

from labelwright.crowd import MemberState
from labelwright.errors import LabelwrightError
from labelwright.server.people.actions.messages import write_to_rater
from labelwright.server.profiles.actions.standing import set_member_state
from labelwright.server.profiles.queries.raters import ListedRater
from labelwright.server.store.models import Member, Pool, Rater, StudyRow
from labelwright.server.tallies.queries.raters import known_raters


class NothingToChange(LabelwrightError):
    """An action on raters who are in that state already."""

    code: ClassVar[str] = "nothing_to_change"

    def __init__(self) -> None:
        super().__init__("nothing has changed: the selected raters are in this state already.")


@dataclass(frozen=True, slots=True)
class EarlierState:
    """The state of a rater in a pool before an action, to undo it."""

    name: str
    pool: str
    state: MemberState


@transaction.atomic
def set_states(
    study: StudyRow, chosen: Sequence[ListedRater], state: MemberState, who: str, reason: str, now: datetime
) -> list[EarlierState]:
    """Pauses, excludes or reinstates people in all their pools; returns the states that changed.

    People whose data are deleted stay excluded. Raises NothingToChange.
    """
    raters = [each.rater for each in known_raters(study.pk, [line.rater for line in chosen])]
    members = (
        Member.objects.filter(study=study, rater__in=raters, rater__forgotten_at=None)
        .exclude(state=state)
        .select_related("rater", "pool")
        .order_by("rater_id", "pool_id")
    )
    earlier = [_set(study, member, state, who, reason, now) for member in members]
    if not earlier:
        raise NothingToChange
    return earlier


@transaction.atomic
def restore_states(study: StudyRow, earlier: Sequence[EarlierState], who: str, now: datetime) -> int:
    """Gives raters back the states that they had before an action; returns how many people this concerns."""
    names = {each.name for each in earlier}
    raters = {
        rater.pseudonym: rater
        for rater in Rater.objects.filter(study=study, pseudonym__in=names, forgotten_at=None)
    }
    pools = {pool.name: pool for pool in Pool.objects.filter(study=study)}
    known = [each for each in earlier if each.name in raters and each.pool in pools]
    for each in sorted(known, key=lambda each: raters[each.name].pk):
        set_member_state(study, pools[each.pool], raters[each.name], each.state, who, "Undone", now)
    return len({each.name for each in known})


@transaction.atomic
def write_to_many(study: StudyRow, chosen: Sequence[ListedRater], who: str, text: str, now: datetime) -> int:
    """Writes the same message to several people; returns how many got it. Those whose data are deleted get none."""
    raters = Rater.objects.filter(pk__in=[line.rater for line in chosen], forgotten_at=None).order_by("pk")
    for rater in raters:
        write_to_rater(study, who, rater, text, now)
    return len(raters)


def _set(
    study: StudyRow, member: Member, state: MemberState, who: str, reason: str, now: datetime
) -> EarlierState:
    earlier = set_member_state(study, member.pool, member.rater, state, who, reason, now)
    return EarlierState(member.rater.pseudonym, member.pool.name, earlier)
