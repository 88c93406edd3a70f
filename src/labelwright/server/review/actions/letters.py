"""What raters are told about verdicts: one message for each decision, in the transaction that makes it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from labelwright.server.access.actions.receipts import receipt_of
from labelwright.server.people.actions.messages import write_to_rater
from labelwright.server.store.models import Assignment, Mail, Message, Rater, ReviewCase, StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.web.language import in_language

MOST_RECEIPTS = 100
"""A message about more tasks names the first ones."""


def write_reason(
    study: StudyRow, assignments: Sequence[int], reason: str, who: str, now: datetime, decision: UUID
) -> None:
    """Tells the rater why something was decided, with the receipts of the tasks; nothing if their data were deleted."""
    work = list(Assignment.objects.filter(pk__in=assignments).order_by("submitted_at", "pk"))
    rater = Rater.objects.get(pk=work[0].rater_id)
    if rater.forgotten_at is not None:
        return
    with in_language(study_of(work[0].version_id).language):
        about = _about(work)
    message = write_to_rater(study, who, rater, f"{reason.strip()}\n\n{about}", now)
    ReviewCase.objects.filter(study=study, decision=decision).update(message=message)


def _about(work: Sequence[Assignment]) -> str:
    receipts = ", ".join(receipt_of(each.public_id) for each in work[:MOST_RECEIPTS])
    if len(work) > MOST_RECEIPTS:
        receipts += ", …"
    return ngettext(
        "This is about your task with the receipt {receipts}.",
        "This is about {n} of your tasks, with the receipts {receipts}.",
        len(work),
    ).format(n=len(work), receipts=receipts)


def take_back_letter(study: StudyRow, message: int, who: str, now: datetime) -> None:
    """Deletes the message about a verdict that was taken back, or adds to it if the rater may have read it."""
    found = Message.objects.select_related("rater").filter(pk=message).first()
    if found is None or found.rater is None:
        return
    sent = Mail.objects.filter(message=found).exclude(state=Mail.State.WAITING).exists()
    if found.read_at is None and not sent:
        found.delete()
        return
    with in_language(study_of(study.versions.latest("n").pk).language):
        text = _("We have taken this decision back and will look at your work again:")
    write_to_rater(study, who, found.rater, f"{text}\n\n{found.text}", now)
