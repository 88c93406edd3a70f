"""Releases written by the worker: asked for on a page, written by a job, downloaded as one file for a day."""

from __future__ import annotations

import shutil
import tempfile
import time
import zipfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.db import transaction

from labelwright.crowd import StudyState
from labelwright.release.personal_data import UndecidedHit
from labelwright.server.access.actions.audit import log_change
from labelwright.server.releasing.actions.data_sheet import get_sheet
from labelwright.server.releasing.actions.folder import write_release
from labelwright.server.releasing.actions.personal_data import (
    HitCounts,
    OpenHits,
    TooManyHits,
    check_decided,
    count_hits,
)
from labelwright.server.releasing.queries.data import count_released_rows
from labelwright.server.results.actions.export_files import (
    KEPT,
    REPORT_SECONDS,
    ExportCancelled,
    State,
    file_path,
    get_exports,
    prepare_file,
    store_progress,
)
from labelwright.server.store.models import PreparedExport, StudyRow, TextScan

FORM = "zip"
_DONE = (StudyState.CLOSED, StudyState.ARCHIVED)


@dataclass(frozen=True, slots=True)
class Readiness:
    """What stands between a study and its release."""

    is_closed: bool
    scan: TextScan | None
    hits: HitCounts
    open_fields: tuple[str, ...]
    """The fields of the data sheet without an answer."""


def get_readiness(study: StudyRow) -> Readiness:
    """What has to be done, or can be done, before a release."""
    return Readiness(
        study.state in _DONE,
        TextScan.objects.filter(study=study).first(),
        count_hits(study),
        get_sheet(study).open,
    )


@transaction.atomic
def request_release(study: StudyRow, who: str, now: datetime) -> PreparedExport:
    """A release that the worker will write; for editors. Raises OpenHits while texts are undecided.

    Locks the study, so that two requests at the same time ask for one file.
    """
    check_decided(study)
    made, is_new = prepare_file(study, FORM, who, now, "write_release")
    if is_new:
        log_change(study.pk, who, "release", study.name, now)
    return made


def get_releases(study: StudyRow) -> list[PreparedExport]:
    """The releases of a study that are kept, the newest first."""
    return get_exports(study, (FORM,))


def write_release_file(export: int, now: datetime) -> None:
    """Writes the file of a release. Run twice, it writes the file again; readers see the whole file or none."""
    row = PreparedExport.objects.select_related("study").exclude(state=State.READY).filter(pk=export).first()
    if row is None:
        return
    store_progress(row, state=State.WRITING, total=count_released_rows(row.study_id), written=0)
    path = file_path(row)
    try:
        with tempfile.TemporaryDirectory(prefix="release-", dir=path.parent) as work:
            folder = Path(work) / f"{row.study.name}-release"
            write_release(row.study, folder, now, _Progress(row))
            _pack(folder, path)
    except ExportCancelled:
        return
    except (OpenHits, UndecidedHit, TooManyHits):
        # The page says what has to be decided; another attempt would not help.
        store_progress(row, state=State.FAILED, expires_at=now + KEPT)
        return
    except Exception:
        # The worker logs the error and tries again; the page says that it failed.
        store_progress(row, state=State.FAILED, expires_at=now + KEPT)
        raise
    size = path.stat().st_size
    store_progress(row, state=State.READY, written=row.total, bytes=size, expires_at=now + KEPT)


class _Progress:
    """Stores the number of rows about every second."""

    def __init__(self, row: PreparedExport) -> None:
        self._row, self._written, self._due = row, 0, time.monotonic() + REPORT_SECONDS

    def __call__(self, rows: int) -> None:
        self._written += rows
        if self._written % 1000 == 0 and time.monotonic() > self._due:
            if not store_progress(self._row, written=self._written):
                raise ExportCancelled("the study was deleted.")
            self._due = time.monotonic() + REPORT_SECONDS


def _pack(folder: Path, path: Path) -> None:
    """The folder as one file, which only this user can read and which appears when it is complete."""
    part = path.with_name(path.name + ".part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600, exist_ok=False)
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
            for file in sorted(folder.rglob("*")):
                packed.write(file, file.relative_to(folder.parent))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
