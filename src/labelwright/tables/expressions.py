"""Column expressions: seeded order, row numbers and sums within groups, conditions, words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ibis
import ibis.expr.datatypes as dt
import ibis.expr.operations as ops
import sqlglot
from ibis.backends.sql.compilers.base import SQLGlotCompiler

from labelwright.tables.sources import Table, runs_here


def hash_rank(key: Any, seed: int, use: str) -> Any:
    """A column to sort rows by, the same on every engine: the order of `seeds.rank(seed, use, key)`.

    >>> from labelwright import seeds
    >>> from labelwright.tables import fetch, read
    >>> table = read({"key": ["a", "b", "c", "d"]})
    >>> rows = fetch(table.mutate(rank=hash_rank(table.key, 7, "sample")).order_by("rank"))
    >>> rows["key"].to_pylist() == sorted("abcd", key=lambda key: seeds.rank(7, "sample", key))
    True
    """
    return (ibis.literal(f"{seed}\x1f{use}\x1f") + key).hexdigest("md5")


class _PlaceFromOne(ops.Analytic):  # type: ignore[misc]
    """SQL's ROW_NUMBER, from 1. Ibis writes ROW_NUMBER() - 1, which keeps DuckDB from noticing that only the
    first few rows of each group are needed, so it would sort all rows."""

    dtype = dt.int64


SQLGlotCompiler.visit__PlaceFromOne = lambda _compiler, _op: sqlglot.expressions.RowNumber()


def place_within(table: Table, order: str, by: str) -> Any:
    """The number of each row within the rows with the same `by`, from 1. `order` should have no ties."""
    window = ibis.cumulative_window(group_by=table[by], order_by=table[order])
    return _PlaceFromOne().to_expr().over(window)


def first_within(table: Table, order: str, by: str, counts: Mapping[str, int]) -> Table:
    """The first rows of each group, as many as `counts` says. `order` should have no ties.

    Engines that distribute work give all rows of a group to one task if rows are numbered. There, the first rows of
    each group are found on their own: each task keeps its first ones.
    """
    if runs_here(table):
        placed = table.mutate(place=place_within(table, order, by=by))
        wanted = placed[by].cases(*counts.items(), else_=0) if counts else ibis.literal(0)
        return placed.filter(placed.place <= wanted).drop("place")
    parts = [
        table.filter(table[by] == group).order_by(order).limit(count)
        for group, count in counts.items()
        if count
    ]
    return ibis.union(*parts) if len(parts) > 1 else parts[0] if parts else table.limit(0)


def running_sum(table: Table, column: str, *, by: str, order: str) -> Any:
    """The cumulative sum of a column, including the current row, within the rows with the same `by`."""
    return table[column].sum().over(ibis.cumulative_window(group_by=table[by], order_by=table[order]))


def previous(table: Table, column: str, *, by: str, order: str) -> Any:
    """The value of a column in the previous row with the same `by`; null in the first row."""
    return table[column].lag().over(ibis.window(group_by=table[by], order_by=table[order]))


def all_of(*conditions: Any) -> Any:
    """Whether all conditions are true; null counts as false."""
    return ibis.and_(*(condition.fill_null(False) for condition in conditions))


def any_of(*conditions: Any) -> Any:
    """Whether at least one condition is true; null counts as false."""
    return ibis.or_(*(condition.fill_null(False) for condition in conditions))


def words_of(normal: Any) -> Any:
    """The words of normalised text: runs of letters, digits and apostrophes; [""] if there are none."""
    return normal.fill_null("").re_replace(r"[^\p{L}\p{M}\p{N}']+", " ").strip().split(" ")


def neighbouring_words(table: Table, words: str) -> Table:
    """One row for each pair of adjacent words of a list column, joined by a space, as `phrase`."""
    table = table.filter(table[words].length() >= 2)
    pairs = table.mutate(pair=table[words][:-1].zip(table[words][1:]).unnest())
    return pairs.mutate(phrase=pairs.pair.f1 + " " + pairs.pair.f2).drop("pair", words)
