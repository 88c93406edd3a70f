"""Patterns of code counts, and how many items have each pattern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwright.tables._packing import EXACT_BITS, unpacked, unpacked_if_exact
from labelwright.tables._places import packed_by_place
from labelwright.tables.items import packed_per_item, stacked, wide_per_item
from labelwright.tables.rows import Code, check_columns
from labelwright.tables.sources import Table


@dataclass(frozen=True, eq=False)
class Patterns:
    """The distinct patterns of code counts in one group of items."""

    counts: NDArray[np.int64]
    """One row per pattern, one column per code."""
    items: NDArray[np.int64]
    """How many items have each pattern."""
    other: int
    """The number of rows whose label is missing or not one of the codes."""


def count_patterns(
    table: Table,
    codes: Sequence[Code],
    by: Sequence[str] = (),
    *,
    item: Sequence[str] = ("item",),
    label: str = "label",
) -> dict[tuple[Any, ...], Patterns]:
    """How many items of each group have each pattern of code counts, in one pass over the rows.

    `item` names the columns that together identify items.

    The counts of an item are packed into one number, a few bits per code, so that only one sum
    per item is kept. If an item has too many ratings for that, each code is counted in its own
    column. If items are integers without large gaps and DuckDB runs in this process, rows are
    streamed into an array indexed by item, which is faster than grouping.

    >>> from labelwright.tables import read
    >>> rows = {"item": ["a", "a", "b", "b"], "label": [1, 1, 1, 2]}
    >>> count_patterns(read(rows), codes=(1, 2))[()].counts.tolist()
    [[1, 1], [2, 0]]
    """
    check_columns(table, [*item, label, *by])
    digits = len(codes) + 1
    bits = EXACT_BITS // digits
    if bits >= 3 and not by and len(item) == 1:
        counted = _counted_by_place(table, codes, item[0], label, bits)
        if counted is not None:
            return {(): counted}
    if bits >= 3:
        packed = packed_per_item(table, codes, [*by, *item], label, bits)
        grouped = _grouped(packed, [*by, "pattern", "ratings"])
        if not len(grouped["ratings"]) or int(np.max(grouped["ratings"])) < 2**bits:
            return _split(grouped, by, unpacked(grouped["pattern"], digits, bits))
    wide = wide_per_item(table, codes, [*by, *item], label)
    names = [f"n{i}" for i in range(digits)]
    grouped = _grouped(wide, [*by, *names])
    return _split(grouped, by, stacked(grouped, names))


def _counted_by_place(
    table: Table, codes: Sequence[Code], item: str, label: str, bits: int
) -> Patterns | None:
    """The patterns of integer items, or None if counting by place is not possible."""
    found = packed_by_place(table, codes, item, label, bits)
    if found is None:
        return None
    distinct, many = np.unique(found.packed[found.packed > 0], return_counts=True)
    counts = unpacked_if_exact(distinct, len(codes) + 1, bits, found.rows, many)
    return None if counts is None else _patterns(counts, many.astype(np.int64))


def _grouped(table: Table, keys: Sequence[str]) -> dict[str, NDArray[Any]]:
    rows = table.group_by(list(keys)).aggregate(items=lambda t: t.count()).to_pyarrow()
    return {name: rows[name].to_numpy() for name in rows.column_names}


def _split(
    grouped: dict[str, NDArray[Any]], by: Sequence[str], rows: NDArray[np.int64]
) -> dict[tuple[Any, ...], Patterns]:
    """The patterns of each group, sorted, so that results do not depend on the engine's row order."""
    items = np.asarray(grouped["items"], dtype=np.int64)
    keys = list(zip(*(_plain(grouped[name]) for name in by), strict=True)) if by else [()] * len(items)
    members: dict[tuple[Any, ...], list[int]] = {}
    for place, key in enumerate(keys):
        members.setdefault(key, []).append(place)
    return {key: _patterns(rows[places], items[places]) for key, places in members.items()}


def _plain(values: NDArray[Any]) -> list[Any]:
    return [None if value is None or value != value else value for value in values.tolist()]  # noqa: PLR0124


def _patterns(rows: NDArray[np.int64], items: NDArray[np.int64]) -> Patterns:
    codes = rows.shape[1] - 1
    counts, where_to = np.unique(rows[:, :codes], axis=0, return_inverse=True)
    return Patterns(
        counts=counts,
        items=np.bincount(where_to.ravel(), items, len(counts)).astype(np.int64),
        other=int(rows[:, codes] @ items),
    )
