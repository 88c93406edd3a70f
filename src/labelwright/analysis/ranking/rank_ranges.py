"""Rank ranges: the ranks that systems can have, given which differences between them are certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats

from labelwright.agreement import Floats
from labelwright.agreement.significance import holm
from labelwright.analysis.clusters import Uncertainty

DIGITS = 9
"""Scores that differ less than this many decimal places are equal; sums of decimals are not exact."""


@dataclass(frozen=True)
class PairDifference:
    """The difference between two systems, first minus second."""

    first: str
    second: str
    value: float
    spread: Uncertainty
    p: float
    p_holm: float = float("nan")

    def is_certain(self, level: float) -> bool:
        """Whether the difference is not zero, at this level over all pairs together."""
        return self.p_holm < 1 - level


@dataclass(frozen=True)
class RankRange:
    """A system's rank, and the ranks that it can have."""

    rank: int
    """1 plus the number of systems with a better estimate; equal systems have the same rank."""
    low: int
    """1 plus the number of systems that are certainly better."""
    high: int
    """The number of systems that are not certainly worse."""


def compare_pair(first: str, second: str, value: float, spread: Uncertainty) -> PairDifference:
    """A t-test of a difference; p is 1 if the two are equal, and undefined with fewer than two items."""
    if abs(value) < 10**-DIGITS:
        return PairDifference(first, second, 0.0, spread, 1.0)
    if spread.error < 10**-DIGITS:
        # All items differ by the same amount. Signs alone then tell how sure the direction is.
        return PairDifference(first, second, value, spread, 2.0 ** (1 - spread.items))
    p = 2 * stats.t.sf(abs(value) / spread.error, spread.freedom)
    return PairDifference(first, second, value, spread, float(p))


def correct_pairs(pairs: Sequence[PairDifference]) -> tuple[PairDifference, ...]:
    """The differences with Holm's correction over all pairs."""
    corrected = holm([pair.p for pair in pairs])
    return tuple(
        PairDifference(pair.first, pair.second, pair.value, pair.spread, pair.p, p)
        for pair, p in zip(pairs, corrected, strict=True)
    )


def rank_ranges(
    names: Sequence[str], estimates: Floats, pairs: Sequence[PairDifference], level: float
) -> dict[str, RankRange]:
    """The rank and rank range of every system.

    All ranges hold together at the given level, because the differences are corrected over all pairs (Mogstad,
    Romano, Shaikh and Wilhelm 2024, "Inference for ranks").
    """
    ranks = stats.rankdata(-np.round(estimates, DIGITS), method="min")
    better = dict.fromkeys(names, 0)
    worse = dict.fromkeys(names, 0)
    for pair in pairs:
        if pair.is_certain(level):
            above, below = (pair.first, pair.second) if pair.value > 0 else (pair.second, pair.first)
            worse[above] += 1
            better[below] += 1
    return {
        name: RankRange(int(rank), 1 + better[name], len(names) - worse[name])
        for name, rank in zip(names, ranks, strict=True)
    }


def every_pair(names: Sequence[str]) -> list[tuple[int, int]]:
    """The places of all pairs of names."""
    return list(combinations(range(len(names)), 2))
