"""`labelwright report`: a page with every figure, from a study or a file of labels."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labelwright.cli.options import declared_scales, renamed_columns

if TYPE_CHECKING:
    from labelwright.report.reading import Recoding
    from labelwright.report.spans import SpanSet


STUDY = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
"""The name of a study, which no file with labels has: it lacks an ending."""


def register(app: typer.Typer) -> None:
    """Adds `labelwright report`."""
    app.command("report")(report)


def report(  # noqa: PLR0913, PLR0917  every argument is an option of the command
    source: Annotated[
        Path,
        typer.Argument(
            help="Labels as CSV, JSON Lines or Parquet, an export, or a folder of such files or of JSON item lists; "
            "or the name of a study in the database."
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where to write the report.")
    ] = Path("report"),
    title: Annotated[
        str | None, typer.Option(help="The title of the report. Default: the name of the file.")
    ] = None,
    facts: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What the labels do not tell, as JSON: design, flow, raters, pay, plan and more.",
        ),
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
            help='The labels from worst to best, as in `labelwright agreement`: "poor, fair, good".',
        ),
    ] = None,
    recode: Annotated[
        list[str] | None,
        typer.Option(
            "--recode",
            help='Other codes for some labels: "aspect=usefulness, condition=C_0: 1=0, 2=1, 3=2". `3=` makes a code '
            "missing. Can be repeated. The audit on page one is about the labels before it.",
        ),
    ] = None,
    item: Annotated[
        str | None, typer.Option(help="For JSON item lists: the field that identifies items.")
    ] = None,
    label: Annotated[str | None, typer.Option(help="For JSON item lists: the field with the label.")] = None,
    spans: Annotated[
        list[str] | None,
        typer.Option(
            "--spans",
            metavar="NAME=FILES",
            help="Result files of Mechanical Turk or Prolific in which raters marked parts of texts, as one condition: "
            '"masters=mturk/*master*.csv", from the folder. Can be repeated.',
        ),
    ] = None,
    experts: Annotated[
        str, typer.Option(help="With --spans: the name of the condition that the others are compared with.")
    ] = "",
    preference: Annotated[
        list[str] | None,
        typer.Option(
            help="A question of an export that compares candidates, so that systems are ranked by it. Can be repeated."
        ),
    ] = None,
    positions: Annotated[
        bool, typer.Option("--positions", help="The rater column contains positions, not raters.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
) -> None:
    """Write a report of a study or of labels: a page, its figures as SVG, PNG and PDF, its tables as CSV and LaTeX, and all numbers as JSON."""
    if not source.exists() and STUDY.fullmatch(str(source)) and importlib.util.find_spec("django"):
        from labelwright.cli.study_report import write_report_of

        write_report_of(str(source), out)
        return
    from labelwright.report import Facts, ReportInput, make_report, read_input, write_report
    from labelwright.report.reading import ReadingOptions

    known = Facts.model_validate_json(facts.read_text(encoding="utf-8")) if facts else None
    options = ReadingOptions(
        renamed_columns(column),
        declared_scales(scale),
        recodings(recode),
        positions,
        item,
        label,
        preference or (),
    )
    named = title or source.stem
    if spans:
        given = ReportInput(
            named, None, known or Facts(), spans=_span_sets(source, spans), span_reference=experts
        )
    else:
        given = read_input(source, named, known, options)
    found = make_report(given, seed)
    files = write_report(found, out)
    for each in found.tree["answers"]:
        typer.echo(f"{each['question']} {' '.join(each['answer'])}")
    typer.echo(f"Wrote {len(files)} files to {out}. Open {out / 'report.html'}.", err=True)


def _span_sets(folder: Path, given: Sequence[str]) -> tuple[SpanSet, ...]:
    from labelwright.outside.platforms.marked_texts import read_span_set

    found = []
    for name, pattern in renamed_columns(given).items():
        files = sorted(folder.glob(pattern))
        if not files:
            raise typer.BadParameter(f"no file in {folder} matches {pattern!r}.")
        found.append(read_span_set(name, files))
    return tuple(found)


def recodings(given: Sequence[str] | None) -> list[Recoding]:
    """Recodings from options such as `aspect=usefulness, condition=C_0: 1=0, 2=1`.

    >>> [(each.where, each.changes) for each in recodings(["condition=C_0: 1=0, 2=1, 9="])]
    [('C_0', '1 to 0, 2 to 1, 9 to missing')]
    """
    return [_recoding(entry) for entry in given or ()]


def _recoding(entry: str) -> Recoding:
    from labelwright.report.reading import Recoding

    where, colon, codes = entry.rpartition(":")
    try:
        pairs = [part.partition("=") for part in codes.split(",")]
        within = renamed_columns([part.strip() for part in where.split(",")]) if colon else {}
        mapped = {int(old): int(new) if new.strip() else None for old, _, new in pairs}
    except ValueError:
        raise typer.BadParameter(
            f'{entry!r} does not have the form "condition=C_0: 1=0, 2=1", with whole numbers as codes.'
        ) from None
    return Recoding(within, mapped)
