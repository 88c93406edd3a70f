"""Encrypts personal data with a separate key, derived from the pseudonym key.

The key is not in the database, so someone who reads the database or a copy of it cannot read addresses or notes.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

UNREADABLE = "(not readable: the installation's key has changed)"


def seal(text: str) -> bytes:
    """Encrypts a text for storage."""
    return _fernet().encrypt(text.encode())


def unseal(sealed: bytes | memoryview) -> str:
    """Decrypts a text; returns UNREADABLE if the key has changed since."""
    try:
        return _fernet().decrypt(bytes(sealed)).decode()
    except InvalidToken:
        return UNREADABLE


def fingerprint(kind: str, identity: str) -> bytes:
    """A keyed hash to look a person up by, which does not reveal the identity."""
    return hmac.new(_derived("person-id"), f"{kind}\x1f{identity}".encode(), hashlib.sha256).digest()


@lru_cache(maxsize=1)
def _fernet() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(_derived("person-data")))


def _derived(purpose: str) -> bytes:
    return hmac.new(
        settings.PSEUDONYM_KEY.encode(), f"labelwright|{purpose}".encode(), hashlib.sha256
    ).digest()
