"""Rank ranges: the ranks that systems can have, given which differences between them are certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from labelwright.agreement import Floats
from labelwright.analysis.pairs import DIGITS, PairDifference


@dataclass(frozen=True)
class RankRange:
    """A system's rank, and the ranks that it can have."""

    rank: int
    """1 plus the number of systems with a better estimate; equal systems have the same rank."""
    low: int
    """1 plus the number of systems that are certainly better."""
    high: int
    """The number of systems that are not certainly worse."""


def rank_ranges(
    names: Sequence[str], estimates: Floats, pairs: Sequence[PairDifference], level: float
) -> dict[str, RankRange]:
    """The rank and rank range of every system.

    All ranges hold together at the given level, because the differences are corrected over all pairs (Mogstad,
    Romano, Shaikh and Wilhelm 2024, "Inference for ranks").
    """
    ranks = scipy.stats.rankdata(-np.round(estimates, DIGITS), method="min")
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
