"""`labelwright agreement`: agreement measures from a file of labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelwright.cli.options import JSON, declared_scales, renamed_columns


def register(app: typer.Typer) -> None:
    """Adds `labelwright agreement` and `labelwright measures`."""
    app.command("agreement")(agreement)
    app.command("measures")(measures)


def agreement(  # noqa: PLR0913, PLR0917  every argument is an option of the command
    file: Annotated[
        Path,
        typer.Argument(help="Labels as CSV, JSON Lines or Parquet, with the columns item, rater and label."),
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure", "-m", help="A measure; `labelwright measures` lists them. Can be repeated."
        ),
    ] = None,
    by: Annotated[
        list[str] | None, typer.Option("--by", help="A column to slice by. Can be repeated.")
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column", help="The name of a column in this file, e.g. item=dialogue_id. Can be repeated."
        ),
    ] = None,
    scale: Annotated[
        list[str] | None,
        typer.Option(
            "--scale",
            help='The labels from worst to best ("poor, fair, good" or "poor=1, fair=2, good=3"), a study file, or the '
            "scales file of an export. Can be repeated, with the aspect in front: "
            '"fit: poor, fair, good | both bad". Labels after | are outside the order.',
        ),
    ] = None,
    replicates: Annotated[
        int, typer.Option(help="Number of bootstrap replicates; 0 for no intervals.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    raters: Annotated[
        bool,
        typer.Option(
            "--raters",
            help="Intervals for other raters and other items; with fewer than ten raters, for these raters.",
        ),
    ] = False,
    these_items: Annotated[
        bool, typer.Option("--these-items", help="With --raters: intervals for other raters of these items.")
    ] = False,
    positions: Annotated[
        bool, typer.Option("--positions", help="The rater column contains positions, not raters.")
    ] = False,
    include: Annotated[
        list[str] | None,
        typer.Option(
            "--include",
            help="Answers of an export that are otherwise left out, by the reason: left_out, gold, attention, "
            "qualification, task, no_aspect, model, earlier_version. Can be repeated.",
        ),
    ] = None,
    chart: Annotated[
        Path | None, typer.Option(help="Save a chart to this .svg, .png, .pdf or .html file.")
    ] = None,
    memory: Annotated[
        str | None, typer.Option(help="Memory limit for counting, e.g. 3GB; larger data use the disk.")
    ] = None,
    as_json: JSON = False,
) -> None:
    """Measure agreement with 95% intervals, for each slice.

    Of an export, only the answers that count are measured, and it is printed what was left out.

    Without --raters, an interval says how the value would vary with other items rated by these raters.
    """
    from labelwright import tables
    from labelwright.agreement import Bootstrap
    from labelwright.analysis import DEFAULT_MEASURES, measure_agreement, read_labels

    engine = tables.local_engine(memory) if memory else None
    labels = read_labels(
        file,
        scale=declared_scales(scale),
        columns=renamed_columns(column),
        positions=positions,
        include=include or (),
        engine=engine,
    )
    bootstrap = Bootstrap(replicates, seed, raters=raters, items=not these_items) if replicates else None
    found = measure_agreement(labels, measure or DEFAULT_MEASURES, by or (), bootstrap)
    typer.echo(found.json() if as_json else repr(found))
    if chart is not None:
        from labelwright.analysis.charts import draw_estimates, save

        save(draw_estimates(found), chart)


def measures(as_json: JSON = False) -> None:
    """List all measures with their definitions."""
    import json

    from labelwright.agreement import MEASURES

    definitions = {name: found.definition for name, found in MEASURES.items()}
    if as_json:
        typer.echo(json.dumps(definitions, indent=2, ensure_ascii=False))
        return
    for name, definition in definitions.items():
        typer.echo(f"{name}\n    {definition}")
