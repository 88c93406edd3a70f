"""`labelwright link`: list and revoke the links of a study."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from labelwright.server.store.models import StudyRow

WHO = "command line"
"""The actor in the audit log."""

link = typer.Typer(no_args_is_help=True, help="List and revoke the links of a study.")

StudyName = Annotated[str, typer.Argument(help="The name of a study.")]


def register(app: typer.Typer) -> None:
    """Adds `labelwright link`."""
    app.add_typer(link, name="link")


@link.command("list")
def show(study: StudyName) -> None:
    """Print the open links and the reviewers with a link. `labelwright study links` prints those of raters."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.access.actions.review_links import get_review_links
    from labelwright.server.people.actions.joining import get_open_links
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        row = get_study(study)
        for made, address in get_open_links(row, datetime.now(UTC)):
            typer.echo(f"open link {made.pk}\t{made.pool.name}\t{made.used} of {made.most}\t{address}")
        for reviewer in get_review_links(row):
            typer.echo(f"reviewer\t{reviewer.reviewer}")


@link.command("revoke")
def revoke(
    study: StudyName,
    rater: Annotated[str, typer.Option(help="Revoke the link of this rater (a pseudonym).")] = "",
    pool: Annotated[str, typer.Option(help="Revoke all links of this pool, open links included.")] = "",
    open_link: Annotated[int, typer.Option(help="Close this open link (a number of `link list`).")] = 0,
    reviewer: Annotated[str, typer.Option(help="Revoke the links of this reviewer.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Revoke every link of the study.")] = False,
) -> None:
    """Revoke links. They stop working at once, and people who follow them are told so."""
    from labelwright.server.config.startup import database_errors, set_up

    chosen = [name for name, given in (
        ("rater", rater), ("pool", pool), ("open_link", open_link), ("reviewer", reviewer), ("all", everything)
    ) if given]  # fmt: skip
    if len(chosen) != 1:
        raise typer.BadParameter("give exactly one of --rater, --pool, --open-link, --reviewer and --all.")
    set_up()
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        row = get_study(study)
        if everything:
            typer.echo(_revoke_all(row))
        elif open_link:
            typer.echo(_close(row, open_link))
        elif reviewer:
            typer.echo(_revoke_reviewer(row, reviewer))
        else:
            typer.echo(_revoke_pool(row, pool) if pool else _revoke_rater(row, rater))


def _revoke_all(row: StudyRow) -> str:
    from labelwright.server.access.actions.revocation import revoke_study_links

    revoke_study_links(row, WHO, datetime.now(UTC))
    return f"Revoked every link of {row.name}. `labelwright study links {row.name}` prints new ones."


def _revoke_pool(row: StudyRow, name: str) -> str:
    from labelwright.server.access.actions.revocation import revoke_pool_links
    from labelwright.server.people.actions.pools import get_pool

    raters = revoke_pool_links(row, get_pool(row, name), WHO, datetime.now(UTC))
    return (
        f"Revoked the links of {raters:,} raters and all open links of {name}. "
        f"`labelwright study links {row.name} --pool {name}` prints new ones."
    )


def _revoke_rater(row: StudyRow, pseudonym: str) -> str:
    from labelwright.server.access.actions.revocation import revoke_rater_links
    from labelwright.server.people.actions.roster import get_rater

    revoke_rater_links(row, get_rater(row, pseudonym), WHO, datetime.now(UTC))
    return f"Revoked the link of {pseudonym}. Their page on the roster shows the new one."


def _revoke_reviewer(row: StudyRow, reviewer: str) -> str:
    from labelwright.server.access.actions.review_links import revoke_review_links

    revoke_review_links(row, reviewer, WHO, datetime.now(UTC))
    return f"Revoked the links of {reviewer}. `labelwright context review-link` makes a new one."


def _close(row: StudyRow, number: int) -> str:
    from labelwright.server.people.actions.joining import close_open_link

    closed = close_open_link(row, number, WHO, datetime.now(UTC))
    return f"Closed open link {number}." if closed else f"{row.name} has no open link {number}."
