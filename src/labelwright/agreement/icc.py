"""Intraclass correlation for scales (Shrout and Fleiss 1979, "Intraclass correlations")."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from labelwright.agreement._arrays import Floats, Ints, divide, sum_by
from labelwright.agreement.bootstrap import Bootstrap, replicate_features
from labelwright.agreement.estimate import UNDEFINED, Estimate, Interval
from labelwright.agreement.intervals import (
    RaterSpread,
    by_design,
    complete_agreement_note,
    make_interval,
    notes_on,
)
from labelwright.agreement.measures import DEFAULT_BOOTSTRAP, measure_in_order, register_measure
from labelwright.agreement.pseudo_items import PseudoItems, masses, pseudo_rows, representative_codes
from labelwright.agreement.ratings import Ratings

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
        form = _one_way_form(ratings, self.name) if one_way else _two_way_form(ratings, self.name)
        if form is None:
            return self._undefined(ratings, "not every rater judged every item exactly once")
        features = form.features
        value = float(form.of(features.sum(axis=0))) if len(features) else UNDEFINED
        interval, notes = _interval(value, ratings, form, bootstrap)
        return Estimate(
            self.name,
            value,
            self.definition,
            interval=interval,
            items=len(features),
            ratings=int(features[:, 1].sum()) if one_way else ratings.item.size,
            raters=None if ratings.positions else ratings.raters,
            left_out=ratings.left_out,
            undefined="the ratings do not vary" if np.isnan(value) else None,
            notes=notes,
        )

    def _undefined(self, ratings: Ratings, why: str) -> Estimate:
        return Estimate(self.name, UNDEFINED, self.definition, items=ratings.items, undefined=why)


@dataclass(frozen=True, eq=False)
class _Form:
    """A form of the correlation as a function of sums over items."""

    of: Callable[[Floats], Floats]
    features: Floats
    """One row per item."""
    cluster: Ints
    """The cluster of each of these items; its own number if it has none."""
    of_rows: Callable[[Floats], Floats]
    """The features of items from rows of ratings."""
    ratings_per_item: int
    spread: Callable[[], RaterSpread]


def _one_way_form(ratings: Ratings, name: str) -> _Form:
    values = np.array(ratings.codes, dtype=float)[ratings.code]
    n = np.bincount(ratings.item, minlength=ratings.items).astype(float)
    total = sum_by(ratings.item, values, ratings.items)
    squares = sum_by(ratings.item, values**2, ratings.items)
    kept = n >= 2
    of = _one_way(name)
    features = _one_way_features(n, total, squares)
    per_item = round(float(n[kept].mean())) if kept.any() else 2

    def spread() -> RaterSpread:
        at = ratings.item
        change = _one_way_features(n[at] - 1, total[at] - values, squares[at] - values**2) - features[at]
        raters, rater = np.unique(ratings.rater, return_inverse=True)
        by_rater = np.stack([sum_by(rater, column, len(raters)) for column in change.T], axis=1)
        everything = features.sum(axis=0)
        return RaterSpread.of_values(of(everything + by_rater), of(everything + change), np.ones(len(change)))

    def of_rows(rows: Floats) -> Floats:
        return _one_way_features(np.full(len(rows), rows.shape[1]), rows.sum(axis=1), (rows**2).sum(axis=1))

    return _Form(of, features[kept], _clusters(ratings)[kept], of_rows, per_item, spread)


def _one_way_features(n: Floats, total: Floats, squares: Floats) -> Floats:
    """Per item: 1, ratings, ratings squared, sum, sum squared over ratings, sum of squares; 0 without two ratings."""
    n = n.astype(float)
    features = np.stack([np.ones_like(n), n, n**2, total, total**2 / np.maximum(n, 1), squares], axis=1)
    return np.asarray(features * (n >= 2)[:, None])


def _clusters(ratings: Ratings) -> Ints:
    return np.arange(ratings.items) if ratings.cluster is None else ratings.cluster


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


def _two_way_form(ratings: Ratings, name: str) -> _Form | None:
    """None if ratings are missing or given twice."""
    raters = int(ratings.rater.max(initial=-1)) + 1
    cell = ratings.item * raters + ratings.rater
    seen = np.bincount(cell, minlength=ratings.items * raters)
    if raters < 2 or not (seen == 1).all():
        return None
    values = np.array(ratings.codes, dtype=float)[ratings.code]
    table = sum_by(cell, values, ratings.items * raters).reshape(-1, raters)
    of = _two_way(name)

    def spread() -> RaterSpread:
        without = [
            of(_two_way_features(np.delete(table, rater, axis=1)).sum(axis=0)) for rater in range(raters)
        ]
        # A rating without information is what its row and column lead one to expect.
        fitted = table.mean(axis=1, keepdims=True) + table.mean(axis=0) - table.mean()
        item, rater = np.indices(table.shape).reshape(2, -1)
        replaced = table[item]
        replaced[np.arange(table.size), rater] = fitted.ravel()
        features = _two_way_features(table)
        everything = features.sum(axis=0) - features[item] + _two_way_features(replaced)
        return RaterSpread.of_values(np.array(without), of(everything), np.ones(table.size))

    return _Form(of, _two_way_features(table), _clusters(ratings), _two_way_features, raters, spread)


def _two_way_features(table: Floats) -> Floats:
    """Per item: 1, sum squared, sum of squares, and each rater's value."""
    total, squares = table.sum(axis=1, keepdims=True), (table**2).sum(axis=1, keepdims=True)
    return np.hstack([np.ones((len(table), 1)), total**2, squares, table])


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
    value: float, ratings: Ratings, form: _Form, bootstrap: Bootstrap | None
) -> tuple[Interval | None, tuple[str, ...]]:
    if bootstrap is None or not len(form.features):
        return None, ()
    chosen, notes = by_design(bootstrap, ratings)
    units, unit = np.unique(form.cluster, return_inverse=True)
    clusters = np.stack([sum_by(unit, column, len(units)) for column in form.features.T], axis=1)

    def replicates() -> Floats:
        distinct, times = np.unique(clusters, axis=0, return_counts=True)
        return replicate_features(distinct, times, _pseudo_items(ratings, form, len(units)), form.of, chosen)

    found = make_interval(value, replicates, form.spread, chosen)
    return found, notes + notes_on(value, found, len(units), bootstrap) + complete_agreement_note(
        value, found
    )


def _pseudo_items(ratings: Ratings, form: _Form, units: int) -> PseudoItems:
    """Pseudo-items with the numbers that occur. Those with a dissenting rating are averaged over where it is."""
    values = np.array(ratings.codes, dtype=float)
    codes = representative_codes(np.bincount(ratings.code, minlength=len(values)))
    rows, _ = pseudo_rows(codes, form.ratings_per_item)
    features = form.of_rows(values[rows]) * (len(form.features) / units)
    # The rows of each code follow one another: first the unanimous ones, then those with one dissenting rating.
    dissent = features[len(codes) :].reshape(len(codes), -1, features.shape[1]).mean(axis=1)
    return PseudoItems(np.concatenate([features[: len(codes)], dissent]), masses(len(codes)), len(codes))


icc1, icc1k, icc2, icc2k, icc3, icc3k = (register_measure(IntraclassCorrelation(form)) for form in _FORMS)
