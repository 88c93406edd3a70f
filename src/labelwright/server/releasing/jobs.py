"""Jobs of releases: the search for personal data, and the file."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

from labelwright.server.releasing.actions import files, personal_data
from labelwright.server.store.models import StudyRow
from labelwright.server.store.queue import app

ATTEMPTS = 3


@app.task(name="scan_texts", queue="exports", retry=ATTEMPTS)
def scan_texts(study: int) -> None:
    """Searches the texts of a study for personal data."""
    row = StudyRow.objects.filter(pk=study).first()
    # The page says that there are too many; another attempt would not help.
    with suppress(personal_data.TooManyHits):
        if row:
            personal_data.scan_texts(row, datetime.now(UTC))


@app.task(name="write_release", queue="exports", retry=ATTEMPTS)
def write_release(export: int) -> None:
    """Writes the file of a release."""
    files.write_release_file(export, datetime.now(UTC))
