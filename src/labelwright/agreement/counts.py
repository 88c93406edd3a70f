"""Counts: how often each code was given to each item. Most measures need nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from labelwright.agreement._arrays import Code, Floats, Ints
from labelwright.agreement.errors import UnequalLengths
from labelwright.agreement.ratings import OUTSIDE, Ratings, check_order

# Features of distinct patterns are computed in blocks of this many numbers, so that a
# scale with many codes needs at most a few hundred megabytes of memory.
_BLOCK = 20_000_000


@dataclass(frozen=True, eq=False)
class Counts:
    """Distinct patterns of code counts, and how many items have each pattern.

    A million items rated by five people on five codes have at most 126 patterns, so
    measuring and resampling take the same time for a thousand items and for a billion.

    >>> Counts.of_table([[2, 0], [2, 0], [1, 1]], codes=(0, 1)).patterns.tolist()
    [[1, 1], [2, 0]]
    """

    codes: tuple[Code, ...]
    patterns: Ints
    """One row per pattern, one column per code."""
    multiplicity: Ints
    """How many items have each pattern."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    outside: tuple[Code, ...] = ()
    """Codes without a place in the order, as in `Ratings`."""
    no_order: str = ""
    """Why the codes have no order; empty if they have one."""

    @classmethod
    def of_table(
        cls, table: ArrayLike, codes: Sequence[Code], *, outside: Sequence[Code] = (), no_order: str = ""
    ) -> Counts:
        """Counts from a table of items x codes. Items with fewer than two ratings are left out."""
        rows = np.asarray(table, dtype=np.int64).reshape(-1, len(codes))
        patterns, multiplicity = np.unique(rows, axis=0, return_counts=True)
        return cls.of_patterns(patterns, multiplicity, codes, outside=outside, no_order=no_order)

    @classmethod
    def of_patterns(
        cls,
        patterns: ArrayLike,
        multiplicity: ArrayLike,
        codes: Sequence[Code],
        left_out: Mapping[str, int] | None = None,
        *,
        outside: Sequence[Code] = (),
        no_order: str = "",
    ) -> Counts:
        """Counts from patterns that an engine has already grouped."""
        rows = np.asarray(patterns, dtype=np.int64).reshape(-1, len(codes))
        items = np.asarray(multiplicity, dtype=np.int64)
        if len(rows) != len(items):
            raise UnequalLengths(
                f"there are {len(rows)} patterns but {len(items)} multiplicities.",
                expected="one multiplicity per pattern.",
            )
        # Sorted, so that a seed draws the same items regardless of the engine's row order.
        order = np.lexsort(rows.T[::-1])
        rows, items = rows[order], items[order]
        paired = rows.sum(axis=1) >= 2
        reasons = dict(left_out or {})
        if single := int(items[~paired].sum()):
            reasons["item with fewer than two ratings"] = single
        return cls(tuple(codes), rows[paired], items[paired], reasons, tuple(outside), no_order)

    @classmethod
    def of_ratings(cls, ratings: Ratings) -> Counts:
        """Counts from individual ratings; the raters are not kept."""
        size = len(ratings.codes)
        cells = np.bincount(ratings.item * size + ratings.code, minlength=ratings.items * size)
        counts = cls.of_table(cells.reshape(-1, size), ratings.codes)
        return cls(
            counts.codes,
            counts.patterns,
            counts.multiplicity,
            {**ratings.left_out, **counts.left_out},
            ratings.outside,
            ratings.no_order,
        )

    def in_order(self) -> Counts:
        """The ratings whose codes have a place in the order; the others are left out and counted.

        Raises NoOrder if the codes have no order.

        >>> found = Counts.of_table([[1, 1, 0], [0, 1, 2]], codes=(0, 1, 9), outside=(9,)).in_order()
        >>> found.codes, found.items, found.left_out[OUTSIDE]
        ((0, 1), 1, 2)
        """
        check_order(self.no_order)
        if not self.outside:
            return self
        kept = np.array([code not in self.outside for code in self.codes], dtype=bool)
        inside = tuple(code for code in self.codes if code not in self.outside)
        dropped = int(self.multiplicity @ self.patterns[:, ~kept].sum(axis=1))
        found = Counts.of_patterns(self.patterns[:, kept], self.multiplicity, inside)
        reasons = dict(self.left_out)
        for why, n in {**found.left_out, **({OUTSIDE: dropped} if dropped else {})}.items():
            reasons[why] = reasons.get(why, 0) + n
        return replace(found, left_out=reasons)

    @property
    def items(self) -> int:
        """The number of items with at least two ratings."""
        return int(self.multiplicity.sum())

    @property
    def ratings(self) -> int:
        """The number of ratings of those items."""
        return int(self.multiplicity @ self.patterns.sum(axis=1)) if self.items else 0

    @property
    def distribution(self) -> Floats:
        """The share of ratings with each code."""
        totals = self.multiplicity @ self.patterns
        return np.asarray(totals / max(int(totals.sum()), 1), dtype=float)

    @property
    def ratings_per_item(self) -> tuple[int, ...]:
        """The different numbers of ratings per item, ascending."""
        return tuple(sorted({int(n) for n in self.patterns.sum(axis=1)}))

    def sums(self, weights: ArrayLike | None = None) -> Sums:
        """The sums over items from which measures are computed.

        `weights` has one column per pattern and one row per bootstrap replicate. Without it,
        every pattern counts as often as it occurs.
        """
        weight = np.atleast_2d(np.asarray(self.multiplicity if weights is None else weights, float))
        size = len(self.codes)
        totals = np.zeros((len(weight), 1 + size + 2 * size * size))
        for part in self._blocks():
            totals += weight[:, part] @ _features(self.patterns[part].astype(float))
        return Sums.unpacked(self.codes, totals[0] if weights is None else totals)

    def _blocks(self) -> Iterator[slice]:
        width = 1 + len(self.codes) + 2 * len(self.codes) ** 2
        step = max(1, _BLOCK // width)
        return (slice(start, start + step) for start in range(0, len(self.patterns), step))


def _features(patterns: Floats) -> Floats:
    """Per pattern: 1, the share of each code, the share of each pair of codes, and that times the ratings."""
    ratings = patterns.sum(axis=1)
    pairs = patterns[:, :, None] * patterns[:, None, :]
    diagonal = np.arange(patterns.shape[1])
    pairs[:, diagonal, diagonal] -= patterns
    return features_of(patterns, pairs, ratings, ratings * (ratings - 1))


def features_of(counts: Floats, pairs: Floats, ratings: Floats, total_pairs: Floats) -> Floats:
    """The numbers that `Sums` adds up, one row per item or pattern."""
    shared = (pairs / total_pairs[:, None, None]).reshape(len(counts), counts.shape[1] ** 2)
    ones = np.ones((len(counts), 1))
    return np.hstack([ones, counts / ratings[:, None], shared, shared * ratings[:, None]])


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over items from which count measures are computed. Leading axes are replicates."""

    codes: tuple[Code, ...]
    items: Floats
    shares: Floats
    """For each code: the sum over items of the share of ratings with that code."""
    pairs: Floats
    """For each two codes: the sum over items of the share of ordered rating pairs with these codes."""
    coincidences: Floats
    """The same, with items weighted by their number of ratings (Krippendorff's coincidences)."""

    @classmethod
    def unpacked(cls, codes: tuple[Code, ...], totals: Floats) -> Sums:
        """Sums from rows in the layout of `features_of`."""
        size = len(codes)
        lead = totals.shape[:-1]
        squares = totals[..., 1 + size :].reshape(*lead, 2, size, size)
        return cls(
            codes,
            totals[..., 0],
            totals[..., 1 : 1 + size],
            squares[..., 0, :, :],
            squares[..., 1, :, :],
        )

    @property
    def prevalence(self) -> Floats:
        """The mean share of each code over items."""
        return np.asarray(self.shares / np.maximum(self.items, 1e-300)[..., None])

    def observed(self, weights: Floats) -> Floats:
        """Weighted agreement of the rating pairs of an item, averaged over items."""
        return np.asarray((self.pairs * weights).sum(axis=(-1, -2)) / np.maximum(self.items, 1e-300))
