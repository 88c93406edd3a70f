"""Mails to raters who gave an address: queued in the transaction of their message, sent by a job.

A mail is marked as sent before the mail server gets it, because no mail server can be asked whether it has a mail:
after a crash a mail may be missing, but nobody gets it twice. The text is also on the rater's own page.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from labelwright.server.access.actions.links import address_of
from labelwright.server.people.actions.addresses import get_address
from labelwright.server.store.models import Mail, Member, Message, Pool, Rater, StudyRow
from labelwright.server.store.queue import MAIL, defer_once
from labelwright.server.store.versions import study_of
from labelwright.server.web.language import in_language


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail ready to be sent."""

    mail: int
    to: str
    subject: str
    text: str


def queue_invitation(study: StudyRow, pool: Pool, rater: Rater, now: datetime) -> None:
    """Queues a mail with the rater's link; does nothing if the installation sends no mail."""
    _queue([Mail(study=study, rater=rater, pool=pool, made_at=now)])


def queue_message(message: Message, raters: Iterable[Rater], now: datetime) -> None:
    """Queues a mail with a message for every rater who gave an address."""
    _queue(
        [
            Mail(study_id=message.study_id, rater=rater, message=message, made_at=now)
            for rater in raters
            if rater.person_id is not None
        ]
    )


def plan_mail() -> Letter | None:
    """The next mail, marked as sent; None if the queue is empty. Mails to raters who removed their address are skipped."""
    while True:
        with transaction.atomic():
            mail = (
                Mail.objects.filter(state=Mail.State.WAITING)
                .select_for_update(skip_locked=True, of=("self",))
                .select_related("study", "rater__person", "message", "pool")
                .order_by("id")
                .first()
            )
            if mail is None:
                return None
            address = get_address(mail.rater)
            mail.state = Mail.State.SENT if address else Mail.State.FAILED
            mail.save(update_fields=["state"])
            if address:
                return _letter(mail, address)


def record_failed_mail(mail: int) -> None:
    """Marks a mail that the mail server refused, so that the requester sees it."""
    Mail.objects.filter(pk=mail).update(state=Mail.State.FAILED)


def is_mail_sent() -> bool:
    """Whether this installation sends mail."""
    return bool(settings.MAIL_IS_SENT)


def _queue(mails: list[Mail]) -> None:
    if not mails or not is_mail_sent():
        return
    Mail.objects.bulk_create(mails)
    defer_mails()


def defer_mails() -> None:
    """Defers the job that sends the queued mails."""
    defer_once("send_mails", MAIL, lock="send_mails")


def _letter(mail: Mail, address: str) -> Letter:
    study = study_of(mail.study.versions.latest("n").pk)
    # A line break in a title would start another header.
    title = " ".join(study.title.split())
    pool = (
        mail.pool or Member.objects.select_related("pool").filter(rater=mail.rater).latest("joined_at").pool
    )
    link = address_of(mail.study, pool, mail.rater)
    with in_language(study.language):
        subject, text = _invitation(link) if mail.message is None else _message(mail.message, link)
        return Letter(mail.pk, address, subject.format(title=title), text)


def _invitation(link: str) -> tuple[str, str]:
    invited, own = _("You are invited to take part in a study."), _("Your personal link:")
    return _("Invitation: {title}"), f"{invited}\n\n{own}\n{link}\n\n" + _(
        "This link is only for you. Please do not share it."
    )


def _message(message: Message, link: str) -> tuple[str, str]:
    page = _("You can reply on your page:")
    return _("Message: {title}"), f"{message.text}\n\n{page}\n{link}/me"
