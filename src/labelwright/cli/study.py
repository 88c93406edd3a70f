"""`labelwright study`: start, check and plan a study file, and print the schema of study files."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from labelwright.cli.options import CorpusRoot
from labelwright.corpus import OnError

study = typer.Typer(no_args_is_help=True, help="Check, load and export studies.")


def register(app: typer.Typer) -> None:
    """Adds `labelwright study`."""
    app.add_typer(study, name="study")


@study.command()
def init(
    folder: Annotated[
        Path | None,
        typer.Argument(help="The folder for the new study. Default: only list templates.", metavar="DIR"),
    ] = None,
    template: Annotated[str | None, typer.Option(help="The template to start from.", metavar="NAME")] = None,
) -> None:
    """Start a study from a template: a study file with comments, and a small corpus to try it with."""
    from labelwright.study.templates import template as get_template
    from labelwright.study.templates import template_names, write_template

    if folder is None or template is None:
        for name in template_names():
            offered = get_template(name)
            typer.echo(f"{name:<20} {offered.description}\n{'':<20} {offered.question_summary}")
        typer.echo("\nStart with: labelwright study init --template NAME DIR")
        raise typer.Exit(0 if folder is None and template is None else 2)
    file = write_template(get_template(template), folder)
    typer.echo(f"Wrote {file} and its corpus. It works as it is; its first lines say what to change.")
    for command, purpose in (
        ("study check", "find mistakes"),
        ("task preview", "see the pages of raters"),
        ("simulate --fast", "rehearse the study with simulated raters"),
        ("up", "run it on this machine"),
    ):
        typer.echo(f"  # {purpose}\n  labelwright {command} {shlex.quote(str(file))}")


@study.command()
def check(
    file: Annotated[Path, typer.Argument(help="A study file.")], corpus_root: CorpusRoot = None
) -> None:
    """Report every mistake in a study file, with its line."""
    from labelwright.corpus import draw
    from labelwright.registry import broken_plug_ins
    from labelwright.study import (
        check_corpus_files,
        check_item_lines,
        read_corpus,
        read_study,
        study_warnings,
    )

    loaded, text = read_study(file)
    check_corpus_files(file, loaded, text, corpus_root)
    # A large corpus is read only where something in the file depends on it.
    if "://" not in loaded.corpus.path and (loaded.gold or loaded.items.kind == "query"):
        dialogues, _ = read_corpus(file, loaded, text, OnError.SKIP, corpus_root)
        check_item_lines(file, loaded, text, draw(dialogues, loaded.corpus, loaded.seed).dialogues)
    for broken in broken_plug_ins():
        typer.echo(f"Warning: {broken}", err=True)
    conditions = ", ".join(loaded.conditions)
    typer.echo(f"{file.name}: no mistakes.")
    typer.echo(
        f'"{loaded.title}". Conditions: {conditions}. Ratings per item and condition: {loaded.redundancy}.'
    )
    for _, warning in study_warnings(loaded, os.environ):
        typer.echo(f"Warning: {warning}", err=True)


@study.command()
def plan(
    file: Annotated[Path, typer.Argument(help="A study file.")],
    left_out: Annotated[
        float, typer.Option(min=0, max=0.9, help="Expected share of work that will be excluded, e.g. 0.1.")
    ] = 0.0,
    corpus_root: CorpusRoot = None,
) -> None:
    """Check whether the raters can complete a study under its rules. Exits with code 1 if they cannot."""
    from labelwright.corpus import draw, make_items
    from labelwright.crowd import describe_plan
    from labelwright.study import check_gold, lay_out_study, plan_study, read_corpus, read_study

    loaded, text = read_study(file)
    dialogues, _ = read_corpus(file, loaded, text, OnError.SKIP, corpus_root)
    dialogues = draw(dialogues, loaded.corpus, loaded.seed).dialogues
    items = make_items(dialogues, loaded.items, loaded.seed)
    check_gold(loaded, items, dialogues)
    laid = lay_out_study(loaded, items, dialogues)
    typer.echo(f"{len(items):,} items in {len(laid):,} batch{'es' if len(laid) > 1 else ''}.")
    made = plan_study(loaded, laid, left_out)
    for line in describe_plan(made):
        typer.echo(line)
    raise typer.Exit(0 if made.completes else 1)


@study.command()
def schema() -> None:
    """Print the JSON Schema of study files, for editors."""
    from labelwright.study import json_schema

    typer.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))
