"""Several counts in one number: each code adds its own power of two, a few bits apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnwise.tables.rows import Code

# Whole numbers up to 2^53 are exact in a double, and engines add doubles twice as fast as wide integers.
EXACT_BITS = 53


def weights(codes: Sequence[Code], bits: int) -> list[tuple[Code, float]]:
    """What a rating with each code adds to a packed sum."""
    return [(code, 2.0 ** (bits * i)) for i, code in enumerate(codes)]


def unpacked(packed: NDArray[Any], digits: int, bits: int) -> NDArray[np.int64]:
    """Sums x digits: the counts that each packed sum is made of.

    >>> unpacked(np.array([3.0 + 2 * 8, 1.0]), digits=2, bits=3).tolist()
    [[3, 2], [1, 0]]
    """
    whole = np.asarray(packed, dtype=np.int64)
    counts = (whole[:, None] >> np.arange(digits, dtype=np.int64) * bits) & (2**bits - 1)
    return np.asarray(counts, dtype=np.int64)
