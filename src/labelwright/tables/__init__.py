"""A portable subset of Ibis: tables from any source, and counts that are equal on DuckDB and Spark.

This is the only package that uses Ibis. It is limited to operations that give equal results on both
engines (no hashing, no negative indexing, no division in the engine), and it asks the engine only for
counts; numpy computes coefficients from them. A test suite runs every function on both engines.
"""

from labelwright.tables._pair_sums import sum_pairs
from labelwright.tables.expressions import (
    all_of,
    any_of,
    hash_rank,
    neighbouring_words,
    place_within,
    previous,
    running_sum,
    words_of,
)
from labelwright.tables.items import ItemCounts, count_items
from labelwright.tables.pairs import PairSums, count_pairs, numbered
from labelwright.tables.patterns import Patterns, count_patterns
from labelwright.tables.rows import (
    Code,
    MissingColumn,
    among,
    check_columns,
    codes_used,
    columns,
    copied,
    distinct,
    emptied,
    extended,
    fetch,
    having,
    missing,
    recoded,
    recoded_parts,
    renamed,
    repeated,
    replaced,
    row_counts,
    sizes,
    where,
    without,
)
from labelwright.tables.sources import (
    Table,
    UnreadableTable,
    connect,
    local_engine,
    read,
    runs_here,
    store_parquet,
    table_of,
)

__all__ = [
    "Code",
    "ItemCounts",
    "MissingColumn",
    "PairSums",
    "Patterns",
    "Table",
    "UnreadableTable",
    "all_of",
    "among",
    "any_of",
    "check_columns",
    "codes_used",
    "columns",
    "connect",
    "copied",
    "count_items",
    "count_pairs",
    "count_patterns",
    "distinct",
    "emptied",
    "extended",
    "fetch",
    "hash_rank",
    "having",
    "local_engine",
    "missing",
    "neighbouring_words",
    "numbered",
    "place_within",
    "previous",
    "read",
    "recoded",
    "recoded_parts",
    "renamed",
    "repeated",
    "replaced",
    "row_counts",
    "running_sum",
    "runs_here",
    "sizes",
    "store_parquet",
    "sum_pairs",
    "table_of",
    "where",
    "without",
    "words_of",
]
