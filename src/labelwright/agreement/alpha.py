"""Krippendorff's alpha (Krippendorff, Content Analysis, 4th edition, chapter 12)."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from labelwright.agreement._arrays import Floats, divide
from labelwright.agreement.bootstrap import Bootstrap
from labelwright.agreement.counts import Counts, Sums
from labelwright.agreement.errors import UnknownOption
from labelwright.agreement.estimate import Estimate
from labelwright.agreement.measures import DEFAULT_BOOTSTRAP, count_measure, get_measure
from labelwright.agreement.ratings import Ratings

Level: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]
_DEFINITION = (
    "Krippendorff's alpha, {} distance: one minus observed over expected disagreement, from the "
    "coincidences of all ratings of items with at least two."
)


def krippendorff_alpha(
    ratings: Ratings | Counts, level: Level = "nominal", bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP
) -> Estimate:
    """Alpha at a level of measurement. Items may have any number of ratings, and ratings may be missing.

    Interval and ratio distances treat the codes as numbers. Undefined (nan) when every
    rating has the same code.

    >>> counts = Counts.of_table([[2, 0], [0, 2], [1, 1]], codes=(0, 1))
    >>> round(krippendorff_alpha(counts, bootstrap=None).value, 4)
    0.4444
    """
    if level not in ("nominal", "ordinal", "interval", "ratio"):
        raise UnknownOption(f"unknown level {level!r}.", expected="nominal, ordinal, interval or ratio.")
    return get_measure(f"alpha_{level}")(ratings, bootstrap)  # type: ignore[arg-type]


@count_measure("alpha_nominal", _DEFINITION.format("nominal"))
def alpha_nominal(sums: Sums) -> Floats:
    """Any two different codes are equally far apart."""
    return _alpha(sums, nominal_distance(len(sums.codes)))


@count_measure("alpha_ordinal", _DEFINITION.format("ordinal"), needs_order=True)
def alpha_ordinal(sums: Sums) -> Floats:
    """The distance of two codes depends on the number of ratings between them."""
    return _alpha(sums, ordinal_distance(sums.coincidences.sum(axis=-1)))


@count_measure("alpha_interval", _DEFINITION.format("interval"), needs_order=True)
def alpha_interval(sums: Sums) -> Floats:
    """Squared difference of the codes as numbers."""
    values = _numbers(sums)
    return _alpha(sums, (values[:, None] - values[None, :]) ** 2)


@count_measure("alpha_ratio", _DEFINITION.format("ratio"), needs_order=True)
def alpha_ratio(sums: Sums) -> Floats:
    """Squared ratio of difference to sum of the codes as numbers, which must not be negative."""
    values = _numbers(sums)
    if (values < 0).any():
        raise UnknownOption(
            "the ratio level does not work with negative codes.", do="Use the interval level instead."
        )
    total = values[:, None] + values[None, :]
    return _alpha(sums, ((values[:, None] - values[None, :]) / np.where(total == 0, 1, total)) ** 2)


def nominal_distance(codes: int) -> Floats:
    """The distance of each two codes if they have no order."""
    return 1 - np.eye(codes)


def ordinal_distance(totals: Floats) -> Floats:
    """The distance of each two codes if they have an order, from the number of ratings with each."""
    rank = np.cumsum(totals, axis=-1) - totals / 2
    return np.asarray((rank[..., :, None] - rank[..., None, :]) ** 2)


def _alpha(sums: Sums, distance: Floats) -> Floats:
    totals = sums.coincidences.sum(axis=-1)
    ratings = totals.sum(axis=-1)
    observed = (sums.coincidences * distance).sum(axis=(-1, -2))
    expected = (totals[..., :, None] * totals[..., None, :] * distance).sum(axis=(-1, -2))
    return np.asarray(1 - divide((ratings - 1) * observed, expected))


def _numbers(sums: Sums) -> Floats:
    if any(isinstance(code, str) for code in sums.codes):
        raise UnknownOption(
            "interval and ratio distances need numbers as codes.",
            do="Use the nominal or ordinal level, or give the scale a score per code.",
        )
    return np.array(sums.codes, dtype=float)
