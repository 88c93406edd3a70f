"""The portable subset of Ibis: tables from anywhere, and counts that come out equal on DuckDB and on Spark.

This is the only module that knows Ibis. It keeps to operations that were found to give equal
results on both engines (no hashing, no negative indexing, no division in the engine), and it
asks the engine only for counts: coefficients are made from those by numpy. A suite runs every
function here on both engines.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import ibis
import ibis.expr.datatypes as dt
import ibis.expr.operations as ops
import numpy as np
import pyarrow as pa
import sqlglot
from ibis.backends.sql.compilers.base import SQLGlotCompiler
from numpy.typing import NDArray

from turnwise.errors import TurnwiseError, nearest

Table: TypeAlias = Any
"""An Ibis table; Ibis has no types of its own to give."""
Code: TypeAlias = int | float | str

# Whole numbers up to 2^53 are exact in a double, and engines add doubles twice as fast as wide integers.
_EXACT_BITS = 53
# Counting by place needs a number for every place, also for items that are not there.
_PLACES_PER_ROW = 4
_MOST_PLACES = 200_000_000
_ROWS_AT_ONCE = 20_000_000


class UnreadableTable(TurnwiseError):
    """A source of rows that cannot be read."""

    code = "tables.unreadable"


class MissingColumn(TurnwiseError):
    """A column that is needed and not there."""

    code = "tables.missing_column"


@cache
def _duckdb(_process: int) -> Any:
    """One engine per process; a forked child must not share its parent's."""
    return ibis.duckdb.connect(temp_directory=_spill_folder())


def local_engine(memory: str) -> Any:
    """DuckDB in this process with a limit to its memory, e.g. "3GB"; what does not fit goes to disk."""
    return ibis.duckdb.connect(
        memory_limit=memory, preserve_insertion_order=False, temp_directory=_spill_folder()
    )


def _spill_folder() -> str:
    """Where DuckDB puts what does not fit into memory: not the current folder, which is its default."""
    return str(Path(tempfile.gettempdir()) / f"turnwise-spill-{os.getpid()}")


def read(source: object, engine: Any = None) -> Table:
    """A table from a pandas, polars or pyarrow table, an Ibis table, or a CSV, JSON Lines or Parquet path.

    `engine` is an Ibis backend (a Spark session through `ibis.pyspark.connect`, a warehouse);
    without it files are read by DuckDB in this process.

    >>> columns(read({"item": ["a", "b"], "label": [1, 2]}))
    ('item', 'label')
    """
    if isinstance(source, str | os.PathLike):
        return _read_file(Path(source), engine or _duckdb(os.getpid()))
    if isinstance(source, ibis.Table):
        return source
    rows = pa.table(dict(source)) if isinstance(source, Mapping) else source
    try:
        table = ibis.memtable(rows)
    except (TypeError, ValueError, NotImplementedError) as problem:
        raise UnreadableTable(
            f"cannot read rows from a {type(source).__name__}.",
            expected="a pandas, polars or pyarrow table, an Ibis table, or a path.",
        ) from problem
    return table


def _read_file(path: Path, engine: Any) -> Table:
    if not path.exists():
        raise UnreadableTable("there is no such file.", where=str(path))
    readers = {".csv": "read_csv", ".tsv": "read_csv", ".parquet": "read_parquet", ".pq": "read_parquet"}
    readers |= {".jsonl": "read_json", ".ndjson": "read_json", ".json": "read_json"}
    reader = readers.get(path.suffix.lower())
    if reader is None and not path.is_dir():
        raise UnreadableTable(
            f"cannot tell the format from the ending {path.suffix!r}.",
            where=str(path),
            expected=".csv, .tsv, .jsonl or .parquet.",
        )
    place = str(path / "*.parquet") if path.is_dir() and engine.name == "duckdb" else str(path)
    try:
        return getattr(engine, reader or "read_parquet")(place)
    except Exception as problem:
        raise UnreadableTable(f"{problem}.", where=str(path)) from problem


