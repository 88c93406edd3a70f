"""Receipt: a short code that a rater can read out, and that nobody can make up."""

from __future__ import annotations

import hashlib
import hmac

# Crockford's alphabet: no letter that can be taken for another.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def receipt(key: bytes, assignment: int) -> str:
    """The receipt of an assignment; the same each time it is asked for.

    >>> receipt(b"key", 1) == receipt(b"key", 1), len(receipt(b"key", 1))
    (True, 9)
    """
    digest = hmac.new(key, f"receipt|{assignment}".encode(), hashlib.sha256).digest()
    letters = "".join(ALPHABET[byte % 32] for byte in digest[:8])
    return f"{letters[:4]}-{letters[4:]}"
