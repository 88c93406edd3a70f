"""`labelwright judge start`, `status` and `draw`: models that rate the tasks of a study on a server."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from typing import Annotated

import typer

from labelwright.cli.judge import app

StudyName = Annotated[str, typer.Argument(help="The name of a study.")]
ModelPool = Annotated[str | None, typer.Option(help="The pool of the model, if the study has several.")]


def register(_root: typer.Typer) -> None:
    """The commands are added to `labelwright judge` when this module is imported."""


@app.command("start")
def start(
    name: StudyName,
    model: ModelPool = None,
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
        start_model(pool, cost, _author(), datetime.now(UTC))
        if not here:
            typer.echo("Recorded. The worker has the model rate.")
            return
        finished = run_waiting(CONTEXTS)
    if not finished:
        typer.echo("Stopped. A worker or the next `labelwright judge start` goes on.", err=True)
        raise typer.Exit(130)
    status(name)


def probe_study(
    name: str,
    kinds: list[str] | None,
    model: str | None,
    smallest: float,
    *,
    ask: bool,
    here: bool,
    yes: bool,
) -> None:
    """Shows what probes of a model ask and cost, and starts them once you agree; `ask` is False to show only."""
    from labelwright.judging.forms import FORM_CHANGES
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.judges.actions.cost import find_model
    from labelwright.server.judges.actions.probes import (
        get_planned_probe,
        get_probes,
        read_change,
        start_probe,
    )
    from labelwright.server.judges.actions.wording import probe_lines
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        pool, now = find_model(get_study(name), model), datetime.now(UTC)
        planned = [
            get_planned_probe(pool, read_change(kind), smallest, now) for kind in kinds or FORM_CHANGES
        ]
        for each in planned:
            typer.echo(each.sentence)
        wanted = [each for each in planned if each.items]
        if not ask or not wanted:
            return
        if not yes:
            typer.confirm("Do you agree to this cost?", abort=True)
        for each in wanted:
            start_probe(pool, each, _author(), now)
        _run_here(here=here)
        if here:
            typer.echo("\n".join(line for run in get_probes(pool.pk) for line in probe_lines(run)))


def align_study(  # noqa: PLR0913
    name: str,
    instructions: str,
    change: str,
    model: str | None,
    items: int,
    most: int,
    *,
    opening: bool,
    here: bool,
    yes: bool,
) -> None:
    """Tries a version of a model's instructions on development items, or opens its held-out items, once you agree."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.judges.actions import versions
    from labelwright.server.judges.actions.cost import find_model
    from labelwright.server.judges.actions.wording import version_lines
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        pool, now = find_model(get_study(name), model), datetime.now(UTC)
        planned = versions.get_planned_version(pool, change, instructions, now, items)
        if opening:
            planned = versions.get_planned_opening(pool, planned.number, now, items)
        typer.echo(planned.sentence)
        if not yes:
            typer.confirm("Do you agree to this cost?", abort=True)
        start = versions.open_held_out if opening else versions.declare_version
        start(pool, planned, _author(), now)
        _run_here(here=here)
        if here:
            typer.echo("\n".join(version_lines(versions.get_versions(pool.pk), most)))


@app.command("draw")
def draw(
    name: StudyName,
    wanted: Annotated[
        float, typer.Option(min=0.001, help="How far the interval of a score may reach to each side.")
    ],
    question: Annotated[
        str | None, typer.Option(help="The name of the question, if the model answers several.")
    ] = None,
    model: ModelPool = None,
    here: Annotated[bool, typer.Option("--here", help="Draw now, without a worker.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Agree to the number without being asked.")] = False,
) -> None:
    """Show whether scores from people and model together are certain enough, and draw further items for people."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.judges.actions import draws
    from labelwright.server.judges.actions.cost import find_model
    from labelwright.server.judges.actions.figures import measure_judge
    from labelwright.server.judges.actions.wording import reach_lines
    from labelwright.server.store.queue import DEFAULT
    from labelwright.server.store.worker import run_waiting
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        pool, now = find_model(get_study(name), model), datetime.now(UTC)
        # While people rate what was drawn, new figures would have no scores.
        draws.check_drawable(pool)
        measure_judge(pool.pk, now)
        found = draws.get_scored_question(pool.pk, question)
        rows = draws.get_reaches(found, wanted)
        typer.echo("\n".join(reach_lines(rows)))
        if rows and not any(row.needed for row in rows):
            return
        planned = draws.get_planned_draw(pool, found["name"], wanted)
        typer.echo(planned.sentence)
        if not yes:
            typer.confirm("Do you want to draw them?", abort=True)
        before = draws.get_draws(pool).items
        draws.request_draw(pool, planned, _author(), now)
        if not here:
            typer.echo("Recorded. The worker draws the items.")
            return
        finished = run_waiting(DEFAULT)
        many = draws.get_draws(pool).items - before
    if many:
        typer.echo(f"Items drawn: {many:,}. People find them at their links.")
    elif finished:
        typer.echo("No items were drawn here. Chance drew none, or a worker was faster.")
    else:
        typer.echo("Stopped. A worker draws the items.", err=True)
        raise typer.Exit(130)


def _author() -> str:
    return f"{getpass.getuser()} (command line)"


def _run_here(*, here: bool) -> None:
    from labelwright.server.store.queue import CONTEXTS
    from labelwright.server.store.worker import run_waiting

    if not here:
        typer.echo("Recorded. The worker asks the model; the page Judge shows what it found.")
    elif not run_waiting(CONTEXTS):
        typer.echo("Stopped. A worker goes on; no request is sent twice.", err=True)
        raise typer.Exit(130)


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
