"""Pairs of raters: how often two raters agree, and how often two people who work alone would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

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
    taken to be less than how often one of them agrees with the others, or than their use of codes gives.
    """
    most: Floats
    """Half-way from how often they agree with others to 1: the expected share if it cannot be estimated."""
    modelled: NDArray[np.bool_]
    """Whether there were other pairs to estimate the expected share from."""
    usual: float
    """The share of agreement over all pairs of ratings."""

    def p(self, expected: Floats) -> Floats:
        """The chance of at least this much agreement, corrected for the number of pairs."""
        return np.asarray(binom.sf(self.agreed - 1, self.shared, expected) * len(self.one))


def count_rater_pairs(crossing: Crossing) -> RaterPairs:
    """The pairs that share at least ten items, in the order of the raters."""
    one, two, shared, agreed = _counted(crossing)
    raters = len(crossing.raters)
    of_rater = np.bincount(one, shared, raters) + np.bincount(two, shared, raters)
    agreed_of = np.bincount(one, agreed, raters) + np.bincount(two, agreed, raters)
    total, agreed_total = int(shared.sum()), int(agreed.sum())
    usual = agreed_total / total if total else float("nan")
    kept = shared >= FEWEST_SHARED
    one, two, shared, agreed = one[kept], two[kept], shared[kept], agreed[kept]
    first = _rate(agreed_of[one] - agreed, of_rater[one] - shared)
    second = _rate(agreed_of[two] - agreed, of_rater[two] - shared)
    rest = _rate(
        agreed_total - agreed_of[one] - agreed_of[two] + agreed,
        total - of_rater[one] - of_rater[two] + shared,
    )
    chance = crossing.chance
    beyond = [(rate - chance) / (1 - chance) if chance < 1 else rate * 0 for rate in (first, second, rest)]
    modelled = np.isfinite(beyond[2]) & (np.nan_to_num(beyond[2]) > 0.05)
    product = beyond[0] * beyond[1] / np.where(modelled, beyond[2], 1.0)
    predicted = chance + (1 - chance) * np.clip(np.nan_to_num(product), 0, 0.99)
    seen = np.maximum(np.nan_to_num(first), np.nan_to_num(second))
    by_codes = _agreement_by_codes(crossing, one, two)
    least = np.maximum(np.maximum(seen, by_codes), 0.01)
    most = np.minimum((1 + least) / 2, 1.0)
    expected = np.where(modelled, np.minimum(np.maximum(predicted, least), 1.0), most)
    return RaterPairs(one, two, shared, agreed, expected, most, modelled, usual)


def _rate(agreed: Any, shared: Any) -> Floats:
    return np.asarray(np.where(shared > 0, agreed / np.maximum(shared, 1), np.nan))


def _counted(crossing: Crossing) -> tuple[Ints, Ints, Ints, Ints]:
    """Both raters of every pair that shares an item, the shared items, and those they agree on."""
    raters = len(crossing.raters)
    cells, shared, agreed = (np.zeros(0, dtype=np.int64) for _ in range(3))
    for left, right in crossing.pairs():
        low = np.minimum(crossing.rater[left], crossing.rater[right])
        high = np.maximum(crossing.rater[left], crossing.rater[right])
        found, place = _distinct(low * raters + high, raters * raters)
        same = crossing.agree(left, right)
        cells = np.concatenate([cells, found])
        shared = np.concatenate([shared, np.bincount(place, minlength=len(found))])
        agreed = np.concatenate([agreed, np.bincount(place[same], minlength=len(found))])
    pairs, place = _distinct(cells, raters * raters)
    shared, agreed = (np.bincount(place, each, len(pairs)).astype(np.int64) for each in (shared, agreed))
    return pairs // raters, pairs % raters, shared, agreed


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
