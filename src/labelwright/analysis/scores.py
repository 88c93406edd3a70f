"""Scores: labels as numbers from 0 (worst) to 1 (best), per item and per slice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from labelwright.agreement import (
    DEFAULT_BOOTSTRAP,
    UNDEFINED,
    Bootstrap,
    Estimate,
    Floats,
    NoOrder,
    Ratings,
    Significance,
    mean_estimate,
)
from labelwright.agreement.ratings import check_order, why_no_order
from labelwright.analysis.aggregation import item_counts
from labelwright.analysis.clusters import ClusteredVariance, Clusters, share_interval
from labelwright.analysis.errors import NotLabels
from labelwright.analysis.labels import Labels
from labelwright.analysis.results import EstimateRow, EstimateTable
from labelwright.analysis.shifts import rank_correlation
from labelwright.scales import Scale
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


def item_scores(labels: Labels) -> dict[Any, float]:
    """The mean score of each item. Ratings without a score are left out. Raises NoOrder if labels have no scores."""
    return item_means(labels, "label", score_map(labels))


def item_weights(labels: Labels) -> dict[Any, float]:
    """The design weight of each item, from the column `weight`; 1 where it is missing.

    >>> rows = {"item": ["a", "a", "b"], "label": [1, 2, 1], "weight": [0.5, 0.5, None]}
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
    rows = labels.fetch(["item", column])
    sums: dict[Any, list[float]] = {}
    for item, value in zip(rows["item"].to_pylist(), rows[column].to_pylist(), strict=True):
        number = value if values is None else values.get(value)
        if number is not None and not np.isnan(number):
            sums.setdefault(item, []).append(float(number))
    return {item: float(np.mean(found)) for item, found in sums.items()}


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
    for where, part in labels.slices(by):
        try:
            scores = score_map(labels, where.get("aspect"), labels.scale_of(where.get("aspect")))
        except NoOrder as without:
            found = Estimate("score", UNDEFINED, _MEAN_SCORE, undefined=without.what, notes=(str(without),))
        else:
            found = _mean_score(part, scores, bootstrap)
        rows.append(EstimateRow(where, {"score": found}))
    return EstimateTable(tuple(rows), "Normalised mean score")


_MEAN_SCORE = "Mean over an item's ratings of the score from 0 (worst) to 1 (best), then over items."


def _mean_score(labels: Labels, scores: Mapping[Any, float], bootstrap: Bootstrap | None) -> Estimate:
    means, weights = item_means(labels, "label", scores), item_weights(labels)
    weight = [weights[item] for item in means]
    if not weight_notes(weight):
        return mean_estimate("score", list(means.values()), _MEAN_SCORE, bootstrap)
    return weighted_mean(
        "score", list(means.values()), weight, _MEAN_SCORE, bootstrap.level if bootstrap else None
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


def score_map(labels: Labels, aspect: str | None = None, scale: Scale | None = None) -> dict[Any, float]:
    """The score of each code of an aspect; nan for codes without a score."""
    aspect = labels.only_aspect() if aspect is None else aspect
    codes = labels.codes(aspect)
    scores = code_scores(codes, scale or labels.scale_of(aspect))
    return dict(zip(codes, scores.tolist(), strict=True))


def correlate_with_agreement(
    labels: Labels,
    column: str,
    values: Mapping[Any, float] | None = None,
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> tuple[Estimate, Significance]:
    """How a column (confidence, seconds, cost, ...) correlates with agreement over items.

    This is Spearman's correlation between the mean of the column and the share of agreeing rating
    pairs. `values` maps answers to numbers, e.g. `{"low": 1, "high": 3}`; other answers are left out.
    """
    means = {str(item): value for item, value in item_means(labels, column, values).items()}
    return rank_correlation(means, agreement_by_item(labels), f"{column}_against_agreement", bootstrap)
