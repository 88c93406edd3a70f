"""Deletion of a rater's personal data."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Literal

from django.db import transaction

from labelwright.crowd import STORED, DataUse, MemberState
from labelwright.server.access.actions.audit import RATER, log_change, remove_reasons
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.actions.standing import release_open_work
from labelwright.server.people.actions.addresses import drop_person, raters_of
from labelwright.server.store.changes import note_changed_raters
from labelwright.server.store.models import (
    Arrival,
    Assignment,
    Dispute,
    Draft,
    Flag,
    GoldResult,
    Mail,
    Member,
    Message,
    Note,
    Payment,
    PersonalHit,
    Rater,
    RaterFinding,
    RaterSheet,
    ReportFile,
    ReviewCase,
    StudyReport,
    StudyRow,
    TextPrint,
    ThemeMark,
    TypingRecord,
    Verdict,
    Visit,
    WaitingAddress,
)
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions import delete_answers, exclude_data

REASON = "The person asked for their data to be deleted."


def delete_own_data(visitor: Visitor, now: datetime) -> None:
    """Deletes the personal data of the rater behind a link, at their own request."""
    rater = Rater.objects.select_related("study").get(pk=visitor.rater)
    delete_personal_data(rater.study, rater, RATER, now)


def delete_personal_data(study: StudyRow, rater: Rater, who: str, now: datetime) -> None:
    """Deletes a rater's address, messages, notes, questionnaire, drafts, reasons of verdicts and link.

    The answers stay under the pseudonym or are deleted too, as the consent said that the rater agreed to.
    Submitted work still counts for pay. Locks the rater first, as an offer does.
    """
    agreed = rater.consented_version_id or study.versions.latest("n").pk
    _delete(study, rater, study_of(agreed).consent.answers_on_deletion, who, now)


def delete_inactive_person(study: StudyRow, rater: Rater, who: str, now: datetime) -> None:
    """The same for a rater who has not been active for long. Answers stay: nobody asked for their deletion."""
    _delete(study, rater, "keep", who, now)


@transaction.atomic
def _delete(
    study: StudyRow, rater: Rater, policy: Literal["keep", "delete"], who: str, now: datetime
) -> None:
    locked = Rater.objects.select_for_update(no_key=True).get(pk=rater.pk)
    if locked.forgotten_at is not None:
        return
    release_open_work(locked.pk)
    # An open page must stop working together with the link that opened it.
    Visit.objects.filter(assignment__rater=locked).delete()
    notes, _ = Note.objects.filter(rater=locked).delete()
    messages = _delete_messages(locked)
    Mail.objects.filter(rater=locked).delete()
    Arrival.objects.filter(rater=locked).delete()
    WaitingAddress.objects.filter(rater=locked).delete()
    RaterSheet.objects.filter(rater=locked).delete()
    Draft.objects.filter(assignment__rater=locked).delete()
    TypingRecord.objects.filter(assignment__rater=locked).delete()
    # The decisions stay, because they say what is paid and used; the sentences about the person go.
    Verdict.objects.filter(assignment__rater=locked).update(reason="")
    ReviewCase.objects.filter(assignment__rater=locked).update(reason="")
    Payment.objects.filter(rater=locked).update(reason="")
    Dispute.objects.filter(assignment__rater=locked).delete()
    PersonalHit.objects.filter(assignment__rater=locked).delete()
    person = locked.person_id
    locked.person = None
    # A new nonce invalidates the old link.
    locked.nonce = secrets.token_urlsafe(12)
    locked.forgotten_at = now
    locked.save(update_fields=["person", "nonce", "forgotten_at"])
    # Their line, and that of other raters with the same address.
    note_changed_raters(study.pk, [locked.pk, *raters_of(study.pk, person)])
    drop_person(person)
    Member.objects.filter(rater=locked).update(state=MemberState.EXCLUDED)
    answers = _delete_answers(locked, who, now) if policy == "delete" else 0
    remove_reasons(study.pk, locked.pseudonym)
    after = {"answers": policy, "answers_deleted": answers, "messages": messages, "notes": notes}
    log_change(study.pk, who, "forget", locked.pseudonym, now, after=after)


def _delete_messages(rater: Rater) -> int:
    """Deletes the messages to and from a rater; returns how many there were."""
    # Answers shown to everybody are in the requester's own words; they stay, linked to nobody.
    pool = Member.objects.filter(rater=rater).order_by("joined_at").values_list("pool", flat=True).first()
    Message.objects.filter(rater=rater, shown=True).update(rater=None, pool=pool, answers=None)
    messages = Message.objects.filter(rater=rater).count()
    Message.objects.filter(rater=rater).delete()
    return messages


def _delete_answers(rater: Rater, who: str, now: datetime) -> int:
    """Deletes every answer of a rater; returns how many there were.

    Their data are excluded first, so that their places are offered to others.
    """
    in_use = Assignment.objects.filter(rater=rater, state__in=STORED, data_use=DataUse.USED).order_by("id")
    for assignment in list(in_use.values_list("pk", flat=True)):
        exclude_data(assignment, REASON, who, now)
    Flag.objects.filter(assignment__rater=rater).delete()
    GoldResult.objects.filter(assignment__rater=rater).delete()
    TextPrint.objects.filter(rater=rater).delete()
    RaterFinding.objects.filter(rater=rater).delete()
    ThemeMark.objects.filter(assignment__rater=rater).delete()
    # A stored report quotes what raters wrote.
    ReportFile.objects.filter(study=rater.study_id).delete()
    StudyReport.objects.filter(study=rater.study_id).delete()
    return delete_answers(rater.pk)
