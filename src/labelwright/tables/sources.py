"""Sources of tables: files, data frames and engines."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import ibis
import pyarrow as pa

from labelwright.errors import LabelwrightError

Table: TypeAlias = Any
"""An Ibis table. Ibis is not typed, so this is Any."""


class UnreadableTable(LabelwrightError):
    """A table that cannot be read."""

    code = "tables.unreadable"


def read(source: object, engine: Any = None) -> Table:
    """A table from a pandas, polars or pyarrow table, an Ibis table, or a CSV, JSON Lines or Parquet path.

    `engine` is an Ibis backend, such as a Spark session (`ibis.pyspark.connect`) or a warehouse.
    Without it, DuckDB reads files in this process.

    >>> from labelwright.tables import columns
    >>> columns(read({"item": ["a", "b"], "label": [1, 2]}))
    ('item', 'label')
    """
    if isinstance(source, str | os.PathLike):
        return _read_file(Path(source), engine or _duckdb(os.getpid()))
    if isinstance(source, ibis.Table):
        return source
    rows = _of_columns(source) if isinstance(source, Mapping) else source
    try:
        table = ibis.memtable(rows)
    except (TypeError, ValueError, NotImplementedError) as problem:
        raise UnreadableTable(
            f"cannot read rows from a {type(source).__name__}: {problem}",
            expected="a pandas, polars or pyarrow table, an Ibis table, or a path.",
        ) from problem
    return table


def _of_columns(source: Mapping[Any, Any]) -> pa.Table:
    columns = {}
    for name, values in source.items():
        try:
            columns[name] = values if isinstance(values, pa.ChunkedArray) else pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError) as problem:
            raise UnreadableTable(
                f"the column {name!r} mixes values of different types: {problem}.",
                expected="numbers only or text only.",
                do="Convert the values to one type, and use None for missing ones.",
            ) from problem
    return pa.table(columns)


def _read_file(path: Path, engine: Any) -> Table:
    if not path.exists():
        raise UnreadableTable("there is no such file or folder.", where=str(path))
    readers = {".csv": "read_csv", ".tsv": "read_csv", ".parquet": "read_parquet", ".pq": "read_parquet"}
    readers |= {".jsonl": "read_json", ".ndjson": "read_json", ".json": "read_json"}
    reader = readers.get(path.suffix.lower())
    if reader is None and not path.is_dir():
        raise UnreadableTable(
            f"unknown file extension {path.suffix!r}.",
            where=str(path),
            expected=".csv, .tsv, .jsonl or .parquet, or a folder of Parquet files.",
        )
    place = str(path / "*.parquet") if path.is_dir() and engine.name == "duckdb" else str(path)
    try:
        return getattr(engine, reader or "read_parquet")(place)
    except Exception as problem:
        raise UnreadableTable(f"{problem}.", where=str(path)) from problem


@cache
def _duckdb(_process: int) -> Any:
    """One engine per process, because a forked child must not share the engine of its parent."""
    return ibis.duckdb.connect(temp_directory=_spill_folder())


def local_engine(memory: str) -> Any:
    """DuckDB in this process with a memory limit such as "3GB"; larger data spill to disk."""
    return ibis.duckdb.connect(
        memory_limit=memory, preserve_insertion_order=False, temp_directory=_spill_folder()
    )


def _spill_folder() -> str:
    """The folder for data that do not fit into memory. DuckDB's default is the current folder."""
    return str(Path(tempfile.gettempdir()) / f"labelwright-spill-{os.getpid()}")


def connect(name: str) -> Any:
    """An engine: `spark` for the configured Spark session, or a URL that Ibis supports."""
    if name == "spark":
        from pyspark.sql import SparkSession  # noqa: PLC0415

        return ibis.pyspark.connect(SparkSession.builder.getOrCreate())
    return ibis.connect(name)


def table_of(engine: Any, name: str) -> Table:
    """The table of an engine with this name."""
    try:
        return engine.table(name)
    except ibis.common.exceptions.TableNotFound as problem:
        raise UnreadableTable(f'there is no table "{name}".', where=engine.name) from problem


def store_parquet(engine: Any, path: Path, name: str) -> None:
    """Stores a Parquet file as a table of an engine and replaces a table with the same name."""
    if engine.name == "duckdb":
        # Ibis 12 cannot create tables in DuckDB 2, because its first statement does not parse.
        quoted = '"' + name.replace('"', '""') + '"'
        statement = f"CREATE OR REPLACE TABLE {quoted} AS SELECT * FROM read_parquet(?)"  # noqa: S608  quoted above
        engine.con.execute(statement, [str(path)])
    else:
        engine.create_table(name, engine.read_parquet(str(path)), overwrite=True)


def runs_here(table: Table) -> bool:
    """Whether the engine of the table is DuckDB in this process, so that fetching rows is cheap."""
    return bool(table.get_backend().name == "duckdb")
