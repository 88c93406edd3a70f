"""Selecting and counting rows and columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import and_
from typing import Any, TypeAlias

import ibis
import pyarrow as pa

from labelwright.errors import LabelwrightError, nearest
from labelwright.tables.sources import Table

Code: TypeAlias = int | float | str
"""A label as a table holds it."""


class MissingColumn(LabelwrightError):
    """A required column is missing."""

    code = "tables.missing_column"


def columns(table: Table) -> tuple[str, ...]:
    """The names of a table's columns."""
    return tuple(table.columns)


def check_columns(table: Table, wanted: Iterable[str]) -> None:
    """Raises MissingColumn if a column is missing, with the closest existing name."""
    for name in wanted:
        if name not in table.columns:
            hint = nearest(name, table.columns)
            raise MissingColumn(
                f"there is no column {name!r}.",
                expected=f"one of {', '.join(table.columns)}.",
                do=f'Did you mean "{hint}"?' if hint else None,
            )


def renamed(table: Table, names: Mapping[str, str]) -> Table:
    """The table with renamed columns; `names` maps new names to old ones."""
    check_columns(table, names.values())
    return table.rename(dict(names))


def where(table: Table, values: Mapping[str, object]) -> Table:
    """The rows in which each column has the given value; None matches missing values."""
    check_columns(table, values)
    for name, value in values.items():
        column = table[name]
        table = table.filter(column.isnull() if value is None else column == value)
    return table


def among(table: Table, values: Mapping[str, Sequence[object]]) -> Table:
    """The rows in which each column has one of the given values; None matches missing values.

    >>> from labelwright.tables import read, sizes
    >>> sizes(among(read({"role": ["item", "gold", None]}), {"role": ["item", None]}))
    (2,)
    """
    check_columns(table, values)
    for name, wanted in values.items():
        column = table[name]
        chosen = column.isin([value for value in wanted if value is not None])
        # Not known whether a missing value is among others: so both cases are asked for.
        table = table.filter(column.isnull() | chosen if None in wanted else column.notnull() & chosen)
    return table


def without(table: Table, names: Sequence[str], combinations: Iterable[Sequence[object]]) -> Table:
    """The rows that have none of these combinations of values, which must not be missing.

    >>> from labelwright.tables import read, sizes
    >>> rows = read({"version": [1, 1, 2], "question": ["a", "b", "a"]})
    >>> sizes(without(rows, ["version", "question"], [(1, "a")]))
    (2,)
    """
    check_columns(table, names)
    for values in combinations:
        same = [table[name] == value for name, value in zip(names, values, strict=True)]
        table = table.filter(~reduce(and_, same))
    return table


def replaced(table: Table, column: str, values: Mapping[str, str]) -> Table:
    """The table with some values of a text column replaced by others.

    >>> from labelwright.tables import fetch, read
    >>> fetch(replaced(read({"question": ["a.c0", "b"]}), "question", {"a.c0": "a"}))["question"].to_pylist()
    ['a', 'b']
    """
    check_columns(table, [column])
    return (
        table.mutate(**{column: table[column].cases(*values.items(), else_=table[column])})
        if values
        else table
    )


def extended(table: Table, column: str, by: str, endings: Mapping[str, str]) -> Table:
    """The table with an ending added to a column, according to the value of another column.

    >>> from labelwright.tables import fetch, read
    >>> rows = read({"item": ["i", "i"], "question": ["a.c0", "b"]})
    >>> fetch(extended(rows, "item", "question", {"a.c0": "/c0"}))["item"].to_pylist()
    ['i/c0', 'i']
    """
    check_columns(table, [column, by])
    ending = table[by].cases(*endings.items(), else_="") if endings else ""
    return table.mutate(**{column: table[column].cast("string") + ending})


def copied(table: Table, column: str, name: str) -> Table:
    """The table with a copy of a column under another name."""
    check_columns(table, [column])
    return table.mutate(**{name: table[column]})


def having(table: Table, column: str) -> Table:
    """The rows in which a column is not missing."""
    check_columns(table, [column])
    return table.filter(table[column].notnull())


def emptied(table: Table, column: str, values: Sequence[Any]) -> Table:
    """The table with these values of a column replaced by missing ones."""
    check_columns(table, [column])
    alike = [value for value in values if isinstance(value, str) == table[column].type().is_string()]
    for value in alike:
        table = table.mutate(**{column: table[column].nullif(value)})
    return table


