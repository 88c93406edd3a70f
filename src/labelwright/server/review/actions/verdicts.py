"""Verdicts: whether work is paid and whether its data are used, decided separately, with a reason for the rater.

Called by a reviewer of the study. Locks are taken in the order assignment, place, offered.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.db import transaction

from labelwright.crowd import STORED, AssignmentState, DataUse, PaidState
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.store.models import Assignment, Rater, User
from labelwright.server.tallies.actions import add_verdict, change_data_use, lock_assignment
from labelwright.server.web.errors import NotFound


class NotDecidable(LabelwrightError):
    """Work that was not submitted, or is already paid."""

    code: ClassVar[str] = "not_decidable"


class NoReason(LabelwrightError):
    """A verdict against the rater, or against the data, without a reason."""

    code: ClassVar[str] = "no_reason"

    def __init__(self) -> None:
        super().__init__(
            "the verdict has no reason.", do="Write one sentence for the rater about what was wrong."
        )


class VerdictChoice(enum.StrEnum):
    """What a reviewer can choose in one step; pay and data stay separate underneath."""

    FINE = "fine"
    LEAVE_OUT = "leave_out"
    REJECT = "reject"


CHOICES: dict[VerdictChoice, tuple[bool, DataUse]] = {
    VerdictChoice.FINE: (True, DataUse.USED),
    VerdictChoice.LEAVE_OUT: (True, DataUse.LEFT_OUT),
    VerdictChoice.REJECT: (False, DataUse.LEFT_OUT),
}
"""Pay and use of the data."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The result of a verdict."""

    verdict: int
    reopened: bool
    """Whether the place is offered to another rater."""


@transaction.atomic
def decide(
    assignment: int, *, pay: bool | None, data_use: DataUse | None, reason: str, author: str, now: datetime
) -> Decided:
    """A verdict on submitted work; None leaves pay or data unchanged.

    Excluding data never affects pay. Excluded data leave the tallies, and their place is offered to another
    rater unless the study says `refill: false`. A later verdict replaces an earlier one: data come back as
    long as nobody else has the place. Raises NotDecidable, NoReason, PlaceRefilled.
    """
    row = lock_assignment(assignment)
    before = {"paid": row.paid_state, "data_use": row.data_use}
    _check(row, pay, data_use, reason)
    reopened = data_use is not None and change_data_use(row, data_use)
    if pay is not None:
        if row.paid_state != PaidState.PAID:
            # Paid work stays paid: if it were owed again, it would be paid again.
            row.paid_state = PaidState.OWED if pay else PaidState.NONE
        if row.state in STORED:
            row.state = AssignmentState.APPROVED if pay else AssignmentState.REJECTED
    row.save(update_fields=["state", "paid_state"])
    verdict = add_verdict(row, pay=pay, data_use=data_use, reason=reason, author=author, now=now)
    after = {"paid": row.paid_state, "data_use": row.data_use, "reason": reason}
    log_change(row.study_id, author, "verdict", _pseudonym(row), now, before=before, after=after)
    return Decided(verdict.pk, reopened)


def _pseudonym(row: Assignment) -> str:
    return Rater.objects.values_list("pseudonym", flat=True).get(pk=row.rater_id)


def decide_as_reviewer(
    user: User, public_id: str, assignment: int, choice: VerdictChoice, reason: str, now: datetime
) -> Decided:
    """A verdict by a reviewer of the study; raises NotFound for work of another study."""
    study = access_study(user, public_id, Permission.REVIEW)
    if not Assignment.objects.filter(pk=assignment, study=study).exists():
        raise NotFound
    pay, data_use = CHOICES[choice]
    return decide(assignment, pay=pay, data_use=data_use, reason=reason, author=user.get_username(), now=now)


def _check(row: Assignment, pay: bool | None, data_use: DataUse | None, reason: str) -> None:
    late = row.state == AssignmentState.EXPIRED_ANSWERED
    if row.state not in STORED and not late:
        raise NotDecidable("this work was not submitted.", expected="work with answers.")
    if late and data_use == DataUse.USED:
        raise NotDecidable("these answers came after the place was taken.", do="Decide on pay only.")
    if pay is False and row.paid_state == PaidState.PAID:
        raise NotDecidable("this work is already paid.", do="Decide on its data only.")
    if not reason.strip() and (pay is False or data_use == DataUse.LEFT_OUT):
        raise NoReason
