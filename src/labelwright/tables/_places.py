"""Counting by place: items that are integers without large gaps index an array and need no grouping."""

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

# Counting by place needs an array entry for every integer, including missing items.
PLACES_PER_ROW = 4
# Six arrays of this length are in memory at once, 2 GB; more items are grouped by the engine, which can use the disk.
_MOST_PLACES = 40_000_000
_MOST_CODES = 10_000
_ROWS_AT_ONCE = 20_000_000


@dataclass(frozen=True, eq=False)
class Places:
    """The packed counts of every integer from `low`; 0 if there is no such item."""

    low: int
    packed: NDArray[np.float64]
    rows: int


def packed_by_place(table: Table, codes: Sequence[Code], item: str, label: str, bits: int) -> Places | None:
    """The packed counts of integer items, or None if counting by place is not possible."""
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
    """The packed counts of every integer from `low`, summed batch by batch."""
    first, last = min(codes), max(codes)
    # One entry below and one above the codes catch all other labels.
    by_label = np.full(last - first + 3, 2.0 ** (bits * len(codes)))
    by_label[np.array(codes) - first + 1] = code_weights(len(codes), bits)
    packed = np.zeros(span)
    for batch in _batches(rows, total, max(_ROWS_AT_ONCE, span)):
        item, label = (batch.column(i) for i in range(2))
        if label.null_count:
            label = label.cast(pa.int64()).fill_null(first - 1)  # wide enough for one less than any code
        place = np.subtract(label.to_numpy(), first - 1, dtype=np.int64)
        weight = np.take(by_label, place, mode="clip")
        number = np.asarray(item.to_numpy(), dtype=np.int64)
        packed += np.bincount(number - low if low else number, weight, span)
    return packed


def _batches(rows: Table, total: int, size: int) -> Any:
    """The rows of a DuckDB table: all at once (which uses every core), or in batches if there are many.

    Ibis 12 streams with a method that DuckDB 2 no longer has, so the SQL is run on the connection directly.
    """
    if total <= _ROWS_AT_ONCE:
        return [rows.to_pyarrow().combine_chunks()]
    relation = rows.get_backend().con.sql(str(ibis.to_sql(rows, dialect="duckdb")))
    return relation.to_arrow_reader(size)
