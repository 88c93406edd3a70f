"""`labelwright pool`: who is in a pool, who comes in, who is let in and who is out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from labelwright.server.store.models import Pool, StudyRow

WHO = "command line"
"""Who did it, in the record."""

pool = typer.Typer(no_args_is_help=True, help="Raters of a study: list, invite, qualify, exclude.")

StudyName = Annotated[str, typer.Argument(help="The name of a study.")]
PoolName = Annotated[str, typer.Argument(help="The name of a pool.")]
Pseudonym = Annotated[str, typer.Argument(help="The pseudonym of a rater.")]
Reason = Annotated[str, typer.Option(help="Why, for the record.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.add_typer(pool, name="pool")


@pool.command("list")
def show(
    study: StudyName, name: Annotated[str | None, typer.Argument(help="A pool; all when left out.")] = None
) -> None:
    """Print every member: pseudonym, pool, state, submitted tasks, score."""
    from labelwright.server.config.startup import database_told, set_up

    set_up()
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.people.actions.roster import get_roster
    from labelwright.server.studies.actions.loading import get_study

    with database_told():
        row = get_study(study)
        if name:
            get_pool(row, name)
        page = 1
        while (roster := get_roster(row, name, page)).entries:
            for entry in roster.entries:
                score = "-" if entry.score is None else f"{entry.score:.2f}"
                qualified = {True: "qualified", False: "not qualified", None: "-"}[entry.qualified]
                told = (entry.pseudonym, entry.pool, entry.state, str(entry.submitted), score, qualified)
                typer.echo("\t".join(told))
            page += 1


@pool.command("invite")
def invite_one(
    study: StudyName,
    name: PoolName,
    email: Annotated[str, typer.Option(help="Where to mail the link, if anywhere.")] = "",
) -> None:
    """Make one more rater and print the personal link."""
    row, found = _open(study, name)
    from labelwright.server.config.startup import database_told
    from labelwright.server.people.actions.joining import invite

    with database_told():
        made = invite(row, found, WHO, datetime.now(UTC), email)
    typer.echo(f"{made.pseudonym}\t{made.address}")


@pool.command("open-link")
def open_link(
    study: StudyName,
    name: PoolName,
    most: Annotated[int, typer.Option(min=1, max=100_000, help="How many people it lets in.")],
    days: Annotated[int, typer.Option(min=1, max=730, help="How long it works.")] = 14,
) -> None:
    """Print a link for many; whoever follows it becomes a member with a personal link."""
    row, found = _open(study, name)
    from labelwright.server.access.actions.links import open_address
    from labelwright.server.config.startup import database_told
    from labelwright.server.people.actions.joining import make_open_link

    with database_told():
        made = make_open_link(row, found, WHO, most, days, datetime.now(UTC))
        typer.echo(open_address(row, made))


@pool.command("ranking")
def ranking(study: StudyName, name: PoolName) -> None:
    """Print the applicants of a qualification, the best first."""
    row, _ = _open(study, name)
    from labelwright.server.config.startup import database_told
    from labelwright.server.people.actions.qualification import get_ranking

    with database_told():
        found = get_ranking(row, name)
    for one in found.applicants:
        score = f"{one.scored.value:.3f}" if one.scored else f"{one.answered} of {found.wanted} done"
        decided = {True: "qualified", False: "not qualified", None: "picked" if one.picked else "-"}
        typer.echo(f"{one.place or '-'}\t{one.pseudonym}\t{score}\t{decided[one.qualified]}")


@pool.command("qualify")
def qualify(
    study: StudyName,
    name: PoolName,
    raters: Annotated[
        list[str] | None, typer.Argument(help="Whom to let in; the study's rule picks when left out.")
    ] = None,
) -> None:
    """Let applicants in; everybody else who has finished learns that they are not."""
    row, _ = _open(study, name)
    from labelwright.server.config.startup import database_told
    from labelwright.server.people.actions.qualification import (
        decide_qualification,
        get_ranking,
        let_rule_decide,
    )

    with database_told():
        now = datetime.now(UTC)
        entered = (
            decide_qualification(row, name, raters, WHO, now)
            if raters
            else let_rule_decide(row, name, WHO, now)
        )
        qualified = sum(bool(one.qualified) for one in get_ranking(row, name).applicants)
    into = f"; they enter {', '.join(entered)}" if entered else ""
    typer.echo(f"{qualified} qualified in all{into}.")


@pool.command("exclude")
def exclude(study: StudyName, name: PoolName, rater: Pseudonym, reason: Reason = "") -> None:
    """Offer a rater no more work in a pool; what is open goes to somebody else."""
    _set_state(study, name, rater, "excluded", reason)


@pool.command("pause")
def pause(study: StudyName, name: PoolName, rater: Pseudonym, reason: Reason = "") -> None:
    """Offer a rater no new work in a pool for now; what is open may be finished."""
    _set_state(study, name, rater, "paused", reason)


@pool.command("resume")
def resume(study: StudyName, name: PoolName, rater: Pseudonym, reason: Reason = "") -> None:
    """Offer a rater work in a pool again."""
    _set_state(study, name, rater, "active", reason)


@pool.command("forget")
def forget_person(
    study: StudyName,
    rater: Pseudonym,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
) -> None:
    """Delete a person's data: address, messages, notes and link; the answers as the consent said."""
    from labelwright.server.config.startup import database_told, set_up
    from labelwright.server.profiles.actions.deletion import delete_personal_data

    if not yes:
        typer.confirm(f"Delete the personal data of {rater} for good?", abort=True)
    set_up()
    from labelwright.server.people.actions.roster import get_rater
    from labelwright.server.studies.actions.loading import get_study

    with database_told():
        row = get_study(study)
        delete_personal_data(row, get_rater(row, rater), WHO, datetime.now(UTC))
    typer.echo(f"The personal data of {rater} are deleted.")


def _set_state(study: str, name: str, rater: str, state: str, reason: str) -> None:
    row, found = _open(study, name)
    from labelwright.crowd import MemberState
    from labelwright.server.config.startup import database_told
    from labelwright.server.people.actions.roster import get_rater
    from labelwright.server.profiles.actions.standing import set_member_state

    with database_told():
        one = get_rater(row, rater)
        set_member_state(row, found, one, MemberState(state), WHO, reason, datetime.now(UTC))
    typer.echo(f"{rater} is {state} in {name}.")


def _open(study: str, name: str) -> tuple[StudyRow, Pool]:
    from labelwright.server.config.startup import database_told, set_up

    set_up()
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.studies.actions.loading import get_study

    with database_told():
        row = get_study(study)
        return row, get_pool(row, name)
