"""`labelwright context`: make needs and summaries, see how far they are, and have them reviewed."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from labelwright.server.store.models import StudyVersion

context = typer.Typer(no_args_is_help=True, help="Make, count and review needs and summaries.")
StudyName = Annotated[str, typer.Argument(help="The name of a study.")]


def register(app: typer.Typer) -> None:
    """Adds `labelwright context`."""
    app.add_typer(context, name="context")


@context.command()
def make(
    name: StudyName, yes: Annotated[bool, typer.Option("--yes", help="Do not ask before it costs.")] = False
) -> None:
    """Ask the study's language model for the texts that wait; may be broken off and begun again."""
    from labelwright.server.config.startup import database_told, set_up

    set_up()
    from labelwright.server.contexts.actions.generation import get_estimate
    from labelwright.server.contexts.actions.planning import defer_making
    from labelwright.server.store.queue import run_waiting

    with database_told():
        version = _newest(name)
        found = get_estimate(version.pk)
        typer.echo(
            f"{found.texts:,} texts wait. They cost at most {_cents(found.least_microcents)} if each first one is "
            f"taken, {_cents(found.most_microcents)} if every attempt is needed."
        )
        if not found.texts:
            return
        if found.least_microcents and not yes:
            typer.confirm("Go on?", abort=True)
        defer_making(version.pk)
        with _progress(version.pk, found.texts):
            run_waiting("contexts")
        if get_estimate(version.pk).texts:
            typer.echo("Not all are made: the budget has no room for another request.", err=True)
    status(name)


@context.command()
def status(name: StudyName) -> None:
    """Count the texts that are made, wait, or fell to a person, and those discarded by reason."""
    from labelwright.server.config.startup import database_told, set_up
    from labelwright.server.contexts import queries

    set_up()
    from labelwright.server.store.models import GenerationBudget

    with database_told():
        version = _newest(name)
        counts, discards = queries.count_states(version.pk), queries.count_discards(version.pk)
        budget = GenerationBudget.objects.filter(study_id=version.study_id).first()
    typer.echo(
        f"{counts.made:,} made, {counts.waiting:,} waiting, {counts.person:,} for a person to write, "
        f"{counts.none:,} with nothing before them to tell."
    )
    told = ", ".join(f"{reason} {n:,}" for reason, n in discards.items())
    typer.echo(f"Discarded: {told or 'none'}.")
    if budget is not None:
        typer.echo(f"Spent or reserved: {_cents(budget.committed_microcents)}.")


@context.command("review-link")
def review_link(
    name: StudyName, reviewer: Annotated[str, typer.Option(help="Who decides; stored with each verdict.")]
) -> None:
    """Print the address of the reviewers' queue."""
    from labelwright.server.config.startup import database_told, set_up

    set_up()
    from labelwright.server.contexts.actions.review import make_review_link
    from labelwright.server.studies.actions.loading import get_study

    with database_told():
        typer.echo(make_review_link(get_study(name), reviewer))


def _newest(name: str) -> StudyVersion:
    from labelwright.server.studies.actions.loading import get_study

    newest: StudyVersion = get_study(name).versions.latest("n")
    return newest


def _cents(microcents: int) -> str:
    return f"{microcents / 1_000_000:,.2f} cents"


@contextmanager
def _progress(version: int, total: int) -> Iterator[None]:
    """A line that shows how many are settled and how long the rest takes; silent where there is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    if not sys.stderr.isatty():
        yield
        return
    over = threading.Event()
    with Progress(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()) as progress:
        task = progress.add_task("texts", total=total)
        watcher = threading.Thread(target=_watch, args=(version, total, progress, task, over))
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()


def _watch(version: int, total: int, progress: Progress, task: TaskID, over: threading.Event) -> None:
    from django.db import connection

    from labelwright.server.contexts import queries

    while not over.wait(1):
        progress.update(task, completed=total - queries.count_states(version).waiting)
    connection.close()
