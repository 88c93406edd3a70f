"""Events that Prolific sends to a webhook. They are signed, may come twice or in any order, and only say: look again."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping

from labelwright.crowd.platform import BadEvent, HeardEvent

SECRET = "LABELWRIGHT_PROLIFIC_WEBHOOK_SECRET"  # noqa: S105  the name of the setting
LONGEST_ID = 80


def signature_of(secret: str, timestamp: str, body: bytes) -> str:
    """The signature of an event.

    >>> body = b'{"resource_id":"s1","event_type":"submission.status.change","participant_id":"p1","status":"AWAITING REVIEW"}'
    >>> signature_of("test-secret", "1700000000", body)
    'ODhP4xLRBvP2yB9fD6sayogXwI5U6CZazJKH7jZQato='
    """
    made = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256)
    return base64.b64encode(made.digest()).decode()


def read_event(headers: Mapping[str, str], body: bytes, secret: str) -> HeardEvent:
    """The event, if it is signed with the secret of the workspace; raises BadEvent, which quotes nothing of it."""
    timestamp = headers.get("X-Prolific-Request-Timestamp", "")
    given = headers.get("X-Prolific-Request-Signature", "")
    # Compared over the raw bytes, before anything of them is read.
    right = hmac.compare_digest(signature_of(secret, timestamp, body).encode(), given.encode())
    if not secret or not right or not timestamp.isascii() or not timestamp.isdigit():
        raise BadEvent("the signature is not valid.")
    event = headers.get("X-Event-ID", "")
    if not 0 < len(event) <= LONGEST_ID or not event.isprintable():
        raise BadEvent("the event has no id.")
    return HeardEvent(event, int(timestamp[:12]), _publication(body))


def _publication(body: bytes) -> str:
    """The study that an event names; events about submissions do not."""
    try:
        told = json.loads(body)
    except ValueError:
        return ""
    if not isinstance(told, dict) or not str(told.get("event_type", "")).startswith("study."):
        return ""
    return str(told.get("resource_id") or "")
