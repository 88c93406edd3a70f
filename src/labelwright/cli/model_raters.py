"""`labelwright judge start` and `labelwright judge status`: models that rate the tasks of a study on a server."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from typing import Annotated

import typer

from labelwright.cli.judge import app

StudyName = Annotated[str, typer.Argument(help="The name of a study.")]


def register(_root: typer.Typer) -> None:
    """The commands are added to `labelwright judge` when this module is imported."""


@app.command("start")
def start(
    name: StudyName,
    model: Annotated[
        str | None, typer.Option(help="The pool of the model, if the study has several.")
    ] = None,
    here: Annotated[
        bool, typer.Option("--here", help="Rate in the foreground. Can be interrupted and resumed.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Agree to the cost without being asked.")] = False,
) -> None:
    """Show what a model's ratings cost at most, and ask you to agree to it. The worker then has the model rate."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.judges.actions.cost import find_model, get_judge_cost, start_model
    from labelwright.server.store.queue import CONTEXTS
    from labelwright.server.store.worker import run_waiting
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        pool = find_model(get_study(name), model)
        cost = get_judge_cost(pool)
        typer.echo(cost.sentence)
        if not cost.tasks:
            return
        if not yes:
            # A script that forgets --yes stops here, because there is nobody to answer.
            typer.confirm("Do you agree to this cost?", abort=True)
        start_model(pool, cost, f"{getpass.getuser()} (command line)", datetime.now(UTC))
        if not here:
            typer.echo("Recorded. The worker has the model rate.")
            return
        finished = run_waiting(CONTEXTS)
    if not finished:
        typer.echo("Stopped. A worker or the next `labelwright judge start` goes on.", err=True)
        raise typer.Exit(130)
    status(name)


@app.command("status")
def status(name: StudyName) -> None:
    """Show how many tasks each model has rated, and what that has cost."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.judges.actions.cost import get_statuses
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        found = get_statuses(get_study(name))
    for each in found:
        typer.echo(each.sentence)
    if not found:
        typer.echo("The study has no pool with `platform: model`.")
