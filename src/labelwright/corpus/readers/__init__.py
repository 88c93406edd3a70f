"""One module per log format; importing it registers its reader."""

from labelwright.corpus.readers import (
    candidates,
    cast,
    chat_messages,
    csv_rows,
    json_rows,
    lets_go,
    parquet_rows,
    redial,
)

__all__ = [
    "candidates",
    "cast",
    "chat_messages",
    "csv_rows",
    "json_rows",
    "lets_go",
    "parquet_rows",
    "redial",
]
