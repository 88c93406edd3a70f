"""Sources of tables: files, data frames and engines."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote, urlsplit

import ibis
import pyarrow as pa

from labelwright.errors import LabelwrightError

Table: TypeAlias = Any
"""An Ibis table. Ibis is not typed, so this is Any."""
_READERS = {
    **dict.fromkeys((".csv", ".tsv"), "read_csv"),
    **dict.fromkeys((".parquet", ".pq"), "read_parquet"),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), "read_json"),
}
_MASTER = re.compile(r"spark://.+|local(\[.+\])?|yarn|k8s://.+")
"""How Spark names a master; `spark` alone leaves it to Spark's own settings."""


class UnreadableTable(LabelwrightError):
    """A table that cannot be read."""

    code = "tables.unreadable"


def read(source: object, engine: Any = None) -> Table:
    """A table from a pandas, polars or pyarrow table, an Ibis table, or a CSV, JSON Lines or Parquet path.

    `engine` is an Ibis backend, such as a Spark session (`ibis.pyspark.connect`) or a warehouse.
    Without it, DuckDB reads files in this process. An address such as `s3a://logs/turns.parquet` is read by an engine
    that knows it; one that starts with `file://` is a path.

    >>> from labelwright.tables import columns
    >>> columns(read({"item": ["a", "b"], "label": [1, 2]}))
    ('item', 'label')
    """
    if isinstance(source, str) and "://" in source:
        return _read_address(source, engine)
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


def read_texts(path: Path) -> Table:
    """A table of a file whose values stay as they are written, so that a text among numbers is no error.

    Columns of CSV files are texts, and those of JSON Lines files that hold values of several types too.
    """
    suffix = path.suffix.lower()
    if suffix in {".csv", ".tsv"}:
        return _read_file(path, _duckdb(os.getpid()), all_varchar=True)
    if suffix not in {".jsonl", ".ndjson"}:
        return read(path)
    if not path.exists():
        raise UnreadableTable("there is no such file or folder.", where=str(path))
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            rows += [json.loads(line)] if line.strip() else []
        except ValueError as problem:
            raise UnreadableTable(f"line {number} is not JSON.", where=str(path)) from problem
    names = list(dict.fromkeys(name for row in rows for name in row))
    return ibis.memtable(pa.table({name: _column([row.get(name) for row in rows]) for name in names}))


def _column(values: list[Any]) -> pa.Array:
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        texts = [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
        return pa.array(texts, pa.string())


def _read_file(path: Path, engine: Any, **options: object) -> Table:
    if not path.exists():
        raise UnreadableTable("there is no such file or folder.", where=str(path))
    reader = _READERS.get(path.suffix.lower())
    if reader is None and not path.is_dir():
        raise UnreadableTable(
            f"unknown file extension {path.suffix!r}.",
            where=str(path),
            expected=".csv, .tsv, .jsonl or .parquet, or a folder of Parquet files.",
        )
    place = str(path / "*.parquet") if path.is_dir() and engine.name == "duckdb" else str(path)
    try:
        return getattr(engine, reader or "read_parquet")(place, **options)
    except Exception as problem:
        raise UnreadableTable(f"{problem}.", where=str(path)) from problem


def _read_address(address: str, engine: Any) -> Table:
    """The table at an address, which only its engine can look up; a folder holds Parquet files."""
    path = urlsplit(address)
    if engine is None:
        if path.scheme != "file":
            raise UnreadableTable(
                f"{path.scheme}:// needs an engine that reads it.", where=address, do="Add `--engine spark`."
            )
        return _read_file(Path(unquote(path.path)), _duckdb(os.getpid()))
    reader = _READERS.get(Path(path.path).suffix.lower(), "read_parquet")
    try:
        return getattr(engine, reader)(address)
    except Exception as problem:
        raise UnreadableTable(f"{str(problem).splitlines()[0]}.", where=address) from problem


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
    """An engine: `spark` for the Spark session of this installation, a Spark master, or a URL that Ibis supports.

    Masters are named as Spark names them: `spark://host:7077`, `local[4]`, `yarn` or `k8s://https://host:443`.
    """
    if name != "spark" and not _MASTER.fullmatch(name):
        return ibis.connect(name)
    from pyspark.sql import SparkSession  # noqa: PLC0415

    builder = SparkSession.builder.appName("labelwright")
    builder = builder if name == "spark" else builder.master(name)
    return ibis.pyspark.connect(builder.getOrCreate())


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


def fetch_columns(table: Table) -> pa.Table:
    """The rows of a large table in memory, as columns all the way.

    Ibis turns the values of Spark into Python objects, which take several times the memory.
    """
    engine = table.get_backend()
    if engine.name != "pyspark":
        return table.to_pyarrow()
    return engine.raw_sql(str(ibis.to_sql(table))).toArrow()


def runs_here(table: Table) -> bool:
    """Whether the engine of the table is DuckDB in this process, so that fetching rows is cheap."""
    return bool(table.get_backend().name == "duckdb")
