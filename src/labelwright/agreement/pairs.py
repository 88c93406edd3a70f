"""PairTables: for every pair of raters, how often each combination of codes occurs."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from labelwright.agreement._arrays import Floats, Ints
from labelwright.agreement.ratings import Ratings


@dataclass(frozen=True, eq=False)
class PairTables:
    """One table of codes x codes for each pair of raters who share an item.

    >>> ratings = Ratings.of(["a", "a", "b", "b"], [0, 0, 1, 0], rater=["x", "y", "x", "y"])
    >>> PairTables.of_ratings(ratings).tables.tolist()
    [[[1.0, 0.0], [1.0, 0.0]]]
    """

    pairs: Ints
    """The two raters of each table."""
    tables: Floats
    items: int
    """The number of items rated by at least two raters."""
    ratings: int
    """The number of ratings of those items."""
    left_out: dict[str, int] = field(default_factory=dict)
    _cell: Ints = field(default_factory=lambda: np.empty(0, np.int64), repr=False)
    _item: Ints = field(default_factory=lambda: np.empty(0, np.int64), repr=False)

    @classmethod
    def of_ratings(cls, ratings: Ratings) -> PairTables:
        """The tables of all pairs. A rater who judged an item twice is not paired with themselves."""
        left, right = _pairs_within_items(ratings.item)
        same = ratings.rater[left] == ratings.rater[right]
        reasons = {"pair of ratings by one rater": int(same.sum())} if same.any() else {}
        left, right = left[~same], right[~same]
        # The lower number comes first, so that each pair has one table, whatever the order in the data.
        swap = ratings.rater[left] > ratings.rater[right]
        left, right = np.where(swap, right, left), np.where(swap, left, right)
        size, raters = len(ratings.codes), int(ratings.rater.max(initial=-1)) + 1
        keys = ratings.rater[left] * raters + ratings.rater[right]
        distinct, pair = np.unique(keys, return_inverse=True)
        cell = (pair * size + ratings.code[left]) * size + ratings.code[right]
        tables = np.bincount(cell, minlength=len(distinct) * size * size).astype(float)
        shared = np.unique(ratings.item[left])
        return cls(
            pairs=np.stack([distinct // max(raters, 1), distinct % max(raters, 1)], axis=1),
            tables=tables.reshape(-1, size, size),
            items=len(shared),
            ratings=int(np.isin(ratings.item, shared).sum()),
            left_out=reasons,
            _cell=cell,
            _item=ratings.item[left],
        )

    def reweighted(self, items: Floats) -> Floats:
        """The tables with each item counted as often as it was drawn."""
        counts = np.bincount(self._cell, items[self._item], self.tables.size)
        return np.asarray(counts.reshape(self.tables.shape))

    def weight(self, raters: Floats) -> Floats:
        """How often each pair occurs if each rater counts as often as they were drawn."""
        return np.asarray(raters[self.pairs[:, 0]] * raters[self.pairs[:, 1]])


def _pairs_within_items(item: Ints) -> tuple[Ints, Ints]:
    """Row numbers of every two ratings of the same item, each pair once."""
    order = np.argsort(item, kind="stable")
    sizes = np.bincount(item)
    starts = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    lefts, rights = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for size in np.unique(sizes[sizes >= 2]):
        rows = order[starts[sizes == size][:, None] + np.arange(size)]
        first, second = np.triu_indices(size, 1)
        lefts.append(rows[:, first].ravel())
        rights.append(rows[:, second].ravel())
    return np.concatenate(lefts), np.concatenate(rights)
