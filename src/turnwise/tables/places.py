"""Counting by place: items that are whole numbers close together need no grouping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from turnwise.tables.packing import weights
from turnwise.tables.rows import Code
from turnwise.tables.sources import Table, runs_here

# Counting by place needs a number for every place, also for items that are not there.
PLACES_PER_ROW = 4
_MOST_PLACES = 200_000_000
_ROWS_AT_ONCE = 20_000_000


@dataclass(frozen=True, eq=False)
class Places:
    """The packed counts of every whole number from `low` on; 0 where there is no such item."""

    low: int
    packed: NDArray[np.float64]
    rows: int


def packed_by_place(table: Table, codes: Sequence[Code], item: str, label: str, bits: int) -> Places | None:
    """Packed counts of items that are whole numbers, or None where counting by place does not fit."""
    whole = table[item].type().is_integer() and table[label].type().is_integer()
    if not whole or not runs_here(table):
        return None
    items = table[item]
    ends = table.aggregate(low=items.min(), high=items.max(), rows=table.count(), known=items.count())
    [(low, high, rows, known)] = [tuple(row.values()) for row in ends.to_pyarrow().to_pylist()]
    span = high - low + 1 if rows else 0
    if not rows or known < rows or span > min(_MOST_PLACES, PLACES_PER_ROW * rows):
        return None
    return Places(low, _added_up(table.select(item, label), codes, bits, low, span, rows), rows)


def _added_up(
    rows: Table, codes: Sequence[Code], bits: int, low: int, span: int, total: int
) -> NDArray[np.float64]:
    """The packed counts of every place from `low` on, added up batch by batch."""
    first, last = min(codes), max(codes)
    assert isinstance(first, int)
    assert isinstance(last, int)
    # One entry below and one above the codes catch every label that is none of them.
    by_label = np.full(last - first + 3, 2.0 ** (bits * len(codes)))
    for code, power in weights(codes, bits):
        by_label[int(code) - first + 1] = power
    packed = np.zeros(span)
    for batch in _batches(rows, total, max(_ROWS_AT_ONCE, span)):
        item, label = (batch.column(i) for i in range(2))
        place = _whole(label.fill_null(first - 1)) - (first - 1)
        weight = by_label[np.clip(place, 0, len(by_label) - 1)]
        packed += np.bincount(_whole(item) - low if low else _whole(item), weight, span)
    return packed


def _whole(column: pa.Array | pa.ChunkedArray) -> NDArray[np.int64]:
    return np.asarray(column.to_numpy(), dtype=np.int64)


def _batches(rows: Table, total: int, size: int) -> Any:
    """Rows of a DuckDB table: all at once, which DuckDB does on every core, or some at a time if they are many.

    Ibis 12 streams by a method that DuckDB 2 no longer has, so its SQL is run on its connection.
    """
    if total <= _ROWS_AT_ONCE:
        return [rows.to_pyarrow().combine_chunks()]
    relation = rows.get_backend().con.sql(str(ibis.to_sql(rows, dialect="duckdb")))
    return relation.to_arrow_reader(size)
