"""Permutation within items: what two conditions would show if the condition made no difference to the ratings.

The ratings of an item are shuffled between the two conditions, and each condition keeps its number of
ratings. This needs no assumption about how items differ or depend on each other. It does assume that the
ratings of an item are exchangeable, so a difference between the raters of the two conditions counts as a
difference between the conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, prod
from typing import Protocol

import numpy as np
from scipy import fft

from labelwright.agreement import Floats, Ints, Significance

METHOD = "within-item permutation"
# An item with more ways to split its ratings than this is shuffled at random.
_MOST_SPLITS = 3_000
# Sums with more possible values than this are drawn at random.
_MOST_SUMS = 500_000
_ROUNDING = 1e-9


class Shuffled(Protocol):
    """One item whose ratings are shuffled between two conditions."""

    def draw(self, random: np.random.Generator, runs: int) -> Floats:
        """The item's value in random permutations."""


@dataclass(frozen=True, eq=False)
class ItemNull:
    """Every value that an item can have if its ratings are shuffled, with its probability."""

    values: Floats
    chances: Floats

    @property
    def mean(self) -> float:
        """The expected value."""
        return float(self.values @ self.chances)

    def draw(self, random: np.random.Generator, runs: int) -> Floats:
        """The item's value in random permutations."""
        if np.ptp(self.chances) < 1e-12:
            return np.asarray(self.values[random.integers(len(self.values), size=runs)])
        return random.choice(self.values, size=runs, p=self.chances)


@dataclass(frozen=True, eq=False)
class ShuffledMeans:
    """An item with too many ratings to list all ways to split them."""

    values: Floats
    own: int
    """The number of ratings in the first condition."""

    def draw(self, random: np.random.Generator, runs: int) -> Floats:
        """The difference of means, second minus first, in random permutations."""
        drawn = random.permuted(np.broadcast_to(self.values, (runs, len(self.values))), axis=1)
        return np.asarray(drawn[:, self.own :].mean(axis=1) - drawn[:, : self.own].mean(axis=1))


def shuffled_means(first: Sequence[float], second: Sequence[float]) -> ItemNull | ShuffledMeans:
    """The difference of an item's means (second minus first) if its values are shuffled.

    >>> shuffled_means([0.0], [1.0]).values.tolist()
    [-1.0, 1.0]
    """
    return _shuffled_means(tuple(sorted([*first, *second])), len(first))


# The same few ratings occur in many items; their order makes no difference.
@lru_cache(maxsize=10_000)
def _shuffled_means(given: tuple[float, ...], own: int) -> ItemNull | ShuffledMeans:
    size, values = len(given), np.array(given, dtype=float)
    if comb(size, own) > _MOST_SPLITS:
        return ShuffledMeans(values, own)
    sums = values[_choices(size, own)].sum(axis=1)
    found = np.round((values.sum() - sums) / (size - own) - sums / own, 12)
    distinct, many = np.unique(found, return_counts=True)
    return ItemNull(distinct, many / len(found))


@lru_cache(maxsize=64)
def _choices(size: int, own: int) -> Ints:
    return np.array(list(combinations(range(size), own)), dtype=np.int64)


@lru_cache(maxsize=10_000)
def split_counts(pool: tuple[int, ...], own: int) -> tuple[Ints, Floats] | None:
    """Every table of code counts that `own` ratings drawn from a pool can have, with its probability.

    None if there are too many tables.

    >>> tables, chances = split_counts((2, 1), 1)
    >>> tables.tolist(), chances.round(3).tolist()
    ([[0, 1], [1, 0]], [0.333, 0.667])
    """
    if prod(n + 1 for n in pool) > 100 * _MOST_SPLITS:
        return None
    tables = np.indices([n + 1 for n in pool]).reshape(len(pool), -1).T
    tables = tables[tables.sum(axis=1) == own]
    ways = np.array([prod(map(comb, pool, row)) for row in tables.tolist()], dtype=float)
    return tables, ways / ways.sum()


