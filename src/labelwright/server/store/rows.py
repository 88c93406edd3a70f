"""Hand-written SQL on Django's own connection and in its transactions, for the hot path and for sets of rows.

Statements are prepared and their values bound by the server. Django's cursors write the values into the
text, so that PostgreSQL plans every statement anew; on the hot path the plan costs more than the work.

Rows are bound to dataclasses by the names of their columns.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import psycopg
from django.db import connection
from psycopg.rows import RowFactory, class_row, scalar_row, tuple_row

Values = Sequence[Any] | Mapping[str, Any]
T = TypeVar("T")


def records(kind: type[T], sql: str, values: Values = ()) -> list[T]:
    """All rows of a statement, each as `kind`: its fields are the names of the columns."""
    with _executed(sql, values, class_row(kind)) as cursor:
        return cursor.fetchall()


def record(kind: type[T], sql: str, values: Values = ()) -> T | None:
    """The first row of a statement as `kind`, or None."""
    with _executed(sql, values, class_row(kind)) as cursor:
        return cursor.fetchone()


def column(sql: str, values: Values = ()) -> list[Any]:
    """The first column of every row."""
    with _executed(sql, values, scalar_row) as cursor:
        return cursor.fetchall()


def value(sql: str, values: Values = ()) -> Any:
    """The first column of the first row; None where there is no row."""
    with _executed(sql, values, scalar_row) as cursor:
        return cursor.fetchone()


def counts(sql: str, values: Values = ()) -> dict[Any, Any]:
    """A statement of two columns, a key and its number, as a mapping."""
    with _executed(sql, values, tuple_row) as cursor:
        return dict(cursor.fetchall())


def run(sql: str, values: Values = ()) -> int:
    """Runs a statement; returns how many rows it touched."""
    with _executed(sql, values, tuple_row) as cursor:
        return cursor.rowcount


def literal(state: enum.StrEnum) -> str:
    """A state written into the text of a statement.

    The generic plan of a prepared statement cannot use an index of the rows in one state (`WHERE state =
    'open'`) if the state is a parameter. Only our own constants may be written into a statement.

    >>> class State(enum.StrEnum):
    ...     OPEN = "open"
    >>> literal(State.OPEN)
    "'open'"
    """
    assert state.isidentifier(), state
    return f"'{state}'"


@dataclass(frozen=True, slots=True)
class Statement(Generic[T]):
    """A statement whose rows become `kind`."""

    kind: type[T]
    sql: str
    values: Values


def records_of_each(*statements: Statement[Any]) -> list[list[Any]]:
    """The rows of several statements, run one after the other in a single round trip."""
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.pipeline():
        cursors = [
            psycopg.Cursor(connection.connection, row_factory=class_row(statement.kind))
            for statement in statements
        ]
        for cursor, statement in zip(cursors, statements, strict=True):
            cursor.execute(statement.sql.encode(), statement.values, prepare=True)
        return [cursor.fetchall() for cursor in cursors]


@contextmanager
def _executed(sql: str, values: Values, factory: RowFactory[Any]) -> Iterator[psycopg.Cursor[Any]]:
    connection.ensure_connection()
    with (
        connection.wrap_database_errors,
        psycopg.Cursor(connection.connection, row_factory=factory) as cursor,
    ):
        cursor.execute(sql.encode(), values or None, prepare=True)
        yield cursor
