"""Jobs of settings: invitations are mailed, and webhooks are told what happened."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from functools import partial
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import connection

from labelwright.outside.webhooks import send_webhook
from labelwright.server.store.queue import MAIL, app, despite_outages, is_ending, periodic
from labelwright.server.team.actions import webhooks
from labelwright.server.team.actions.invitations import (
    defer_invitations,
    plan_invitation_mail,
    record_failed_invitation,
)

log = logging.getLogger(__name__)
# Six fields, the last of them seconds.
EVERY_10_SECONDS = "* * * * * */10"
EVERY_10_MINUTES = "*/10 * * * *"


@app.task(name="send_invitations", queue=MAIL, queueing_lock="send_invitations")
def send_invitations() -> None:
    """Sends every waiting invitation. A mail that the server refuses is not tried again; the owner sees it."""
    while mail := despite_outages(plan_invitation_mail):
        # Others need the connection more than a job that waits for a mail server.
        connection.close()
        try:
            EmailMessage(mail.subject, mail.text, to=[mail.to]).send()
        except (SMTPException, OSError, ValueError) as error:
            # The address does not belong in a log.
            log.warning("invitation %d was not sent: %s", mail.invitation, type(error).__name__)
            despite_outages(partial(record_failed_invitation, mail.invitation))
        if is_ending():
            despite_outages(defer_invitations)
            return


@periodic("announce_events", EVERY_10_SECONDS)
def announce(now: datetime) -> int:
    """Writes a delivery for everything that webhooks want to be told."""
    webhooks.announce_events(now)
    # One round is enough: what happens meanwhile is for the next run.
    return 0


@periodic("deliver_webhooks", EVERY_10_SECONDS)
def deliver(now: datetime) -> int:
    """Makes one delivery that is due."""
    due = webhooks.plan_delivery(now)
    if due is None:
        return 0
    # Others need the connection more than a job that waits for a receiver.
    connection.close()
    headers = {"Labelwright-Event": due.event, "Labelwright-Delivery": str(due.id)}
    seconds = int(datetime.now(UTC).timestamp())
    private = settings.ENVIRONMENT.private_webhooks
    answer = send_webhook(due.address, due.secret, due.body, headers, seconds, private=private)
    despite_outages(partial(webhooks.record_delivery, due.id, answer))
    return 1


@periodic("delete_old_deliveries", EVERY_10_MINUTES)
def delete_deliveries(now: datetime) -> int:
    """Deletes the log of deliveries after 30 days."""
    return webhooks.delete_old_deliveries(now)
