"""Signed links that identify raters. A token identifies a rater; it is not an authentication."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import ClassVar

from labelwright.errors import LabelwrightError

VERSION = "v1"
LONGEST = 1000
"""The maximum length of a token. Longer tokens are rejected without parsing."""


class BadLink(LabelwrightError):
    """A link that is expired or invalid. The message does not say which."""

    code: ClassVar[str] = "bad_link"

    def __init__(self) -> None:
        super().__init__(
            "This link does not work or has expired.", do="Ask the person who sent it to you for a new one."
        )


class RevokedLink(BadLink):
    """A link that was signed by us and has ended since: revoked, closed, or of a rater who was excluded."""

    code: ClassVar[str] = "revoked_link"

    def __init__(self) -> None:
        LabelwrightError.__init__(
            self,
            "This link has been revoked, so it no longer works.",
            do="If you still need one, ask the person who sent it to you. Work that you submitted still counts.",
        )


@dataclass(frozen=True, slots=True)
class Link:
    """The contents of a token. Field names are short because they are part of a URL."""

    p: str
    """public id of the pool"""
    w: str
    """public id of the rater; empty in a link that many can follow"""
    x: int
    """expiry, seconds since 1970"""
    n: str
    """nonce; a new one revokes earlier links"""


def sign_link(link: Link, key_id: str, key: bytes) -> str:
    """The token of a link, in four parts: version, key id, payload, signature.

    >>> token = sign_link(Link(p="p1", w="r2", x=9, n="a"), "k1", b"key")
    >>> read_link(token, lambda key_id: [b"new", b"key"], datetime.fromtimestamp(5)) == Link("p1", "r2", 9, "a")
    True
    """
    payload = _encode(json.dumps(asdict(link), separators=(",", ":")).encode())
    return f"{VERSION}.{key_id}.{payload}.{_signature(key_id, payload, key)}"


def read_link(token: str, keys_of: Callable[[str], Sequence[bytes]], now: datetime) -> Link:
    """The contents of a token signed with one of the keys; raises BadLink.

    The signature is checked before the payload is parsed.
    """
    parts = token.split(".") if len(token) <= LONGEST and token.isascii() else []
    if len(parts) != 4 or parts[0] != VERSION:
        raise BadLink
    _, key_id, payload, signature = parts
    if not any(hmac.compare_digest(_signature(key_id, payload, key), signature) for key in keys_of(key_id)):
        raise BadLink
    facts = json.loads(_decode(payload))
    # Links of earlier releases hold numbers, which are the public ids of the raters and pools of that time.
    link = Link(str(facts["p"]), str(facts["w"]), facts["x"], facts["n"])
    if link.x < now.timestamp():
        raise BadLink
    return link


def _signature(key_id: str, payload: str, key: bytes) -> str:
    signed = f"{VERSION}.{key_id}.{payload}".encode()
    return _encode(hmac.new(key, signed, hashlib.sha256).digest())


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError) as error:
        raise BadLink from error
