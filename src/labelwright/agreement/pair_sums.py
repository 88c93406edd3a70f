"""PairSums: what Cohen's kappa of every two raters needs, without a table per pair.

A pool of hundreds of raters has hundreds of thousands of pairs; five sums for each are enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from labelwright.agreement._arrays import Floats, Ints, divide

# Whole numbers up to 2^53 are exact in a double.
_EXACT_BITS = 53


@dataclass(frozen=True, eq=False)
class PairSums:
    """Sums over the items that each two raters share; one entry per pair."""

    items: Floats
    """How many items the two share."""
    agreed: Floats
    """On how many of them they gave the same code."""
    chance: Floats
    """Sum over codes of how often one gave it times how often the other did."""

    def kappa(self) -> Floats:
        """Cohen's kappa of each pair; nan where chance agreement is 1."""
        chance = divide(self.chance, self.items**2)
        return divide(divide(self.agreed, self.items) - chance, 1 - chance)


def pair_sums(item: Ints, rater: Ints, code: Ints, codes: int) -> PairSums:
    """Sums of every two raters, from ratings whose items, raters and codes are numbered from 0.

    Ratings are dealt into columns, the first of each item, the second and so on, without
    sorting; every two columns then give one pair of ratings per item. A rater who judged an
    item twice is not paired with themselves.

    >>> pair_sums(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0]), np.array([2, 2, 1, 0]), 3).agreed
    array([1.])
    """
    raters = int(rater.max(initial=-1)) + 1
    cells = raters * raters
    dealt = [(column >= 0, rater[column], code[column]) for column in _dealt(item)]
    # Counts of all codes are packed into one sum; where two raters share too many items for that, into more.
    for per_sum in sorted({codes, min(codes, 2), 1}, reverse=True):
        bits = _EXACT_BITS // per_sum
        weights = _packing(codes, per_sum, bits)
        shared, agreed = np.zeros(cells), np.zeros(cells)
        packed = np.zeros((2, len(weights), cells))
        for pair, low, high in _pairs(dealt, raters):
            shared += np.bincount(pair, minlength=cells)
            agreed += np.bincount(pair[low == high], minlength=cells)
            for place, weight in enumerate(weights):
                packed[0, place] += np.bincount(pair, weight[low], cells)
                packed[1, place] += np.bincount(pair, weight[high], cells)
        if shared.max(initial=0) < 2**bits:
            break
    met = shared > 0
    margins = _unpacked(packed[:, :, met].astype(np.int64), codes, per_sum, bits)
    return PairSums(shared[met], agreed[met], (margins[0] * margins[1]).sum(axis=0))


def _pairs(dealt: Sequence[tuple[Any, Ints, Ints]], raters: int) -> Iterator[tuple[Ints, Ints, Ints]]:
    """For every two columns: the pair of raters, lower number first, and the codes of the two."""
    for (_, rater_one, code_one), (there, rater_two, code_two) in combinations(dealt, 2):
        # An item has a second rating only if it has a first, so the later column says which are there.
        both = there & (rater_one != rater_two)
        columns = (rater_one, rater_two, code_one, code_two)
        one, two, a, b = columns if both.all() else (each[both] for each in columns)
        swap = one > two
        pair = np.where(swap, two * raters + one, one * raters + two)
        yield pair, np.where(swap, b, a), np.where(swap, a, b)


def _packing(codes: int, per_sum: int, bits: int) -> Floats:
    """Sums x codes: the power of two that a code adds to the sum it belongs to, 0 to the others."""
    weights = np.zeros((-(-codes // per_sum), codes))
    for code in range(codes):
        weights[code // per_sum, code] = 2.0 ** (bits * (code % per_sum))
    return weights


def _unpacked(packed: Ints, codes: int, per_sum: int, bits: int) -> Floats:
    """Sides x codes x pairs from sides x sums x pairs."""
    digits = [
        (packed[:, code // per_sum] >> (bits * (code % per_sum))) & (2**bits - 1) for code in range(codes)
    ]
    return np.stack(digits, axis=1).astype(float)


def _dealt(item: Ints) -> Iterator[Ints]:
    """Row numbers of the first rating of each item, then of the second, ...; -1 where there is none."""
    items = int(item.max(initial=-1)) + 1
    left = np.arange(len(item))
    while len(left):
        column = np.full(items, -1, dtype=np.int64)
        # Of several rows of one item the last written stays; the others wait for the next column.
        column[item[left]] = left
        yield column
        left = left[column[item[left]] != left]
