"""Jobs of people: mails are sent, people who wait for tasks are chosen, and old joins are deleted."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from functools import partial
from smtplib import SMTPException

from django.core.mail import EmailMessage
from django.db import connection

from labelwright.server.people.actions.join_limit import delete_old_joins
from labelwright.server.people.actions.mail import Letter, defer_mails, plan_mail, record_failed_mail
from labelwright.server.people.actions.waiting import plan_waiting_letter, write_to_waiting
from labelwright.server.store.queue import MAIL, app, despite_outages, is_ending, periodic

log = logging.getLogger(__name__)
EVERY_10_MINUTES = "*/10 * * * *"


@app.task(name="send_mails", queue=MAIL, queueing_lock="send_mails")
def send_mails() -> None:
    """Sends every queued mail. A mail that the server refuses is not retried; its text is on the rater's page."""
    while letter := despite_outages(_plan):
        # Others need the connection more than a job that waits for a mail server.
        connection.close()
        try:
            EmailMessage(letter.subject, letter.text, to=[letter.to]).send()
        except (SMTPException, OSError, ValueError) as error:
            # A ValueError comes from an address that no mail can carry; the mails after it are still sent.
            # Neither the address nor the text belongs in a log.
            log.warning("mail %d was not sent: %s", letter.mail, type(error).__name__)
            despite_outages(partial(record_failed_mail, letter.mail))
        if is_ending():
            despite_outages(defer_mails)
            return


def _plan() -> Letter | None:
    return plan_mail() or plan_waiting_letter(datetime.now(UTC))


@periodic("write_to_waiting", EVERY_10_MINUTES)
def write(now: datetime) -> int:
    """Chooses people who wait for tasks, where there are tasks again."""
    write_to_waiting(now)
    # One round: those who are chosen now have not come yet, so the same places would choose others.
    return 0


@periodic("delete_old_joins", EVERY_10_MINUTES)
def delete_joins(now: datetime) -> int:
    """Deletes the hashed networks of joins that no longer count towards a limit."""
    return delete_old_joins(now)
