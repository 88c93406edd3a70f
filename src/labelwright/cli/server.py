"""Server commands: migrate, serve, worker, metrics, doctor, and studies in the database."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelwright.cli.options import CorpusRoot
from labelwright.cli.study import study as study_commands
from labelwright.corpus import OnError
from labelwright.crowd import StudyState, StudyVerb
from labelwright.release import Format

if TYPE_CHECKING:
    from labelwright.server.store.models import StudyRow

WHO = "command line"


def register(app: typer.Typer) -> None:
    """Adds the commands that need a database."""
    app.command()(migrate)
    app.command()(serve)
    app.command()(worker)
    app.command()(metrics)
    app.command()(doctor)
    app.command()(divide)
    study_commands.command("load")(load)
    study_commands.command("links")(links)
    study_commands.command("export")(export)
    study_commands.command("advance")(advance)
    study_commands.command("copy")(copy)


def migrate() -> None:
    """Update the database schema to this release."""
    from labelwright.server.config import startup

    startup.set_up()
    with startup.database_errors():
        startup.migrate()
    typer.echo("The database schema is up to date.")


def divide(
    parts: Annotated[int, typer.Option(min=2, max=256, help="Number of parts of each table.")] = 16,
) -> None:
    """Divide the largest tables by study. Stop the server and the worker first."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.operations.partitions import divide_by_study

    with database_errors():
        divide_by_study(parts)
    typer.echo(f"Places, assignments and answers are divided into {parts} parts.")


def load(
    file: Annotated[Path, typer.Argument(help="A study file.")],
    on_error: Annotated[OnError, typer.Option(help="What to do with invalid records.")] = OnError.STOP,
    owner: Annotated[str | None, typer.Option(help="Email address of the owner of a new study.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Load a changed study without asking.")] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start anew: collect every rating again in a new version.")
    ] = False,
    same_meaning: Annotated[
        str,
        typer.Option(
            metavar="REASON", help="Keep the tasks although their wording changed, and record the reason."
        ),
    ] = "",
    opens: Annotated[
        bool, typer.Option("--open", help="Open the study to raters. Without it, a new study is a draft.")
    ] = False,
    corpus_root: CorpusRoot = None,
) -> None:
    """Load a study file as a new version. A new study is a draft until you open it.

    For a study that is already loaded, it first says which ratings stay and what the new version costs.
    """
    from labelwright.corpus import draw
    from labelwright.crowd import describe_plan
    from labelwright.server.config.startup import database_errors, set_up
    from labelwright.study import plan_warnings, read_corpus, read_study

    study, text = read_study(file)
    dialogues, left_out = read_corpus(file, study, text, on_error, corpus_root)
    for bad in left_out:
        typer.echo(str(bad), err=True)
    if left_out:
        typer.echo(f"Left out {len(left_out):,} of {len(dialogues) + len(left_out):,} records.", err=True)
    dialogues = draw(dialogues, study.corpus, study.seed).dialogues
    for _, warning in plan_warnings(study, dialogues):
        typer.echo(f"Warning: {warning}", err=True)
    set_up()
    from labelwright.server.access.actions.users import get_user
    from labelwright.server.contexts.actions.cost import describe_cost, get_cost
    from labelwright.server.studies.actions.contents import Declared
    from labelwright.server.studies.actions.loading import load_study, plan_change

    declared = Declared(fresh=fresh, same_meaning=same_meaning)
    with database_errors():
        user = get_user(owner) if owner else None
        change = plan_change(study, text, dialogues, declared)
    for line in change.lines if change else ():
        typer.echo(line)
    if change and not yes:
        # A script that forgets --yes stops here, because there is nobody to answer.
        typer.confirm(f"Load this as version {change.version}?", abort=True)
    with database_errors():
        loaded = load_study(study, text, dialogues, datetime.now(UTC), user, declared, opened=opens)
        state = _open_draft(loaded.study) if opens else StudyState(loaded.study.state)
    if not loaded.changed:
        typer.echo(f'"{study.name}" is unchanged (version {loaded.version}).')
        _tell_state(study.name, state)
        return
    typer.echo(
        f'"{study.name}" version {loaded.version}: {loaded.items:,} items in {len(study.conditions)} '
        f"conditions, {loaded.wanted:,} ratings needed."
    )
    if loaded.batches > 1:
        typer.echo(f"{loaded.batches:,} batches, which the worker releases on schedule.")
    with database_errors():
        cost = get_cost(loaded.study.versions.latest("n").pk)
    if cost.texts:
        typer.echo(describe_cost(cost))
        typer.echo(f"Nothing is generated until somebody agrees: `labelwright context agree {study.name}`.")
    for line in describe_plan(loaded.plan) if loaded.plan else ():
        typer.echo(line, err=not (loaded.plan and loaded.plan.completes))
    _tell_state(study.name, state)


