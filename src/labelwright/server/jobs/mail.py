"""Mails to raters are handed to the mail server, one after the other."""

from __future__ import annotations

import logging
from smtplib import SMTPException

from django.core.mail import EmailMessage

from labelwright.server.actions.mail import plan_mail, record_failed_mail
from labelwright.server.queue import app

log = logging.getLogger(__name__)


@app.task(name="send_mails", queueing_lock="send_mails")
def send() -> None:
    """Until none waits. A mail that the server refuses is not tried again; the rater's page has its text."""
    while letter := plan_mail():
        try:
            EmailMessage(letter.subject, letter.text, to=[letter.to]).send()
        except (SMTPException, OSError, ValueError) as error:
            # A ValueError is of an address that no mail can carry; the mails behind it still go out.
            # Neither the address nor the text belongs into a log.
            log.warning("mail %d was not sent: %s", letter.mail, type(error).__name__)
            record_failed_mail(letter.mail)
