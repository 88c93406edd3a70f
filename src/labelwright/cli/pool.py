"""`labelwright pool`: list, invite, qualify and exclude the raters of a pool."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from labelwright.server.store.models import Pool, StudyRow

WHO = "command line"
"""The actor in the audit log."""

pool = typer.Typer(no_args_is_help=True, help="List, invite, qualify and exclude the raters of a study.")

StudyName = Annotated[str, typer.Argument(help="The name of a study.")]
PoolName = Annotated[str, typer.Argument(help="The name of a pool.")]
Pseudonym = Annotated[str, typer.Argument(help="The pseudonym of a rater.")]
Reason = Annotated[str, typer.Option(help="The reason, for the audit log.")]


def register(app: typer.Typer) -> None:
    """Adds `labelwright pool`."""
    app.add_typer(pool, name="pool")


@pool.command("list")
def show(
    study: StudyName,
    name: Annotated[str | None, typer.Argument(help="The name of a pool. Default: all pools.")] = None,
) -> None:
    """Print all raters with pseudonym, pool, state, submitted tasks, score and qualification."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.people.actions.roster import get_members
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        row = get_study(study)
        if name:
            get_pool(row, name)
        for entry in get_members(row, name):
            score = "-" if entry.score is None else f"{entry.score:.2f}"
            qualified = {True: "qualified", False: "not qualified", None: "-"}[entry.qualified]
            cells = (entry.pseudonym, entry.pool, entry.state, str(entry.submitted), score, qualified)
            typer.echo("\t".join(cells))


@pool.command("invite")
def invite_one(
    study: StudyName,
    name: PoolName,
    email: Annotated[str, typer.Option(help="Email address to which the link is sent.")] = "",
) -> None:
    """Add a rater and print their personal link."""
    row, found = _open(study, name)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.people.actions.joining import invite

    with database_errors():
        made = invite(row, found, WHO, datetime.now(UTC), email)
    typer.echo(f"{made.pseudonym}\t{made.address}")


@pool.command("open-link")
def open_link(
    study: StudyName,
    name: PoolName,
    most: Annotated[int, typer.Option(min=1, max=100_000, help="Maximum number of people who can join.")],
    days: Annotated[int, typer.Option(min=1, max=730, help="Number of days until the link expires.")] = 14,
) -> None:
    """Print an open link. People who follow it join the pool and get a personal link."""
    row, found = _open(study, name)
    from labelwright.server.access.actions.links import open_address
    from labelwright.server.config.startup import database_errors
    from labelwright.server.people.actions.joining import make_open_link

    with database_errors():
        made = make_open_link(row, found, WHO, most, days, datetime.now(UTC))
        typer.echo(open_address(row, made))


@pool.command("ranking")
def ranking(study: StudyName, name: PoolName) -> None:
    """Print the applicants of a qualification, best first."""
    row, _ = _open(study, name)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.people.actions.qualification import get_ranking

    with database_errors():
        found = get_ranking(row, name)
    for one in found.applicants:
        score = f"{one.scored.value:.3f}" if one.scored else f"{one.answered} of {found.wanted} completed"
        decided = {True: "qualified", False: "not qualified", None: "picked" if one.picked else "-"}
        typer.echo(f"{one.place or '-'}\t{one.pseudonym}\t{score}\t{decided[one.qualified]}")


@pool.command("qualify")
def qualify(
    study: StudyName,
    name: PoolName,
    raters: Annotated[
        list[str] | None,
        typer.Argument(help="Pseudonyms of the raters who qualify. Default: as decided by the study's rule."),
    ] = None,
) -> None:
    """Qualify applicants. All other applicants who have finished are told that they did not qualify."""
    row, _ = _open(study, name)
    from labelwright.server.config.startup import database_errors
    from labelwright.server.people.actions.qualification import (
        decide_qualification,
        get_ranking,
        let_rule_decide,
    )

    with database_errors():
        now = datetime.now(UTC)
        entered = (
            decide_qualification(row, name, raters, WHO, now)
            if raters
            else let_rule_decide(row, name, WHO, now)
        )
        qualified = sum(bool(one.qualified) for one in get_ranking(row, name).applicants)
    into = f" They join {', '.join(entered)}." if entered else ""
    typer.echo(f"Qualified applicants: {qualified}.{into}")


@pool.command("exclude")
def exclude(study: StudyName, name: PoolName, rater: Pseudonym, reason: Reason = "") -> None:
    """Exclude a rater from a pool. Open tasks go to other raters."""
    _set_state(study, name, rater, "excluded", reason)


@pool.command("pause")
def pause(study: StudyName, name: PoolName, rater: Pseudonym, reason: Reason = "") -> None:
    """Pause a rater in a pool. They get no new tasks, but can finish open ones."""
    _set_state(study, name, rater, "paused", reason)


@pool.command("resume")
def resume(study: StudyName, name: PoolName, rater: Pseudonym, reason: Reason = "") -> None:
    """Resume a paused or excluded rater in a pool."""
    _set_state(study, name, rater, "active", reason)


@pool.command("forget")
def forget_person(
    study: StudyName,
    rater: Pseudonym,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without confirmation.")] = False,
) -> None:
    """Delete a rater's personal data (address, messages, notes, link), and their answers if the study says so."""
    from labelwright.server.config.startup import database_errors, set_up

    if not yes:
        typer.confirm(f"Permanently delete the personal data of {rater}?", abort=True)
    set_up()
    from labelwright.server.people.actions.roster import get_rater
    from labelwright.server.profiles.actions.deletion import delete_personal_data
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        row = get_study(study)
        delete_personal_data(row, get_rater(row, rater), WHO, datetime.now(UTC))
    typer.echo(f"Deleted the personal data of {rater}.")


def _set_state(study: str, name: str, rater: str, state: str, reason: str) -> None:
    row, found = _open(study, name)
    from labelwright.crowd import MemberState
    from labelwright.server.config.startup import database_errors
    from labelwright.server.people.actions.roster import get_rater
    from labelwright.server.profiles.actions.standing import set_member_state

    with database_errors():
        one = get_rater(row, rater)
        set_member_state(row, found, one, MemberState(state), WHO, reason, datetime.now(UTC))
    typer.echo(f"{rater} is now {state} in {name}.")


def _open(study: str, name: str) -> tuple[StudyRow, Pool]:
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        row = get_study(study)
        return row, get_pool(row, name)
