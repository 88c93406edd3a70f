"""Counts: how often each code was given to each item. Most measures need nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from labelwright.agreement._arrays import Code, Floats, Ints
from labelwright.agreement.errors import UnequalLengths
from labelwright.agreement.pseudo_items import PseudoItems, masses, pseudo_pairs, representative_codes
from labelwright.agreement.ratings import OUTSIDE, Ratings, check_order

# Features of distinct patterns are computed in blocks of this many numbers, so that a
# scale with many codes needs at most a few hundred megabytes of memory.
_BLOCK = 20_000_000
# An item has few of the codes of a longer scale, so that most of its features are 0 and not stored.
_FEW_CODES = 12


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
    clusters: sparse.csr_matrix | None = None
    """Clusters x patterns: how many items of each pattern belong together; None if every item stands alone."""

    @classmethod
    def of_table(
        cls,
        table: ArrayLike,
        codes: Sequence[Code],
        cluster: ArrayLike | None = None,
        *,
        outside: Sequence[Code] = (),
        no_order: str = "",
    ) -> Counts:
        """Counts from a table of items x codes. Items with fewer than two ratings are left out.

        Items with the same number in `cluster`, such as one dialogue in several conditions, are
        resampled together.
        """
        rows = np.asarray(table, dtype=np.int64).reshape(-1, len(codes))
        patterns, pattern, multiplicity = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
        counts = cls.of_patterns(patterns, multiplicity, codes, outside=outside, no_order=no_order)
        if cluster is None:
            return counts
        paired, place = _paired(patterns)
        return counts.clustered(place[pattern][paired[pattern]], np.asarray(cluster)[paired[pattern]])

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
        counts = cls.of_table(
            cells.reshape(-1, size),
            ratings.codes,
            ratings.cluster,
            outside=ratings.outside,
            no_order=ratings.no_order,
        )
        return replace(counts, left_out={**ratings.left_out, **counts.left_out})

    def clustered(self, pattern: Ints, cluster: ArrayLike) -> Counts:
        """The same counts with the pattern and the cluster of every item."""
        names, number = np.unique(np.asarray(cluster), return_inverse=True)
        if len(names) == len(number):
            return self
        ones = np.ones(len(number))
        members = sparse.csr_matrix((ones, (number, pattern)), shape=(len(names), len(self.patterns)))
        return replace(self, clusters=_in_one_order(members))

    def with_clusters(self, members: Sequence[ArrayLike], many: ArrayLike) -> Counts:
        """The same counts with their clusters: the items x codes of each distinct cluster, and how many are like it.

        Items with fewer than two ratings are left out of their cluster.

        >>> Counts.of_table([[2, 0], [1, 1]], (0, 1)).with_clusters([[[2, 0], [1, 1]]], [1]).units[0]
        array([1])
        """
        place = {tuple(pattern): number for number, pattern in enumerate(self.patterns.tolist())}
        found = [
            (number, place[tuple(item)])
            for number, items in enumerate(members)
            for item in np.asarray(items).tolist()
            if sum(item) >= 2
        ]
        cells = (np.ones(len(found)), tuple(np.array(found, dtype=np.int64).reshape(-1, 2).T))
        distinct = sparse.csr_matrix(cells, shape=(len(members), len(self.patterns)))
        sizes = np.asarray(distinct.sum(axis=1)).ravel()
        if sizes.max(initial=0) <= 1:
            return self
        kept = np.where(sizes > 0, np.asarray(many), 0)
        return replace(self, clusters=_in_one_order(distinct[np.repeat(np.arange(len(sizes)), kept)]))

    @property
    def units(self) -> tuple[Ints, sparse.csr_matrix | None]:
        """How often each unit of resampling occurs, and the items of each pattern in it, unless units are patterns."""
        if self.clusters is None:
            return self.multiplicity, None
        return np.ones(self.clusters.shape[0], dtype=np.int64), self.clusters

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
        if self.clusters is not None:
            found = replace(found, clusters=_clusters_of(self.clusters, self.patterns[:, kept]))
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
        totals = self.totals(
            np.atleast_2d(np.asarray(self.multiplicity if weights is None else weights, float))
        )
        return Sums.unpacked(self.codes, totals[0] if weights is None else totals)

    def totals(self, weights: Floats) -> Floats:
        """The same sums in the layout of `features_of`, one row per row of weights."""
        return weighted_features(self.patterns, weights)

    def pseudo_items(self) -> PseudoItems:
        """The items that are added before resampling, each as large as an average unit."""
        chosen = representative_codes(self.multiplicity @ self.patterns)
        ratings = self.ratings / max(self.items, 1)
        shares, pairs = pseudo_pairs(chosen, len(self.codes), ratings)
        features = features_of(shares * ratings, pairs, np.full(len(shares), ratings), np.ones(len(shares)))
        size = self.items / max(int(self.units[0].sum()), 1)
        return PseudoItems(features * size, masses(len(chosen)), len(chosen))


def _paired(patterns: Ints) -> tuple[np.ndarray, Ints]:
    """Which distinct patterns have two ratings or more, and their places among those, as in `of_patterns`."""
    paired = patterns.sum(axis=1) >= 2
    return paired, np.cumsum(paired) - 1


def _in_one_order(clusters: sparse.csr_matrix) -> sparse.csr_matrix:
    """The clusters in an order that depends on their patterns alone, so that replicates do not depend on names."""
    key = clusters @ np.random.default_rng(0).random(clusters.shape[1])
    return clusters[np.argsort(key, kind="stable")]


def _clusters_of(clusters: sparse.csr_matrix, rows: Ints) -> sparse.csr_matrix:
    """The clusters after every pattern became one of these rows; those with fewer than two ratings are gone."""
    distinct, place = np.unique(rows, axis=0, return_inverse=True)
    paired, number = _paired(distinct)
    kept = np.flatnonzero(paired[place.ravel()])
    moved = sparse.csr_matrix(
        (np.ones(len(kept)), (kept, number[place.ravel()[kept]])), shape=(len(rows), int(paired.sum()))
    )
    found = sparse.csr_matrix(clusters @ moved)
    return _in_one_order(found[np.asarray(found.sum(axis=1)).ravel() > 0])


def weighted_features(patterns: Ints, weights: Floats | sparse.csr_matrix) -> Floats:
    """Sums over patterns of the numbers of `features_of`, one row per row of weights.

    Patterns with fewer than two ratings add nothing.
    """
    totals = np.zeros((weights.shape[0], feature_width(patterns.shape[1])))
    features = _features if patterns.shape[1] <= _FEW_CODES else _sparse_features
    for part in _blocks(patterns):
        totals += np.asarray(weights[:, part] @ features(patterns[part].astype(float)))
    return totals


def feature_width(codes: int) -> int:
    """The number of features of an item on a scale with that many codes."""
    return 1 + codes + 2 * codes * codes


def _blocks(patterns: Ints) -> Iterator[slice]:
    step = max(1, _BLOCK // feature_width(min(patterns.shape[1], _FEW_CODES)))
    return (slice(start, start + step) for start in range(0, len(patterns), step))


def _features(patterns: Floats) -> Floats:
    """Per pattern: 1, the share of each code, the share of each pair of codes, and that times the ratings."""
    ratings = patterns.sum(axis=1)
    pairs = patterns[:, :, None] * patterns[:, None, :]
    diagonal = np.arange(patterns.shape[1])
    pairs[:, diagonal, diagonal] -= patterns
    counted = np.maximum(ratings, 2)
    features = features_of(patterns, pairs, counted, counted * (counted - 1))
    return np.asarray(features * (ratings >= 2)[:, None])


def _sparse_features(patterns: Floats) -> sparse.csr_matrix:
    """The same for scales with many codes, of which an item has few."""
    size = patterns.shape[1]
    ratings = patterns.sum(axis=1)
    row, code = np.nonzero(patterns * (ratings >= 2)[:, None])
    given = patterns[row, code]
    # Every code of an item meets every code of the same item, itself included.
    codes = np.bincount(row, minlength=len(patterns))
    first = np.repeat(np.arange(len(row)), codes[row])
    start = np.concatenate([[0], np.cumsum(codes)[:-1]])[row[first]]
    second = start + np.arange(len(first)) - np.repeat(np.cumsum(codes[row]) - codes[row], codes[row])
    n = ratings[row[first]]
    shared = given[first] * (given[second] - (first == second)) / (n * (n - 1))
    place = 1 + size + code[first] * size + code[second]
    paired = np.flatnonzero(ratings >= 2)
    values = [np.ones(len(paired)), given / ratings[row], shared, shared * n]
    rows = [paired, row, row[first], row[first]]
    columns = [np.zeros(len(paired), np.int64), 1 + code, place, place + size * size]
    cells = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return sparse.csr_matrix(cells, shape=(len(patterns), feature_width(size)))


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
