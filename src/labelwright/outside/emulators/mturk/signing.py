"""Signatures of requests, version 4: who sent them, checked with the secret key."""

from __future__ import annotations

import hashlib
import hmac
import re

from labelwright.outside.emulators.web import EmulatedRequest

FORM = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>[^/]+)/(?P<date>\d{8})/(?P<region>[^/]+)/(?P<service>[^/]+)/aws4_request, "
    r"SignedHeaders=(?P<headers>[^,]+), Signature=(?P<signature>[0-9a-f]{64})"
)
SERVICE = "mturk-requester"


def is_signed(request: EmulatedRequest, access_key: str, secret_key: str | None) -> bool:
    """Whether a request carries a signature of this account; without a secret key, its form is enough."""
    found = FORM.fullmatch(request.headers.get("authorization", ""))
    if found is None or found["service"] != SERVICE or found["key"] != access_key:
        return False
    if secret_key is None:
        return True
    return hmac.compare_digest(_signature(request, found, secret_key), found["signature"])


def _signature(request: EmulatedRequest, found: re.Match[str], secret_key: str) -> str:
    names = found["headers"].split(";")
    canonical = "\n".join(
        (
            request.method,
            request.path,
            "",
            *(f"{name}:{' '.join(request.headers.get(name, '').split())}" for name in names),
            "",
            found["headers"],
            hashlib.sha256(request.raw).hexdigest(),
        )
    )
    scope = f"{found['date']}/{found['region']}/{SERVICE}/aws4_request"
    text = "\n".join(
        (
            "AWS4-HMAC-SHA256",
            request.headers.get("x-amz-date", ""),
            scope,
            hashlib.sha256(canonical.encode()).hexdigest(),
        )
    )
    key = f"AWS4{secret_key}".encode()
    for part in (found["date"], found["region"], SERVICE, "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
