"""`labelwright audit`: what is wrong or doubtful about files of labels."""

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
        typer.Argument(help="Label files: CSV, JSON Lines, Parquet, or JSON objects of items with lists."),
    ],
    column: Annotated[
        list[str] | None,
        typer.Option("--column", help="What a column is called here, e.g. item=dialogue_id."),
    ] = None,
    item: Annotated[
        str | None, typer.Option(help="JSON item lists: the field that items are paired by.")
    ] = None,
    label: Annotated[str | None, typer.Option(help="JSON item lists: the field that is the label.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 where something is wrong.")] = False,
    as_json: JSON = False,
) -> None:
    """List what is wrong or doubtful, each with its evidence and what to do."""
    from labelwright.analysis.audit import audit as look

    found = look(files, columns=renamed_columns(column), item=item, label=label)
    typer.echo(found.json() if as_json else repr(found))
    if strict and any(finding.severity == "wrong" for finding in found):
        raise typer.Exit(1)
