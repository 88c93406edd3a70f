"""Mails to raters who gave an address: queued in the transaction of what they tell, sent by a job.

A mail is marked as sent before it is handed over, because no mail server can be asked whether it has it:
after a crash a mail may be missing, but nobody gets it twice. The rater's own page has it all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from procrastinate.exceptions import AlreadyEnqueued

from labelwright.server.actions.addresses import get_address
from labelwright.server.actions.languages import spoken
from labelwright.server.actions.links import address_of
from labelwright.server.queue import app
from labelwright.server.store.models import Mail, Member, Message, Pool, Rater, Study
from labelwright.server.store.versions import study_of
from labelwright.study import Study as StudyFile


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail ready to be handed over."""

    mail: int
    to: str
    subject: str
    text: str


def queue_invitation(study: Study, pool: Pool, rater: Rater, now: datetime) -> None:
    """Has the rater's link mailed; nothing happens where the installation sends no mail."""
    _queue([Mail(study=study, rater=rater, pool=pool, made_at=now)])


def queue_message(message: Message, raters: Iterable[Rater], now: datetime) -> None:
    """Has a message mailed to those of the raters who gave an address."""
    _queue(
        [
            Mail(study_id=message.study_id, rater=rater, message=message, made_at=now)
            for rater in raters
            if rater.person_id is not None
        ]
    )


def plan_mail() -> Letter | None:
    """The next mail, marked as sent; None when none waits. What has lost its address is passed over."""
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
    """The mail server refused it; the requester sees that it did not go out."""
    Mail.objects.filter(pk=mail).update(state=Mail.State.FAILED)


def _queue(mails: list[Mail]) -> None:
    if not mails or not settings.MAIL_IS_SENT:
        return
    Mail.objects.bulk_create(mails)
    # A duplicate would abort the whole transaction.
    with suppress(AlreadyEnqueued), transaction.atomic():
        app.configure_task("send_mails", queueing_lock="send_mails").defer()


@contextmanager
def in_language_of(study: StudyFile) -> Iterator[None]:
    """What is written meanwhile is in the language of a study, where we speak it."""
    with translation.override(spoken(study.language)):
        yield


def _letter(mail: Mail, address: str) -> Letter:
    study = study_of(mail.study.versions.latest("n").pk)
    # A line break in a title would begin another header.
    title = " ".join(study.title.split())
    pool = (
        mail.pool or Member.objects.select_related("pool").filter(rater=mail.rater).latest("joined_at").pool
    )
    link = address_of(mail.study, pool, mail.rater)
    with in_language_of(study):
        subject, text = _invitation(link) if mail.message is None else _message(mail.message, link)
        return Letter(mail.pk, address, subject.format(title=title), text)


def _invitation(link: str) -> tuple[str, str]:
    invited, own = _("You are invited to take part in a study."), _("Your personal link:")
    return _("Invitation: {title}"), f"{invited}\n\n{own}\n{link}\n\n" + _(
        "It is yours alone; do not pass it on."
    )


def _message(message: Message, link: str) -> tuple[str, str]:
    page = _("Your page, where you can answer:")
    return _("Message: {title}"), f"{message.text}\n\n{page}\n{link}/me"
