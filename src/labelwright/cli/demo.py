"""`labelwright demo`: a complete demo installation on this machine."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
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
            links = _prepare(running, max(1, simulate + 1))
        running.start_processes()
        typer.echo(f"\nRater      {links[0]}")
        typer.echo(f"Requester  {running.root}/studies")
        typer.echo(f"           log in as {EMAIL} with the password {running.password()}\n")
        if simulate:
            asyncio.run(_simulate(links[1 : simulate + 1]))
        keep_running(running)


def _prepare(running: LocalServer, raters: int) -> list[str]:
    """Migrates the database, loads the study and creates the links. Existing data are kept."""
    from labelwright.corpus import read_dialogues
    from labelwright.server.config.startup import close_database, database_errors, migrate, set_up
    from labelwright.server.operations.demo import EMAIL, demo_study
    from labelwright.study import read_study

    set_up()
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool
    from labelwright.server.studies.actions.loading import load_study

    file = demo_study()
    study, text = read_study(file)
    dialogues, _ = read_dialogues(study.corpus, file.parent)
    now = datetime.now(UTC)
    with database_errors():
        migrate()
        user, _ = add_user(EMAIL, running.password())
        loaded = load_study(study, text, dialogues, now, user, opened=True)
        pool = Pool.objects.get(study=loaded.study, name=study.pool_name)
        made = make_links(loaded.study, pool, max(raters, study.pool.raters), study.pool.link_days, now)
    close_database()
    return [link.address for link in made]


async def _simulate(links: list[str]) -> None:
    from rich.progress import Progress

    from labelwright.corpus import read_dialogues
    from labelwright.outside.crowd import work
    from labelwright.outside.pages import StudyPages
    from labelwright.server.operations.demo import demo_study
    from labelwright.simulate import crowd, default_behaviour
    from labelwright.study import read_study

    file = demo_study()
    study, _ = read_study(file)
    pages = StudyPages(study, read_dialogues(study.corpus, file.parent)[0])
    mix = {"careful": 75.0, "hasty": 15.0, "random": 10.0}
    with Progress(transient=True) as bar:
        task = bar.add_task(f"{len(links)} simulated raters at work", total=None)
        judged = 0

        def done() -> None:
            nonlocal judged
            judged += 1
            bar.update(task, description=f"{len(links)} simulated raters at work: {judged} replies judged")

        raters = crowd(len(links), mix, 1, default_behaviour().steady())
        await work(raters, links, done, pages=pages)
    typer.echo(f"{len(links)} simulated raters judged {judged} replies.")
