"""Withdrawal: a rater takes no further part, is paid for the work done, and says what becomes of the answers."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from labelwright.crowd import AssignmentState, DataUse
from labelwright.server.actions.links import Visitor
from labelwright.server.actions.verdicts import decide
from labelwright.server.store import releases
from labelwright.server.store.models import Assignment, Rater, Withdrawal

REASON = "The rater withdrew and wants these answers left out."


@transaction.atomic
def withdraw(visitor: Visitor, data_use: DataUse, now: datetime) -> None:
    """Ends a rater's part in the study; the first time counts. Anybody with the link may, for themselves.

    What is owed stays owed. Work under way is given back. Data that are left out leave the tallies, and
    their places are offered to others. Locks rater, assignment, place, as an offer does.
    """
    Rater.objects.select_for_update(no_key=True).get(pk=visitor.rater)
    _, first = Withdrawal.objects.get_or_create(
        rater_id=visitor.rater, defaults={"study_id": visitor.study, "data_use": data_use, "at": now}
    )
    if not first:
        return
    held = list(
        Assignment.objects.select_for_update(no_key=True)
        .filter(rater=visitor.rater, state=AssignmentState.OPEN)
        .values_list("pk", flat=True)
    )
    if held:
        releases.release(held, AssignmentState.RETURNED)
    # Work whose time ran out could still be handed in while its place is free.
    Assignment.objects.filter(rater=visitor.rater, state=AssignmentState.EXPIRED).update(
        state=AssignmentState.RETURNED
    )
    if data_use is DataUse.LEFT_OUT:
        # As a verdict, so that the tallies and the places follow.
        for assignment in Assignment.objects.filter(rater=visitor.rater, data_use=DataUse.USED):
            decide(assignment.pk, pay=None, data_use=data_use, reason=REASON, author="rater", now=now)


def get_withdrawn(visitor: Visitor) -> Withdrawal | None:
    """The rater's withdrawal, if there is one."""
    return Withdrawal.objects.filter(rater=visitor.rater).first()
