"""Pairs of raters: how often two raters agree, and how often two people who work alone would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from labelwright.agreement import Floats, Ints
from labelwright.analysis.audit.crossing import Crossing

FEWEST_SHARED = 10
# Up to this number of possible pairs, a table of all of them fits into memory.
_MOST_DENSE = 4_000_000


@dataclass(frozen=True, eq=False)
class RaterPairs:
    """Pairs of raters who share enough items."""

    one: Ints
    two: Ints
    shared: Ints
    agreed: Ints
    expected: Floats
    """The share of items on which the pair would agree if both worked alone.

    Agreement beyond chance is a product of two raters' reliabilities if their errors are independent
    (Spearman's one-factor model), so it follows from the agreement of each with all others. It is never
    taken to be less than how often one of them agrees with the others, than how often other pairs agree on
    the same items, or than their use of codes gives.
    """
    most: Floats
    """Half-way from how often they agree with others to 1: the expected share if it cannot be estimated."""
    modelled: NDArray[np.bool_]
    """Whether there were other pairs to estimate the expected share from."""
    usual: float
    """The share of agreement over all pairs of ratings."""

    def p(self, expected: Floats) -> Floats:
        """The chance of at least this much agreement, corrected for the number of pairs."""
        return np.asarray(scipy.stats.binom.sf(self.agreed - 1, self.shared, expected) * len(self.one))


def count_rater_pairs(crossing: Crossing) -> RaterPairs:
    """The pairs that share at least ten items, in the order of the raters."""
    every = _counted(crossing)
    kept = every.shared >= FEWEST_SHARED
    one, two, shared, agreed = every.one[kept], every.two[kept], every.shared[kept], every.agreed[kept]
    total, of_rater = int(every.shared.sum()), every.of_raters(every.shared, len(crossing.raters))
    agreed_total, agreed_of = int(every.agreed.sum()), every.of_raters(every.agreed, len(crossing.raters))
    first = _rate(agreed_of[one] - agreed, of_rater[one] - shared)
    second = _rate(agreed_of[two] - agreed, of_rater[two] - shared)
    rest = _rate(
        agreed_total - agreed_of[one] - agreed_of[two] + agreed,
        total - of_rater[one] - of_rater[two] + shared,
    )
    seen = np.maximum(np.maximum(np.nan_to_num(first), np.nan_to_num(second)), every.around[kept])
    least = np.maximum(np.maximum(seen, _agreement_by_codes(crossing, one, two)), 0.01)
    most = np.minimum((1 + least) / 2, 1.0)
    predicted = _predicted(crossing.chance, first, second, rest)
    modelled = np.isfinite(predicted)
    expected = np.where(modelled, np.maximum(np.nan_to_num(predicted), least), most)
    usual = agreed_total / total if total else float("nan")
    return RaterPairs(one, two, shared, agreed, expected, most, modelled, usual)


def _predicted(chance: float, first: Floats, second: Floats, rest: Floats) -> Floats:
    """The agreement that follows from that of each rater with others, and of others with each other; nan if unknown."""
    if chance >= 1:
        return np.full(len(first), np.nan)
    one, two, others = ((rate - chance) / (1 - chance) for rate in (first, second, rest))
    known = np.isfinite(others) & (np.nan_to_num(others) > 0.05)
    product = np.clip(np.nan_to_num(one * two) / np.where(known, others, 1.0), 0, 0.99)
    return np.asarray(np.where(known, chance + (1 - chance) * product, np.nan))


@dataclass(frozen=True, eq=False)
class _PairCounts:
    """Every pair of raters who share an item."""

    one: Ints
    two: Ints
    shared: Ints
    agreed: Ints
    around: Floats
    """How often other pairs of raters agree on the same items."""

    def of_raters(self, values: Ints, raters: int) -> Floats:
        """The sum of a column over all pairs of each rater."""
        sums = np.bincount(self.one, values, raters) + np.bincount(self.two, values, raters)
        return np.asarray(sums, dtype=float)


def _rate(agreed: Any, shared: Any) -> Floats:
    return np.asarray(np.where(shared > 0, agreed / np.maximum(shared, 1), np.nan))


def _counted(crossing: Crossing) -> _PairCounts:
    """The counts of every pair of raters, from all pairs of ratings of one item."""
    raters, units = len(crossing.raters), len(crossing.sizes)
    agreeing = np.zeros(units)
    for left, right in crossing.pairs():
        agreeing += np.bincount(crossing.unit[left], crossing.agree(left, right), units)
    pairs_of = crossing.sizes * (crossing.sizes - 1) / 2
    cells, sums = np.zeros(0, dtype=np.int64), np.zeros((3, 0))
    for left, right in crossing.pairs():
        low = np.minimum(crossing.rater[left], crossing.rater[right])
        high = np.maximum(crossing.rater[left], crossing.rater[right])
        same, unit = crossing.agree(left, right), crossing.unit[left]
        others = (agreeing[unit] - same) / np.maximum(pairs_of[unit] - 1, 1)
        found, place = _distinct(low * raters + high, raters * raters)
        cells = np.concatenate([cells, found])
        sums = np.concatenate([sums, _sums(place, [np.ones(len(same)), same, others], len(found))], axis=1)
    pairs, place = _distinct(cells, raters * raters)
    shared, agreed, around = _sums(place, sums, len(pairs))
    whole, same_label = shared.astype(np.int64), agreed.astype(np.int64)
    return _PairCounts(pairs // raters, pairs % raters, whole, same_label, around / np.maximum(shared, 1))


def _sums(place: Ints, columns: Any, size: int) -> Floats:
    return np.array([np.bincount(place, column, size) for column in columns])


def _distinct(values: Ints, limit: int) -> tuple[Ints, Ints]:
    """The distinct values, ascending, and the place of each among them; without sorting if they are small."""
    if limit > _MOST_DENSE:
        distinct, place = np.unique(values, return_inverse=True)
        return distinct, place.astype(np.int64)
    seen = np.zeros(limit, dtype=bool)
    seen[values] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[values]


def _agreement_by_codes(crossing: Crossing, one: Ints, two: Ints) -> Floats:
    """How often two raters would agree if each gave codes at random in the shares that they used them."""
    codes = int(crossing.code.max(initial=0)) + 1
    if crossing.close.any() or codes > 1000:
        return np.zeros(len(one))
    cells = np.bincount(crossing.rater * codes + crossing.code, minlength=len(crossing.raters) * codes)
    shares = cells.reshape(-1, codes) / np.maximum(crossing.ratings_of, 1)[:, None]
    return np.concatenate(
        [
            (shares[one[at : at + 100_000]] * shares[two[at : at + 100_000]]).sum(axis=1)
            for at in range(0, len(one), 100_000)
        ]
        or [np.zeros(0)]
    )
