"""`labelwright audit`: errors and doubtful points in label files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelwright.cli.options import JSON, renamed_columns


def register(app: typer.Typer) -> None:
    """Adds `labelwright audit`."""
    app.command("audit")(audit)


def audit(  # noqa: PLR0913, PLR0917  every argument is an option of the command
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
    condition: Annotated[
        list[str] | None,
        typer.Option("--condition", help="A condition that the files should have. Can be repeated."),
    ] = None,
    ratings_per_item: Annotated[
        int | None, typer.Option(min=1, help="The expected number of ratings of each item, per condition.")
    ] = None,
    items: Annotated[
        int | None, typer.Option(min=1, help="The expected number of items, per condition.")
    ] = None,
    raters: Annotated[int | None, typer.Option(min=1, help="The expected number of raters.")] = None,
    html: Annotated[
        Path | None, typer.Option(help="Also write the report to this file, as one page with plots.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with code 1 if something is wrong.")] = False,
    as_json: JSON = False,
) -> None:
    """List errors and doubtful points in label files, with evidence and advice."""
    from labelwright.analysis.audit import ExpectedDesign
    from labelwright.analysis.audit import audit as look

    design = ExpectedDesign(tuple(condition) if condition else None, ratings_per_item, items, raters)
    found = look(files, columns=renamed_columns(column), item=item, label=label, design=design)
    typer.echo(found.json() if as_json else repr(found))
    if html is not None:
        html.write_text(found.html(f"Audit of {_named(files)}"), encoding="utf-8")
        typer.echo(f"Wrote the report to {html}.", err=True)
    if strict and any(finding.severity == "wrong" for finding in found):
        raise typer.Exit(1)


def _named(files: list[Path]) -> str:
    return ", ".join(file.name for file in files) if len(files) <= 3 else f"{len(files)} files"
