"""Influence: how far each rating and each of the model's labels moves an estimate, and what follows for its interval.

Ratings of one dialogue vary together, and so do those of one rater. Influences are summed over dialogues, over raters
and over both (Cameron, Gelbach and Miller 2011). Few labels of a skewed scale make the distribution of a mean
skewed too, so that its interval must reach further to one side: it is moved by the first term of the Edgeworth
expansion (Hall, "The Bootstrap and Edgeworth Expansion", 1992), which leaves its width as it is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy

from labelwright.agreement import Floats, Interval, Ints
from labelwright.analysis.clusters import FEWEST_RATERS


@dataclass(frozen=True, eq=False)
class Grouping:
    """The dialogue of each item, and the item and the rater of each rating."""

    dialogue: Ints
    """For each item."""
    item: Ints
    """For each rating."""
    rater: Ints | None
    """For each rating; None if raters are not known, or too few to speak for others."""

    @classmethod
    def of(cls, dialogue: Ints, item: Ints, rater: Ints | None) -> Grouping:
        """The groups; raters count only if there are enough of them."""
        enough = rater is not None and len(np.unique(rater)) >= FEWEST_RATERS
        return cls(dialogue, item, rater if enough else None)

    @property
    def over(self) -> str:
        """What an interval is over."""
        return "items" if self.rater is None else "items and raters"


@dataclass(frozen=True, eq=False)
class Influence:
    """An estimate, and how far each rating and each label of the model moves it."""

    value: float
    ratings: Floats
    items: Floats
    """For each item, through the model's label."""
    rated: np.ndarray
    """Which ratings the estimate depends on, also those that happen not to move it."""
    scored: np.ndarray
    """Which items the estimate depends on through the model's label."""

    def __sub__(self, other: Influence) -> Influence:
        return Influence(
            self.value - other.value,
            self.ratings - other.ratings,
            self.items - other.items,
            self.rated | other.rated,
            self.scored | other.scored,
        )


@dataclass(frozen=True)
class ScoreSpread:
    """The standard error of an estimate, the skewness of its distribution and its degrees of freedom."""

    error: float
    skewness: float
    freedom: float
    labelled: int
    """The number of dialogues with a rating."""

    def half_width(self, level: float = 0.95) -> float:
        """How far an interval of this level reaches to each side, before it is moved or cut."""
        return self.error * float(scipy.stats.t.ppf(0.5 + level / 2, self.freedom))


def measure_spread(influence: Influence, groups: Grouping, fitted: int = 1) -> ScoreSpread:
    """The spread of an estimate; `fitted` is the number of values that were fitted to the ratings."""
    dialogues = int(groups.dialogue.max(initial=-1)) + 1
    of_rating = groups.dialogue[groups.item]
    sums = np.bincount(of_rating, influence.ratings, dialogues) + np.bincount(
        groups.dialogue, influence.items, dialogues
    )
    labelled = len(np.unique(of_rating[influence.rated])) or len(np.unique(groups.dialogue[influence.scored]))
    if labelled < 2:
        return ScoreSpread(math.nan, 0.0, 1.0, labelled)
    variance = float((sums**2).sum()) * labelled / (labelled - 1)
    third = float((sums**3).sum())
    freedom = float(max(labelled - fitted, 1))
    if groups.rater is not None and influence.rated.any():
        variance, freedom = _with_raters(influence, groups, of_rating, variance, freedom)
    error = math.sqrt(variance)
    return ScoreSpread(error, third / error**3 if error > 0 else 0.0, freedom, labelled)


