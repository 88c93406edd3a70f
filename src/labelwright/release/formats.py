"""File formats of exports, written row by row with constant memory."""

from __future__ import annotations

import csv
import enum
import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

AT_ONCE = 10_000
# Signs that begin a formula, also in full width, as East Asian keyboards write them.
_SIGN = r"[=+\-@＝＋－＠﹦﹢﹣﹫−]"
_BLANK = r"[\s\x00-\x1f\u200b\u2060\ufeff]*"
_RUNS = re.compile(rf"[\t\r]|{_BLANK}{_SIGN}")
_RUNS_IF_SPLIT = re.compile(rf"([;\t\r\n]{_BLANK})({_SIGN})")
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
    safe = lru_cache(maxsize=10_000)(spreadsheet_cell)
    checks: dict[type[Any], Callable[[Any], Any]] = {
        str: safe,
        dict: spreadsheet_cell,
        list: spreadsheet_cell,
    }
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


def spreadsheet_cell(value: Any) -> Any:
    """A value that is safe in a spreadsheet; everything that writes CSV uses it.

    Text that would run as a formula gets an apostrophe. In many countries, spreadsheets split lines at semicolons and
    not at commas, so the text after a semicolon, a tab or a line break may become a cell of its own.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell(-3), spreadsheet_cell("fine"), spreadsheet_cell("no; ＝1+1")
    ("'=1+1", -3, 'fine', "no; '＝1+1")
    >>> spreadsheet_cell({"said": "no;=1+1"})
    '{"said": "no;\\\\u003d1+1"}'
    """
    if isinstance(value, str):
        return ("'" if _RUNS.match(value) else "") + _RUNS_IF_SPLIT.sub(r"\1'\2", value)
    if isinstance(value, dict | list):
        # Inside JSON, an escape keeps the text as it is.
        text = json.dumps(value, ensure_ascii=False)
        return _RUNS_IF_SPLIT.sub(lambda found: f"{found[1]}\\u{ord(found[2]):04x}", text)
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
