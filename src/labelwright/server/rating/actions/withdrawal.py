"""Withdrawal: a rater leaves the study, is paid for submitted work, and chooses what happens to the answers."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from labelwright.crowd import DataUse
from labelwright.server.access.actions.audit import RATER, log_change
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.actions.standing import release_open_work
from labelwright.server.store.changes import note_changed_raters
from labelwright.server.store.models import Assignment, Rater, Withdrawal
from labelwright.server.tallies.actions import exclude_data

REASON = "The rater withdrew and asked for these answers not to be used."


@transaction.atomic
def withdraw(visitor: Visitor, data_use: DataUse, now: datetime) -> None:
    """Ends a rater's participation; a second call changes nothing. Anybody with the link may, for themselves.

    Pay stays owed, and open work is released. Excluded data leave the tallies, and their places are
    offered to others. Locks rater, assignment, place, as an offer does.
    """
    rater = Rater.objects.select_for_update(no_key=True).get(pk=visitor.rater)
    _, first = Withdrawal.objects.get_or_create(
        rater_id=visitor.rater, defaults={"study_id": visitor.study, "data_use": data_use, "at": now}
    )
    if not first:
        return
    release_open_work(visitor.rater)
    note_changed_raters(visitor.study, [visitor.rater])
    after = {"data_use": str(data_use)}
    log_change(visitor.study, RATER, "withdraw", rater.pseudonym, now, after=after)
    if data_use is DataUse.LEFT_OUT:
        in_use = Assignment.objects.filter(rater=visitor.rater, data_use=DataUse.USED).order_by("id")
        for assignment in list(in_use.values_list("pk", flat=True)):
            exclude_data(assignment, REASON, RATER, now)


def get_withdrawal(visitor: Visitor) -> Withdrawal | None:
    """The rater's withdrawal, if there is one."""
    return Withdrawal.objects.filter(rater=visitor.rater).first()
