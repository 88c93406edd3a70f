"""Counting by place: items that are whole numbers close together need no grouping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from labelwright.tables._packing import code_weights
from labelwright.tables.rows import Code
from labelwright.tables.sources import Table, runs_here

# Counting by place needs a number for every place, also for items that are not there.
PLACES_PER_ROW = 4
_MOST_PLACES = 200_000_000
_MOST_CODES = 10_000
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
    numbers = [code for code in codes if isinstance(code, int)]
    near = 0 < len(numbers) == len(codes) and max(numbers) - min(numbers) < _MOST_CODES
    if not whole or not near or not runs_here(table):
        return None
    items = table[item]
    ends = table.aggregate(low=items.min(), high=items.max(), rows=table.count(), known=items.count())
    [(low, high, rows, known)] = [tuple(row.values()) for row in ends.to_pyarrow().to_pylist()]
    span = high - low + 1 if rows else 0
    if not rows or known < rows or span > min(_MOST_PLACES, PLACES_PER_ROW * rows):
        return None
    return Places(low, _added_up(table.select(item, label), numbers, bits, low, span, rows), rows)


def _added_up(
    rows: Table, codes: Sequence[int], bits: int, low: int, span: int, total: int
) -> NDArray[np.float64]:
    """The packed counts of every place from `low` on, added up batch by batch."""
    first, last = min(codes), max(codes)
    # One entry below and one above the codes catch every label that is none of them.
    by_label = np.full(last - first + 3, 2.0 ** (bits * len(codes)))
    by_label[np.array(codes) - first + 1] = code_weights(len(codes), bits)
    packed = np.zeros(span)
    for batch in _batches(rows, total, max(_ROWS_AT_ONCE, span)):
        item, label = (batch.column(i) for i in range(2))
        if label.null_count:
            label = label.cast(pa.int64()).fill_null(first - 1)  # wide enough for one below any code
        place = np.subtract(label.to_numpy(), first - 1, dtype=np.int64)
        weight = np.take(by_label, place, mode="clip")
        number = np.asarray(item.to_numpy(), dtype=np.int64)
        packed += np.bincount(number - low if low else number, weight, span)
    return packed


def _batches(rows: Table, total: int, size: int) -> Any:
    """Rows of a DuckDB table: all at once, which DuckDB does on every core, or some at a time if they are many.

    Ibis 12 streams by a method that DuckDB 2 no longer has, so its SQL is run on its connection.
    """
    if total <= _ROWS_AT_ONCE:
        return [rows.to_pyarrow().combine_chunks()]
    relation = rows.get_backend().con.sql(str(ibis.to_sql(rows, dialect="duckdb")))
    return relation.to_arrow_reader(size)
