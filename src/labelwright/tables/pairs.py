"""Counts for every pair of raters, and ratings as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from labelwright.tables._packing import EXACT_BITS, packed_weight, unpacked_parts
from labelwright.tables._places import PLACES_PER_ROW
from labelwright.tables.rows import Code, check_columns, row_counts
from labelwright.tables.sources import Table


def numbered(
    table: Table, codes: Sequence[Code], *, item: str = "item", rater: str = "rater", label: str = "label"
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Item, rater and code of every rating, in memory, as numbers from 0. Rows with other labels are left out.

    >>> from labelwright.tables import read
    >>> rows = {"item": ["a", "b", "a"], "rater": ["x", "x", "y"], "label": [1, 2, 3]}
    >>> [column.tolist() for column in numbered(read(rows), codes=(1, 2))]
    [[0, 1], [0, 0], [0, 1]]
    """
    check_columns(table, [item, rater, label])
    place = table[label].cases(*((code, i) for i, code in enumerate(codes)), else_=None)
    rows = table.select(item=table[item], rater=table[rater], place=place.cast("int8"))
    found = rows.filter(rows.place.notnull()).to_pyarrow()
    return _numbers(found["item"]), _numbers(found["rater"]), found["place"].to_numpy().astype(np.int64)


def _numbers(column: pa.ChunkedArray) -> NDArray[np.int64]:
    """A number from 0 for each distinct value, nearly without gaps, in no particular order."""
    if pa.types.is_integer(column.type) and len(column) and not column.null_count:
        values = column.to_numpy()
        low, high = int(values.min()), int(values.max())
        if high - low < PLACES_PER_ROW * len(values):
            return np.asarray(values, dtype=np.int64) - low
    encoded = column.combine_chunks().dictionary_encode()
    return np.asarray(encoded.indices.to_numpy(), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class PairSums:
    """The counts that Cohen's kappa needs for every pair of raters, without the full table of codes."""

    raters: NDArray[np.int64]
    """Pairs x 2: the numbers of the two raters."""
    items: NDArray[np.int64]
    """The number of items that both raters judged."""
    agreed: NDArray[np.int64]
    """The number of these items to which both gave the same code."""
    first: NDArray[np.int64]
    """Pairs x codes: how often the first rater gave each code to shared items."""
    second: NDArray[np.int64]

    @property
    def chance(self) -> NDArray[np.float64]:
        """For each pair: the sum over codes of the product of both raters' counts."""
        return np.asarray((self.first * self.second).sum(axis=1), dtype=float)


def count_pairs(
    table: Table, codes: Sequence[Code], *, item: str = "item", rater: str = "rater", label: str = "label"
) -> PairSums:
    """Sums over the items that each pair of raters shares, by a self-join. The cost grows with pairs of ratings.

    Each rating carries its code as a packed number, so that one sum per pair counts all codes.

    >>> from labelwright.tables import read
    >>> rows = {"item": ["a", "a", "b", "b"], "rater": ["x", "y", "x", "y"], "label": [1, 1, 1, 2]}
    >>> sums = count_pairs(read(rows), codes=(1, 2))
    >>> sums.agreed.tolist(), sums.first.tolist(), sums.second.tolist()
    ([1], [[2, 0]], [[1, 1]])
    """
    check_columns(table, [item, rater, label])
    # Two raters share at most as many items as the busiest rater judged, so this many bits suffice for a count.
    busiest = max(row_counts(table, [rater]).values(), default=1)
    codes_per_sum = max(1, min(len(codes), EXACT_BITS // busiest.bit_length()))
    grouped = _joined_pairs(table, codes, (item, rater, label), codes_per_sum)
    return _unpacked_pairs(grouped, len(codes), codes_per_sum)


def _joined_pairs(
    table: Table, codes: Sequence[Code], names: tuple[str, str, str], codes_per_sum: int
) -> dict[str, NDArray[Any]]:
    item, rater, label = names
    packed = _packed_codes(table[label], codes, codes_per_sum)
    rows = table.filter(table[label].isin(list(codes))).select(item=table[item], rater=table[rater], **packed)
    left, right = rows, rows.view()
    same = left[next(iter(packed))] == right[next(iter(packed))]
    for name in list(packed)[1:]:
        same = same & (left[name] == right[name])
    sides = {f"a{name}": left[name] for name in packed} | {f"b{name}": right[name] for name in packed}
    both = left.join(right, [left.item == right.item, left.rater < right.rater]).select(
        one=left.rater, two=right.rater, same=ibis.cases((same, 1), else_=0), **sides
    )
    sums = {name: both[name].sum() for name in sides}
    counted = both.group_by(["one", "two"]).aggregate(items=both.count(), agreed=both.same.sum(), **sums)
    answer = counted.to_pyarrow()
    return {name: answer[name].to_numpy() for name in answer.column_names}


def _packed_codes(value: Any, codes: Sequence[Code], codes_per_sum: int) -> dict[str, Any]:
    bits = EXACT_BITS // codes_per_sum
    return {
        f"w{start}": packed_weight(value, codes[start : start + codes_per_sum], bits, other=0.0)
        for start in range(0, len(codes), codes_per_sum)
    }


def _unpacked_pairs(grouped: dict[str, NDArray[Any]], size: int, codes_per_sum: int) -> PairSums:
    def margin(side: str) -> NDArray[np.int64]:
        packed = [grouped[f"{side}w{start}"] for start in range(0, size, codes_per_sum)]
        return unpacked_parts(packed, size, codes_per_sum)

    both = np.concatenate([grouped["one"], grouped["two"]])
    pairs = np.unique(both, return_inverse=True)[1].reshape(2, -1).T
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    items, agreed = (grouped[name].astype(np.int64)[order] for name in ("items", "agreed"))
    return PairSums(pairs[order], items, agreed, margin("a")[order], margin("b")[order])
