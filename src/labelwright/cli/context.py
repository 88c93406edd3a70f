"""`labelwright context`: generate needs and summaries, show their status, and review them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from labelwright.server.store.models import StudyVersion

context = typer.Typer(no_args_is_help=True, help="Generate, count and review needs and summaries.")
StudyName = Annotated[str, typer.Argument(help="The name of a study.")]


def register(app: typer.Typer) -> None:
    """Adds `labelwright context`."""
    app.add_typer(context, name="context")


@context.command()
def make(
    name: StudyName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation of the cost.")] = False,
) -> None:
    """Generate missing texts with the study's language model. Can be interrupted and resumed."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.contexts.actions.generation import get_estimate
    from labelwright.server.contexts.actions.planning import defer_making
    from labelwright.server.store.queue import run_waiting

    with database_errors():
        version = _newest(name)
        found = get_estimate(version.pk)
        typer.echo(
            f"{found.texts:,} texts to generate. Maximum cost: {_cents(found.least_microcents)} if every first attempt is "
            f"accepted, {_cents(found.most_microcents)} if all attempts are needed."
        )
        if not found.texts:
            return
        if found.least_microcents and not yes:
            typer.confirm("Continue?", abort=True)
        defer_making(version.pk)
        with _progress(version.pk, found.texts):
            run_waiting("contexts")
        if get_estimate(version.pk).texts:
            typer.echo("Not all texts were generated: the budget does not allow another request.", err=True)
    status(name)


@context.command()
def status(name: StudyName) -> None:
    """Count the texts that are ready, pending or to be written by a person, and discarded texts by reason."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.contexts import queries
    from labelwright.server.store.models import GenerationBudget

    with database_errors():
        version = _newest(name)
        counts, discards = queries.count_states(version.pk), queries.count_discards(version.pk)
        budget = GenerationBudget.objects.filter(study_id=version.study_id).first()
    typer.echo(
        f"{counts.made:,} ready, {counts.waiting:,} pending, {counts.person:,} to be written by a person, "
        f"{counts.none:,} not needed (no earlier turns)."
    )
    reasons = ", ".join(f"{reason} {n:,}" for reason, n in discards.items())
    typer.echo(f"Discarded: {reasons or 'none'}.")
    if budget is not None:
        typer.echo(f"Spent or reserved: {_cents(budget.committed_microcents)}.")


@context.command("review-link")
def review_link(
    name: StudyName,
    reviewer: Annotated[str, typer.Option(help="Name of the reviewer, stored with each verdict.")],
) -> None:
    """Print the link to the review queue."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.access.actions.review_links import make_review_link
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        typer.echo(make_review_link(get_study(name), reviewer, datetime.now(UTC)))


def _newest(name: str) -> StudyVersion:
    from labelwright.server.studies.actions.loading import get_study

    newest: StudyVersion = get_study(name).versions.latest("n")
    return newest


def _cents(microcents: int) -> str:
    return f"{microcents / 1_000_000:,.2f} cents"


@contextmanager
def _progress(version: int, total: int) -> Iterator[None]:
    """A progress bar; silent if the output is not a terminal."""
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