def _open_draft(study: StudyRow) -> StudyState:
    """Opens a study that is a draft; one that somebody paused or closed stays as it is. Returns the state."""
    from labelwright.server.studies.actions.life import change_state

    if study.state == StudyState.DRAFT:
        change_state(study, StudyVerb.OPEN, WHO, datetime.now(UTC))
        study.refresh_from_db()
    return StudyState(study.state)


def _tell_state(name: str, state: StudyState) -> None:
    if state is StudyState.DRAFT:
        typer.echo(f"It is a draft: raters get no tasks yet. Open it with `labelwright study open {name}`.")
    elif state is not StudyState.OPEN:
        typer.echo(f"It is {state}: raters get no new tasks.")


def links(
    name: Annotated[str, typer.Argument(help="The name of a study.")],
    raters: Annotated[
        int | None, typer.Option(help="Number of raters. Default: as in the study file.")
    ] = None,
    pool: Annotated[
        str | None, typer.Option(help="The name of the pool. Default: the pool that does the main work.")
    ] = None,
) -> None:
    """Print a personal link for each rater of a pool. The links are always the same."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.store.versions import study_of
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        row = get_study(name)
        study = study_of(row.versions.latest("n").pk)
        found = get_pool(row, pool or study.pool_name)
        part = study.pool_of(found.name)
        made = make_links(row, found, raters or part.raters, part.link_days, datetime.now(UTC))
    for link in made:
        typer.echo(f"{link.pseudonym}\t{link.address}")


def advance(name: Annotated[str, typer.Argument(help="The name of a study.")]) -> None:
    """Create the items of later stages from the choices of raters so far, and open their tasks."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.studies.actions.loading import get_study
    from labelwright.server.studies.actions.stages import advance as advance_stages

    with database_errors():
        done = advance_stages(get_study(name), datetime.now(UTC), hurry=True, who="command line")
    for stage in done:
        typer.echo(
            f'Stage "{stage.stage}": {stage.items:,} new items, {stage.wanted:,} ratings needed; '
            f"{stage.waiting:,} items of earlier stages still need ratings."
        )
    if not done:
        typer.echo("The study has only one stage.")


