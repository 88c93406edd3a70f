"""Webhooks of a study: what they are told, and deliveries that are tried again with growing pauses.

A job compares what each webhook was last told with the tallies. It adds nothing to the work of raters' requests.
"""

from __future__ import annotations

import enum
import json
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import transaction

from labelwright.errors import LabelwrightError
from labelwright.outside.webhooks import WebhookAnswer, check_address
from labelwright.server.access.actions.audit import log_change
from labelwright.server.store.models import StudyRow, Webhook, WebhookDelivery
from labelwright.server.store.secrets import Purpose, seal, unseal
from labelwright.server.team import queries
from labelwright.server.web.errors import NotFound

State = WebhookDelivery.State
MOST_WEBHOOKS = 10
MOST_LISTED = 20
PAUSES = tuple(timedelta(minutes=each) for each in (1, 5, 30, 120, 360, 720))
"""How long after each failed attempt the next one follows; after the last one the delivery has failed."""
KEPT = timedelta(days=30)
BLOCK = 1000
SECRET_PREFIX = "lwhs_"  # noqa: S105  the beginning of every secret, by which people recognise it


class WebhookEvent(enum.StrEnum):
    """What a webhook can be told."""

    JUDGMENTS = "judgments"
    """The number of judgments passed a milestone: 100, 200, 500, 1,000, 2,000, 5,000 ..."""
    FULL = "full"
    """Every task of the newest version has its ratings."""
    FLAGS = "flags"
    """A quality rule flagged work."""
    TEST = "test"
    """Somebody pressed the button."""


CHOSEN = (WebhookEvent.JUDGMENTS, WebhookEvent.FULL, WebhookEvent.FLAGS)


class TooManyWebhooks(LabelwrightError):
    """A study with as many webhooks as it may have."""

    code: ClassVar[str] = "too_many_webhooks"

    def __init__(self) -> None:
        super().__init__(f"a study can have {MOST_WEBHOOKS} webhooks.", do="Remove one first.")


@dataclass(frozen=True, slots=True)
class DueDelivery:
    """A delivery to make now."""

    id: int
    address: str
    secret: str
    event: str
    body: bytes


@transaction.atomic
def add_webhook(study: StudyRow, address: str, events: Collection[str], who: str, now: datetime) -> str:
    """Adds a webhook, and returns its secret, which is not shown again. Raises BadWebhook. For the owner.

    It is told only what happens from now on. Locks the study.
    """
    StudyRow.objects.select_for_update(no_key=True).get(pk=study.pk)
    chosen = [event for event in CHOSEN if event in events]
    if not chosen:
        raise LabelwrightError("no event was chosen.", do="Tick at least one.")
    checked = check_address(address.strip(), private=settings.ENVIRONMENT.private_webhooks)
    if Webhook.objects.filter(study=study).count() >= MOST_WEBHOOKS:
        raise TooManyWebhooks
    secret = SECRET_PREFIX + secrets.token_urlsafe(24)
    state = queries.study_events(study.pk)
    Webhook.objects.create(
        study=study,
        address=checked,
        secret_sealed=seal(secret, Purpose.WEBHOOK),
        events=chosen,
        made_at=now,
        seen_judgments=state.judgments,
        seen_full=state.version if state.full else None,
        seen_flag=state.newest_flag,
    )
    log_change(study.pk, who, "webhook_add", checked, now, after={"events": chosen})
    return secret


@transaction.atomic
def remove_webhook(study: StudyRow, webhook: int, who: str, now: datetime) -> None:
    """Removes a webhook with its deliveries; raises NotFound. For the owner."""
    found = _get(study, webhook)
    WebhookDelivery.objects.filter(webhook=found).delete()
    found.delete()
    log_change(study.pk, who, "webhook_remove", found.address, now)


@transaction.atomic
def try_webhook(study: StudyRow, webhook: int, who: str, now: datetime) -> None:
    """Sends a message with which the receiver can be tested; raises NotFound. For the owner."""
    _announce(_get(study, webhook), WebhookEvent.TEST, {"sent_by": who}, now)
    log_change(study.pk, who, "webhook_test", _get(study, webhook).address, now)


def get_webhooks(study: StudyRow) -> list[Webhook]:
    """The webhooks of a study, the oldest first."""
    return list(Webhook.objects.filter(study=study).order_by("id"))


def get_deliveries(study: StudyRow) -> list[WebhookDelivery]:
    """The newest deliveries to the webhooks of a study."""
    newest = WebhookDelivery.objects.filter(study=study).select_related("webhook").order_by("-id")
    return list(newest[:MOST_LISTED])


