"""Hand-written SQL on Django's connection and in its transactions, for the hot path and for bulk operations.

Statements are prepared, and the server binds their values. Django's cursors write the values into the SQL text, so
PostgreSQL plans every statement again; on the hot path, planning costs more than execution. The reads of requesters are
the opposite case: they are few, and a plan that suits a large study can be a thousand times too slow for a small one.
So `planned_for_values` has PostgreSQL plan each of them for its own values.

Rows become dataclass instances; column names match field names.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import psycopg
from django.db import connection
from psycopg.rows import RowFactory, class_row, scalar_row, tuple_row

Values = Sequence[Any] | Mapping[str, Any]
T = TypeVar("T")
_prepared: ContextVar[bool] = ContextVar("prepared", default=True)


@contextmanager
def planned_for_values() -> Iterator[None]:
    """Within the block, every statement is planned for its own values instead of being prepared once for all."""
    token = _prepared.set(False)
    try:
        yield
    finally:
        _prepared.reset(token)


def records(kind: type[T], sql: str, values: Values = ()) -> list[T]:
    """All rows of a statement, each as a `kind` whose fields match the column names."""
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
    """The first column of the first row; None if there are no rows."""
    with _executed(sql, values, scalar_row) as cursor:
        return cursor.fetchone()


def counts(sql: str, values: Values = ()) -> dict[Any, Any]:
    """The rows of a two-column statement as a mapping from key to count."""
    with _executed(sql, values, tuple_row) as cursor:
        return dict(cursor.fetchall())


def run(sql: str, values: Values = ()) -> int:
    """Runs a statement and returns the number of affected rows."""
    with _executed(sql, values, tuple_row) as cursor:
        return cursor.rowcount


def literal(state: enum.StrEnum) -> str:
    """A state as an SQL literal.

    If the state is a parameter, the generic plan of a prepared statement cannot use a partial index (`WHERE state =
    'open'`). Use this for our own constants only.

    >>> class State(enum.StrEnum):
    ...     OPEN = "open"
    >>> literal(State.OPEN)
    "'open'"
    """
    assert state.isidentifier(), state
    return f"'{state}'"


@dataclass(frozen=True, slots=True)
class Statement(Generic[T]):
    """A statement whose rows are returned as `kind`."""

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
            cursor.execute(statement.sql.encode(), statement.values, prepare=_prepared.get())
        return [cursor.fetchall() for cursor in cursors]


@contextmanager
def _executed(sql: str, values: Values, factory: RowFactory[Any]) -> Iterator[psycopg.Cursor[Any]]:
    connection.ensure_connection()
    with (
        connection.wrap_database_errors,
        psycopg.Cursor(connection.connection, row_factory=factory) as cursor,
    ):
        cursor.execute(sql.encode(), values or None, prepare=_prepared.get())
        yield cursor
