"""Differences: whether agreement differs between two sets of ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from labelwright.agreement import (
    DEFAULT_BOOTSTRAP,
    Bootstrap,
    Code,
    CountMeasure,
    Counts,
    Estimate,
    Floats,
    Interval,
    Ints,
    Measure,
    Ratings,
    Sums,
)
from labelwright.analysis.aggregation import item_counts
from labelwright.analysis.errors import NothingShared
from labelwright.seeds import generator


@dataclass(frozen=True)
class Difference:
    """The difference in agreement between two sets of ratings, second minus first."""

    first: Estimate
    second: Estimate
    value: float
    interval: Interval | None
    paired: bool
    """Whether both sets judge the same items, which are then resampled together."""
    ratings_per_item: int | None
    """The number of ratings per item to which both were reduced; None if they had the same number."""
    definition: str

    @property
    def significant(self) -> bool:
        """Whether the interval excludes zero."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high

    def __repr__(self) -> str:
        between = f" [{self.interval.low:+.3f}, {self.interval.high:+.3f}]" if self.interval else ""
        values = f"{self.first.value:.3f} to {self.second.value:.3f}"
        return f"{self.first.name}: {values}, {self.value:+.3f}{between}"


def difference(
    first: tuple[Ratings, Sequence[str]],
    second: tuple[Ratings, Sequence[str]],
    measure: Measure,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
) -> Difference:
    """How much agreement differs between two sets of ratings, second minus first.

    Each set comes with the names of its items, as returned by `Labels.named_ratings`. If both
    judge the same items, these are resampled together; otherwise each set is resampled
    separately. Raises NoOrder if the measure needs an order and the codes have none. If the sets have different numbers of ratings per item, ratings are dropped at
    random to reach the smaller number, independently in each replicate.
    """
    if getattr(measure, "needs_order", False):
        first, second = ((ratings.in_order(), names) for ratings, names in (first, second))
    common = sorted(set(first[1]) & set(second[1]))
    paired = len(common) >= max(len(first[1]), len(second[1])) / 2
    sets = [_only(each, common) if paired else each[0] for each in (first, second)]
    if any(not each.items for each in sets):
        raise NothingShared("one of the two sets has no ratings.", expected="two sets with ratings.")
    sizes = [int(np.median(np.bincount(each.item))) for each in sets]
    equal = min(sizes) if sizes[0] != sizes[1] else None
    values = _difference_values(sets[0], sets[1], measure, bootstrap, paired=paired, equal=equal)
    one, two = (
        measure(equalise_ratings(each, equal, bootstrap.seed) if equal else each, bootstrap) for each in sets
    )
    how = "items in both sets, resampled together" if paired else "each set's items, resampled separately"
    at = f", at {equal} ratings per item" if equal else ""
    return Difference(
        one,
        two,
        two.value - one.value,
        bootstrap.interval(values),
        paired,
        equal,
        f"Difference of {measure.name}, second minus first: {how}{at}.",
    )


def _only(named: tuple[Ratings, Sequence[str]], items: Sequence[str]) -> Ratings:
    ratings, names = named
    place = {name: i for i, name in enumerate(items)}
    new = np.array([place.get(name, -1) for name in names], dtype=np.int64)
    kept = new[ratings.item] >= 0
    return Ratings(
        new[ratings.item][kept],
        ratings.rater[kept],
        ratings.code[kept],
        ratings.codes,
        len(items),
        ratings.raters,
        ratings.positions,
    )


def _difference_values(
    first: Ratings,
    second: Ratings,
    measure: Measure,
    bootstrap: Bootstrap,
    *,
    paired: bool,
    equal: int | None,
) -> Floats:
    draw = generator(bootstrap.seed, "difference")
    if isinstance(measure, CountMeasure) and equal is None:
        return _count_differences(first, second, measure, bootstrap, paired=paired)
    values = []
    for _ in range(bootstrap.replicates):
        items = draw.integers(first.items, size=first.items)
        others = items if paired else draw.integers(second.items, size=second.items)
        one, two = _resampled(first, items), _resampled(second, others)
        if equal is not None:
            one, two = (equalise_ratings(each, equal, int(draw.integers(2**31))) for each in (one, two))
        values.append(measure(two, None).value - measure(one, None).value)
    return np.array(values)


def _count_differences(
    first: Ratings, second: Ratings, measure: CountMeasure, bootstrap: Bootstrap, *, paired: bool
) -> Floats:
    """Differences in every replicate, from weights over items instead of resampled ratings."""
    draw = generator(bootstrap.seed, "difference")
    counts = [item_counts(each) for each in (first, second)]
    weights = draw.multinomial(first.items, np.full(first.items, 1 / first.items), size=bootstrap.replicates)
    other = weights
    if not paired:
        other = draw.multinomial(
            second.items, np.full(second.items, 1 / second.items), size=bootstrap.replicates
        )
    one, two = (
        measure.of(_weighted_sums(table, each, ratings.codes))
        for table, each, ratings in zip(counts, (weights, other), (first, second), strict=True)
    )
    return np.asarray(two - one)


def _weighted_sums(table: Ints, weights: Ints, codes: tuple[Code, ...]) -> Sums:
    rated = table.sum(axis=1) >= 2
    kept = Counts(codes, table[rated], np.ones(int(rated.sum()), dtype=np.int64))
    return kept.sums(weights[:, rated])


def _resampled(ratings: Ratings, items: Ints) -> Ratings:
    order = np.argsort(ratings.item, kind="stable")
    sizes = np.bincount(ratings.item, minlength=ratings.items)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    taken = sizes[items]
    ends = np.cumsum(taken)
    offsets = np.arange(int(taken.sum())) - np.repeat(ends - taken, taken)
    rows = order[np.repeat(starts[items], taken) + offsets]
    item = np.repeat(np.arange(len(items)), taken)
    return Ratings(
        item,
        ratings.rater[rows],
        ratings.code[rows],
        ratings.codes,
        len(items),
        ratings.raters,
        ratings.positions,
    )


def equalise_ratings(ratings: Ratings, n: int, seed: int = 0) -> Ratings:
    """Ratings reduced to n per item, drawn at random; items with fewer ratings are left out.

    Measures that look at all ratings of an item together (majority, J) depend on the number of
    raters, so sets must have the same number before they are compared.
    """
    draw = generator(seed, "equal_n")
    order = np.lexsort((draw.random(len(ratings.item)), ratings.item))
    sizes = np.bincount(ratings.item, minlength=ratings.items)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    rank = np.arange(len(order)) - starts[ratings.item[order]]
    kept = np.sort(order[(rank < n) & (sizes[ratings.item[order]] >= n)])
    names, item = np.unique(ratings.item[kept], return_inverse=True)
    dropped = ratings.items - len(names)
    left_out = {**ratings.left_out, **({f"item with fewer than {n} ratings": dropped} if dropped else {})}
    return Ratings(
        item.astype(np.int64),
        ratings.rater[kept],
        ratings.code[kept],
        ratings.codes,
        len(names),
        ratings.raters,
        ratings.positions,
        left_out,
    )
