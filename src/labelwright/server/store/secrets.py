"""Encrypts personal data and second factors with separate keys, derived from the pseudonym key.

The keys are not in the database, so someone who reads the database or a copy of it cannot read addresses or notes, and
cannot log in with the second factor of a user.
"""

from __future__ import annotations

import base64
import enum
import hashlib
import hmac
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

UNREADABLE = "(not readable: the installation's key has changed)"


class Purpose(enum.StrEnum):
    """Each purpose has a key of its own, so that a text sealed for one cannot be opened for another."""

    PERSON = "person-data"
    SECOND_FACTOR = "second-factor"
    WEBHOOK = "webhook-secret"


def seal(text: str, purpose: Purpose = Purpose.PERSON) -> bytes:
    """Encrypts a text for storage."""
    return _fernet(purpose).encrypt(text.encode())


def unseal(sealed: bytes | memoryview, purpose: Purpose = Purpose.PERSON) -> str:
    """Decrypts a text; returns UNREADABLE if the key has changed since."""
    try:
        return _fernet(purpose).decrypt(bytes(sealed)).decode()
    except InvalidToken:
        return UNREADABLE


def fingerprint(kind: str, identity: str) -> bytes:
    """A keyed hash to look a person up by, which does not reveal the identity."""
    return hmac.new(derived_key("person-id"), f"{kind}\x1f{identity}".encode(), hashlib.sha256).digest()


def derived_key(purpose: str) -> bytes:
    """A key for one purpose, which does not change when the keys of links and sessions are rotated."""
    return hmac.new(
        settings.PSEUDONYM_KEY.encode(), f"labelwright|{purpose}".encode(), hashlib.sha256
    ).digest()


@lru_cache(maxsize=len(Purpose))
def _fernet(purpose: Purpose) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(derived_key(purpose)))
