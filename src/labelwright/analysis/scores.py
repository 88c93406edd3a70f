"""Scores: labels as numbers from 0 (worst) to 1 (best), per item and per slice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from labelwright.agreement import (
    DEFAULT_BOOTSTRAP,
    UNDEFINED,
    Bootstrap,
    Estimate,
    Floats,
    NoOrder,
    Ratings,
    mean_estimate,
)
from labelwright.agreement.ratings import check_order, why_no_order
from labelwright.analysis.aggregation import item_counts
from labelwright.analysis.clusters import ClusteredVariance, Clusters, share_interval
from labelwright.analysis.data.labels import Labels, item_name
from labelwright.analysis.errors import NotLabels
from labelwright.analysis.results import EstimateRow, EstimateTable
from labelwright.scales import Scale

if TYPE_CHECKING:
    from labelwright.tables import Code


def code_scores(codes: Sequence[Code], scale: Scale | None = None) -> Floats:
    """The score of each code: the one declared on the scale, or else its position from 0 to 1.

    The score is nan for codes that are `mixed` or `no_answer`, and for codes without a `score` if
    other codes have one. Raises NoOrder if positions are needed but the codes have no order.

    >>> code_scores((1, 2, 3)).tolist()
    [0.0, 0.5, 1.0]
    """
    if scale is None:
        check_order(why_no_order(codes))
        return _places(len(codes))
    scores = {point.code: point.score for point in scale.points}
    if all(score is None for score in scores.values()):
        check_order(scale.no_order)
        placed = [point.code for point in scale.points if point.placed]
        scores |= dict(zip(placed, _places(len(placed)).tolist(), strict=True))
    found = [scores.get(code) if isinstance(code, int) else None for code in codes]
    return np.array([np.nan if score is None else score for score in found])


def _places(count: int) -> Floats:
    return np.linspace(0, 1, count) if count > 1 else np.zeros(count)


@dataclass(frozen=True, eq=False)
class ItemValues:
    """The values of every item, one per rating."""

    values: Mapping[Any, Sequence[float]]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def means(self) -> dict[Any, float]:
        """The mean of each item."""
        return {item: sum(found) / len(found) for item, found in self.values.items()}

    @property
    def ratings(self) -> int:
        """The number of ratings with a value."""
        return sum(map(len, self.values.values()))


def item_values(
    labels: Labels, column: str, numbers: Mapping[Any, float] | None = None, key: Sequence[str] = ("item",)
) -> ItemValues:
    """The values of a column by item. `numbers` maps values to numbers; ratings without one are counted."""
    rows = labels.fetch([*key, column])
    names = rows[key[0]].to_pylist()
    if len(key) > 1:
        names = list(map(item_name, zip(*(rows[name].to_pylist() for name in key), strict=True)))
    found: dict[Any, list[float]] = {}
    for item, given in zip(names, rows[column].to_pylist(), strict=True):
        value = given if numbers is None else numbers.get(given)
        if value is not None and not np.isnan(value):
            found.setdefault(item, []).append(float(value))
    missing = len(names) - sum(map(len, found.values()))
    reason = "rating without a score" if column == "label" else f"rating without {column}"
    return ItemValues(found, {reason: missing} if missing else {})


def item_scores(labels: Labels) -> dict[Any, float]:
    """The mean score of each item. Ratings without a score are left out.

    Raises NoOrder if labels have no scores, and UnknownCode for labels off the scale.
    """
    labels.check_scale()
    return item_means(labels, "label", score_map(labels))


def item_weights(labels: Labels) -> dict[Any, float]:
    """The design weight of each item, from the column `weight`; 1 where it is missing.

    >>> rows = {"item": ["a", "a", "b"], "rater": ["x", "y", "x"], "label": [1, 2, 1], "weight": [0.5, 0.5, None]}
    >>> item_weights(Labels.read(rows))
    {'a': 0.5, 'b': 1.0}
    """
    names = ["item", "weight"] if labels.has("weight") else ["item"]
    rows = labels.fetch(names)
    found: dict[Any, float] = {}
    given = rows["weight"].to_pylist() if labels.has("weight") else [None] * len(rows)
    for item, weight in zip(rows["item"].to_pylist(), given, strict=True):
        number = 1.0 if weight is None else float(weight)
        if not number > 0 or found.setdefault(item, number) != number:
            raise NotLabels(
                f"item {item} has the weight {number:g}" + (f" and {found[item]:g}." if number > 0 else "."),
                expected="one weight above 0 for all ratings of an item.",
            )
    return found


UNEQUAL_WEIGHTS = "Items count by their design weights, because they were drawn with unequal shares."


def weight_notes(weights: Iterable[float]) -> tuple[str, ...]:
    """A note if the weights differ."""
    return (UNEQUAL_WEIGHTS,) if len(set(weights)) > 1 else ()


def item_means(labels: Labels, column: str, values: Mapping[Any, float] | None = None) -> dict[Any, float]:
    """The mean of a column per item. `values` maps values to numbers; missing values are left out.

    >>> rows = {"item": ["a", "a", "b"], "label": [1, 1, 1], "seconds": [10.0, 20.0, None]}
    >>> item_means(Labels.read(rows), "seconds")
    {'a': 15.0}
    """
    return item_values(labels, column, values).means


def item_agreement(ratings: Ratings) -> Floats:
    """The share of agreeing rating pairs of each item; nan for items with fewer than two ratings."""
    counts = item_counts(ratings)
    n = counts.sum(axis=1)
    pairs = np.where(n >= 2, n * (n - 1), 1)
    return np.where(n >= 2, (counts * (counts - 1)).sum(axis=1) / pairs, np.nan)


def agreement_by_item(labels: Labels) -> dict[str, float]:
    """`item_agreement` by item name; items with fewer than two ratings are left out."""
    ratings, names = labels.named_ratings()
    values = item_agreement(ratings)
    return {name: float(value) for name, value in zip(names, values, strict=True) if not np.isnan(value)}


def normalised_scores(
    labels: Labels, by: Sequence[str] = ("category",), bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP
) -> EstimateTable:
    """The mean score from 0 to 1 for every combination of the columns in `by`, with intervals over items.

    Items count by their design weights, if the labels have the column `weight`.
    """
    rows = []
    if labels.has("condition"):
        labels.check_codes("condition", "comparing scores")
    for where, part in labels.slices(by):
        own = labels.where(**{name: where[name] for name in labels.never_pooled()})
        part.check_scale()
        try:
            scores = score_map(own)
        except NoOrder as without:
            found = Estimate("score", UNDEFINED, _MEAN_SCORE, undefined=without.what, notes=(str(without),))
        else:
            found = _mean_score(part, scores, bootstrap)
        rows.append(EstimateRow(where, {"score": found}))
    return EstimateTable(tuple(rows), "Normalised mean score", labels.notes, labels.left_out)


_MEAN_SCORE = "Mean over an item's ratings of the score from 0 (worst) to 1 (best), then over items."


def _mean_score(labels: Labels, scores: Mapping[Any, float], bootstrap: Bootstrap | None) -> Estimate:
    found, weights = item_values(labels, "label", scores), item_weights(labels)
    means, weight = list(found.means.values()), [weights[item] for item in found.means]
    if weight_notes(weight):
        level = bootstrap.level if bootstrap else None
        return replace(
            weighted_mean("score", means, weight, _MEAN_SCORE, level),
            ratings=found.ratings,
            left_out=found.left_out,
        )
    return mean_estimate(
        "score", means, _MEAN_SCORE, bootstrap, ratings=found.ratings, left_out=found.left_out
    )


def weighted_mean(
    name: str, values: Sequence[float], weights: Sequence[float], definition: str, level: float | None = 0.95
) -> Estimate:
    """The mean of one value from 0 to 1 per item, with each item counted by its design weight.

    >>> weighted_mean("score", [1.0, 0.0], [1.8, 0.2], "mean score", level=None)
    score 0.900 (2 items, 0 ratings)
    """
    each, weight = np.asarray(values, dtype=float), np.asarray(weights, dtype=float)
    mean = float(np.average(each, weights=weight))
    influence = weight * (each - mean) / weight.sum()
    clusters = Clusters(np.arange(len(each)), None)
    spread = ClusteredVariance.of(influence[:, None], clusters).spread(np.ones(1))
    interval = None if level is None else share_interval(mean, spread, level, clusters.over)
    return Estimate(name, mean, definition, interval, items=len(each), notes=weight_notes(weights))


def score_map(labels: Labels) -> dict[Any, float]:
    """The score of each code of one aspect; nan for codes without a score."""
    aspect = labels.only_aspect()
    codes = labels.codes(aspect)
    return dict(zip(codes, code_scores(codes, labels.scale_of(aspect)).tolist(), strict=True))
