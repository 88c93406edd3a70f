"""File formats of exports, written row by row with constant memory."""

from __future__ import annotations

import csv
import enum
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

AT_ONCE = 10_000
Row = dict[str, Any]


class Format(enum.StrEnum):
    """The format of a file, by its extension."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an export and its type in Parquet."""

    name: str
    type: pa.DataType
    about: str


def write_rows(
    path: Path, form: Format, columns: tuple[Column, ...], rows: Iterable[Row], *, private: bool = False
) -> int:
    """Writes rows to a file and returns their number. The file appears only when it is complete.

    A private file can be read by this user only.
    """
    part = path.with_name(path.name + ".part")
    writer = {Format.JSONL: _jsonl, Format.CSV: _csv, Format.PARQUET: _parquet}[form]
    try:
        if private:
            # The part of an interrupted run may have been left by another user.
            part.unlink(missing_ok=True)
            part.touch(mode=0o600, exist_ok=False)
        written = writer(part, columns, iter(rows))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return written


def _jsonl(path: Path, columns: tuple[Column, ...], rows: Iterator[Row]) -> int:
    written = 0
    names = [column.name for column in columns]
    encode = json.JSONEncoder(ensure_ascii=False, default=str).encode
    with path.open("w", encoding="utf-8") as out:
        for row in rows:
            out.write(encode({name: row[name] for name in names}) + "\n")
            written += 1
    return written


def _csv(path: Path, columns: tuple[Column, ...], rows: Iterator[Row]) -> int:
    written = 0
    names = [column.name for column in columns]
    # Most texts of an export are names that come again and again. Numbers need no look, and are half of the cells.
    safe = lru_cache(maxsize=10_000)(_cell)
    checks: dict[type[Any], Callable[[Any], Any]] = {str: safe, dict: _cell, list: _cell}
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(names)
        for row in rows:
            values = [row[name] for name in names]
            writer.writerow(
                [check(value) if (check := checks.get(type(value))) else value for value in values]
            )
            written += 1
    return written


def _cell(value: Any) -> Any:
    """A value that is safe in a spreadsheet: text that would run as a formula gets an apostrophe.

    >>> _cell("=1+1"), _cell(-3), _cell("fine")
    ("'=1+1", -3, 'fine')
    """
    if isinstance(value, str) and value.lstrip()[:1] in ("=", "+", "-", "@"):
        return "'" + value
    if isinstance(value, str) and value[:1] in ("\t", "\r"):
        return "'" + value
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return value


def _parquet(path: Path, columns: tuple[Column, ...], rows: Iterator[Row]) -> int:
    schema = pa.schema([pa.field(c.name, c.type, metadata={"about": c.about}) for c in columns])
    written = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while chunk := list(islice(rows, AT_ONCE)):
            values = {column.name: [_flat(row[column.name]) for row in chunk] for column in columns}
            writer.write_table(pa.Table.from_pydict(values, schema=schema))
            written += len(chunk)
    return written


def _flat(value: Any) -> Any:
    """A list or dictionary as JSON text, anything else as it is."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
