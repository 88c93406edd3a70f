"""Verdicts: whether work is paid and whether its data are used, decided apart, with a reason that the rater can read.

Called by a reviewer of the study, or by a rule on the requester's behalf. Locks are taken in the order
assignment, place, offered.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.db import transaction

from labelwright.crowd import AssignmentState, DataUse, PaidState
from labelwright.crowd.states import STORED
from labelwright.errors import LabelwrightError
from labelwright.server.actions.errors import NotHere
from labelwright.server.actions.overview import get_owned
from labelwright.server.store import blocks, releases
from labelwright.server.store.models import Assignment, User, Verdict
from labelwright.server.store.versions import study_of


class NotDecidable(LabelwrightError):
    """Work that was not handed in, or was paid already."""

    code: ClassVar[str] = "not_decidable"


class NoReason(LabelwrightError):
    """A verdict against the rater, or against the data, that gives no reason."""

    code: ClassVar[str] = "no_reason"

    def __init__(self) -> None:
        super().__init__(
            "the verdict gives no reason.", do="Say in a sentence, which the rater can read, what was wrong."
        )


class PlaceRefilled(LabelwrightError):
    """Data that cannot be used again, because another rater has the place since."""

    code: ClassVar[str] = "place_refilled"

    def __init__(self) -> None:
        super().__init__(
            "another rater has this place since, so the data stay left out.",
            do="Pay can still be decided; to use these data, leave the other rating out first.",
        )


class Choice(enum.StrEnum):
    """What a requester can decide in one go; pay and data stay apart underneath."""

    FINE = "fine"
    LEAVE_OUT = "leave_out"
    REJECT = "reject"


CHOICES: dict[Choice, tuple[bool, DataUse]] = {
    Choice.FINE: (True, DataUse.USED),
    Choice.LEAVE_OUT: (True, DataUse.LEFT_OUT),
    Choice.REJECT: (False, DataUse.LEFT_OUT),
}
"""Pay and use of the data."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What a verdict came to."""

    verdict: int
    reopened: bool
    """Whether the place is offered again, to another rater."""


@transaction.atomic
def decide(
    assignment: int, *, pay: bool | None, data_use: DataUse | None, reason: str, author: str, now: datetime
) -> Decided:
    """A verdict on work that was handed in; None leaves pay or data as they were.

    Leaving data out never takes pay away by itself. Data left out leave the tallies, and their place is
    offered to another rater unless the study says `refill: false`. A later verdict replaces an earlier
    one: data come back as long as nobody else has the place. Raises NotDecidable, NoReason, PlaceRefilled.
    """
    row = Assignment.objects.select_for_update(of=("self",), no_key=True).get(pk=assignment)
    _check(row, pay, data_use, reason)
    reopened = data_use is not None and data_use != row.data_use and _use(row, data_use)
    if pay is not None:
        if row.paid_state != PaidState.PAID:
            # What was paid stays paid: owed once more, it would be paid once more.
            row.paid_state = PaidState.OWED if pay else PaidState.NONE
        if row.state in STORED:
            row.state = AssignmentState.APPROVED if pay else AssignmentState.REJECTED
    row.save(update_fields=["state", "paid_state", "data_use"])
    earlier = Verdict.objects.filter(assignment=row).order_by("-id").first()
    verdict = Verdict.objects.create(
        study_id=row.study_id,
        assignment=row,
        author=author,
        pay=pay,
        data_use=data_use or "",
        reason=reason,
        replaces=earlier,
        at=now,
    )
    return Decided(verdict.pk, reopened)


def decide_as_owner(
    user: User, public_id: str, assignment: int, choice: Choice, reason: str, now: datetime
) -> Decided:
    """A verdict of the requester whose study it is; work of another study is not there for them."""
    study = get_owned(user, public_id)
    if not Assignment.objects.filter(pk=assignment, study=study).exists():
        raise NotHere
    pay, data_use = CHOICES[choice]
    return decide(assignment, pay=pay, data_use=data_use, reason=reason, author=user.get_username(), now=now)


def _check(row: Assignment, pay: bool | None, data_use: DataUse | None, reason: str) -> None:
    late = row.state == AssignmentState.EXPIRED_ANSWERED
    if row.state not in STORED and not late:
        raise NotDecidable("this work was not handed in.", expected="work with answers.")
    if late and data_use == DataUse.USED:
        raise NotDecidable("these answers came after the place was taken.", do="Decide on pay alone.")
    if pay is False and row.paid_state == PaidState.PAID:
        raise NotDecidable("this work is paid.", do="Decide on its data alone.")
    if not reason.strip() and (pay is False or data_use == DataUse.LEFT_OUT):
        raise NoReason


def _use(row: Assignment, data_use: DataUse) -> bool:
    """Changes the use of the data, the tallies and the place; whether the place was opened again."""
    if row.state == AssignmentState.EXPIRED_ANSWERED:
        return False
    leave_out = data_use == DataUse.LEFT_OUT
    refill = study_of(row.version_id).assignment.refill
    if leave_out:
        _tally(row, -1)
        if refill:
            releases.open_filled(row.place_id)
            releases.count_offered([row.pk], -1)
    elif refill:
        if not releases.fill_again(row.place_id):
            raise PlaceRefilled
        releases.count_offered([row.pk], 1)
    row.data_use = data_use
    row.save(update_fields=["data_use"])
    if not leave_out:
        _tally(row, 1)
    return leave_out and refill


def _tally(row: Assignment, step: int) -> None:
    # Work that the block job has not met is not in the tallies; the job leaves out what is not used by then.
    if not row.unflagged:
        blocks.tally([row.pk], step)
