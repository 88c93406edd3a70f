"""Exports written by the worker: asked for on a page, written by a job, downloaded for a day, then deleted."""

from __future__ import annotations

import shutil
import stat
import time
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import ClassVar

from django.conf import settings
from django.db import transaction

from labelwright.errors import LabelwrightError
from labelwright.release import Format, write_rows
from labelwright.server.access.actions.audit import log_change
from labelwright.server.results.actions.export import COLUMNS, Row, get_answers
from labelwright.server.results.queries import count_answers, has_more_answers
from labelwright.server.store.models import PreparedExport, StudyRow
from labelwright.server.store.queue import app
from labelwright.server.web.errors import NotFound

State = PreparedExport.State
KEPT = timedelta(hours=24)
AT_ONCE = 20_000
"""A study with at most this many answers is downloaded at once, within a second or so."""
REPORT_SECONDS = 1.0


class OpenFolder(LabelwrightError):
    """The export folder is open to other users."""

    code: ClassVar[str] = "open_export_folder"


class ExportCancelled(LabelwrightError):
    """The study of an export was deleted while the file was written."""

    code: ClassVar[str] = "export_cancelled"


def is_downloaded_at_once(study: StudyRow) -> bool:
    """Whether the answers are few enough to be written while the browser waits."""
    return not has_more_answers(study.pk, AT_ONCE)


@transaction.atomic
def request_export(study: StudyRow, form: Format, who: str, now: datetime) -> PreparedExport:
    """An export that the worker will write; the one that is already under way, if there is one in this format.

    Locks the study, so that two requests at the same time ask for one file.
    """
    made, is_new = prepare_file(study, form, who, now, "write_export")
    if is_new:
        log_change(study.pk, who, "export", study.name, now, after={"format": str(form)})
    return made


def prepare_file(
    study: StudyRow, form: str, who: str, now: datetime, job: str
) -> tuple[PreparedExport, bool]:
    """A file that a job will write, and whether it is a new one; in the caller's transaction.

    Locks the study. A file of this form that is under way is not written twice.
    """
    StudyRow.objects.select_for_update(no_key=True).get(pk=study.pk)
    under_way = PreparedExport.objects.filter(
        study=study, form=form, state__in=[State.WAITING, State.WRITING]
    )
    if found := under_way.first():
        return found, False
    made = PreparedExport.objects.create(study=study, form=form, asked_by=who, asked_at=now)
    app.configure_task(job, queue="exports", lock=f"export/{made.pk}").defer(export=made.pk)
    return made, True


def get_exports(study: StudyRow, forms: Collection[str] = tuple(Format)) -> list[PreparedExport]:
    """The exports of a study that are kept, the newest first."""
    return list(PreparedExport.objects.filter(study=study, form__in=forms).order_by("-id"))


def get_export_path(study: StudyRow, export: int) -> Path:
    """The finished file of an export; raises NotFound."""
    ready = PreparedExport.objects.select_related("study").filter(state=State.READY)
    found = ready.filter(study=study, pk=export).first()
    if found is None or not (path := file_path(found)).exists():
        raise NotFound
    return path


def write_export(export: int, now: datetime) -> int:
    """Writes the file of an export and returns the number of answers; 0 if there is nothing to write.

    Run twice, it writes the file again; readers see the whole file or none.
    """
    row = PreparedExport.objects.select_related("study").exclude(state=State.READY).filter(pk=export).first()
    if row is None:
        return 0
    store_progress(row, state=State.WRITING, total=count_answers(row.study_id), written=0)
    try:
        path = file_path(row)
        answers = _reported(row, get_answers(row.study))
        written = write_rows(path, Format(row.form), COLUMNS, answers, private=True)
    except ExportCancelled:
        return 0
    except Exception:
        # The worker logs the error and tries again; the page says that it failed.
        store_progress(row, state=State.FAILED, expires_at=now + KEPT)
        raise
    size = path.stat().st_size
    store_progress(row, state=State.READY, total=written, written=written, bytes=size, expires_at=now + KEPT)
    return written


def _reported(row: PreparedExport, answers: Iterable[Row]) -> Iterator[Row]:
    """The answers; their number is stored about every second."""
    due = time.monotonic() + REPORT_SECONDS
    for number, answer in enumerate(answers):
        if number % 1000 == 0 and time.monotonic() > due:
            if not store_progress(row, written=number):
                raise ExportCancelled("the study was deleted.")
            due = time.monotonic() + REPORT_SECONDS
        yield answer


def store_progress(row: PreparedExport, **values: object) -> int:
    """Stores how far a file has come; 0 if its study was deleted."""
    return PreparedExport.objects.filter(pk=row.pk).update(**values)


def delete_old_exports(now: datetime) -> int:
    """Deletes expired exports, and old files without an export, such as those of deleted studies; returns their number."""
    expired = list(PreparedExport.objects.filter(expires_at__lt=now).select_related("study"))
    for row in expired:
        file_path(row).unlink(missing_ok=True)
        row.delete()
    # Another installation may use the same folder, so files are judged by their age, by the clock that dates them.
    files = settings.EXPORT_FOLDER.iterdir() if settings.EXPORT_FOLDER.is_dir() else ()
    forgotten = [file for file in files if time.time() - file.stat().st_mtime > 2 * KEPT.total_seconds()]
    for file in forgotten:
        # A folder is what a worker that was killed left of a release.
        shutil.rmtree(file, ignore_errors=True) if file.is_dir() else file.unlink(missing_ok=True)
    return len(expired) + len(forgotten)


def file_path(row: PreparedExport) -> Path:
    """Where the file of an export is, or will be."""
    # The public id differs between installations, which may share the folder.
    return _private_folder() / f"{row.study.public_id}-{row.pk}.{row.form}"


def _private_folder() -> Path:
    """The export folder, which only this user can open; raises OpenFolder."""
    folder: Path = settings.EXPORT_FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        raise OpenFolder(
            "other users can open the export folder.", where=str(folder), do=f"Run `chmod 700 {folder}`."
        )
    return folder
