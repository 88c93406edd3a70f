"""The report of a study that is in the database, for the command line."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import typer


def write_report_of(name: str, out: Path) -> None:
    """Writes all files of the report of a study into a folder, and prints its answers."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.reports.actions.report import write_study_report
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        row = get_study(name)
        made = write_study_report(row, out, datetime.now(UTC), lambda step: typer.echo(f"{step} …", err=True))
    for each in made.tree["answers"]:
        typer.echo(f"{each['question']} {' '.join(each['answer'])}")
    typer.echo(f"Wrote the report of {row.name} to {out}. Open {out / 'report.html'}.", err=True)
