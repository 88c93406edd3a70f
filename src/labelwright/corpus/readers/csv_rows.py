"""CSV with one turn per row."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import Field

from labelwright.corpus.dialogues import BadRecord, Dialogue
from labelwright.corpus.readers._rows import Row, RowOptions, dialogues_of
from labelwright.corpus.reading import reader

# A long reply with a pasted file exceeds the default limit of 131,072 characters per field.
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))


class CsvOptions(RowOptions):
    """The columns and the delimiter."""

    delimiter: Annotated[str, Field(min_length=1, max_length=1)] = ","
    """The character between two columns."""


@reader("csv", CsvOptions)
def read(path: Path, options: CsvOptions) -> Iterator[Dialogue | BadRecord]:
    """A CSV file with a header and one turn per row; rows of several dialogues may be mixed."""
    yield from dialogues_of(csv_rows(path, options.delimiter), options)


def csv_rows(path: Path, delimiter: str = ",") -> Iterator[Row | BadRecord]:
    """The rows of a CSV file with the line on which each ends; a row of the wrong length is a bad record."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        lines = csv.reader(file, delimiter=delimiter, strict=True)
        header: list[str] = []
        while True:
            try:
                fields = next(lines, None)
            except csv.Error as error:
                yield BadRecord(f"this is not CSV: {error}.", where=f"{path.name}:{lines.line_num}")
                return
            if fields is None:
                return
            where = f"{path.name}:{lines.line_num}"
            if not header:
                header = fields
            elif fields:
                yield _row(header, fields, where)


def _row(header: list[str], fields: list[str], where: str) -> Row | BadRecord:
    if len(fields) != len(header):
        return BadRecord(
            f"the row has {len(fields)} fields.", where=where, expected=f"{len(header)}, as in the header."
        )
    return Row(dict(zip(header, fields, strict=True)), where)
