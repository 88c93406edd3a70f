"""Jobs of results: figures of a study with their charts for all of its pages, and the files of exports."""

from __future__ import annotations

from datetime import UTC, datetime

from labelwright.server.results.actions import export_files
from labelwright.server.results.actions.figures import (
    QUEUE,
    FiguresBegun,
    begin_figures,
    record_figures,
    restart_figures,
)
from labelwright.server.results.actions.overview import compare_raters, measure_overview
from labelwright.server.results.actions.summary import summarize
from labelwright.server.results.actions.versions import measure_history
from labelwright.server.results.pages import overview as overview_pages
from labelwright.server.results.pages import versions as version_pages
from labelwright.server.store.models import StudyRow
from labelwright.server.store.queue import app, periodic
from labelwright.server.store.rows import planned_for_values

EVERY_10_MINUTES = "*/10 * * * *"
ATTEMPTS = 3


@app.task(name="update_figures", queue=QUEUE)
def update_figures(study: int) -> None:
    """Computes the figures of a study, unless they are current."""
    row = StudyRow.objects.filter(pk=study).first()
    if row and (begun := begin_figures(study, datetime.now(UTC))):
        _compute(row, begun)


def compute_figures(row: StudyRow) -> None:
    """Computes the figures of a study now, whatever the age of the stored ones."""
    _compute(row, restart_figures(row.pk, datetime.now(UTC)))


def _compute(row: StudyRow, begun: FiguresBegun) -> None:
    now = datetime.now(UTC)
    with planned_for_values():
        measured, history = measure_overview(row), measure_history(row)
        compared = compare_raters(measured)
    pages = {
        "overview": overview_pages.overview(measured),
        "versions": version_pages.versions(history),
        "before": overview_pages.before_exclusion(measured) or {},
    }
    record_figures(row.pk, begun, pages, summarize(measured, compared, now), datetime.now(UTC))


@app.task(name="write_export", queue="exports", retry=ATTEMPTS)
def write_export(export: int) -> None:
    """Writes the file of an export."""
    export_files.write_export(export, datetime.now(UTC))


@periodic("delete_old_exports", EVERY_10_MINUTES)
def delete_old(now: datetime) -> int:
    """Deletes the exports that have expired."""
    return export_files.delete_old_exports(now)
