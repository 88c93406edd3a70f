"""`labelwright audit`: errors and doubtful points in label files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelwright.cli.options import JSON, renamed_columns


def register(app: typer.Typer) -> None:
    """Adds `labelwright audit`."""
    app.command("audit")(audit)


def audit(
    files: Annotated[
        list[Path],
        typer.Argument(help="Label files: CSV, JSON Lines, Parquet, or JSON item lists."),
    ],
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column", help="The name of a column in these files, e.g. item=dialogue_id. Can be repeated."
        ),
    ] = None,
    item: Annotated[
        str | None, typer.Option(help="For JSON item lists: the field that identifies items.")
    ] = None,
    label: Annotated[str | None, typer.Option(help="For JSON item lists: the field with the label.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with code 1 if something is wrong.")] = False,
    as_json: JSON = False,
) -> None:
    """List errors and doubtful points in label files, with evidence and advice."""
    from labelwright.analysis.audit import audit as look

    found = look(files, columns=renamed_columns(column), item=item, label=label)
    typer.echo(found.json() if as_json else repr(found))
    if strict and any(finding.severity == "wrong" for finding in found):
        raise typer.Exit(1)
