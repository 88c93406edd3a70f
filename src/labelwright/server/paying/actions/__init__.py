"""The ledger: payments of a study move from state to state, and budgets keep them within limits.

Every movement is one statement that changes the payment if its state allows it, and writes the line. The budget is
changed in the same transaction, and the database refuses a transaction that exceeds it. Locks are taken in the order
assignment, payment, budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from django.db import transaction

from labelwright.crowd import LedgerState
from labelwright.crowd.ledger import IRREVOCABLE
from labelwright.errors import LabelwrightError
from labelwright.server.paying.queries import ledger as queries
from labelwright.server.store.changes import note_change, note_changed_raters, note_changed_work

REJECTED = "rejected in review"
TAKEN_BACK = "verdict taken back"


class OnItsWay(LabelwrightError):
    """Work whose pay cannot be stopped any more."""

    code: ClassVar[str] = "not_decidable"

    def __init__(self) -> None:
        super().__init__(
            "the pay of this work is already on its way.",
            do="Decide on its data only.",
        )


def stop_pay(assignment: int, who: str, why: str, now: datetime) -> None:
    """Takes the pay of a task back, if it has a payment; raises OnItsWay once it is sent.

    In the caller's transaction, which has locked the assignment.
    """
    for payment in queries.payment_of(assignment):
        if payment.state in IRREVOCABLE:
            raise OnItsWay
        queries.move(payment.study, [payment.id], LedgerState.REVERSED, who, why, now)


def check_stoppable(assignment: int) -> None:
    """Raises OnItsWay if the pay of a task is sent; locks its payment."""
    if any(payment.state in IRREVOCABLE for payment in queries.payment_of(assignment)):
        raise OnItsWay


def restore_pay(assignment: int, who: str, now: datetime) -> None:
    """Plans the pay of a task again that was taken back; in the caller's transaction, which has locked the assignment."""
    for payment in queries.payment_of(assignment):
        if payment.state == LedgerState.REVERSED:
            queries.move(payment.study, [payment.id], LedgerState.PLANNED, who, "", now)


def plan_again(assignment: int, who: str, why: str, now: datetime) -> None:
    """The same, and pay that is released goes back to planned, because the work is under review again."""
    for payment in queries.payment_of(assignment):
        if payment.state == LedgerState.AUTHORISED:
            queries.move(payment.study, [payment.id], LedgerState.REVERSED, who, why, now)
    restore_pay(assignment, who, now)


@transaction.atomic
def mark_sent(study: int, payments: Sequence[int], who: str, why: str, now: datetime) -> int:
    """Marks released payments as sent; returns how many. From here on no verdict stops them."""
    return len(queries.move(study, payments, LedgerState.SENT, who, why, now))


@transaction.atomic
def confirm(study: int, payments: Sequence[int], who: str, why: str, now: datetime) -> int:
    """Marks sent payments as confirmed, and their work as paid; returns how many were not confirmed before."""
    queries.lock_work_of(study, payments)
    moved = queries.move(study, payments, LedgerState.CONFIRMED, who, why, now)
    work = [each.assignment for each in moved if each.assignment is not None]
    queries.mark_paid(work)
    _note(study, moved)
    return len(moved)


@transaction.atomic
def give_back(study: int, payments: Sequence[int], who: str, why: str, now: datetime) -> int:
    """Plans payments again that were released or sent and did not arrive; returns how many.

    The line in between says why. The work is owed as before.
    """
    queries.lock_work_of(study, payments)
    moved = queries.move(study, payments, LedgerState.REVERSED, who, why, now)
    queries.move(study, [each.id for each in moved], LedgerState.PLANNED, who, "", now)
    _note(study, moved)
    return len(moved)


def _note(study: int, moved: Sequence[queries.Moved]) -> None:
    if moved:
        note_change(study)
        note_changed_work([each.assignment for each in moved if each.assignment is not None])
        note_changed_raters(study, sorted({each.rater for each in moved}))
