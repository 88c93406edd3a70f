"""Pseudonyms: stable names for raters that cannot be traced back to a person."""

from __future__ import annotations

import base64
import hashlib
import hmac


def pseudonym(key: bytes, study: str, platform: str, rater: str) -> str:
    """The pseudonym of a rater in a study. The same person has different pseudonyms in different studies.

    >>> pseudonym(b"key", "s1", "link", "7") == pseudonym(b"key", "s1", "link", "7")
    True
    >>> pseudonym(b"key", "s1", "link", "7") == pseudonym(b"key", "s2", "link", "7")
    False
    """
    text = f"pseudonym\x1f{study}\x1f{platform}\x1f{rater}"
    digest = hmac.new(key, text.encode(), hashlib.sha256).digest()
    return "r" + base64.b32encode(digest[:10]).decode().lower()
