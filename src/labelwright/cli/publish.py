"""`labelwright publish`: preview the cost, publish a pool on its platform, and pause, resume or stop it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from labelwright.crowd.publication import CostPreview
    from labelwright.server.publishing.actions.orders import Preview
    from labelwright.server.store.models import StudyRow

WHO = "command line"
"""The actor in the audit log."""

publish = typer.Typer(no_args_is_help=True, help="Publish a study on a recruitment platform.")

StudyName = Annotated[str, typer.Argument(help="The name of a study.")]
PoolName = Annotated[str, typer.Argument(help="The name of a pool.")]


def register(app: typer.Typer) -> None:
    """Adds `labelwright publish`."""
    app.add_typer(publish, name="publish")


@publish.command("preview")
def preview(study: StudyName, pool: PoolName) -> None:
    """Print what would be published and what it costs with fees, as the platform says. Nothing is published."""
    _preview(_open(study), pool)


@publish.command("start")
def start(
    study: StudyName,
    pool: PoolName,
    yes: Annotated[bool, typer.Option("--yes", help="Publish without asking.")] = False,
) -> None:
    """Publish a pool, after showing the cost."""
    row = _open(study)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.publishing.actions.publications import publish as plan

    found, cost = _preview(row, pool)
    if not yes:
        typer.confirm("Publish?", abort=True)
    with database_errors():
        made = plan(found, cost, WHO, datetime.now(UTC))
    typer.echo(f"Publication {made.number} is on its way. It opens within a minute.")


@publish.command("status")
def status(study: StudyName, pool: PoolName) -> None:
    """Print the progress of a publication, and differences with the platform."""
    row = _open(study)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.publishing.actions.differences import get_differences
    from labelwright.server.publishing.actions.overview import get_pool_publication

    with database_errors():
        found = get_pool_publication(row, pool)
        differences = get_differences(row)
    publication = found.publication
    if publication is None:
        typer.echo("Not published.")
    else:
        typer.echo(
            f"publication\t{publication.number}\nstate\t{publication.state}\nthere\t{publication.status}"
        )
        typer.echo(f"places\t{publication.offered or publication.places}\nneeded\t{found.needed}")
        for state, number in sorted(found.counts.items()):
            typer.echo(f"{state.replace('_', ' ')}\t{number}")
    for each in differences:
        typer.echo(f"{each.id}\t{each.of}\t{each.what}: {each.to_do}")


@publish.command("pause")
def pause(study: StudyName, pool: PoolName) -> None:
    """Let nobody else come. People at work can finish."""
    row = _open(study)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.publishing.actions import publications

    with database_errors():
        publications.pause(row, pool, WHO, datetime.now(UTC))
    typer.echo("Paused.")


@publish.command("resume")
def resume(study: StudyName, pool: PoolName) -> None:
    """Let people come again."""
    row = _open(study)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.publishing.actions import publications

    with database_errors():
        publications.resume(row, pool, WHO, datetime.now(UTC))
    typer.echo("Open again.")


@publish.command("stop")
def stop(study: StudyName, pool: PoolName) -> None:
    """End a publication for good. People at work can finish."""
    row = _open(study)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.publishing.actions import publications

    with database_errors():
        publications.stop(row, pool, WHO, datetime.now(UTC))
    typer.echo("Stopped.")


def _preview(row: StudyRow, pool: str) -> tuple[Preview, CostPreview]:
    """Prints what would be published and its cost, or why it cannot be."""
    from labelwright.server.config.startup import database_errors
    from labelwright.server.publishing.actions.connection import get_cost
    from labelwright.server.publishing.actions.orders import check_publishable, get_preview

    with database_errors():
        found = get_preview(row, pool)
        cost = get_cost(found)
        order = found.order
        typer.echo(
            f"places\t{order.places}\ntasks a visit\t{found.tasks}\nminutes a visit\t{order.minutes:g}"
        )
        typer.echo(f"pay a visit\t{_units(order.pay.cents)} {order.pay.currency}")
        typer.echo(f"rewards\t{_units(cost.pay_cents)} {cost.currency}")
        typer.echo(f"fees and taxes\t{_units(cost.fee_cents)} {cost.currency}")
        typer.echo(f"total\t{_units(cost.total_cents)} {cost.currency}")
        check_publishable(found, cost)
    return found, cost


def _units(cents: int) -> str:
    return f"{cents / 100:,.2f}"


def _open(study: str) -> StudyRow:
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        return get_study(study)
