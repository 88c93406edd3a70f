"""`labelwright context`: generate needs and summaries, show their status, and review them."""

from __future__ import annotations

import getpass
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


Yes = Annotated[bool, typer.Option("--yes", help="Agree to the cost without being asked.")]


@context.command()
def agree(name: StudyName, yes: Yes = False) -> None:
    """Show the cost of generating missing texts and ask you to agree to it. The worker then generates them."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    with database_errors():
        if _agree(_newest(name).pk, yes=yes):
            typer.echo("Recorded. The worker generates the texts.")


@context.command()
def make(name: StudyName, yes: Yes = False) -> None:
    """Agree to the cost and generate missing texts in the foreground. Can be interrupted and resumed."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.contexts import queries
    from labelwright.server.store.queue import CONTEXTS
    from labelwright.server.store.worker import run_waiting

    with database_errors():
        version = _newest(name).pk
        if not _agree(version, yes=yes):
            return
        with _progress(version, queries.count_states(version).waiting):
            finished = run_waiting(CONTEXTS)
        if not finished:
            typer.echo(
                "Stopped. A worker or the next `labelwright context make` generates the rest.", err=True
            )
            raise typer.Exit(130)
        if queries.count_states(version).waiting:
            typer.echo("Not all texts were generated: the budget does not allow another request.", err=True)
    status(name)


@context.command()
def status(name: StudyName) -> None:
    """Count the texts that are ready, pending or to be written by a person, and discarded texts by reason."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.contexts import queries
    from labelwright.server.contexts.actions.cost import cents
    from labelwright.server.store.models import AgreedCost, GenerationBudget

    with database_errors():
        version = _newest(name)
        counts, discards = queries.count_states(version.pk), queries.count_discards(version.pk)
        budget = GenerationBudget.objects.filter(study_id=version.study_id).first()
        agreed = AgreedCost.objects.filter(version=version).order_by("at").last()
    typer.echo(
        f"{counts.made:,} ready, {counts.waiting:,} pending, {counts.person:,} to be written by a person, "
        f"{counts.none:,} not needed (no earlier turns)."
    )
    reasons = ", ".join(f"{reason} {n:,}" for reason, n in discards.items())
    typer.echo(f"Discarded: {reasons or 'none'}.")
    if budget is not None:
        typer.echo(f"Spent or reserved: {cents(budget.committed_microcents)}.")
    if agreed is not None:
        typer.echo(f"{agreed.author} agreed to the cost on {agreed.at:%Y-%m-%d at %H:%M} UTC.")
    elif counts.waiting:
        typer.echo(f"Nobody has agreed to the cost yet: run `labelwright context agree {name}`.")


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


def _agree(version: int, *, yes: bool) -> bool:
    """Whether there are texts to generate; asks for consent to their cost and records it, once for a version."""
    from labelwright.server.contexts.actions.cost import (
        agree_to_cost,
        describe_cost,
        get_cost,
        has_agreed_cost,
    )
    from labelwright.server.contexts.actions.planning import defer_making

    cost = get_cost(version)
    typer.echo(describe_cost(cost))
    if cost.texts and has_agreed_cost(version):
        defer_making(version)
    elif cost.texts:
        if not yes:
            # A script that forgets --yes stops here, because there is nobody to answer.
            typer.confirm("Do you agree to this cost?", abort=True)
        agree_to_cost(version, cost, f"{getpass.getuser()} (command line)", datetime.now(UTC))
    return bool(cost.texts)


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
