"""Which data count: putting the data of an assignment in or out of use, and the pay that is owed.

Locks are taken in the order assignment, place, offered.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import transaction

from labelwright.crowd import AssignmentState, DataUse, PaidState, Pay
from labelwright.errors import LabelwrightError
from labelwright.server.offering.queries import releases
from labelwright.server.store.changes import note_change, note_changed_work, note_reviewable_work
from labelwright.server.store.models import Answer, Assignment, Verdict
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.queries import answers as queries


class PlaceRefilled(LabelwrightError):
    """Data that cannot be used again, because another rater has filled the place."""

    code: ClassVar[str] = "place_refilled"

    def __init__(self) -> None:
        super().__init__(
            "another rater has filled this place, so the data stay excluded.",
            do="You can still decide on pay; to use these data, exclude the other rating first.",
        )


def count_submissions(assignments: list[int]) -> None:
    """Adds submissions to the tallies and to their raters' progress in each batch; in the caller's transaction.

    Their flags are stored by then, so this also notes that they may belong into the review queue.
    """
    queries.tally(assignments)
    queries.count_batch_work(assignments)
    note_reviewable_work(assignments)


def lock_assignment(assignment: int) -> Assignment:
    """An assignment, locked until the transaction ends."""
    return Assignment.objects.select_for_update(of=("self",), no_key=True).get(pk=assignment)


@transaction.atomic
def exclude_data(assignment: int, reason: str, author: str, now: datetime) -> None:
    """Excludes the data of submitted work, as a verdict that leaves its pay unchanged."""
    row = lock_assignment(assignment)
    change_data_use(row, DataUse.LEFT_OUT)
    add_verdict(row, pay=None, data_use=DataUse.LEFT_OUT, reason=reason, author=author, now=now)


def change_data_use(row: Assignment, data_use: DataUse) -> bool:
    """Changes the use of the data, the tallies and the place; returns whether the place is open to others now.

    Excluded data no longer count in the tallies, and their place is offered to another rater unless the study says
    `refill: false`. Data come back as long as nobody else has the place; otherwise raises PlaceRefilled.
    The caller has locked the assignment.
    """
    if data_use == row.data_use or row.state == AssignmentState.EXPIRED_ANSWERED:
        return False
    exclude = data_use == DataUse.LEFT_OUT
    # Nobody else is needed at the place of a gold task.
    refill = study_of(row.version_id).assignment.refill and not row.place.gold
    _tally(row, -1)
    if exclude and refill:
        releases.open_filled(row.place_id)
        releases.count_offered([row.pk], -1)
    elif refill:
        if not releases.fill_again(row.place_id):
            raise PlaceRefilled
        releases.count_offered([row.pk], 1)
    row.data_use = data_use
    row.save(update_fields=["data_use"])
    _tally(row, 1)
    return exclude and refill


def delete_answers(rater: int) -> int:
    """Deletes every answer of a rater, and takes them out of the tallies; returns how many there were.

    In the caller's transaction, which has excluded the data first: so their places are offered to others.
    """
    locked = Assignment.objects.select_for_update(of=("self",), no_key=True).filter(rater=rater)
    queries.tally([row.pk for row in locked.order_by("id") if not row.unflagged], -1)
    return Answer.objects.filter(assignment__rater=rater).delete()[0]


def add_verdict(
    row: Assignment, *, pay: bool | None, data_use: DataUse | None, reason: str, author: str, now: datetime
) -> Verdict:
    """Appends a verdict on an assignment; it replaces the one before it."""
    note_change(row.study_id)
    note_changed_work([row.pk])
    earlier = Verdict.objects.filter(assignment=row).order_by("-id").first()
    return Verdict.objects.create(
        study_id=row.study_id,
        assignment=row,
        author=author,
        pay=pay,
        data_use=data_use or "",
        reason=reason,
        replaces=earlier,
        at=now,
    )


def get_owed(study: int, rater: int | None = None, state: PaidState = PaidState.OWED) -> list[Pay]:
    """What is owed (or paid) in a study, or to one rater in it, by currency.

    Each piece of work counts at the pay of the version it was done under.
    """
    sums: dict[str, int] = {}
    for work in queries.work_by_pay(study, rater, state):
        pay = study_of(work.version).pool_of(work.pool).pay
        sums[pay.currency] = sums.get(pay.currency, 0) + pay.cents * work.assignments
    return [Pay(cents=cents, currency=currency) for currency, cents in sorted(sums.items()) if cents]


def _tally(row: Assignment, step: int) -> None:
    # The block job has not tallied unflagged work yet, and will count it as it finds it.
    if not row.unflagged:
        queries.tally([row.pk], step)