def _with_raters(
    influence: Influence, groups: Grouping, dialogue: Ints, variance: float, freedom: float
) -> tuple[float, float]:
    """The variance with that between raters, and Satterthwaite's degrees of freedom."""
    assert groups.rater is not None
    moved, rater = influence.ratings[influence.rated], groups.rater[influence.rated]
    by_rater, raters = _squared(moved, rater)
    by_both, both = _squared(moved, dialogue[influence.rated] * (int(rater.max()) + 1) + rater)
    if raters < 2:
        return variance, freedom
    # As if each rater were left out in turn, which allows for how far few raters pull the mean to themselves.
    of_raters = by_rater * (raters / (raters - 1)) ** 2
    chance = by_both * both / max(both - 1, 1)
    total = max(variance, of_raters, variance + of_raters - chance)
    parts = variance**2 / freedom + of_raters**2 / (raters - 1)
    return total, max(total**2 / parts, 1.0) if parts else freedom


def _squared(values: Floats, group: Ints) -> tuple[float, int]:
    """The sum of squared sums over groups, and the number of groups."""
    _, number = np.unique(group, return_inverse=True)
    sums = np.bincount(number, values)
    return float((sums**2).sum()), len(sums)


def interval_of(
    value: float, spread: ScoreSpread, bounds: tuple[float, float], level: float, over: str
) -> Interval | None:
    """The interval of a mean on a scale, corrected for skewness; None if nothing is known about its spread."""
    if math.isnan(spread.error) or math.isnan(value):
        return None
    quantile = float(scipy.stats.t.ppf(0.5 + level / 2, spread.freedom))
    if spread.error < 1e-9 * (bounds[1] - bounds[0]):
        low, high = _without_variation(value, spread.labelled, quantile, bounds)
    else:
        shift = skew_shift(quantile, spread.skewness)
        low, high = value + spread.error * (shift - quantile), value + spread.error * (shift + quantile)
    return Interval(max(low, bounds[0]), min(high, bounds[1]), level, over, 0, 0)


def interval_of_difference(
    value: float, spread: ScoreSpread, limits: tuple[float, float], level: float, over: str
) -> Interval | None:
    """The interval of a difference, whose truth may be 0; None if nothing is known about its spread.

    One label that differs among a hundred makes a difference skewed. An interval that only moves would leave
    out 0 then, so this one reaches as far as the moved and the unmoved one together. The limits are how far the
    difference can be from 0, and how far a label can move it.
    """
    if math.isnan(spread.error) or math.isnan(value):
        return None
    limit, most = limits
    quantile = float(scipy.stats.t.ppf(0.5 + level / 2, spread.freedom))
    if spread.error < 1e-9 * most:
        # Wilson's bound for a share of which nothing was seen.
        below = above = most * quantile**2 / (spread.labelled + quantile**2)
    else:
        shift = skew_shift(quantile, spread.skewness)
        below = spread.error * (quantile - min(shift, 0.0))
        above = spread.error * (quantile + max(shift, 0.0))
    return Interval(max(value - below, -limit), min(value + above, limit), level, over, 0, 0)


def skew_shift(quantile: float, skewness: float) -> float:
    """How many standard errors an interval is moved towards the longer tail.

    A mean of labels with a rare low score is mostly too high, and its standard error too small just then. To first
    order (Edgeworth), both ends of the interval of a studentized mean with skewness a move by a (2 z^2 + 1) / 6.
    At most half the way to an end is moved, so that the estimate stays well inside.

    >>> skew_shift(1.96, 0.0), round(skew_shift(1.96, -0.2), 2), skew_shift(2.0, -9)
    (0.0, -0.29, -1.0)
    """
    shift = skewness * (2 * quantile**2 + 1) / 6
    return max(-quantile / 2, min(quantile / 2, shift))


def _without_variation(
    value: float, labelled: int, quantile: float, bounds: tuple[float, float]
) -> tuple[float, float]:
    """Wilson's interval for labels that were all the same: others may differ as far as the scale allows."""
    width = bounds[1] - bounds[0]
    share, n = (value - bounds[0]) / width, labelled
    middle = (share + quantile**2 / (2 * n)) / (1 + quantile**2 / n)
    half = quantile / (1 + quantile**2 / n) * math.sqrt(share * (1 - share) / n + quantile**2 / (4 * n**2))
    return bounds[0] + width * (middle - half), bounds[0] + width * (middle + half)
