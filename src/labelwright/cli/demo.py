"""`labelwright demo`: a complete demo installation on this machine."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from labelwright.server.operations.local_server import LocalServer


def register(app: typer.Typer) -> None:
    """Adds `labelwright demo`."""
    app.command()(demo)


def demo(
    simulate: Annotated[
        int, typer.Option(help="Number of simulated raters who work on the demo study.", min=0, max=1000)
    ] = 0,
    port: Annotated[int, typer.Option(help="Port of the web server.")] = 8000,
    folder: Annotated[Path, typer.Option(help="Folder for the data of the demo.")] = Path(".labelwright"),
) -> None:
    """Start PostgreSQL, the server and a worker with a demo study on this machine, and print the links."""
    from labelwright.cli.local import keep_running, local_server
    from labelwright.server.operations.demo import EMAIL
    from labelwright.server.operations.laptop import alone

    with local_server(folder, port) as running:
        running.start_database()
        with alone(running.folder / "prepare.lock"):
            links = _prepare(running, simulate + 1)
        running.start_processes()
        typer.echo(f"\nRater      {links[0]}")
        typer.echo(f"Requester  {running.root}/studies")
        typer.echo(f"           log in as {EMAIL} with the password {running.password()}\n")
        keep_running(running)


def _prepare(running: LocalServer, raters: int) -> list[str]:
    """Migrates the database, loads the study and creates the links. Existing data are kept."""
    from labelwright.corpus import read_dialogues
    from labelwright.server.config.startup import close_database, database_errors, migrate, set_up
    from labelwright.server.operations.demo import EMAIL, demo_study
    from labelwright.study import read_study

    set_up()
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.operations.demo_raters import DAYS
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool
    from labelwright.server.studies.actions.loading import load_study

    file = demo_study()
    study, text = read_study(file)
    dialogues, _ = read_dialogues(study.corpus, file.parent)
    now = datetime.now(UTC)
    opened = now - timedelta(days=DAYS)
    with database_errors():
        migrate()
        user, _ = add_user(EMAIL, running.password())
        loaded = load_study(study, text, dialogues, opened, user, opened=True)
        pool = Pool.objects.get(study=loaded.study, name=study.pool_name)
        made = make_links(loaded.study, pool, max(raters, study.pool.raters), study.pool.link_days, opened)
        if raters > 1:
            _simulate(study.name, raters - 1, now)
    close_database()
    return [link.address for link in made]


def _simulate(name: str, size: int, now: datetime) -> None:
    from rich.progress import Progress

    from labelwright.server.operations.demo_raters import DAYS, simulate_past

    with Progress(transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(judged: int) -> None:
            bar.update(task, description=f"{size} simulated raters at work: {judged} replies judged")

        judged = simulate_past(name, size, now, show)
    typer.echo(f"{size} simulated raters judged {judged} replies in the last {DAYS} days.")
