"""Parquet with one turn per row, such as the turns table that an import writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from labelwright.corpus.dialogues import BadRecord, Dialogue
from labelwright.corpus.readers._rows import Row, RowOptions, dialogues_of
from labelwright.corpus.reading import reader


@reader("parquet", RowOptions)
def read(path: Path, options: RowOptions) -> Iterator[Dialogue | BadRecord]:
    """A Parquet file, or a folder of them, with one turn per row, such as the turns table of an import."""
    files = sorted(path.glob("**/*.parquet")) if path.is_dir() else [path]
    yield from dialogues_of((row for file in files for row in _rows(file)), options)


def _rows(file: Path) -> Iterator[Row | BadRecord]:
    try:
        opened = pq.ParquetFile(file)
    except (pa.ArrowInvalid, OSError) as error:
        yield BadRecord(f"this is not Parquet: {str(error).splitlines()[0]}", where=file.name)
        return
    number = 0
    with opened:
        for batch in opened.iter_batches():
            for values in batch.to_pylist():
                number += 1
                yield Row(values, f"{file.name}, row {number}")
