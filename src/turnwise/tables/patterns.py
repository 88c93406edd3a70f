"""How many items show each pattern of code counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ibis
import numpy as np
from numpy.typing import NDArray

from turnwise.tables.packing import EXACT_BITS, unpacked, weights
from turnwise.tables.places import packed_by_place
from turnwise.tables.rows import Code, check_columns
from turnwise.tables.sources import Table


@dataclass(frozen=True, eq=False)
class Patterns:
    """Distinct patterns of code counts of one group's items."""

    counts: NDArray[np.int64]
    """One row per pattern, one column per code."""
    items: NDArray[np.int64]
    """How many items show each pattern."""
    other: int
    """Rows without a label, or with one that is none of the codes."""


def count_patterns(
    table: Table,
    codes: Sequence[Code],
    by: Sequence[str] = (),
    *,
    item: Sequence[str] = ("item",),
    label: str = "label",
) -> dict[tuple[Any, ...], Patterns]:
    """How many items of each group show each pattern of code counts; one pass over the rows.

    `item` names the columns that together tell items apart.

    The counts of an item are packed into one number, a few bits per code, so that one sum
    per item is kept. Where an item has too many ratings for that, a column per code is
    counted instead. Where items are whole numbers without large gaps and DuckDB runs in this
    process, rows are streamed and counted by place, which is quicker than grouping.

    >>> from turnwise.tables import read
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
        packed = _packed_patterns(table, codes, [*by, *item], bits, label)
        grouped = _grouped(packed, [*by, "pattern", "ratings"])
        if not len(grouped["ratings"]) or int(np.max(grouped["ratings"])) < 2**bits:
            return _split(grouped, by, unpacked(grouped["pattern"], digits, bits))
    wide = _wide_patterns(table, codes, [*by, *item], label)
    names = [f"n{i}" for i in range(digits)]
    grouped = _grouped(wide, [*by, *names])
    rows = np.stack([np.asarray(grouped[name], dtype=np.int64) for name in names], axis=1)
    return _split(grouped, by, rows)


def _counted_by_place(
    table: Table, codes: Sequence[Code], item: str, label: str, bits: int
) -> Patterns | None:
    """Patterns of items that are whole numbers, or None where counting by place does not fit."""
    found = packed_by_place(table, codes, item, label, bits)
    if found is None:
        return None
    distinct, many = np.unique(found.packed[found.packed > 0], return_counts=True)
    counts = unpacked(distinct, len(codes) + 1, bits)
    # A count that ran over its bits is carried into the next, and digits no longer add up to the rows.
    fits = float(distinct.max()) < 2.0**EXACT_BITS and int(counts.sum(axis=1) @ many) == found.rows
    return _patterns(counts, many.astype(np.int64)) if fits else None


def _packed_patterns(table: Table, codes: Sequence[Code], keys: list[str], bits: int, label: str) -> Table:
    weight = table[label].cases(*weights(codes, bits), else_=2.0 ** (bits * len(codes)))
    rows = table.select(*keys, weight=weight)
    return rows.group_by(keys).aggregate(pattern=rows.weight.sum(), ratings=rows.count())


def _wide_patterns(table: Table, codes: Sequence[Code], keys: list[str], label: str) -> Table:
    value = table[label]
    other = value.isnull() | ~value.isin(list(codes))
    tests = [*(value == code for code in codes), other]
    sums = {f"n{i}": ibis.cases((test, 1), else_=0).sum() for i, test in enumerate(tests)}
    return table.group_by(keys).aggregate(**sums)


def _grouped(table: Table, keys: Sequence[str]) -> dict[str, NDArray[Any]]:
    rows = table.group_by(list(keys)).aggregate(items=lambda t: t.count()).to_pyarrow()
    return {name: rows[name].to_numpy() for name in rows.column_names}


def _split(
    grouped: dict[str, NDArray[Any]], by: Sequence[str], rows: NDArray[np.int64]
) -> dict[tuple[Any, ...], Patterns]:
    """The patterns of each group, sorted, so that the order of an engine's answer never shows."""
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