def copy(
    name: Annotated[str, typer.Argument(help="The name of a study.")],
    to: Annotated[str, typer.Option(help="Address of the other database: postgresql://...")],
) -> None:
    """Copy a study to the database of another installation with the same keys, where its links go on to work."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.operations.moving import copy_study
    from labelwright.server.studies.actions.loading import get_study

    with database_errors():
        copied = copy_study(get_study(name).pk, to)
    typer.echo(f'Copied "{name}": {copied:,} rows.')


def export(
    name: Annotated[str, typer.Argument(help="The name of a study.")],
    out: Annotated[Path, typer.Argument(help="The output file: .jsonl, .csv or .parquet.")],
    version: Annotated[
        int | None, typer.Option(min=1, help="Only answers given under this version. Default: all.")
    ] = None,
) -> None:
    """Write all stored answers to a file, and the meaning of the codes to a second file next to it."""
    from labelwright.analysis.data.counting import describe_left_out
    from labelwright.errors import LabelwrightError
    from labelwright.release import write_rows
    from labelwright.server.config.startup import database_errors, set_up

    ending = out.suffix.lstrip(".").lower()
    if ending not in list(Format):
        raise LabelwrightError(
            f'"{out.name}" has an unknown file extension.', expected=f"one of {', '.join(Format)}."
        )
    if not out.parent.is_dir():
        raise LabelwrightError(
            f'there is no folder "{out.parent}".', do="Create it, or choose another folder."
        )
    set_up()
    from labelwright.server.results.actions.export import COLUMNS, get_answers, get_scales
    from labelwright.server.results.actions.rater_export import COLUMNS as RATER_COLUMNS
    from labelwright.server.results.actions.rater_export import get_rater_answers
    from labelwright.server.studies.actions.loading import get_study

    left_out: Counter[str] = Counter()

    def counted() -> Iterator[dict[str, Any]]:
        for answer in get_answers(row, version):
            if answer["label"] is not None:
                left_out[answer["left_out"]] += 1
            yield answer

    with database_errors():
        row = get_study(name)
        written = write_rows(out, Format(ending), COLUMNS, counted())
        raters = out.with_suffix(f".raters.{ending}")
        about = write_rows(raters, Format(ending), RATER_COLUMNS, get_rater_answers(row))
        scales = out.with_suffix(".scales.json")
        scales.write_text(json.dumps(get_scales(row), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    typer.echo(f"Wrote {written:,} answers to {out} and their scales to {scales}.")
    typer.echo(f"Figures count {left_out.pop('', 0):,} of them. {describe_left_out(left_out)}".rstrip())
    if about:
        typer.echo(f"Wrote {about:,} answers to demographics, familiarity and quiz questions to {raters}.")
    else:
        raters.unlink()


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8000,
    processes: Annotated[int, typer.Option(help="Number of server processes.")] = 2,
    threads: Annotated[int, typer.Option(help="Number of threads per process for raters.")] = 8,
) -> None:
    """Start the web server (granian)."""
    from labelwright.server.config.startup import check_database, check_loopback, set_up
    from labelwright.server.operations.local_server import check_port

    os.environ.setdefault("LABELWRIGHT_DATABASE_CONNECTIONS", str(threads))
    set_up()
    from django.conf import settings

    # Requesters have further threads, so that raters never wait for one of them.
    further = settings.ENVIRONMENT.requester_requests + settings.ENVIRONMENT.requesters_waiting
    os.environ["LABELWRIGHT_THREADS"] = str(threads + further)
    check_loopback(host)
    check_database()
    _record_keys()
    check_port(port, host)
    arguments = [
        sys.executable, "-m", "granian", "labelwright.server.config.rsgi:application",
        "--interface", "rsgi", "--host", host, "--port", str(port),
        "--workers", str(processes),
        "--no-ws", "--log-level", "warning", "--respawn-failed-workers", "--workers-kill-timeout", "5",
    ]  # fmt: skip
    os.execv(sys.executable, arguments)  # noqa: S606  replaces this process, so that the server receives signals


def worker(
    slots: Annotated[
        list[str] | None,
        typer.Option(
            metavar="QUEUE=N",
            help="Number of concurrent jobs of a queue, for example contexts=8; 0 leaves the queue to other workers.",
        ),
    ] = None,
) -> None:
    """Run background jobs, such as expired leases, flags and tallies, each queue in slots of its own."""
    from labelwright.server.config.startup import check_database, close_database, set_up

    # Enough for all slots, because jobs give their connection back while they wait for a model or a mail server.
    os.environ.setdefault("LABELWRIGHT_DATABASE_CONNECTIONS", "16")
    set_up()
    check_database()
    _record_keys()
    from labelwright.server.store.worker import choose_slots, run_worker

    try:
        run_worker(choose_slots(slots or ()))
    finally:
        close_database()


def _record_keys() -> None:
    from labelwright.server.store.key_checks import record_keys

    record_keys(datetime.now(UTC))


def metrics(
    port: Annotated[int, typer.Option(help="Port to listen on; only this machine can connect.")] = 9464,
) -> None:
    """Serve Prometheus metrics of all processes that use the same LABELWRIGHT_METRICS_DIR."""
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    from labelwright.server.config.startup import check_database, set_up
    from labelwright.server.operations.local_server import check_port

    set_up()
    check_database()
    check_port(port)
    from prometheus_client import make_wsgi_app

    from labelwright.server.operations.metrics import registry

    class Silent(WSGIRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    # Created for each request, because processes start and stop.
    def answer(environ: Any, start: Any) -> Any:
        return make_wsgi_app(registry())(environ, start)

    typer.echo(f"Metrics at http://127.0.0.1:{port}/metrics")
    with make_server("127.0.0.1", port, answer, handler_class=Silent) as server:
        server.serve_forever()


def doctor(
    production: Annotated[
        bool,
        typer.Option(
            "--production", help="Also check proxy, certificate, database role, backups and the like."
        ),
    ] = False,
    new_keys: Annotated[
        bool, typer.Option("--accept-keys", help="Accept keys that you replaced on purpose.")
    ] = False,
) -> None:
    """Check this installation and explain how to fix problems."""
    from django.apps import apps

    from labelwright.server.config.startup import check_database, close_database, set_up
    from labelwright.server.operations.doctor import examine

    if new_keys:
        set_up()
        check_database()
        from labelwright.server.store.key_checks import accept_keys

        accept_keys(datetime.now(UTC))
    sick = False
    for finding in examine(production=production):
        sick = sick or not finding.good
        mark = typer.style("ok   " if finding.good else "wrong", fg="green" if finding.good else "red")
        typer.echo(f"{mark} {finding.name}: {finding.message}")
    if apps.ready:
        close_database()
    raise typer.Exit(1 if sick else 0)
