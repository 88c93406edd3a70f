"""Webhooks of the emulated Prolific: subscriptions, signatures, deliveries and their repetition."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import threading
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

from labelwright.outside.emulators.prolific.model import (
    ProlificRefusal,
    ProlificState,
    Subscription,
    checked_choice,
    new_id,
)

EVENT_TYPES = (
    "submission.status.change",
    "study.status.change",
    "study.progress.change",
    "study.has_high_return_rate",
)
SECONDS = 5.0


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """The signature of a delivery.

    >>> body = b'{"resource_id":"s1","event_type":"submission.status.change","participant_id":"p1","status":"AWAITING REVIEW"}'
    >>> signature("test-secret", "1700000000", body)
    'ODhP4xLRBvP2yB9fD6sayogXwI5U6CZazJKH7jZQato='
    """
    made = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256)
    return base64.b64encode(made.digest()).decode()


def replace_secret(state: ProlificState) -> str:
    """A new secret; the one before is no longer used."""
    state.hook_secret = secrets.token_urlsafe(24)
    return state.hook_secret


def subscribe(state: ProlificState, told: dict[str, Any]) -> Subscription:
    """A subscription, which sends nothing until it is confirmed."""
    event_type = checked_choice(told.get("event_type"), EVENT_TYPES, "event_type")
    address = str(told.get("target_url"))
    if urlsplit(address).scheme not in (("https", "http") if state.settings.allow_http else ("https",)):
        raise ProlificRefusal({"target_url": ["Enter a valid URL (https)."]})
    if state.hook_secret is None:
        raise ProlificRefusal("The workspace has no secret.")
    made = Subscription(new_id(), event_type, address, secrets.token_urlsafe(24))
    state.subscriptions[made.id] = made
    return made


def confirm(state: ProlificState, name: str, told: dict[str, Any]) -> Subscription:
    """Confirms a subscription with the word of the answer that created it."""
    found = state.subscriptions.get(name)
    if found is None:
        raise ProlificRefusal("Not found.", 404)
    if not hmac.compare_digest(str(told.get("secret")), found.confirmation):
        raise ProlificRefusal({"secret": ["Wrong secret."]})
    found.confirmed = True
    return found


def describe_subscription(subscription: Subscription) -> dict[str, Any]:
    """A subscription as answers show it."""
    return {
        "id": subscription.id,
        "event_type": subscription.event_type,
        "target_url": subscription.target_url,
        "is_enabled": subscription.confirmed,
    }


def announce(state: ProlificState, event_type: str, told: dict[str, Any]) -> None:
    """Plans the delivery of an event to everyone who subscribed to it."""
    for subscription in state.subscriptions.values():
        if subscription.confirmed and subscription.event_type == event_type:
            delivery = {
                "event_id": new_id(),
                "subscription": subscription.id,
                "body": json.dumps({**told, "event_type": event_type}),
                "created": state.clock.now().timestamp(),
                "attempts": [],
            }
            state.deliveries.append(delivery)
            state.clock.after(0, lambda delivery=delivery: _deliver(state, delivery))  # type: ignore[misc]


def deliver_again(state: ProlificState, event_id: str) -> None:
    """Sends an event once more, as a duplicate or in another order."""
    found = [each for each in state.deliveries if each["event_id"] == event_id]
    if not found:
        raise ProlificRefusal("Not found.", 404)
    _deliver(state, found[0])


def _deliver(state: ProlificState, delivery: dict[str, Any]) -> None:
    """Sends outside the lock of the emulator, because the receiver may call the API before it answers."""
    subscription = state.subscriptions.get(delivery["subscription"])
    if subscription is None or state.hook_secret is None:
        return
    request = _signed(state, subscription.target_url, delivery)
    threading.Thread(target=_send, args=(state, delivery, request), daemon=True).start()


def _signed(state: ProlificState, address: str, delivery: dict[str, Any]) -> urllib.request.Request:
    body = delivery["body"].encode()
    timestamp = str(int(state.clock.now().timestamp()))
    headers = {
        "content-type": "application/json",
        "X-Prolific-Request-Timestamp": timestamp,
        "X-Prolific-Request-Signature": signature(state.hook_secret or "", timestamp, body),
        "X-Event-ID": delivery["event_id"],
        "X-Timestamp": str(delivery["created"]),
    }
    return urllib.request.Request(address, data=body, headers=headers)  # noqa: S310  checked when subscribed


def _send(state: ProlificState, delivery: dict[str, Any], request: urllib.request.Request) -> None:
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as response:  # noqa: S310
            status = response.status
    except urllib.error.HTTPError as error:
        status = error.code
    except OSError:
        status = None
    delivery["attempts"].append(status)
    failed = status is None or not 200 <= status < 300
    if failed and len(delivery["attempts"]) < state.settings.hook_attempts:
        wait = state.settings.hook_first_wait * 2 ** (len(delivery["attempts"]) - 1)
        state.clock.after(wait, lambda: _deliver(state, delivery))