def columns(table: Table) -> tuple[str, ...]:
    """The names of a table's columns."""
    return tuple(table.columns)


def check_columns(table: Table, wanted: Iterable[str]) -> None:
    """Raises where a wanted column is not there, and names the nearest that is."""
    for name in wanted:
        if name not in table.columns:
            hint = nearest(name, table.columns)
            raise MissingColumn(
                f"there is no column {name!r}.",
                expected=f"one of {', '.join(table.columns)}.",
                do=f'Did you mean "{hint}"?' if hint else None,
            )


def renamed(table: Table, names: Mapping[str, str]) -> Table:
    """The table with columns renamed, from the new name to the old one."""
    check_columns(table, names.values())
    return table.rename(dict(names))


def where(table: Table, values: Mapping[str, object]) -> Table:
    """The rows in which each named column has the given value; None finds missing ones."""
    check_columns(table, values)
    for name, value in values.items():
        column = table[name]
        table = table.filter(column.isnull() if value is None else column == value)
    return table


def having(table: Table, column: str) -> Table:
    """Only the rows in which a column has a value."""
    check_columns(table, [column])
    return table.filter(table[column].notnull())


def recoded(table: Table, column: str, codes: Mapping[Any, int], within: Mapping[str, object]) -> Table:
    """The table with a column's values replaced by whole numbers, in the rows that `within` names.

    A value that is not in `codes` becomes missing.
    """
    check_columns(table, [column, *within])
    new = table[column].cases(*codes.items(), else_=None).cast("int64")
    here = None
    for name, value in within.items():
        test = table[name] == value
        here = test if here is None else here & test
    if here is not None:
        new = ibis.cases((here, new), else_=table[column].cast("int64"))
    return table.mutate(**{column: new})


def fetch(table: Table, names: Sequence[str] | None = None) -> pa.Table:
    """Rows in memory, as pyarrow."""
    return (table if names is None else table.select(*names)).to_pyarrow()


def distinct(table: Table, names: Sequence[str]) -> list[tuple[Any, ...]]:
    """The combinations of values that occur, in ascending order; missing values last."""
    check_columns(table, names)
    rows = table.select(*names).distinct().to_pyarrow().to_pylist()
    found = [tuple(row[name] for name in names) for row in rows]
    return sorted(found, key=lambda row: tuple((value is None, str(type(value)), value) for value in row))


def codes_used(
    table: Table, label: str = "label", by: Sequence[str] = ()
) -> dict[tuple[Any, ...], tuple[Code, ...]]:
    """The labels that occur in each group, ascending; missing labels are not codes.

    >>> codes_used(read({"condition": ["a", "a", "b"], "label": [2, 1, 3]}), by=["condition"])
    {('a',): (1, 2), ('b',): (3,)}
    """
    found: dict[tuple[Any, ...], list[Code]] = {}
    for row in distinct(table, [*by, label]):
        found.setdefault(row[:-1], [])
        if row[-1] is not None and row[-1] == row[-1]:
            found[row[:-1]].append(row[-1])
    return {group: tuple(sorted(codes)) for group, codes in found.items()}


def row_counts(table: Table, by: Sequence[str]) -> dict[tuple[Any, ...], int]:
    """How many rows each combination of values has."""
    check_columns(table, by)
    rows = table.group_by(list(by)).aggregate(rows=lambda t: t.count()).to_pyarrow().to_pylist()
    return {tuple(row[name] for name in by): int(row["rows"]) for row in rows}


