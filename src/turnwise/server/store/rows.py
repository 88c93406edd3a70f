"""Hand-written SQL through Django's connection, for the hot path and for sets of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import connection

Values = Sequence[Any] | Mapping[str, Any]


def rows(sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
    """All rows that a statement gives."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())


def run(sql: str, values: Values = ()) -> int:
    """Runs a statement; how many rows it touched."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return int(cursor.rowcount)