def missing(table: Table, names: Sequence[str]) -> tuple[int, dict[str, int]]:
    """The number of rows, and for each named column how many have no value: null, nan or blank text.

    >>> from labelwright.tables import read
    >>> missing(read({"item": ["a", None, " "]}), ["item"])
    (3, {'item': 2})
    """
    check_columns(table, names)
    wanted = {"rows": table.count()}
    wanted |= {
        f"n{i}": ibis.cases((_is_missing(table[name]), 1), else_=0).sum() for i, name in enumerate(names)
    }
    [row] = table.aggregate(**wanted).to_pyarrow().to_pylist()
    rows, *counts = (int(value or 0) for value in row.values())
    return rows, dict(zip(names, counts, strict=True))


def _is_missing(column: Any) -> Any:
    if column.type().is_string():
        return column.isnull() | (column.strip() == "")
    return column.isnull() | column.isnan() if column.type().is_floating() else column.isnull()


def repeated(table: Table, names: Sequence[str]) -> tuple[int, dict[str, Any]]:
    """How many rows repeat the values of these columns in an earlier row, and the values of one of them.

    >>> from labelwright.tables import read
    >>> repeated(read({"item": ["a", "a", "b"], "rater": ["x", "x", "x"]}), ["item", "rater"])
    (1, {'item': 'a', 'rater': 'x'})
    """
    check_columns(table, names)
    grouped = table.group_by(list(names)).aggregate(rows=lambda t: t.count())
    several = grouped.filter(grouped.rows > 1).to_pyarrow()
    if not several.num_rows:
        return 0, {}
    extra = sum(several["rows"].to_pylist()) - several.num_rows
    examples = several.select(list(names)).to_pylist()
    return extra, min(examples, key=lambda row: tuple(map(str, row.values())))


def recoded(table: Table, column: str, codes: Mapping[Any, int], within: Mapping[str, object]) -> Table:
    """The table with the values of a column replaced by integers, in the rows selected by `within`.

    A value that is not in `codes` becomes missing.
    """
    return recoded_parts(table, column, [(within, codes)])


def recoded_parts(
    table: Table, column: str, parts: Sequence[tuple[Mapping[str, object], Mapping[Any, int]]]
) -> Table:
    """The same for several parts of the table at once, each with its codes; a part without names is the rest of it.

    At once, because a column of names is one of numbers afterwards, which the next part could not look up.
    """
    if not parts:
        return table
    cases, others = [], table[column].cast("int64")
    for within, codes in parts:
        check_columns(table, [column, *within])
        new = table[column].cases(*codes.items(), else_=None).cast("int64")
        if within:
            cases.append((reduce(and_, [table[name] == value for name, value in within.items()]), new))
        else:
            others = new
    return table.mutate(**{column: ibis.cases(*cases, else_=others) if cases else others})


def fetch(table: Table, names: Sequence[str] | None = None) -> pa.Table:
    """The rows as a pyarrow table in memory."""
    return (table if names is None else table.select(*names)).to_pyarrow()


def distinct(table: Table, names: Sequence[str]) -> list[tuple[Any, ...]]:
    """The combinations of values that occur, ascending, with missing values last."""
    check_columns(table, names)
    rows = table.select(*names).distinct().to_pyarrow().to_pylist()
    found = [tuple(row[name] for name in names) for row in rows]
    return sorted(found, key=lambda row: tuple((value is None, str(type(value)), value) for value in row))


def codes_used(
    table: Table, label: str = "label", by: Sequence[str] = ()
) -> dict[tuple[Any, ...], tuple[Code, ...]]:
    """The codes that occur in each group, ascending, without missing labels.

    >>> from labelwright.tables import read
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
    """The number of rows with each combination of values."""
    check_columns(table, by)
    rows = table.group_by(list(by)).aggregate(rows=lambda t: t.count()).to_pyarrow().to_pylist()
    return {tuple(row[name] for name in by): int(row["rows"]) for row in rows}


def sizes(table: Table, names: Sequence[str] = ()) -> tuple[int, ...]:
    """The number of rows, and the number of distinct values of each named column.

    >>> from labelwright.tables import read
    >>> sizes(read({"item": ["a", "a", "b"]}), ["item"])
    (3, 2)
    """
    check_columns(table, names)
    wanted = {"rows": table.count(), **{f"n{i}": table[name].nunique() for i, name in enumerate(names)}}
    [row] = table.aggregate(**wanted).to_pyarrow().to_pylist()
    return tuple(int(value) for value in row.values())
