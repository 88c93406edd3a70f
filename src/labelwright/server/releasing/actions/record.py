"""The record of a release: the published tables as JSON Lines, from which an import makes the same study."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psycopg

from labelwright.release.personal_data import Cleaner
from labelwright.server.releasing.queries.publication import PUBLISHED, TEXTS
from labelwright.server.releasing.queries.record import RecordRow, id_range, record_rows
from labelwright.server.store.models import StudyRow
from labelwright.server.store.secrets import derived_key

FOLDER = "record"
MANIFEST = "manifest.json"
FORMAT = 1
"""Raised when a release can no longer be read by the import of an earlier one."""
QUESTIONNAIRE = "rater_sheet"
"""The table of what raters said about themselves, which a requester can withhold."""

Tell = Callable[[int], None]
"""Is told how many rows were written."""


def write_record(
    source: psycopg.Connection[Any],
    study: StudyRow,
    folder: Path,
    cleaner: Cleaner,
    tell: Tell,
    *,
    withheld: frozenset[str] = frozenset(),
) -> None:
    """Writes a file for each published table, and the manifest; `withheld` tables have no rows."""
    folder.mkdir()
    salt = derived_key(f"release/{study.public_id}").hex()
    tables = {}
    for table in PUBLISHED:
        rows = record_rows(source, table, study.pk, salt) if table not in withheld else iter(())
        written = _write_lines(folder / f"{table}.jsonl", _cleaned(table, rows, cleaner), tell)
        tables[table] = {"rows": written, "ids": id_range(source, table, study.pk)}
    manifest = {
        "format": FORMAT,
        "labelwright": version("labelwright"),
        "study": {
            "name": study.name,
            "title": study.title,
            "public_id": study.public_id,
            "created_at": study.created_at.isoformat(),
            "state": study.state,
        },
        "withheld": sorted(withheld),
        "tables": tables,
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def _cleaned(table: str, rows: Iterator[RecordRow], cleaner: Cleaner) -> Iterator[str]:
    columns = TEXTS.get(table, ())
    for row in rows:
        if columns and cleaner.may_change(row.texts):
            values = json.loads(row.line)
            cleaned = {column: cleaner.value(values[column]) for column in columns}
            yield json.dumps(values | cleaned, ensure_ascii=False)
        else:
            yield row.line


def _write_lines(path: Path, lines: Iterator[str], tell: Tell) -> int:
    written = 0
    with path.open("w", encoding="utf-8") as out:
        for line in lines:
            out.write(line + "\n")
            written += 1
            if written % 1000 == 0:
                tell(1000)
    tell(written % 1000)
    return written