def sizes(table: Table, names: Sequence[str] = ()) -> tuple[int, ...]:
    """The number of rows, and how many different values each named column has.

    >>> sizes(read({"item": ["a", "a", "b"]}), ["item"])
    (3, 2)
    """
    check_columns(table, names)
    wanted = {"rows": table.count(), **{f"n{i}": table[name].nunique() for i, name in enumerate(names)}}
    [row] = table.aggregate(**wanted).to_pyarrow().to_pylist()
    return tuple(int(value) for value in row.values())


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

    >>> rows = {"item": ["a", "a", "b", "b"], "label": [1, 1, 1, 2]}
    >>> count_patterns(read(rows), codes=(1, 2))[()].counts.tolist()
    [[1, 1], [2, 0]]
    """
    check_columns(table, [*item, label, *by])
    digits = len(codes) + 1
    bits = _EXACT_BITS // digits
    if bits >= 3 and not by and len(item) == 1:
        counted = _counted_by_place(table, codes, item[0], label, bits)
        if counted is not None:
            return {(): counted}
    if bits >= 3:
        packed = _packed_patterns(table, codes, [*by, *item], bits, label)
        grouped = _grouped(packed, [*by, "pattern", "ratings"])
        if not len(grouped["ratings"]) or int(np.max(grouped["ratings"])) < 2**bits:
            places = np.arange(digits, dtype=np.int64) * bits
            whole = np.asarray(grouped["pattern"], dtype=np.float64).astype(np.int64)
            return _split(grouped, by, (whole[:, None] >> places) & (2**bits - 1))
    wide = _wide_patterns(table, codes, [*by, *item], label)
    names = [f"n{i}" for i in range(digits)]
    grouped = _grouped(wide, [*by, *names])
    rows = np.stack([np.asarray(grouped[name], dtype=np.int64) for name in names], axis=1)
    return _split(grouped, by, rows)


def _counted_by_place(
    table: Table, codes: Sequence[Code], item: str, label: str, bits: int
) -> Patterns | None:
    """Patterns of items that are whole numbers, or None where counting by place does not fit."""
    whole = table[item].type().is_integer() and table[label].type().is_integer()
    if not whole or not runs_here(table):
        return None
    items = table[item]
    ends = table.aggregate(low=items.min(), high=items.max(), rows=table.count(), known=items.count())
    [(low, high, rows, known)] = [tuple(row.values()) for row in ends.to_pyarrow().to_pylist()]
    span = high - low + 1 if rows else 0
    if not rows or known < rows or span > min(_MOST_PLACES, _PLACES_PER_ROW * rows):
        return None
    packed = _packed_by_place(table.select(item, label), codes, bits, low, span, rows)
    places = np.arange(len(codes) + 1, dtype=np.int64) * bits
    distinct, many = np.unique(packed[packed > 0], return_counts=True)
    counts = (distinct.astype(np.int64)[:, None] >> places) & (2**bits - 1)
    # A count that ran over its bits is carried into the next, and digits no longer add up to the rows.
    fits = float(distinct.max()) < 2.0**_EXACT_BITS and int(counts.sum(axis=1) @ many) == rows
    return _patterns(counts, many.astype(np.int64)) if fits else None


def _packed_by_place(
    rows: Table, codes: Sequence[Code], bits: int, low: int, span: int, total: int
) -> NDArray[np.float64]:
    """The packed counts of every place from `low` on, added up batch by batch."""
    first, last = min(codes), max(codes)
    assert isinstance(first, int)
    assert isinstance(last, int)
    # One entry below and one above the codes catch every label that is none of them.
    weights = np.full(last - first + 3, 2.0 ** (bits * len(codes)))
    for i, code in enumerate(codes):
        weights[int(code) - first + 1] = 2.0 ** (bits * i)
    packed = np.zeros(span)
    for batch in _batches(rows, total, max(_ROWS_AT_ONCE, span)):
        item, label = (batch.column(i) for i in range(2))
        place = _whole(label.fill_null(first - 1)) - (first - 1)
        weight = weights[np.clip(place, 0, len(weights) - 1)]
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


def _packed_patterns(table: Table, codes: Sequence[Code], keys: list[str], bits: int, label: str) -> Table:
    weights = [(code, float(2 ** (bits * i))) for i, code in enumerate(codes)]
    weight = table[label].cases(*weights, else_=float(2 ** (bits * len(codes))))
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


def numbered(
    table: Table, codes: Sequence[Code], *, item: str = "item", rater: str = "rater", label: str = "label"
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Item, rater and code of every rating in memory, as numbers from 0; rows with another label are left out.

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
    """Different numbers from 0 for different values, close together but in no given order."""
    if pa.types.is_integer(column.type) and len(column) and not column.null_count:
        values = column.to_numpy()
        low, high = int(values.min()), int(values.max())
        if high - low < _PLACES_PER_ROW * len(values):
            return np.asarray(values, dtype=np.int64) - low
    encoded = column.combine_chunks().dictionary_encode()
    return np.asarray(encoded.indices.to_numpy(), dtype=np.int64)


def runs_here(table: Table) -> bool:
    """Whether the table's engine is DuckDB in this process, so that rows cost nothing to fetch."""
    return bool(table.get_backend().name == "duckdb")


