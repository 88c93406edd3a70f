"""Clusters of items, such as one item in several conditions: how many clusters have the same patterns of code counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labelwright.tables._packing import EXACT_BITS, unpacked
from labelwright.tables.items import count_items, packed_per_item
from labelwright.tables.rows import Code, check_columns
from labelwright.tables.sources import Table


@dataclass(frozen=True, eq=False)
class ClusterCounts:
    """Clusters whose items have the same patterns are one row; however many items there are, the rows are few."""

    members: list[NDArray[np.int64]]
    """For each distinct cluster: its items x codes."""
    many: NDArray[np.int64]
    """How many clusters are like that."""


def count_clusters(
    table: Table, codes: Sequence[Code], *, item: Sequence[str], cluster: str, label: str = "label"
) -> ClusterCounts:
    """The distinct clusters of items, counted by the engine; only these are fetched.

    >>> from labelwright.tables import read
    >>> rows = {"item": ["a", "a", "b", "b"], "condition": ["x", "y", "x", "y"], "label": [1, 2, 2, 1]}
    >>> found = count_clusters(read(rows), (1, 2), item=["item", "condition"], cluster="item")
    >>> [each.tolist() for each in found.members], found.many.tolist()
    ([[[1, 0], [0, 1]]], [2])
    """
    keys = list(dict.fromkeys([*item, cluster]))
    check_columns(table, [*keys, label])
    digits = len(codes) + 1
    bits = EXACT_BITS // digits
    if bits >= 3:
        packed = packed_per_item(table, codes, keys, label, bits)
        # Sorted as text, so that the order in which an engine reads the items does not matter.
        listed = packed.pattern.cast("int64").cast("string").collect().sort().join(",")
        alike = packed.group_by(cluster).aggregate(listed=listed, ratings=packed.ratings.max())
        rows = (
            alike.group_by("listed").aggregate(many=alike.count(), ratings=alike.ratings.max()).to_pyarrow()
        )
        if not len(rows) or int(np.max(rows["ratings"].to_numpy())) < 2**bits:
            members = [
                unpacked(np.array(each.split(","), dtype=np.int64), digits, bits)[:, :-1]
                for each in rows["listed"].to_pylist()
            ]
            return ClusterCounts(members, np.asarray(rows["many"].to_numpy(), dtype=np.int64))
    found = count_items(table, codes, item=keys, label=label)
    _, number = np.unique(
        np.array([str(name) for name in found.items[cluster].to_pylist()]), return_inverse=True
    )
    order = np.argsort(number, kind="stable")
    ends = np.cumsum(np.bincount(number))[:-1]
    return ClusterCounts(np.split(found.counts[order], ends), np.ones(len(ends) + 1, dtype=np.int64))
