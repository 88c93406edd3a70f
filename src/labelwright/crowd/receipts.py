"""Receipt: a short code that raters can read out and nobody can forge."""

from __future__ import annotations

import hashlib
import hmac
from uuid import UUID

# Crockford's alphabet, without letters that are easily confused.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def receipt(key: bytes, assignment: UUID) -> str:
    """The receipt of an assignment, made from its public id. It is always the same.

    The public id is random, so no two submissions get the same receipt, even if a backup is restored and the
    database gives the same internal ids again. Assignments of earlier releases have their number as public id.

    >>> receipt(b"key", UUID(int=1)) == receipt(b"key", UUID(int=1)), receipt(b"key", UUID(int=1))
    (True, 'DVRB-PK6Q')
    """
    digest = hmac.new(key, f"receipt|{assignment.int}".encode(), hashlib.sha256).digest()
    letters = "".join(ALPHABET[byte % 32] for byte in digest[:8])
    return f"{letters[:4]}-{letters[4:]}"
