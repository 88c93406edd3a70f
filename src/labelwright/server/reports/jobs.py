"""Jobs of reports."""

from __future__ import annotations

from datetime import UTC, datetime

from labelwright.server.reports.actions.report import run_report
from labelwright.server.store.queue import DEFAULT, app


@app.task(name="make_report", queue=DEFAULT)
def make_report(study: int) -> None:
    """Makes the report of a study for which somebody asked."""
    run_report(study, datetime.now(UTC))
