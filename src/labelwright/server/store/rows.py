"""Hand-written SQL on Django's own connection and in its transactions, for the hot path and for sets of rows.

Statements are prepared and their values bound by the server. Django's cursors write the values into the
text, so that PostgreSQL plans every statement anew; on the hot path the plan costs more than the work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection

Values = Sequence[Any] | Mapping[str, Any]


def rows(sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
    """All rows that a statement gives."""
    with _executed(sql, values) as cursor:
        return cursor.fetchall()


def run(sql: str, values: Values = ()) -> int:
    """Runs a statement; how many rows it touched."""
    with _executed(sql, values) as cursor:
        return cursor.rowcount


def rows_of_each(*statements: tuple[str, Values]) -> list[list[tuple[Any, ...]]]:
    """The rows of several statements, run one after the other in a single round trip."""
    connection.ensure_connection()
    with connection.wrap_database_errors, connection.connection.pipeline():
        cursors = [psycopg.Cursor(connection.connection) for _ in statements]
        for cursor, (sql, values) in zip(cursors, statements, strict=True):
            cursor.execute(sql.encode(), values, prepare=True)
        return [cursor.fetchall() for cursor in cursors]


@contextmanager
def _executed(sql: str, values: Values) -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(sql.encode(), values or None, prepare=True)
        yield cursor
