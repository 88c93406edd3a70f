"""Shifts: how paired values change between conditions, and how two values per item correlate."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from scipy import stats

from labelwright.agreement import (
    DEFAULT_BOOTSTRAP,
    UNDEFINED,
    Bootstrap,
    Estimate,
    Floats,
    Interval,
    Significance,
    paired_permutation_test,
)
from labelwright.agreement.means import resampled_means
from labelwright.seeds import generator

ItemName = TypeVar("ItemName", bound=Hashable)


@dataclass(frozen=True)
class Shift:
    """The change of paired values from one condition to another."""

    mean: float
    interval: Interval | None
    effect_size: float
    """Mean difference divided by the standard deviation of the differences (Cohen's dz)."""
    test: Significance
    paired: int
    unpaired: int
    definition: str

    def __repr__(self) -> str:
        between = f" [{self.interval.low:.3f}, {self.interval.high:.3f}]" if self.interval else ""
        pairs = f"{self.paired} pairs, {self.unpaired} unpaired"
        return f"shift {self.mean:+.3f}{between} (effect size {self.effect_size:.2f}; {self.test!r}; {pairs})"


def positivity_shift(
    before: Mapping[ItemName, float],
    after: Mapping[ItemName, float],
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> Shift:
    """How far labels moved towards the positive end from one condition to another.

    Takes the score of each item, as returned by `item_scores`. Only items labelled in both
    conditions count; the others are reported in `Shift.unpaired`. Undefined (nan) if no item is left.

    >>> positivity_shift({"i1": 0, "i2": 1}, {"i1": 1, "i2": 1}).mean
    0.5
    """
    return _shift(
        before,
        after,
        "Mean difference of the scores (after minus before) over items in both conditions.",
        bootstrap,
    )


def time_saved(
    before: Mapping[ItemName, float],
    after: Mapping[ItemName, float],
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> Shift:
    """Seconds saved per rating from one condition to another, mean over items in both."""
    return _shift(
        after,
        before,
        "Mean difference of the seconds (before minus after) over items in both conditions.",
        bootstrap,
    )


def _shift(
    before: Mapping[ItemName, float],
    after: Mapping[ItemName, float],
    definition: str,
    bootstrap: Bootstrap | None,
) -> Shift:
    common = sorted(set(before) & set(after), key=str)
    moved = np.array([after[item] - before[item] for item in common], dtype=float)
    spread = float(moved.std(ddof=1)) if len(moved) > 1 else UNDEFINED
    interval = None
    if bootstrap is not None and len(moved) > 1:
        interval = bootstrap.interval(resampled_means(moved, bootstrap))
    return Shift(
        mean=float(moved.mean()) if len(moved) else UNDEFINED,
        interval=interval,
        effect_size=float(moved.mean()) / spread if spread and not np.isnan(spread) else UNDEFINED,
        test=paired_permutation_test(moved.tolist(), seed=bootstrap.seed if bootstrap else 0),
        paired=len(common),
        unpaired=len(set(before) ^ set(after)),
        definition=definition,
    )


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
    found = stats.spearmanr(pairs[:, 0], pairs[:, 1])
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
        ranks = stats.rankdata(pairs[draw.integers(len(pairs), size=len(pairs))], axis=0)
        spread = ranks.std(axis=0)
        centred = ranks - ranks.mean(axis=0)
        product = spread[0] * spread[1]
        values.append((centred[:, 0] * centred[:, 1]).mean() / product if product else np.nan)
    return np.array(values)