@dataclass(frozen=True, eq=False)
class PairSums:
    """For every two raters who share items: what Cohen's kappa needs, without the whole table."""

    raters: NDArray[np.int64]
    """Pairs x 2: the two raters as numbers, in the order of their names."""
    items: NDArray[np.int64]
    """How many items the two share."""
    agreed: NDArray[np.int64]
    """On how many of them they gave the same code."""
    first: NDArray[np.int64]
    """Pairs x codes: how often the first rater gave each code on shared items."""
    second: NDArray[np.int64]


def count_pairs(
    table: Table, codes: Sequence[Code], *, item: str = "item", rater: str = "rater", label: str = "label"
) -> PairSums:
    """Sums over the items that each two raters share, by a self-join; cost grows with pairs of ratings.

    Each rating carries its code as a packed number, so that one sum per pair counts all codes.

    >>> rows = {"item": ["a", "a", "b", "b"], "rater": ["x", "y", "x", "y"], "label": [1, 1, 1, 2]}
    >>> sums = count_pairs(read(rows), codes=(1, 2))
    >>> sums.agreed.tolist(), sums.first.tolist(), sums.second.tolist()
    ([1], [[2, 0]], [[1, 1]])
    """
    check_columns(table, [item, rater, label])
    # Two raters share no more items than the busier of them judged, so so many bits are enough for a count.
    busiest = max(row_counts(table, [rater]).values(), default=1)
    codes_per_sum = max(1, min(len(codes), _EXACT_BITS // busiest.bit_length()))
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
    bits = _EXACT_BITS // codes_per_sum
    return {
        f"w{start}": value.cases(
            *((code, float(2 ** (bits * i))) for i, code in enumerate(codes[start : start + codes_per_sum])),
            else_=0.0,
        )
        for start in range(0, len(codes), codes_per_sum)
    }


def _unpacked_pairs(grouped: dict[str, NDArray[Any]], size: int, codes_per_sum: int) -> PairSums:
    bits = _EXACT_BITS // codes_per_sum
    places = np.arange(codes_per_sum, dtype=np.int64) * bits

    def margin(side: str) -> NDArray[np.int64]:
        packed = [grouped[f"{side}w{start}"].astype(np.int64) for start in range(0, size, codes_per_sum)]
        digits = [(number[:, None] >> places) & (2**bits - 1) for number in packed]
        return np.concatenate(digits, axis=1)[:, :size]

    both = np.concatenate([grouped["one"], grouped["two"]])
    pairs = np.unique(both, return_inverse=True)[1].reshape(2, -1).T
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    items, agreed = (grouped[name].astype(np.int64)[order] for name in ("items", "agreed"))
    return PairSums(pairs[order], items, agreed, margin("a")[order], margin("b")[order])


def hash_rank(key: Any, seed: int, use: str) -> Any:
    """A column that orders rows by seed, the same on every engine: the order of `seeds.rank(seed, use, key)`.

    >>> from turnwise import seeds
    >>> table = read({"key": ["a", "b", "c", "d"]})
    >>> rows = fetch(table.mutate(rank=hash_rank(table.key, 7, "sample")).order_by("rank"))
    >>> rows["key"].to_pylist() == sorted("abcd", key=lambda key: seeds.rank(7, "sample", key))
    True
    """
    return (ibis.literal(f"{seed}\x1f{use}\x1f") + key).hexdigest("md5")


class _PlaceFromOne(ops.Analytic):  # type: ignore[misc]
    """SQL's own ROW_NUMBER. Ibis counts from 0 and so writes ROW_NUMBER() - 1, in which DuckDB no longer sees
    that only the first few rows of each group are wanted, and sorts them all."""

    dtype = dt.int64


SQLGlotCompiler.visit__PlaceFromOne = lambda _compiler, _op: sqlglot.expressions.RowNumber()


def place_within(table: Table, order: str, by: str) -> Any:
    """The place of each row among those with the same value of `by`, from 1; `order` should have no ties."""
    window = ibis.cumulative_window(group_by=table[by], order_by=table[order])
    return _PlaceFromOne().to_expr().over(window)


def running_sum(table: Table, column: str, *, by: str, order: str) -> Any:
    """The sum of a column up to and with each row, among the rows with the same value of `by`."""
    return table[column].sum().over(ibis.cumulative_window(group_by=table[by], order_by=table[order]))


def previous(table: Table, column: str, *, by: str, order: str) -> Any:
    """The value of a column in the row before, among those with the same value of `by`; null in the first."""
    return table[column].lag().over(ibis.window(group_by=table[by], order_by=table[order]))


def all_of(*conditions: Any) -> Any:
    """Whether every condition holds; one that is unknown does not hold."""
    return ibis.and_(*(condition.fill_null(False) for condition in conditions))


def any_of(*conditions: Any) -> Any:
    """Whether at least one condition holds; one that is unknown does not hold."""
    return ibis.or_(*(condition.fill_null(False) for condition in conditions))


def words_of(normal: Any) -> Any:
    """The words of normalised text: runs of letters, digits and apostrophes; [""] where there is none."""
    return normal.fill_null("").re_replace(r"[^\p{L}\p{M}\p{N}']+", " ").strip().split(" ")


def neighbouring_words(table: Table, words: str) -> Table:
    """A row for each two neighbouring words of a list column, joined by a space as `phrase`."""
    table = table.filter(table[words].length() >= 2)
    pairs = table.mutate(pair=table[words][:-1].zip(table[words][1:]).unnest())
    return pairs.mutate(phrase=pairs.pair.f1 + " " + pairs.pair.f2).drop("pair", words)


def connect(name: str) -> Any:
    """An engine: `spark` with the session that is set up, or an address that Ibis takes."""
    if name == "spark":
        from pyspark.sql import SparkSession  # noqa: PLC0415

        return ibis.pyspark.connect(SparkSession.builder.getOrCreate())
    return ibis.connect(name)


def table_of(engine: Any, name: str) -> Table:
    """A table of an engine by its name."""
    try:
        return engine.table(name)
    except ibis.common.exceptions.TableNotFound as problem:
        raise UnreadableTable(f'there is no table "{name}".', where=engine.name) from problem


def store_parquet(engine: Any, path: Path, name: str) -> None:
    """Writes a Parquet file as a table of an engine; one of that name is replaced."""
    if engine.name == "duckdb":
        # Ibis 12 cannot create a table in DuckDB 2: the statement that it writes first does not parse.
        quoted = '"' + name.replace('"', '""') + '"'
        statement = f"CREATE OR REPLACE TABLE {quoted} AS SELECT * FROM read_parquet(?)"  # noqa: S608  quoted above
        engine.con.execute(statement, [str(path)])
    else:
        engine.create_table(name, engine.read_parquet(str(path)), overwrite=True)
