"""`labelwright task`: preview tasks before the study starts."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from labelwright.cli.options import CorpusRoot

task = typer.Typer(no_args_is_help=True, help="Preview tasks as raters see them.")


def register(app: typer.Typer) -> None:
    """Adds `labelwright task`."""
    app.add_typer(task, name="task")


@task.callback()
def _group() -> None:
    """Preview tasks as raters see them."""


@task.command()
def preview(
    file: Annotated[Path, typer.Argument(help="A study file.")],
    out: Annotated[
        Path | None, typer.Option(help="Write the pages to this folder instead of serving them.")
    ] = None,
    tasks: Annotated[int, typer.Option(help="Number of tasks to show.", min=1, max=100)] = 3,
    port: Annotated[int, typer.Option(help="Port to listen on; only this machine can connect.")] = 8020,
    corpus_root: CorpusRoot = None,
) -> None:
    """Show all conditions side by side, exactly as raters see them. Nothing is stored."""
    from labelwright.corpus import draw
    from labelwright.errors import LabelwrightError
    from labelwright.server.operations.local_server import check_port
    from labelwright.server.operations.preview import served, write_preview
    from labelwright.study import read_corpus, read_study

    study, text = read_study(file)
    dialogues, _ = read_corpus(file, study, text, root=corpus_root)
    dialogues = draw(dialogues, study.corpus, study.seed).dialogues
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        _print_counts(write_preview(study, dialogues, out, tasks), len(study.conditions))
        typer.echo(f"Wrote the pages to {out}. Any web server can serve this folder as its root.")
        return
    check_port(port)
    with tempfile.TemporaryDirectory(prefix="labelwright-preview-") as folder:
        written = write_preview(study, dialogues, Path(folder), tasks)
        if not written:
            raise LabelwrightError(
                "the corpus has no items.", do="Check `corpus` and `items` in the study file."
            )
        _print_counts(written, len(study.conditions))
        with served(Path(folder), port) as server:
            typer.echo(f"Preview at http://127.0.0.1:{port}/  (press Ctrl-C to stop)")
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                typer.echo("Stopped.")


def _print_counts(tasks: int, conditions: int) -> None:
    typer.echo(f"Tasks: {tasks}. Conditions: {conditions}.")
