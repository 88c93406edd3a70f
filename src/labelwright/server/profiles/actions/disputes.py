"""Disputes: a rater answers a rejection, once, and the work goes back to the review queue with the answer."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from django.db import transaction

from labelwright.crowd import AssignmentState
from labelwright.server.access.actions.audit import RATER, log_change
from labelwright.server.access.queries import Visitor
from labelwright.server.people.actions.messages import check_text
from labelwright.server.store.changes import note_reviewable_work
from labelwright.server.store.models import Assignment, Dispute, Rater
from labelwright.server.web.errors import RaterError


class NothingToAnswer(RaterError):
    """Work that was not rejected, or whose rejection was answered before."""

    code: ClassVar[str] = "nothing_to_answer"

    def __init__(self) -> None:
        super().__init__(
            "Your answer was not sent: you can answer a decision once, and only while your work is not accepted."
        )


@transaction.atomic
def answer_rejection(visitor: Visitor, work: UUID, text: str, now: datetime) -> None:
    """Stores the answer of the rater behind a link, and marks the work for the review queue.

    Locks the assignment, so that a verdict at the same moment is either answered or in time.
    Raises EmptyMessage, LongMessage and NothingToAnswer.
    """
    checked = check_text(text)
    row = (
        Assignment.objects.select_for_update(of=("self",), no_key=True)
        .filter(public_id=work, rater=visitor.rater, state=AssignmentState.REJECTED)
        .first()
    )
    if row is None or Dispute.objects.filter(assignment=row).exists():
        raise NothingToAnswer
    Dispute.objects.create(study_id=visitor.study, assignment=row, text=checked, at=now)
    note_reviewable_work([row.pk])
    name = Rater.objects.values_list("pseudonym", flat=True).get(pk=visitor.rater)
    log_change(visitor.study, RATER, "dispute", name, now)
