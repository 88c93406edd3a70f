"""Packing of several counts into one number: each code adds its own power of two, a few bits apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ibis
import numpy as np
from numpy.typing import NDArray

from labelwright.tables.rows import Code

# Integers up to 2^53 are exact in a double, and engines add doubles twice as fast as wide integers.
EXACT_BITS = 53


def code_weights(codes: int, bits: int) -> NDArray[np.float64]:
    """The power of two that each code adds to a packed sum.

    >>> code_weights(3, bits=4).tolist()
    [1.0, 16.0, 256.0]
    """
    return np.asarray(2.0 ** (bits * np.arange(codes)))


def packed_weight(value: Any, codes: Sequence[Code], bits: int, other: float) -> Any:
    """A column with the number that each label adds to a packed sum; `other` for labels that are not codes."""
    # Engines refuse to compare a string with a number, and the two are never equal.
    named = value.type().is_string()
    weights = code_weights(len(codes), bits).tolist()
    branches = [
        (code, weight) for code, weight in zip(codes, weights, strict=True) if isinstance(code, str) == named
    ]
    return value.cases(*branches, else_=other) if branches else ibis.literal(other)


def unpacked(packed: NDArray[Any], digits: int, bits: int) -> NDArray[np.int64]:
    """Sums x digits: the counts in each packed sum.

    >>> unpacked(np.array([3.0 + 2 * 8, 1.0]), digits=2, bits=3).tolist()
    [[3, 2], [1, 0]]
    """
    whole = np.asarray(packed, dtype=np.int64)
    # Each digit is contiguous in memory, so operations on all sums run along memory, not across it.
    counts = (whole >> (np.arange(digits, dtype=np.int64) * bits)[:, None]) & (2**bits - 1)
    return np.asarray(counts.T, dtype=np.int64)


def unpacked_parts(packed: Sequence[NDArray[Any]], codes: int, codes_per_sum: int) -> NDArray[np.int64]:
    """Sums x codes, for codes that are spread over several packed sums with `codes_per_sum` codes each."""
    bits = EXACT_BITS // codes_per_sum
    return np.concatenate([unpacked(part, codes_per_sum, bits) for part in packed], axis=1)[:, :codes]


def unpacked_if_exact(
    packed: NDArray[np.float64], digits: int, bits: int, rows: int, many: NDArray[np.int64] | int = 1
) -> NDArray[np.int64] | None:
    """The counts in sums that occur `many` times and add up to `rows`; None if a count exceeded its bits."""
    counts = unpacked(packed, digits, bits)
    # A count that exceeds its bits carries into the next digit, so the digits no longer add up to the rows.
    exact = float(packed.max()) < 2.0**EXACT_BITS and int((counts.sum(axis=1) * many).sum()) == rows
    return counts if exact else None
