"""The published rows of a study, streamed over a connection of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from django.db import connection
from psycopg.sql import SQL, Literal

from labelwright.crowd import DataUse
from labelwright.server.releasing.queries.publication import PUBLISHED, TEXTS, published_as

_SETTINGS = """SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL statement_timeout = 0;
SET LOCAL work_mem = '64MB';
SET LOCAL timezone = 'UTC'"""
"""All tables are read as they were at one moment."""

# Raters who withdrew and asked that their data are not used; nothing that they wrote is published.
_WITHDRAWN = "SELECT rater_id FROM withdrawal WHERE study_id = {study} AND data_use = {left_out}"
_ONLY = {
    "answer": f"assignment_id NOT IN (SELECT id FROM assignment WHERE study_id = {{study}} AND rater_id IN ({_WITHDRAWN}))",
    "rater_sheet": f"rater_id NOT IN ({_WITHDRAWN})",
}
_ORDER = {
    "task_item": "task_id, position",
    "member": "pool_id, rater_id",
    "batch_work": "batch_id, rater_id",
    "rater_count": "rater_id, scope, key",
}


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A row of a table as JSON, and the texts in it that are searched for personal data."""

    line: str
    texts: str


@contextmanager
def snapshot() -> Iterator[psycopg.Connection[Any]]:
    """A second connection to the database that sees everything as it is now, whatever happens meanwhile."""
    wrapper = connection.copy()
    wrapper.ensure_connection()
    try:
        with wrapper.connection.transaction():
            wrapper.connection.execute(_SETTINGS, prepare=False)
            yield wrapper.connection
    finally:
        wrapper.close()


def record_rows(source: psycopg.Connection[Any], table: str, study: int, salt: str) -> Iterator[RecordRow]:
    """The published rows of a table in a stable order."""
    columns = published_as(table, "{salt}")
    listed = ", ".join(f'{expression} AS "{name}"' for name, expression in columns.items())
    texts = " || ' ' || ".join(f'r."{name}"::text' for name in TEXTS.get(table, ())) or "''"
    order = "id" if "id" in columns else _ORDER.get(table, "1")
    query = f"""SELECT row_to_json(r)::text, {texts} FROM (
                  SELECT {listed} FROM "{table}" WHERE study_id = {{study}} AND {_ONLY.get(table, "true")}
                  ORDER BY {order}) r"""
    for line, text in stream(source, query, ["text", "text"], study=study, salt=salt):
        yield RecordRow(line, text)


def id_range(source: psycopg.Connection[Any], table: str, study: int) -> tuple[int, int] | None:
    """The first and the last id of a table; None for tables without ids, and for empty ones."""
    if "id" not in PUBLISHED[table]:
        return None
    found = source.execute(
        f'SELECT min(id), max(id) FROM "{table}" WHERE study_id = %s'.encode(), [study]
    ).fetchone()
    return (found[0], found[1]) if found and found[0] is not None else None


def searched_texts(
    source: psycopg.Connection[Any], table: str, study: int, row: int | None = None
) -> Iterator[tuple[int, int | None, list[Any]]]:
    """The texts of a table, or of one row: its id, its assignment if a rater wrote it, and the values of its columns."""
    work = "assignment_id" if table in ("answer", "flag") else "NULL::bigint"
    texts = ", ".join(f'to_jsonb("{name}")' for name in TEXTS[table])
    query = f"""SELECT id, {work}, jsonb_build_array({texts})::text FROM "{table}"
                WHERE study_id = {{study}} AND ({{row}}::bigint IS NULL OR id = {{row}}::bigint)
                  AND {_ONLY.get(table, "true")} ORDER BY id"""
    for found, assignment, values in stream(source, query, ["int8", "int8", "text"], study=study, row=row):
        yield found, assignment, json.loads(values)


def withdrawn_names(source: psycopg.Connection[Any], study: int) -> frozenset[str]:
    """The pseudonyms of raters who withdrew and asked that their data are not used."""
    query = SQL(f"SELECT pseudonym FROM rater WHERE id IN ({_WITHDRAWN})").format(
        study=Literal(study), left_out=Literal(str(DataUse.LEFT_OUT))
    )
    return frozenset(name for (name,) in source.execute(query).fetchall())


def stream(
    source: psycopg.Connection[Any], query: str, types: Sequence[str], **values: Any
) -> Iterator[tuple[Any, ...]]:
    """The rows of a query by COPY, a few at a time; `values` stand for the names in braces."""
    given = {"left_out": str(DataUse.LEFT_OUT), **values}
    with (
        source.cursor() as cursor,
        cursor.copy(
            SQL("COPY (" + query + ") TO STDOUT").format(**{k: Literal(v) for k, v in given.items()})
        ) as copy,
    ):
        copy.set_types(types)
        yield from copy.rows()
