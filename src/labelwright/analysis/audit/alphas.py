"""Alphas of label sets with fast intervals: Krippendorff's alpha and its jackknife over items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from labelwright.agreement import Floats, Ints

_WIDTH = float(ndtri(0.975))


@dataclass(frozen=True, eq=False)
class SetAlpha:
    """Alpha of one set: nominal distance, or interval distance for sliders."""

    value: float
    influence: dict[str, float]
    """How much each item moves alpha; the squares add up to its variance."""

    @property
    def half_width(self) -> float:
        """Half the width of the 95% interval."""
        return _WIDTH * float(np.sqrt(sum(each**2 for each in self.influence.values())))


def alpha_of(item: Ints, code: Ints, items: Sequence[str], numbers: Floats | None = None) -> SetAlpha | None:
    """Alpha with the influence of each item; None if it is undefined or rests on fewer than three items.

    With the `numbers` of the codes, it has interval distance. Leaving out an item changes a few sums only,
    so all jackknife values cost one pass over the ratings.
    """
    given = np.bincount(item, minlength=len(items))
    paired = given[item] > 1
    item, code = item[paired], code[paired]
    sizes: Floats = np.where(given > 1, given, 0).astype(float)
    units = np.flatnonzero(sizes)
    if len(units) < 3:
        return None
    sums = _nominal(item, code, sizes) if numbers is None else _interval(item, numbers[code], sizes)
    observed, expected, expected_without = sums
    n = sizes.sum()
    value = float(_alpha(observed.sum(), n, expected))
    without = _alpha(observed.sum() - observed, n - sizes, expected_without)[units]
    if not np.isfinite(value) or not np.isfinite(without).all():
        return None
    influence = (without.mean() - without) * np.sqrt((len(units) - 1) / len(units))
    return SetAlpha(
        value, dict(zip((items[unit] for unit in units.tolist()), influence.tolist(), strict=True))
    )


def difference_of(one: SetAlpha, two: SetAlpha) -> tuple[float, float]:
    """Second minus first, and half the width of its 95% interval. Items in both sets count as pairs."""
    names = {*one.influence, *two.influence}
    squares = sum((two.influence.get(name, 0.0) - one.influence.get(name, 0.0)) ** 2 for name in names)
    return two.value - one.value, _WIDTH * float(np.sqrt(squares))


def _alpha(observed: Any, n: Any, expected: Any) -> Floats:
    """One minus observed over expected disagreement; nan where nothing can disagree."""
    safe = np.asarray(expected) > 1e-12
    return np.asarray(1 - np.where(safe, (n - 1) * observed / np.where(safe, expected, 1.0), np.nan))


def _nominal(item: Ints, code: Ints, sizes: Floats) -> tuple[Floats, float, Floats]:
    """The disagreement within each item, between all ratings, and between all but those of an item: pairs of codes."""
    items, width = len(sizes), int(code.max(initial=0)) + 1
    counts = np.bincount(item * width + code, minlength=items * width).reshape(items, width).astype(float)
    squares, totals = (counts**2).sum(axis=1), counts.sum(axis=0)
    observed = (sizes**2 - squares) / np.maximum(sizes - 1, 1)
    n, both = sizes.sum(), float((totals**2).sum())
    return observed, n**2 - both, (n - sizes) ** 2 - (both - 2 * counts @ totals + squares)


def _interval(item: Ints, numbers: Floats, sizes: Floats) -> tuple[Floats, float, Floats]:
    """The same for squared differences, which need the sum and the sum of squares of the numbers only."""
    sums, squares = (np.bincount(item, values, len(sizes)) for values in (numbers, numbers**2))
    observed = 2 * (sizes * squares - sums**2) / np.maximum(sizes - 1, 1)
    n, total, square = sizes.sum(), sums.sum(), squares.sum()
    without = 2 * ((n - sizes) * (square - squares) - (total - sums) ** 2)
    return observed, float(2 * (n * square - total**2)), without
