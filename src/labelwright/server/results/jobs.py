"""Jobs of results: the files of exports are written, and deleted when they expire."""

from __future__ import annotations

from datetime import UTC, datetime

from labelwright.server.results.actions import export_files
from labelwright.server.store.queue import app, periodic

EVERY_10_MINUTES = "*/10 * * * *"
ATTEMPTS = 3


@app.task(name="write_export", queue="exports", retry=ATTEMPTS)
def write_export(export: int) -> None:
    """Writes the file of an export."""
    export_files.write_export(export, datetime.now(UTC))


@periodic("delete_old_exports", EVERY_10_MINUTES)
def delete_old(now: datetime) -> int:
    """Deletes the exports that have expired."""
    return export_files.delete_old_exports(now)
