"""Counts of each code per item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from labelwright.tables._packing import EXACT_BITS, packed_weight, unpacked, unpacked_if_exact
from labelwright.tables._places import packed_by_place
from labelwright.tables.rows import Code, check_columns
from labelwright.tables.sources import Table, fetch_columns


@dataclass(frozen=True, eq=False)
class ItemCounts:
    """One row per item, in no particular order."""

    items: pa.Table
    """The columns that identify items."""
    counts: NDArray[np.int64]
    """Items x codes."""
    other: NDArray[np.int64]
    """The number of rows per item whose label is missing or not one of the codes."""


def count_items(
    table: Table, codes: Sequence[Code], *, item: Sequence[str] = ("item",), label: str = "label"
) -> ItemCounts:
    """The counts of every item, in memory. Counts in the same ways as `count_patterns`.

    >>> from labelwright.tables import read
    >>> found = count_items(read({"item": [7, 7, 8], "label": [1, 1, 2]}), codes=(1, 2))
    >>> found.items["item"].to_pylist(), found.counts.tolist()
    ([7, 8], [[2, 0], [0, 1]])
    """
    check_columns(table, [*item, label])
    digits = len(codes) + 1
    bits = EXACT_BITS // digits
    if bits >= 3 and len(item) == 1:
        counted = _counted_by_place(table, codes, item[0], label, bits)
        if counted is not None:
            return counted
    if bits >= 3:
        rows = fetch_columns(packed_per_item(table, codes, list(item), label, bits))
        if not len(rows) or int(np.max(rows["ratings"].to_numpy())) < 2**bits:
            return _item_counts(rows.select(item), unpacked(rows["pattern"].to_numpy(), digits, bits))
    rows = fetch_columns(wide_per_item(table, codes, list(item), label))
    return _item_counts(rows.select(item), stacked(rows, [f"n{i}" for i in range(digits)]))


def _counted_by_place(
    table: Table, codes: Sequence[Code], item: str, label: str, bits: int
) -> ItemCounts | None:
    found = packed_by_place(table, codes, item, label, bits)
    if found is None:
        return None
    there = np.flatnonzero(found.packed)
    counts = unpacked_if_exact(found.packed[there], len(codes) + 1, bits, found.rows)
    return None if counts is None else _item_counts(pa.table({item: there + found.low}), counts)


def _item_counts(items: pa.Table, digits: NDArray[np.int64]) -> ItemCounts:
    return ItemCounts(items, digits[:, :-1], digits[:, -1])


def packed_per_item(table: Table, codes: Sequence[Code], keys: list[str], label: str, bits: int) -> Table:
    """One row per item with its packed counts as `pattern` and the number of its `ratings`.

    The last digit counts the rows whose label is missing or not one of the codes.
    """
    weight = packed_weight(table[label], codes, bits, other=2.0 ** (bits * len(codes)))
    rows = table.select(*keys, weight=weight)
    return rows.group_by(keys).aggregate(pattern=rows.weight.sum(), ratings=rows.count())


def wide_per_item(table: Table, codes: Sequence[Code], keys: list[str], label: str) -> Table:
    """One row per item with the count of each code in the columns `n0`, `n1`, ...; the last counts all other rows."""
    value = table[label]
    named = value.type().is_string()
    tests = [value == code if isinstance(code, str) == named else ibis.literal(False) for code in codes]
    known = value.isin([code for code in codes if isinstance(code, str) == named])
    sums = [*(ibis.cases((test, 1), else_=0) for test in tests), ibis.cases((known, 0), else_=1)]
    return table.group_by(keys).aggregate(**{f"n{i}": each.sum() for i, each in enumerate(sums)})


def stacked(columns: Mapping[str, Any] | pa.Table, names: Sequence[str]) -> NDArray[np.int64]:
    """Columns of counts as one array."""
    return np.stack([np.asarray(columns[name], dtype=np.int64) for name in names], axis=1)
