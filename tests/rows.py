"""Rows of a statement as tuples, for tests and benches that look into the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def rows(sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
    """All rows, on Django's own connection and in its transaction."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql, values or None)
        return cursor.fetchall() if cursor.description else []
