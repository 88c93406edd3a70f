"""`labelwright task`: look at tasks before anybody works on them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

task = typer.Typer(no_args_is_help=True, help="Look at tasks as raters see them.")


def register(app: typer.Typer) -> None:
    """Adds `labelwright task`."""
    app.add_typer(task, name="task")


@task.callback()
def _group() -> None:
    """Look at tasks as raters see them."""


@task.command()
def preview(
    file: Annotated[Path, typer.Argument(help="A study file.")],
    out: Annotated[
        Path | None, typer.Option(help="Write the pages into this folder instead of serving them.")
    ] = None,
    tasks: Annotated[int, typer.Option(help="How many tasks to show.", min=1, max=100)] = 3,
    port: Annotated[int, typer.Option(help="Port to listen on, on this machine only.")] = 8020,
) -> None:
    """Show each condition exactly as a rater sees it, side by side; nothing is stored."""
    from labelwright.corpus import draw, read_dialogues
    from labelwright.errors import LabelwrightError
    from labelwright.server.operations.demo import check_port
    from labelwright.server.operations.preview import served, write_preview
    from labelwright.study import read_study

    study, _ = read_study(file)
    dialogues, _ = read_dialogues(study.corpus, file.parent)
    dialogues = draw(dialogues, study.corpus, study.seed).dialogues
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        _told(write_preview(study, dialogues, out, tasks), len(study.conditions))
        typer.echo(f"The pages are in {out}; any web server can serve them from its root.")
        return
    check_port(port)
    with tempfile.TemporaryDirectory(prefix="labelwright-preview-") as folder:
        written = write_preview(study, dialogues, Path(folder), tasks)
        if not written:
            raise LabelwrightError("the corpus gives no item.", do="Look at `items` in the study file.")
        _told(written, len(study.conditions))
        with served(Path(folder), port) as server:
            typer.echo(f"Preview at http://127.0.0.1:{port}/  (Ctrl-C ends it)")
            try:
                server.serve_forever()
            except KeyboardInterrupt:
                typer.echo("Ended.")


def _told(tasks: int, conditions: int) -> None:
    typer.echo(f"Tasks: {tasks}. Conditions: {conditions}.")
