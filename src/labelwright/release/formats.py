"""File formats of exports, written row by row with constant memory."""

from __future__ import annotations

import csv
import enum
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

AT_ONCE = 10_000
# Signs that begin a formula, also in full width, as East Asian keyboards write them.
_SIGN = r"[=+\-@＝＋－＠﹦﹢﹣﹫−]"
_BLANK = r"[\s\x00-\x1f\u200b\u2060\ufeff]*"
_RUNS = re.compile(rf"[\t\r]|{_BLANK}{_SIGN}")
_RUNS_IF_SPLIT = re.compile(rf"([;\t\r\n]{_BLANK})({_SIGN})")
# Control characters, which could steer the terminal of somebody who looks at the file; tabs and line breaks stay.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
# Those that JSON leaves as they are, and separators that some readers take for the end of a line.
_UNSEEN = re.compile(r"[\x7f-\x9f\u2028\u2029]")
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
    with TableWriter({form: path}, columns, private=private) as table:
        left = iter(rows)
        while chunk := list(islice(left, AT_ONCE)):
            table.write(chunk)
    return table.written


class TableWriter:
    """The files of a table, one in each format. Every row is written to all of them, so it is read only once.

    The files appear when all rows are written; if the writing breaks off, earlier files stay as they are.
    """

    def __init__(
        self, paths: Mapping[Format, Path], columns: tuple[Column, ...], *, private: bool = False
    ) -> None:
        self.written = 0
        self._private = private
        self._paths = {path.with_name(path.name + ".part"): path for path in paths.values()}
        self._kinds = [_WRITERS[form] for form in paths]
        self._columns = columns

    def __enter__(self) -> Self:
        if self._private:
            for part in self._paths:
                # The part of an interrupted run may have been left by another user.
                part.unlink(missing_ok=True)
                part.touch(mode=0o600, exist_ok=False)
        self._writers = [
            kind(part, self._columns) for kind, part in zip(self._kinds, self._paths, strict=True)
        ]
        return self

    def write(self, rows: Sequence[Row]) -> None:
        """Writes some rows; many at once are written faster, and are held in memory."""
        for writer in self._writers:
            writer.write(rows)
        self.written += len(rows)

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        try:
            for writer in self._writers:
                writer.close()
            if error is None:
                for part, path in self._paths.items():
                    part.replace(path)
        finally:
            for part in self._paths:
                part.unlink(missing_ok=True)


class _JsonLines:
    def __init__(self, path: Path, columns: tuple[Column, ...]) -> None:
        self._names = [column.name for column in columns]
        self._encode = json.JSONEncoder(ensure_ascii=False, default=str).encode
        self._out = path.open("w", encoding="utf-8")
        self.close = self._out.close

    def write(self, rows: Sequence[Row]) -> None:
        lines = [self._encode({name: row[name] for name in self._names}) for row in rows]
        self._out.write(_UNSEEN.sub(_escaped, "".join(f"{line}\n" for line in lines)))


class _Csv:
    def __init__(self, path: Path, columns: tuple[Column, ...]) -> None:
        self._names = [column.name for column in columns]
        # Most texts of an export are names that come again and again. Numbers need no look, and are half of the cells.
        safe = lru_cache(maxsize=10_000)(spreadsheet_cell)
        self._checks: dict[type[Any], Callable[[Any], Any]] = {
            str: safe,
            dict: spreadsheet_cell,
            list: spreadsheet_cell,
        }
        self._out = path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._out)
        self._writer.writerow(self._names)
        self.close = self._out.close

    def write(self, rows: Sequence[Row]) -> None:
        checks, names = self._checks, self._names
        for row in rows:
            values = [row[name] for name in names]
            self._writer.writerow(
                [check(value) if (check := checks.get(type(value))) else value for value in values]
            )


class _Parquet:
    def __init__(self, path: Path, columns: tuple[Column, ...]) -> None:
        self._columns = columns
        self._schema = pa.schema([pa.field(c.name, c.type, metadata={"about": c.about}) for c in columns])
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self.close = self._writer.close

    def write(self, rows: Sequence[Row]) -> None:
        values = {column.name: _cells(column, rows) for column in self._columns}
        self._writer.write_table(pa.Table.from_pydict(values, schema=self._schema))


_WRITERS: dict[Format, type[_JsonLines | _Csv | _Parquet]] = {
    Format.JSONL: _JsonLines,
    Format.CSV: _Csv,
    Format.PARQUET: _Parquet,
}


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _cells(column: Column, rows: Sequence[Row]) -> list[Any]:
    """The values of a column; lists and dictionaries become JSON text, unless the column holds lists."""
    if pa.types.is_list(column.type):
        return [row[column.name] for row in rows]
    return [
        json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
        for value in (row[column.name] for row in rows)
    ]


def spreadsheet_text(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A small table as CSV, every cell safe in a spreadsheet.

    >>> spreadsheet_text(["name", "n"], [["=1+1", 2]]).splitlines()
    ['name,n', "'=1+1,2"]
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    writer.writerows([spreadsheet_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def spreadsheet_cell(value: Any) -> Any:
    """A value that is safe in a spreadsheet; everything that writes CSV uses it.

    Text that would run as a formula gets an apostrophe. In many countries, spreadsheets split lines at semicolons and
    not at commas, so the text after a semicolon, a tab or a line break may become a cell of its own. Control characters
    become the replacement character.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell(-3), spreadsheet_cell("fine"), spreadsheet_cell("no; ＝1+1")
    ("'=1+1", -3, 'fine', "no; '＝1+1")
    >>> spreadsheet_cell({"said": "no;=1+1"})
    '{"said": "no;\\\\u003d1+1"}'
    """
    if isinstance(value, str):
        text = _CONTROL.sub("\ufffd", value)
        return ("'" if _RUNS.match(value) else "") + _RUNS_IF_SPLIT.sub(r"\1'\2", text)
    if isinstance(value, dict | list):
        # Inside JSON, an escape keeps the text as it is.
        text = _UNSEEN.sub(_escaped, json.dumps(value, ensure_ascii=False))
        return _RUNS_IF_SPLIT.sub(lambda found: f"{found[1]}\\u{ord(found[2]):04x}", text)
    return value
