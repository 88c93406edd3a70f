"""`labelwright simulate`: rehearse a study with simulated raters before it starts."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelwright.errors import LabelwrightError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelwright.corpus import Dialogue
    from labelwright.server.operations.local_server import LocalServer
    from labelwright.server.rehearsal.actions import Rehearsed
    from labelwright.simulate import RehearsalOutcome, SimulatedRater, Timeline, WorkRecord
    from labelwright.study import Study

SETTINGS = {"fsync": "off", "synchronous_commit": "off", "timezone": "UTC"}
"""The database of a rehearsal is temporary, so it does not need to survive a crash."""
REPORTED_TASKS = 10
"""The number of tasks so far is written after each of these."""


@dataclass(frozen=True)
class SimulatedStudy:
    """The study to rehearse, and its raters."""

    text: str
    study: Study
    dialogues: list[Dialogue]
    raters: list[SimulatedRater]
    opened: datetime
    at_once: int
    progress: Path | None = None


@dataclass(frozen=True)
class RehearsalResult:
    """The outcome of a rehearsal, and how it was run."""

    outcome: RehearsalOutcome
    answers: list[dict[str, Any]]
    where: str


def register(app: typer.Typer) -> None:
    """Adds `labelwright simulate`."""
    app.command()(simulate)


def simulate(  # noqa: PLR0913, PLR0917  each is an option
    study: Annotated[str, typer.Argument(help="A study file, or the name of a loaded study.")],
    raters: Annotated[
        int | None,
        typer.Option(min=1, max=100_000, help="Number of raters. Default: as in the study file."),
    ] = None,
    mix: Annotated[
        str | None,
        typer.Option(help="Kinds of raters. Default: careful=70,hasty=15,straightliner=10,random=5."),
    ] = None,
    behaviour: Annotated[
        Path | None, typer.Option(help="A YAML file that changes the built-in behaviour.")
    ] = None,
    fast: Annotated[
        bool,
        typer.Option("--fast", help="Call the server functions directly instead of the pages. Reproducible."),
    ] = False,
    url: Annotated[
        str | None, typer.Option(help="Use this running server instead of a temporary one. The answers stay.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed; the same seed gives the same raters.")] = 1,
    opened: Annotated[
        datetime | None,
        typer.Option(help="Simulated opening time of the study, in UTC. Default: its first batch."),
    ] = None,
    minimum_wage: Annotated[
        float,
        typer.Option(
            min=0, help="Warn if raters earn less than this per hour, in the currency of the study."
        ),
    ] = 8.0,
    at_once: Annotated[
        int, typer.Option(min=1, max=200, help="Number of raters who use the pages at the same time.")
    ] = 8,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the chart, the figures and the labels.")
    ] = None,
    drawn: Annotated[
        Path | None,
        typer.Option(hidden=True, help="File with the drawn dialogues, instead of the corpus; for programs."),
    ] = None,
    progress: Annotated[
        Path | None,
        typer.Option(hidden=True, help="File that always holds the number of tasks so far, for programs."),
    ] = None,
) -> None:
    """Rehearse a study with simulated raters to estimate cost, duration and agreement."""
    from labelwright.cli.rehearsal_report import print_outcome, write_outcome
    from labelwright.simulate import opening

    if url and fast:
        raise typer.BadParameter("--fast does not use a server, so it cannot be combined with --url.")
    text, loaded, dialogues = (
        _drawn(Path(study), drawn) if drawn else _study(study, os.environ.get("DATABASE_URL"))
    )
    if not fast:
        _check_pages_suffice(loaded)
    people = _crowd(loaded, raters, mix, behaviour, seed)
    begins = opened.replace(tzinfo=UTC) if opened else opening(loaded)
    rehearsal = SimulatedStudy(text, loaded, dialogues, people, begins, at_once, progress)
    found = _at(url, rehearsal) if url else _here(rehearsal, fast=fast)
    minimum_cents = round(minimum_wage * 100)
    print_outcome(found.outcome, people, f"{found.where}, seed {seed}", minimum_cents)
    if out:
        write_outcome(found.outcome, found.answers, out, minimum_cents)


def _drawn(file: Path, dialogues: Path) -> tuple[str, Study, list[Dialogue]]:
    from labelwright.corpus.dialogue_lines import read_lines
    from labelwright.study import read_study

    study, text = read_study(file)
    return text, study, read_lines(dialogues.read_text("utf-8"))


def _study(name: str, database: str | None) -> tuple[str, Study, list[Dialogue]]:
    from labelwright.corpus import draw
    from labelwright.study import check_study, read_corpus, read_study

    file = Path(name)
    if file.is_dir():
        file /= "study.yaml"
    if file.exists() or file.suffix in (".yaml", ".yml") or not database:
        study, text = read_study(file)
        dialogues, _ = read_corpus(file, study, text)
        return text, study, draw(dialogues, study.corpus, study.seed).dialogues
    from labelwright.server.operations.copying import read_loaded

    text, dialogues = read_loaded(database, name)
    loaded, _ = check_study(text)
    assert loaded is not None
    return text, loaded, dialogues


def _check_pages_suffice(study: Study) -> None:
    if study.stages or study.pool.requires:
        raise LabelwrightError(
            "studies with stages or qualifications can only be rehearsed with --fast.", do="Add --fast."
        )


def _crowd(
    study: Study, raters: int | None, mix: str | None, file: Path | None, seed: int
) -> list[SimulatedRater]:
    from labelwright.simulate import crowd, default_behaviour, read_behaviour, read_mix

    known = read_behaviour(file) if file else default_behaviour()
    shares = read_mix(mix, known) if mix else known.mix
    applied_to = next(iter(study.pool.requires), study.pool_name)
    return crowd(raters or study.raters_in(applied_to), shares, seed, known)


def _here(rehearsal: SimulatedStudy, *, fast: bool) -> RehearsalResult:
    """Runs the rehearsal in a temporary database."""
    from labelwright.server.operations.local_server import LocalServer

    typer.echo("Starting a temporary PostgreSQL ...", err=True)
    # Whoever ends this process, its database ends with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with _temporary_folder() as folder:
        running = LocalServer(folder, _free_port())
        running.postgres.settings |= SETTINGS
        try:
            running.start_database()
            return _through_actions(rehearsal) if fast else _through_pages(rehearsal, running)
        finally:
            running.stop()


def _through_actions(rehearsal: SimulatedStudy) -> RehearsalResult:
    from labelwright.server.config.startup import close_database, database_errors, set_up

    set_up()
    from labelwright.server.rehearsal.actions import get_outcome, live_fast, open_rehearsal, run_periodic

    with database_errors():
        now, size = rehearsal.opened, len(rehearsal.raters)
        opened = open_rehearsal(rehearsal.text, rehearsal.dialogues, size, now)
        with _timeline(rehearsal) as timeline:
            live_fast(timeline, opened)
        run_periodic(timeline.worked[-1].ended if timeline.worked else now)
        found = get_outcome(opened, rehearsal.raters, timeline, timed=True)
    close_database()
    return RehearsalResult(*found, "in fast mode")


def _through_pages(rehearsal: SimulatedStudy, running: LocalServer) -> RehearsalResult:
    from labelwright.server.config.startup import close_database, database_errors, set_up

    set_up()
    from labelwright.server.rehearsal.actions import open_rehearsal

    with database_errors():
        # The server uses real time, so the links must be valid in real time.
        now, size = datetime.now(UTC), len(rehearsal.raters)
        opened = open_rehearsal(rehearsal.text, rehearsal.dialogues, size, now)
        running.start_processes()
        found = _over_http(rehearsal, opened)
    close_database()
    return RehearsalResult(*found, "through the pages")


def _at(url: str, rehearsal: SimulatedStudy) -> RehearsalResult:
    """Runs the rehearsal on a running server, with the study that is loaded there."""
    from labelwright.server.config.startup import close_database, database_errors, set_up

    typer.confirm(
        f'Simulated raters will answer the study "{rehearsal.study.name}" at {url}, and their answers will stay there. Continue?',
        abort=True,
    )
    set_up()
    from labelwright.server.rehearsal.actions import join_rehearsal

    with database_errors():
        joined = join_rehearsal(rehearsal.study.name, len(rehearsal.raters), datetime.now(UTC))
        links = [f"{url.rstrip('/')}/w/{link.rsplit('/', 1)[1]}" for link in joined.links]
        found = _over_http(rehearsal, replace(joined, links=links))
    close_database()
    typer.echo(
        "The server stored these answers by its own clock, within moments: there, times per task, pay per hour and "
        "flags for speed are not simulated. The figures below use simulated time."
    )
    return RehearsalResult(*found, f"at {url}")


def _over_http(rehearsal: SimulatedStudy, opened: Rehearsed) -> tuple[RehearsalOutcome, list[dict[str, Any]]]:
    from labelwright.outside.crowd import Clockwork, live
    from labelwright.outside.pages import StudyPages
    from labelwright.server.rehearsal.actions import get_outcome, is_over, lapse

    clockwork = Clockwork(lapse, lambda: is_over(opened.pool, datetime.now(UTC)))
    pages = StudyPages(opened.study, rehearsal.dialogues)
    with _timeline(rehearsal) as timeline:
        live(timeline, opened.links, pages, clockwork, rehearsal.at_once)
    return get_outcome(opened, rehearsal.raters, timeline, timed=False)


@contextmanager
def _timeline(rehearsal: SimulatedStudy) -> Iterator[Timeline]:
    """The timeline of the simulated raters, with a progress bar."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    from labelwright.simulate import Timeline

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=24))
    with Progress(*columns, transient=True, console=Console(stderr=True)) as bar:
        shown = bar.add_task("Waiting for the first raters", total=None)
        timeline = Timeline(rehearsal.raters, rehearsal.opened)

        def show(work: WorkRecord) -> None:
            day = (work.ended - rehearsal.opened).days + 1
            bar.update(shown, description=f"Day {day}: {len(timeline.worked):,} tasks")
            if rehearsal.progress and len(timeline.worked) % REPORTED_TASKS == 0:
                rehearsal.progress.write_text(str(len(timeline.worked)))

        timeline.watch = show
        yield timeline


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """A temporary folder for PostgreSQL. It is kept if PostgreSQL fails, because it contains the logs."""
    from labelwright.server.operations.local_server import LocalServerFailed

    folder = Path(tempfile.mkdtemp(prefix="labelwright-"))
    # For root, PostgreSQL runs as another user, who needs access to the folder.
    folder.chmod(0o711)
    keep = False
    try:
        yield folder / "rehearsal"
    except LocalServerFailed:
        keep = True
        raise
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
