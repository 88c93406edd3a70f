"""`turnwise study`: check a study file and print its schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

study = typer.Typer(no_args_is_help=True, help="Check, load and export studies.")


def register(app: typer.Typer) -> None:
    """Adds `turnwise study`."""
    app.add_typer(study, name="study")


@study.command()
def check(file: Annotated[Path, typer.Argument(help="A study file.")]) -> None:
    """Report every mistake in a study file, with its line."""
    from turnwise.study import read_study

    loaded, _ = read_study(file)
    conditions = ", ".join(loaded.conditions)
    typer.echo(f"{file.name}: no mistakes.")
    typer.echo(
        f'"{loaded.title}": {len(loaded.conditions)} conditions ({conditions}), '
        f"{loaded.redundancy} ratings of each item in each."
    )
    corpus = loaded.corpus.path
    if "://" not in corpus and not (file.parent / corpus).exists():
        typer.echo(f'Not there yet: the corpus "{corpus}", looked for beside the study file.', err=True)


@study.command()
def schema() -> None:
    """Print the JSON Schema of study files, for editors."""
    from turnwise.study import json_schema

    typer.echo(json.dumps(json_schema(), indent=2, ensure_ascii=False))
