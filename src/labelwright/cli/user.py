"""`labelwright user`: accounts of requesters."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

user = typer.Typer(no_args_is_help=True, help="Manage requester accounts.")

WHO = "command line"
"""The actor in the audit log."""

Email = Annotated[str, typer.Argument(help="The email address for logging in.")]


def register(app: typer.Typer) -> None:
    """Adds `labelwright user`."""
    app.add_typer(user, name="user")


@user.command("add")
def add(email: Email) -> None:
    """Add a user, or reset the password of an existing one, and print the password."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.access.actions.users import admit_user

    with database_errors():
        password = admit_user(email, WHO, datetime.now(UTC))
    typer.echo(f"{email} can log in with the password {password}")


@user.command("list")
def show() -> None:
    """Print all users with their studies, whether they have a second factor, and their last login."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.access.actions.users import get_accounts

    with database_errors():
        for account in get_accounts():
            factor = "second factor" if account.second_factor else "-"
            login = f"{account.last_login:%Y-%m-%d}" if account.last_login else "never"
            typer.echo("\t".join((account.email, ", ".join(account.studies) or "-", factor, login)))


@user.command("password")
def password(
    email: Email,
    remove_second_factor: Annotated[
        bool,
        typer.Option("--remove-second-factor", help="Also remove the second factor, for a user who lost it."),
    ] = False,
) -> None:
    """Give a user a new password, print it, and end their sessions."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.access.actions.users import reset_password

    with database_errors():
        made = reset_password(email, datetime.now(UTC), WHO, remove_second_factor=remove_second_factor)
    typer.echo(f"{email} can log in with the password {made}")


@user.command("remove")
def remove(
    email: Email,
    yes: Annotated[bool, typer.Option("--yes", help="Remove without confirmation.")] = False,
) -> None:
    """Remove a user. Studies must be transferred to another user first."""
    from labelwright.server.config.startup import database_errors, set_up

    if not yes:
        typer.confirm(f"Permanently remove {email}?", abort=True)
    set_up()
    from labelwright.server.access.actions.users import remove_user

    with database_errors():
        remove_user(email, datetime.now(UTC), WHO)
    typer.echo(f"Removed {email}.")


@user.command("transfer")
def transfer(
    email: Email,
    to: Annotated[str, typer.Argument(help="The email address of the new owner.")],
    study: Annotated[
        list[str] | None, typer.Option(help="The name of a study; can be given several times. Default: all.")
    ] = None,
) -> None:
    """Transfer the studies of a user to another user."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.access.actions.users import transfer_studies

    with database_errors():
        moved = transfer_studies(email, to, study, WHO, datetime.now(UTC))
    typer.echo(f"{to} now owns {', '.join(moved)}." if moved else f"{email} owns no studies.")
