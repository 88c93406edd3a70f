"""`labelwright up`: a study with its own PostgreSQL, server and worker on this machine."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from labelwright.server.operations.local_server import LocalServer

EMAIL = "owner@labelwright.example"
MOST_LINKS = 12
"""Studies with more raters print the first links, and how to get all of them."""


def register(app: typer.Typer) -> None:
    """Adds `labelwright up`."""
    app.command()(up)


def up(
    file: Annotated[Path, typer.Argument(help="A study file.")],
    port: Annotated[int, typer.Option(help="Port of the web server.")] = 8000,
    folder: Annotated[
        Path | None, typer.Option(help="Folder for the data. Default: .labelwright next to the study file.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Load a changed study without asking.")] = False,
) -> None:
    """Run a study on this machine: start PostgreSQL, the server and a worker, load the study, and print the links."""
    from labelwright.cli.local import keep_running, local_server
    from labelwright.server.operations.laptop import alone
    from labelwright.study import read_study

    # Mistakes in the study file are reported before anything starts.
    read_study(file)
    with local_server(folder or file.parent / ".labelwright", port) as running:
        running.start_database_with_keys()
        with alone(running.folder / "prepare.lock"):
            name, links = _prepare(running, file, yes=yes)
        running.start_processes()
        typer.echo(f"\nRequester  {running.root}/studies")
        typer.echo(f"           log in as {EMAIL} with the password {running.password()}")
        for link in links[:MOST_LINKS]:
            typer.echo(f"Rater      {link}")
        settings = running.folder / "labelwright.env"
        typer.echo(f"\nAll links: labelwright --settings {settings} study links {name}")
        keep_running(running)


def _prepare(running: LocalServer, file: Path, *, yes: bool) -> tuple[str, list[str]]:
    """Migrates the database, loads the study and creates the links; returns the study's name and the links."""
    from labelwright.cli.server import load
    from labelwright.server.config.startup import close_database, database_errors, migrate, set_up

    set_up()
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.studies.actions.loading import get_study
    from labelwright.study import read_study

    with database_errors():
        migrate()
        add_user(EMAIL, running.password())
    load(file, owner=EMAIL, yes=yes, opens=True)
    study, _ = read_study(file)
    # Raters who need a qualification start in the pool that gives it.
    pool = next(iter(study.pool.requires), study.pool_name)
    part = study.pool_of(pool)
    with database_errors():
        row = get_study(study.name)
        made = make_links(row, get_pool(row, pool), part.raters, part.link_days, datetime.now(UTC))
    close_database()
    return study.name, [link.address for link in made]
