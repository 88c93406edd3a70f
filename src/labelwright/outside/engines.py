"""Engines for large corpora. Only this module connects to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from labelwright import tables
from labelwright.corpus import BadRecord, Dialogue
from labelwright.corpus.readers._rows import Row, RowOptions, dialogues_of
from labelwright.errors import LabelwrightError

ROWS_AT_ONCE = 10_000


class NoEngine(LabelwrightError):
    """An engine or database that is not available."""

    code: ClassVar[str] = "no_engine"


def connect(name: str) -> Any:
    """The engine with this name: `duckdb` (this process), `spark` (as configured), a Spark master, or a URL.

    URLs are those of Ibis: `duckdb://logs.duckdb`, `sqlite://logs.db`, `postgres://...`.
    """
    if name == "duckdb":
        return None
    try:
        return tables.connect(name)
    except Exception as problem:
        raise NoEngine(
            f"{str(problem).splitlines()[0]}",
            where=name.rsplit("@", maxsplit=1)[-1],
            expected="duckdb, spark, a Spark master such as spark://host:7077, or a URL such as duckdb://logs.duckdb.",
        ) from problem


def read_table_dialogues(address: str, table: str, options: dict[str, Any]) -> Iterator[Dialogue | BadRecord]:
    """The dialogues of a table with one turn per row, sorted by the database."""
    chosen = RowOptions.model_validate(options)
    found = tables.table_of(connect(address), table)
    tables.check_columns(found, [chosen.dialogue, chosen.speaker, chosen.text])
    order = [name for name in (chosen.dialogue, chosen.position) if name in found.columns]
    yield from dialogues_of(_rows(found.order_by(order), table), chosen)


def _rows(found: Any, name: str) -> Iterator[Row]:
    number = 0
    # Ibis 12 cannot stream from DuckDB 2, so all rows are fetched at once. A corpus that is too large for
    # this is used in the database without an import.
    for batch in tables.fetch(found).to_batches(max_chunksize=ROWS_AT_ONCE):
        for values in batch.to_pylist():
            number += 1
            yield Row(values, f"{name}, row {number}")
