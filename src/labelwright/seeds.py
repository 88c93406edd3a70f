"""Numbers that look random and are the same on every machine, engine and run."""

from __future__ import annotations

import hashlib

import numpy as np


def rank(seed: int, *parts: str | int) -> int:
    """A number from 0 to 2**63 - 1 that orders things by seed; md5, because every engine has it.

    >>> rank(7, "dialogue", "d1") == rank(7, "dialogue", "d1")
    True
    >>> rank(7, "a", "bc") == rank(7, "ab", "c")
    False
    """
    text = "\x1f".join([str(seed), *map(str, parts)])
    return int(hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:16], 16) >> 1


def generator(seed: int, *parts: str | int) -> np.random.Generator:
    """A numpy generator of its own for each named use, so that one use never shifts another.

    >>> a, b = generator(7, "bootstrap"), generator(7, "bootstrap")
    >>> bool(a.random() == b.random())
    True
    """
    return np.random.default_rng(rank(seed, *parts))