def sum_test(
    items: Sequence[Shuffled], observed: float, runs: int, random: np.random.Generator, *, two_sided: bool
) -> Significance:
    """Tests a sum over items: two-sided around 0, or whether it is this low.

    Exact if the sum has few enough possible values; otherwise from random permutations.
    """
    nulls = [item for item in items if isinstance(item, ItemNull)]
    found = _exact_test(nulls, observed, two_sided=two_sided) if len(nulls) == len(items) else None
    return found or _drawn_test(items, observed, runs, random, two_sided=two_sided)


def _exact_test(nulls: Sequence[ItemNull], observed: float, *, two_sided: bool) -> Significance | None:
    """The exact test of a sum over items.

    The distribution of the sum is computed without listing all permutations, on the grid of values that the
    items can have. None if the grid would have too many points.
    """
    step = _common_step(np.concatenate([null.values - null.values[0] for null in nulls]))
    low = sum(float(null.values.min()) for null in nulls)
    high = sum(float(null.values.max()) for null in nulls)
    size = 1 + round((high - low) / step) if step else 1
    if size > _MOST_SUMS:
        return None
    chances = _sum_chances(nulls, step, size)
    sums = low + step * np.arange(size)
    as_far = np.abs(sums) >= abs(observed) - _ROUNDING if two_sided else sums <= observed + _ROUNDING
    # The tiny floor hides rounding: the observed permutation itself always counts.
    p = float(np.clip(chances[as_far].sum(), 1e-15, 1.0))
    return Significance(f"exact {METHOD}", p, observed, exact=True)


def _common_step(values: Floats) -> float:
    """The greatest step of which all values are multiples; 0 if all are 0."""
    step = 0.0
    for value in np.unique(np.abs(values)):
        larger, smaller = max(step, float(value)), min(step, float(value))
        while smaller > _ROUNDING:
            larger, smaller = smaller, larger % smaller
            smaller = 0.0 if larger - smaller < _ROUNDING else smaller
        step = larger
    return step


def _sum_chances(nulls: Sequence[ItemNull], step: float, size: int) -> Floats:
    """The probability of every sum on the grid: the product of the items' characteristic functions."""
    length = fft.next_fast_len(size, real=True)
    total = np.ones(length // 2 + 1, dtype=complex)
    for null, many in _distinct(nulls):
        places = np.round((null.values - null.values.min()) / step).astype(int) if step else [0]
        grid = np.zeros(length)
        np.add.at(grid, places, null.chances)
        total *= fft.rfft(grid) ** many
    return np.asarray(np.maximum(fft.irfft(total, length)[:size], 0.0))


def _distinct(nulls: Sequence[ItemNull]) -> Iterator[tuple[ItemNull, int]]:
    found: dict[bytes, list[ItemNull]] = {}
    for null in nulls:
        found.setdefault(null.values.tobytes() + null.chances.tobytes(), []).append(null)
    return ((alike[0], len(alike)) for alike in found.values())


def _drawn_test(
    items: Sequence[Shuffled], observed: float, runs: int, random: np.random.Generator, *, two_sided: bool
) -> Significance:
    """The same test from random permutations. P counts the observed one, so it is never 0."""
    sums = sum((item.draw(random, runs) for item in items), np.zeros(runs))
    as_far = np.abs(sums) >= abs(observed) - _ROUNDING if two_sided else sums <= observed + _ROUNDING
    p = (1 + int(as_far.sum())) / (1 + runs)
    return Significance(f"{METHOD}, {runs:,} at random", p, observed, runs)


def drawn_counts(first: Ints, second: Ints, runs: int, random: np.random.Generator) -> Ints:
    """Code counts of the first condition in random permutations: runs x items x codes.

    Items with the same pooled counts are drawn together.
    """
    pools, own = first + second, first.sum(axis=1)
    distinct, which = np.unique(np.column_stack([pools, own]), axis=0, return_inverse=True)
    drawn = np.empty((runs, *first.shape), dtype=np.int64)
    for place, (*pool, size) in enumerate(distinct.tolist()):
        items = np.flatnonzero(which.ravel() == place)
        drawn[:, items] = random.multivariate_hypergeometric(pool, size, size=(runs, len(items)))
    return drawn
