"""Pairs: the difference between two of several estimates from the same ratings, tested and corrected over all pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import scipy

from labelwright.agreement.significance import holm
from labelwright.analysis.clusters import Uncertainty

DIGITS = 9
"""Estimates that differ less than this many decimal places are equal; sums of decimals are not exact."""


@dataclass(frozen=True)
class PairDifference:
    """The difference between two systems or conditions, first minus second."""

    first: str
    second: str
    value: float
    spread: Uncertainty
    p: float
    p_holm: float = float("nan")

    def is_certain(self, level: float) -> bool:
        """Whether the difference is not zero, at this level over all pairs together."""
        return self.p_holm < 1 - level


def compare_pair(first: str, second: str, value: float, spread: Uncertainty) -> PairDifference:
    """A t-test of a difference; p is 1 if the two are equal, and undefined with fewer than two items."""
    if abs(value) < 10**-DIGITS:
        return PairDifference(first, second, 0.0, spread, 1.0)
    if spread.error < 10**-DIGITS:
        # All items differ by the same amount. Signs alone then tell how sure the direction is.
        return PairDifference(first, second, value, spread, 2.0 ** (1 - spread.items))
    p = 2 * scipy.stats.t.sf(abs(value) / spread.error, spread.freedom)
    return PairDifference(first, second, value, spread, float(p))


def correct_pairs(pairs: Sequence[PairDifference]) -> tuple[PairDifference, ...]:
    """The differences with Holm's correction over all pairs."""
    corrected = holm([pair.p for pair in pairs])
    return tuple(
        PairDifference(pair.first, pair.second, pair.value, pair.spread, pair.p, p)
        for pair, p in zip(pairs, corrected, strict=True)
    )


def every_pair(names: Sequence[str]) -> list[tuple[int, int]]:
    """The places of all pairs of names."""
    return list(combinations(range(len(names)), 2))
