"""Sums for every pair of raters, from ratings in memory, without a table of codes per pair.

A pool of hundreds of raters has hundreds of thousands of pairs; a few sums for each are enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from labelwright.tables._packing import EXACT_BITS, code_weights, unpacked_parts
from labelwright.tables.pairs import PairSums

Ints: TypeAlias = NDArray[np.int64]


def sum_pairs(item: Ints, rater: Ints, code: Ints, codes: int) -> PairSums:
    """Sums for every pair of raters, from ratings whose items, raters and codes are numbered from 0.

    Ratings are distributed over columns without sorting: the first of each item, the second and so
    on. Every pair of columns then gives one pair of ratings per item. A rater who judged an item
    twice is not paired with themselves.

    >>> sum_pairs(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 0]), np.array([2, 2, 1, 0]), 3).agreed
    array([1])
    """
    raters = int(rater.max(initial=-1)) + 1
    cells = raters * raters
    dealt = [(column >= 0, rater[column], code[column]) for column in _dealt(item)]
    # The counts of all codes are packed into one sum. If two raters share too many items for that,
    # the codes are spread over more sums.
    for per_sum in sorted({codes, min(codes, 2), 1}, reverse=True):
        weights = _weights(codes, per_sum)
        shared, agreed = np.zeros(cells), np.zeros(cells)
        packed = np.zeros((2, len(weights), cells))
        for pair, low, high in _pairs(dealt, raters):
            shared += np.bincount(pair, minlength=cells)
            agreed += np.bincount(pair[low == high], minlength=cells)
            for place, weight in enumerate(weights):
                packed[0, place] += np.bincount(pair, weight[low], cells)
                packed[1, place] += np.bincount(pair, weight[high], cells)
        if shared.max(initial=0) < 2 ** (EXACT_BITS // per_sum):
            break
    met = np.flatnonzero(shared)
    first, second = (unpacked_parts(list(side[:, met]), codes, per_sum) for side in packed)
    pairs = np.stack([met // max(raters, 1), met % max(raters, 1)], axis=1)
    return PairSums(pairs, shared[met].astype(np.int64), agreed[met].astype(np.int64), first, second)


def _pairs(dealt: Sequence[tuple[Any, Ints, Ints]], raters: int) -> Iterator[tuple[Ints, Ints, Ints]]:
    """For every pair of columns: the pair of raters, lower number first, and their codes."""
    for (_, rater_one, code_one), (there, rater_two, code_two) in combinations(dealt, 2):
        # An item has a second rating only if it has a first one, so the later column shows which exist.
        both = there & (rater_one != rater_two)
        columns = (rater_one, rater_two, code_one, code_two)
        one, two, a, b = columns if both.all() else (each[both] for each in columns)
        swap = one > two
        pair = np.where(swap, two * raters + one, one * raters + two)
        yield pair, np.where(swap, b, a), np.where(swap, a, b)


def _weights(codes: int, per_sum: int) -> NDArray[np.float64]:
    """Sums x codes: what a code adds to the sum it belongs to; 0 for the other sums."""
    weights = np.zeros((-(-codes // per_sum), codes))
    for part, start in enumerate(range(0, codes, per_sum)):
        own = slice(start, min(start + per_sum, codes))
        weights[part, own] = code_weights(own.stop - start, EXACT_BITS // per_sum)
    return weights


def _dealt(item: Ints) -> Iterator[Ints]:
    """Row numbers of the first rating of each item, then of the second, and so on; -1 if there is none."""
    items = int(item.max(initial=-1)) + 1
    left = np.arange(len(item))
    while len(left):
        column = np.full(items, -1, dtype=np.int64)
        # If an item has several rows, the last one written stays; the others go to later columns.
        column[item[left]] = left
        yield column
        left = left[column[item[left]] != left]
