"""Intraclass correlation for scales (Shrout and Fleiss 1979, "Intraclass correlations")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from labelwright.agreement._arrays import Floats, divide
from labelwright.agreement.bootstrap import Bootstrap
from labelwright.agreement.estimate import UNDEFINED, Estimate, Interval
from labelwright.agreement.measures import DEFAULT_BOOTSTRAP, measure_in_order, register_measure
from labelwright.agreement.ratings import Ratings
from labelwright.seeds import generator

_FORMS = {
    "icc1": "ICC(1,1): one-way random effects, reliability of a single rating",
    "icc1k": "ICC(1,k): one-way random effects, reliability of the mean of an item's ratings",
    "icc2": "ICC(2,1): two-way random effects, absolute agreement of a single rating",
    "icc2k": "ICC(2,k): two-way random effects, absolute agreement of the mean of k ratings",
    "icc3": "ICC(3,1): two-way mixed effects (fixed raters), consistency of a single rating",
    "icc3k": "ICC(3,k): two-way mixed effects (fixed raters), consistency of the mean of k ratings",
}


@dataclass(frozen=True)
class IntraclassCorrelation:
    """One form of the intraclass correlation, with codes as numbers."""

    name: str

    @property
    def definition(self) -> str:
        """The form in words."""
        return f"{_FORMS[self.name]}; codes are used as numbers, and items need at least two ratings."

    @property
    def needs_raters(self) -> bool:
        """True for all forms: the one-way forms also take individual ratings, not counts."""
        return True

    def __call__(self, ratings: Ratings, bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP) -> Estimate:
        """The estimate. Two-way forms are undefined unless every rater judged every item exactly once."""
        return measure_in_order(self, ratings, lambda ordered: self._estimate(ordered, bootstrap))

    @property
    def needs_order(self) -> bool:
        """True for all forms, because codes are used as numbers."""
        return True

    def _estimate(self, ratings: Ratings, bootstrap: Bootstrap | None) -> Estimate:
        if any(isinstance(code, str) for code in ratings.codes):
            return self._undefined(ratings, "the codes are not numbers")
        one_way = self.name.startswith("icc1")
        features = _one_way_features(ratings) if one_way else _two_way_features(ratings)
        if features is None:
            return self._undefined(ratings, "not every rater judged every item exactly once")
        of = _one_way(self.name) if one_way else _two_way(self.name)
        value = float(of(features.sum(axis=0))) if len(features) else UNDEFINED
        return Estimate(
            self.name,
            value,
            self.definition,
            interval=_interval(features, of, bootstrap),
            items=len(features),
            ratings=int(features[:, 1].sum()) if one_way else ratings.item.size,
            raters=None if ratings.positions else ratings.raters,
            left_out=ratings.left_out,
            undefined="the ratings do not vary" if np.isnan(value) else None,
        )

    def _undefined(self, ratings: Ratings, why: str) -> Estimate:
        return Estimate(self.name, UNDEFINED, self.definition, items=ratings.items, undefined=why)


def _one_way_features(ratings: Ratings) -> Floats:
    """Per item: 1, ratings, ratings squared, sum, sum squared over ratings, sum of squares."""
    values = np.array(ratings.codes, dtype=float)[ratings.code]
    n = np.bincount(ratings.item, minlength=ratings.items).astype(float)
    total = np.bincount(ratings.item, values, ratings.items)
    squares = np.bincount(ratings.item, values**2, ratings.items)
    kept = n >= 2
    n, total, squares = n[kept], total[kept], squares[kept]
    return np.stack([np.ones_like(n), n, n**2, total, total**2 / n, squares], axis=1)


def _one_way(form: str) -> Callable[[Floats], Floats]:
    def value(sums: Floats) -> Floats:
        items, n, n_squared, total, between, squares = np.moveaxis(sums, -1, 0)
        mean_between = divide(between - divide(total**2, n), items - 1)
        mean_within = divide(squares - between, n - items)
        per_item = divide(n - divide(n_squared, n), items - 1)
        if form == "icc1k":
            return divide(mean_between - mean_within, mean_between)
        return divide(mean_between - mean_within, mean_between + (per_item - 1) * mean_within)

    return value


def _two_way_features(ratings: Ratings) -> Floats | None:
    """Per item: 1, sum squared, sum of squares, and each rater's value; None if ratings are missing."""
    raters = int(ratings.rater.max(initial=-1)) + 1
    cell = ratings.item * raters + ratings.rater
    seen = np.bincount(cell, minlength=ratings.items * raters)
    if raters < 2 or not (seen == 1).all():
        return None
    values = np.array(ratings.codes, dtype=float)[ratings.code]
    table = np.bincount(cell, values, ratings.items * raters).reshape(-1, raters)
    ones = np.ones((len(table), 1))
    return np.hstack(
        [ones, table.sum(axis=1, keepdims=True) ** 2, (table**2).sum(axis=1, keepdims=True), table]
    )


def _two_way(form: str) -> Callable[[Floats], Floats]:
    def value(sums: Floats) -> Floats:
        items, sum_squared, squares = sums[..., 0], sums[..., 1], sums[..., 2]
        by_rater = sums[..., 3:]
        k = by_rater.shape[-1]
        grand = by_rater.sum(axis=-1) ** 2 / (items * k)
        rows = sum_squared / k - grand
        columns = (by_rater**2).sum(axis=-1) / items - grand
        mean_rows, mean_columns = divide(rows, items - 1), columns / (k - 1)
        error = divide(squares - grand - rows - columns, (items - 1) * (k - 1))
        return _two_way_value(form, mean_rows, mean_columns, error, items, k)

    return value


def _two_way_value(form: str, rows: Floats, columns: Floats, error: Floats, items: Floats, k: int) -> Floats:
    if form == "icc2":
        return divide(rows - error, rows + (k - 1) * error + k * (columns - error) / items)
    if form == "icc2k":
        return divide(rows - error, rows + (columns - error) / items)
    if form == "icc3":
        return divide(rows - error, rows + (k - 1) * error)
    return divide(rows - error, rows)


def _interval(
    features: Floats, of: Callable[[Floats], Floats], bootstrap: Bootstrap | None
) -> Interval | None:
    if bootstrap is None or len(features) < 2:
        return None
    distinct, items = np.unique(features, axis=0, return_counts=True)
    draw = generator(bootstrap.seed, "bootstrap", "items")
    weights = draw.multinomial(len(features), items / len(features), size=bootstrap.replicates)
    over_items = Bootstrap(bootstrap.replicates, bootstrap.seed, bootstrap.level)
    return over_items.interval(np.atleast_1d(of(weights @ distinct)))


icc1, icc1k, icc2, icc2k, icc3, icc3k = (register_measure(IntraclassCorrelation(form)) for form in _FORMS)
