"""Correlation: how two values per item go together, such as confidence and agreement."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, TypeVar

import numpy as np
import scipy

from labelwright.agreement import (
    DEFAULT_BOOTSTRAP,
    UNDEFINED,
    Bootstrap,
    Estimate,
    Floats,
    Significance,
)
from labelwright.analysis.data.labels import Labels
from labelwright.analysis.scores import agreement_by_item, item_means
from labelwright.seeds import generator

ItemName = TypeVar("ItemName", bound=Hashable)


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


def rank_correlation(
    first: Mapping[ItemName, float],
    second: Mapping[ItemName, float],
    name: str,
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> tuple[Estimate, Significance]:
    """Spearman's rank correlation of two values per item, such as confidence and agreement."""
    common = sorted(set(first) & set(second), key=str)
    pairs = np.array([(first[item], second[item]) for item in common], dtype=float).reshape(-1, 2)
    pairs = pairs[np.isfinite(pairs).all(axis=1)]
    if len(pairs) < 3 or (pairs == pairs[0]).all(axis=0).any():
        undefined = Estimate(
            name,
            UNDEFINED,
            _RELATION,
            items=len(pairs),
            undefined="there are too few items, or one of the values is constant",
        )
        return undefined, Significance("Spearman", UNDEFINED, UNDEFINED)
    found = scipy.stats.spearmanr(pairs[:, 0], pairs[:, 1])
    interval = None if bootstrap is None else bootstrap.interval(_resampled_spearman(pairs, bootstrap))
    alone = len(set(first) ^ set(second))
    left_out = {"item with only one of the two values": alone} if alone else {}
    estimate = Estimate(
        name, float(found.statistic), _RELATION, interval=interval, items=len(pairs), left_out=left_out
    )
    return estimate, Significance("Spearman", float(found.pvalue), float(found.statistic))


_RELATION = "Spearman's rank correlation over items with both values."


def _resampled_spearman(pairs: Floats, bootstrap: Bootstrap) -> Floats:
    draw = generator(bootstrap.seed, "bootstrap", "items")
    values = []
    for _ in range(bootstrap.replicates):
        ranks = scipy.stats.rankdata(pairs[draw.integers(len(pairs), size=len(pairs))], axis=0)
        spread = ranks.std(axis=0)
        centred = ranks - ranks.mean(axis=0)
        product = spread[0] * spread[1]
        values.append((centred[:, 0] * centred[:, 1]).mean() / product if product else np.nan)
    return np.array(values)
