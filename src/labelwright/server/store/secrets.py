"""Personal data are encrypted with a key of their own, made from the key that names raters.

Whoever reads the database, or a copy of it, finds no address and no note; the installation's key is not in it.
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
    """A text as it may be stored."""
    return _fernet().encrypt(text.encode())


def unseal(sealed: bytes | memoryview) -> str:
    """The text again; after a change of the key it is lost, and says so."""
    try:
        return _fernet().decrypt(bytes(sealed)).decode()
    except InvalidToken:
        return UNREADABLE


def fingerprint(kind: str, identity: str) -> bytes:
    """What a person is found by without being readable."""
    return hmac.new(_derived("person-id"), f"{kind}\x1f{identity}".encode(), hashlib.sha256).digest()


@lru_cache(maxsize=1)
def _fernet() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(_derived("person-data")))


def _derived(purpose: str) -> bytes:
    return hmac.new(
        settings.PSEUDONYM_KEY.encode(), f"labelwright|{purpose}".encode(), hashlib.sha256
    ).digest()