def announce_events(now: datetime) -> int:
    """Writes a delivery for everything that happened since each webhook was last told; returns how many.

    Run again, it announces nothing twice. Locks one webhook at a time.
    """
    ids = list(Webhook.objects.filter(study__deleted_at=None).order_by("id").values_list("pk", flat=True))
    return sum(_announce_news(webhook, now) for webhook in ids)


@transaction.atomic
def _announce_news(webhook: int, now: datetime) -> int:
    row = Webhook.objects.select_for_update(of=("self",)).select_related("study").filter(pk=webhook).first()
    if row is None:
        return 0
    state, told = queries.study_events(row.study_id), 0
    milestone = milestone_of(state.judgments)
    if milestone > milestone_of(row.seen_judgments):
        told += _announce(row, WebhookEvent.JUDGMENTS, {"judgments": milestone}, now)
    if state.full and row.seen_full != state.version:
        told += _announce(row, WebhookEvent.FULL, {"version": state.version_number}, now)
    if state.newest_flag > row.seen_flag:
        counts = queries.flags_by_rule(row.study_id, row.seen_flag)
        told += _announce(row, WebhookEvent.FLAGS, {"flags": counts}, now)
    row.seen_judgments = max(state.judgments, row.seen_judgments)
    row.seen_full = state.version if state.full else None
    row.seen_flag = max(state.newest_flag, row.seen_flag)
    row.save(update_fields=["seen_judgments", "seen_full", "seen_flag"])
    return told


def milestone_of(judgments: int) -> int:
    """The highest milestone that a number of judgments has passed: 100, 200, 500, 1,000 ...; 0 below.

    >>> [milestone_of(n) for n in (99, 100, 199, 200, 512, 999, 1000, 23456)]
    [0, 100, 100, 200, 500, 500, 1000, 20000]
    """
    power = 10 ** (len(str(judgments)) - 1)
    return next((step * power for step in (5, 2, 1) if step * power <= judgments and judgments >= 100), 0)


def plan_delivery(now: datetime) -> DueDelivery | None:
    """The next delivery that is due, with its attempt counted and the next one scheduled; None if none is due.

    After a crash the delivery is made again: receivers tell repeated ones by their number.
    """
    with transaction.atomic():
        row = (
            WebhookDelivery.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("webhook")
            .filter(state=State.WAITING, next_at__lte=now)
            .order_by("next_at")
            .first()
        )
        if row is None:
            return None
        row.next_at = now + PAUSES[min(row.attempts, len(PAUSES) - 1)]
        row.attempts += 1
        row.save(update_fields=["attempts", "next_at"])
    body = json.dumps(row.body | {"delivery": row.pk}, sort_keys=True).encode()
    secret = unseal(row.webhook.secret_sealed, Purpose.WEBHOOK)
    return DueDelivery(row.pk, row.webhook.address, secret, row.event, body)


def record_delivery(delivery: int, answer: WebhookAnswer) -> None:
    """Stores how an attempt ended; without success, the next one follows unless this was the last."""
    row = WebhookDelivery.objects.filter(pk=delivery).first()
    if row is None:
        return
    row.status, row.error = answer.status, answer.error
    if answer.arrived:
        row.state = State.ARRIVED
    elif row.attempts > len(PAUSES):
        row.state = State.FAILED
    row.save(update_fields=["status", "error", "state"])


def delete_old_deliveries(now: datetime) -> int:
    """Deletes a block of old deliveries; returns how many."""
    old = WebhookDelivery.objects.filter(made_at__lt=now - KEPT).order_by()
    block = list(old.values_list("pk", flat=True)[:BLOCK])
    return WebhookDelivery.objects.filter(pk__in=block).delete()[0] if block else 0


def _get(study: StudyRow, webhook: int) -> Webhook:
    found = Webhook.objects.filter(study=study, pk=webhook).first()
    if found is None:
        raise NotFound
    return found


def _announce(webhook: Webhook, event: WebhookEvent, facts: dict[str, Any], now: datetime) -> int:
    """Writes a delivery, if the webhook wants the event; returns how many."""
    if event is not WebhookEvent.TEST and event not in webhook.events:
        return 0
    body = {
        "event": event,
        "study": webhook.study.public_id,
        "name": webhook.study.name,
        "at": now.isoformat(),
        **facts,
    }
    WebhookDelivery.objects.create(
        study_id=webhook.study_id, webhook=webhook, event=event, body=body, next_at=now, made_at=now
    )
    return 1
