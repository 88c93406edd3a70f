"""The signature of webhooks, for the server that sends them and for the one that receives them."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from labelwright.errors import LabelwrightError

SIGNATURE_HEADER = "Labelwright-Signature"
PATIENCE = timedelta(minutes=5)
"""How old a message may be; older ones may have been recorded and sent again by somebody else."""


class BadSignature(LabelwrightError):
    """A message that did not come from the server, was changed, or is too old."""

    code: ClassVar[str] = "bad_signature"


def sign_webhook(secret: str, body: bytes, seconds: int) -> str:
    """The signature of a body that is sent at a time, in seconds since 1970.

    >>> sign_webhook("secret", b"{}", 1)[:13]
    't=1,v1=112276'
    """
    return f"t={seconds},v1={_proof(secret, str(seconds), body)}"


def verify_webhook(
    secret: str, signature: str, body: bytes, *, now: datetime | None = None, patience: timedelta = PATIENCE
) -> dict[str, Any]:
    """The message, if its signature (the header `Labelwright-Signature`) is right; raises BadSignature.

    `body` must be the bytes as they arrived.
    """
    parts = dict(part.partition("=")[::2] for part in signature.split(","))
    seconds = parts.get("t", "")
    proof = _proof(secret, seconds, body)
    if not hmac.compare_digest(proof.encode(), parts.get("v1", "").encode()) or not seconds.isdecimal():
        raise BadSignature("the signature does not belong to this message.")
    age = (now or datetime.now(UTC)) - datetime.fromtimestamp(int(seconds), UTC)
    if abs(age) > patience:
        raise BadSignature("the message is too old.")
    told: dict[str, Any] = json.loads(body)
    return told


def _proof(secret: str, seconds: str, body: bytes) -> str:
    return hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
