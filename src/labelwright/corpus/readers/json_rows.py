"""JSON Lines with one turn per line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from labelwright.corpus.dialogues import BadRecord, Dialogue
from labelwright.corpus.readers._records import json_records
from labelwright.corpus.readers._rows import Row, RowOptions, dialogues_of
from labelwright.corpus.reading import reader


@reader("jsonl", RowOptions)
def read(path: Path, options: RowOptions) -> Iterator[Dialogue | BadRecord]:
    """JSON Lines with one turn per line; lines of several dialogues may be mixed."""
    yield from dialogues_of(_rows(path), options)


def _rows(path: Path) -> Iterator[Row | BadRecord]:
    for record in json_records(path):
        if isinstance(record, BadRecord):
            yield record
        elif isinstance(record.value, dict):
            yield Row(record.value, record.where)
        else:
            yield BadRecord("this is not an object.", where=record.where, expected="one turn per line.")
