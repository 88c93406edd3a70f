"""Clusters: how uncertain estimates are if ratings of the same item, and ratings by the same rater, belong together.

An influence is how far one rating moves each estimate. Influences are summed over items, over raters and over
both, which gives three variances: V = V(items) + V(raters) - V(items and raters) (Cameron, Gelbach and Miller
2011, "Robust inference with multiway clustering"). It is what resampling items and raters would show with
endless replicates, to first order. Simulations in `bench/calibration` show how well the intervals cover.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from labelwright.agreement import Floats, Interval, Ints

FEWEST_RATERS = 10
"""With fewer raters, nothing can be said about other raters, so only items are clusters."""


@dataclass(frozen=True)
class Clusters:
    """Which item and which rater each rating belongs to, numbered from 0."""

    item: Ints
    rater: Ints | None
    """None if raters are not known, or too few to speak for others."""
    note: str = ""
    """Which raters the results are about, if not about any rater."""
    unit: str = "item"
    """What `item` numbers: items, or dialogues if items of one dialogue belong together."""

    @classmethod
    def of(cls, item: Ints, rater: Ints | None, unit: str = "item") -> Clusters:
        """Clusters of ratings; raters count only if there are enough of them."""
        if rater is None:
            return cls(item, None, "The raters are not known, so intervals are about these raters.", unit)
        raters = len(np.unique(rater))
        if raters < FEWEST_RATERS:
            one = "is 1 rater" if raters == 1 else f"are {raters} raters"
            few = f"There {one}, too few to speak for others: intervals are about these raters."
            return cls(item, None, few, unit)
        return cls(item, rater, unit=unit)

    @property
    def over(self) -> str:
        """What is resampled, in the words of an interval."""
        return f"{self.unit}s" if self.rater is None else f"{self.unit}s and raters"


@dataclass(frozen=True, eq=False)
class ClusterSums:
    """Influences summed over clusters."""

    sums: Floats
    """Clusters x estimates."""
    present: Floats
    """Clusters x estimates: 1 where the cluster has a rating that the estimate depends on."""

    @classmethod
    def of(cls, influence: Floats, present: Floats, cluster: Ints) -> ClusterSums:
        """Sums over the clusters of each rating."""
        number = dense_numbers(cluster)
        size = int(number.max(initial=-1)) + 1
        sums, there = (
            np.stack([np.bincount(number, column, size).astype(float) for column in values.T], axis=1)
            for values in (influence, present)
        )
        return cls(sums, np.minimum(there, 1))

    def variance(self, contrast: Floats) -> tuple[float, int]:
        """The variance of a weighted sum of the estimates, and the number of clusters it depends on."""
        clusters = int((self.present @ np.abs(contrast) > 0).sum())
        if clusters < 2:
            return math.nan, clusters
        return float(((self.sums @ contrast) ** 2).sum() * clusters / (clusters - 1)), clusters


def dense_numbers(numbers: Ints) -> Ints:
    """The same numbers without gaps, in the same order; sorted only if there are too many gaps to list all numbers.

    >>> dense_numbers(np.array([7, 3, 7])).tolist()
    [1, 0, 1]
    """
    if int(numbers.max(initial=0)) > 8 * len(numbers):
        return np.asarray(np.unique(numbers, return_inverse=True)[1], dtype=np.int64)
    seen = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=bool)
    seen[numbers] = True
    return np.asarray((np.cumsum(seen) - 1)[numbers], dtype=np.int64)


@dataclass(frozen=True)
class Uncertainty:
    """The standard error of an estimate and its degrees of freedom; nan if it cannot be estimated."""

    error: float
    freedom: float
    items: int

    def quantile(self, level: float) -> float:
        """How many standard errors an interval of this level reaches to each side."""
        return float(scipy.stats.t.ppf(0.5 + level / 2, self.freedom))


@dataclass(frozen=True, eq=False)
class ClusteredVariance:
    """The uncertainty of several estimates from the same ratings."""

    items: ClusterSums
    raters: ClusterSums | None
    both: ClusterSums | None

    @classmethod
    def of(cls, influence: Floats, clusters: Clusters, present: Floats | None = None) -> ClusteredVariance:
        """The uncertainty from ratings x estimates; `present` tells which ratings an estimate depends on."""
        there = np.ones_like(influence) if present is None else present
        items = ClusterSums.of(influence, there, clusters.item)
        if clusters.rater is None:
            return cls(items, None, None)
        both = clusters.item * (int(clusters.rater.max(initial=0)) + 1) + clusters.rater
        return cls(
            items, ClusterSums.of(influence, there, clusters.rater), ClusterSums.of(influence, there, both)
        )

    def spread(self, contrast: Floats) -> Uncertainty:
        """The standard error of a weighted sum of the estimates.

        Degrees of freedom are Satterthwaite's. The sum of variances is at least that of items and that of raters
        alone, because a variance between raters cannot be negative.
        """
        by_item, items = self.items.variance(contrast)
        if math.isnan(by_item) or self.raters is None or self.both is None:
            return Uncertainty(math.sqrt(by_item), items - 1, items)
        by_rater, raters = self.raters.variance(contrast)
        by_both, _ = self.both.variance(contrast)
        total = max(by_item, by_rater, by_item + by_rater - by_both)
        parts = by_item**2 / (items - 1) + by_rater**2 / (raters - 1)
        return Uncertainty(math.sqrt(total), total**2 / parts if parts else items - 1, items)


def share_interval(value: float, spread: Uncertainty, level: float, over: str) -> Interval | None:
    """An interval of a mean of values from 0 to 1 that stays between them and is never empty.

    Wilson's interval, with as many independent items as would have this standard error (as in Korn and Graubard
    1998, "Confidence intervals for proportions with small expected number of positive counts"). If the items do not
    differ at all, there are as many as were seen.
    """
    if math.isnan(spread.error):
        return None
    least = value * (1 - value)
    n = least / spread.error**2 if spread.error > 1e-9 else spread.items
    t = spread.quantile(level)
    middle = (value + t**2 / (2 * n)) / (1 + t**2 / n)
    half = t / (1 + t**2 / n) * math.sqrt(max(least, 0) / n + t**2 / (4 * n**2))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Interval(min(low, value), max(high, value), level, over, 0, 0)
