"""Associations: how the labels of each rater go together with those of the other raters of the same items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from labelwright.agreement import Floats, Ints
from labelwright.analysis.audit.crossing import Crossing

# A rater with fewer comparable ratings tells too little, and does not define what is usual either.
FEWEST_RATINGS = 10
FEWEST_EFFECTIVE = 6


@dataclass(frozen=True, eq=False)
class Associations:
    """For each rater: the correlation of their labels with the mean label of the other raters.

    For words, it is the correlation of vectors with one column per word: the sum of covariances over
    the root of the product of summed variances.
    """

    value: Floats
    """nan for a rater with one code only, or whose items have one label only."""
    error: Floats
    """The standard error for a rater who disagrees with the others as often as they disagree with each other."""
    ratings: Ints
    effective: Floats
    """The number of ratings on which the correlation rests; small if a few rare labels carry it."""

    @property
    def usual(self) -> float:
        """The median over raters with enough ratings; nan if there are none."""
        enough = np.isfinite(self.value) & (self.ratings >= FEWEST_RATINGS)
        return float(np.median(self.value[enough])) if enough.any() else float("nan")

    @property
    def tested(self) -> NDArray[np.bool_]:
        """The raters with enough ratings, and not only a few that differ from the rest."""
        return (
            np.isfinite(self.value) & (self.ratings >= FEWEST_RATINGS) & (self.effective >= FEWEST_EFFECTIVE)
        )


def associate(crossing: Crossing) -> Associations:
    """The association of every rater."""
    rows = np.flatnonzero(np.isfinite(crossing.others[:, 0]))
    return associate_rows(crossing, rows, rows)


def associate_rows(crossing: Crossing, own: Ints, others: Ints) -> Associations:
    """The association of the labels in some rows with what others said in the same or other rows.

    Both lists have one row per rating, in the same order, and each pair of rows is by one rater.
    """
    raters, size = crossing.rater[own], len(crossing.raters)
    ratings = np.bincount(raters, minlength=size)
    x = _centred(crossing.vector[own], raters, ratings)
    m = _centred(crossing.others[others], raters, ratings)

    def total(values: Floats) -> Floats:
        return np.asarray(np.bincount(raters, values, size), dtype=float)

    products, own_square, other_square = (total((a * b).sum(axis=1)) for a, b in ((x, m), (x, x), (m, m)))
    scale = np.sqrt(own_square * other_square)
    defined = scale > 1e-9
    safe = np.where(defined, scale, 1.0)
    # How far an honest rater strays: each item contributes the usual disagreement about it.
    noise = np.sqrt(total((m**2).sum(axis=1) * np.nan_to_num(crossing.spread[others]))) / safe
    error = np.maximum(noise, 1 / np.sqrt(np.maximum(ratings - 1, 1)))
    value = np.where(defined, products / safe, np.nan)
    effective = np.minimum(_participation(total, x), _participation(total, m))
    return Associations(value, np.where(defined, error, np.nan), ratings, effective)


def _participation(total: Callable[[Floats], Floats], values: Floats) -> Floats:
    """For each rater: how many ratings share in the variance (the squared sum of squares over the sum of fourth powers)."""
    square = (values**2).sum(axis=1)
    fourth = total(square**2)
    return np.asarray(total(square) ** 2 / np.where(fourth > 1e-12, fourth, np.inf))


def _centred(values: Floats, raters: Ints, ratings: Ints) -> Floats:
    counts = np.maximum(ratings, 1)
    means = [np.bincount(raters, column, len(ratings)) / counts for column in values.T]
    return np.asarray(values - np.column_stack(means)[raters])


def critical(level: float, tests: int) -> float:
    """The normal deviate that none of so many independent tests exceeds by chance, with this error level.

    >>> round(critical(0.05, 10), 2)
    2.58
    """
    return float(scipy.stats.norm.isf(level / max(tests, 1)))
