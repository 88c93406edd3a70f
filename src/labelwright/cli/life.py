"""`labelwright study list|open|pause|resume|close|archive|restore|delete`: the life of a study."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from labelwright.cli.study import study as study_commands
from labelwright.crowd import StudyVerb

WHO = "command line"
DONE = {
    StudyVerb.OPEN: "Raters get tasks from now on.",
    StudyVerb.PAUSE: "Raters get no new tasks. Those at work can finish and submit.",
    StudyVerb.RESUME: "Raters get tasks again.",
    StudyVerb.CLOSE: "Raters get no new tasks. Those at work can finish and submit.",
    StudyVerb.ARCHIVE: "The study is not in the list of studies any more. Its data are kept.",
    StudyVerb.RESTORE: "The study is in the list of studies again, and stays closed.",
}
Name = Annotated[str, typer.Argument(help="The name of a study.")]


def register(_: typer.Typer) -> None:
    """Adds the commands to `labelwright study`."""
    study_commands.command("list")(list_studies)
    for command in (open_study, pause, resume, close, archive, restore, delete):
        study_commands.command(command.__name__.removesuffix("_study"))(command)


def list_studies(
    archived: Annotated[bool, typer.Option("--archived", help="Include archived studies.")] = False,
) -> None:
    """List the studies with their state, newest first."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.studies.pages import STATE_WORDS
    from labelwright.server.studies.queries.life import state_lines

    with database_errors():
        lines = state_lines(archived=archived)
    for line in lines:
        typer.echo(f"{line.name}\t{STATE_WORDS[line.state]}\t{_version(line.version)}\t{line.owner}")
    if not lines:
        typer.echo("No studies yet. Load one with `labelwright study load FILE`.", err=True)


def _version(n: int) -> str:
    return f"version {n}" if n else "not loaded yet"


def open_study(name: Name) -> None:
    """Open a draft, or a closed study, to raters."""
    _change(name, StudyVerb.OPEN)


def pause(name: Name) -> None:
    """Offer no new tasks until you resume. Raters at work can finish and submit."""
    _change(name, StudyVerb.PAUSE)


def resume(name: Name) -> None:
    """Offer tasks again after a pause."""
    _change(name, StudyVerb.RESUME)


def close(name: Name) -> None:
    """End a study. Raters at work can finish; deadlines of batches stay as they are."""
    _change(name, StudyVerb.CLOSE)


def archive(name: Name) -> None:
    """Take a closed study, or a draft, out of the list of studies. Its data are kept."""
    _change(name, StudyVerb.ARCHIVE)


def restore(name: Name) -> None:
    """Put an archived study back into the list of studies. It stays closed."""
    _change(name, StudyVerb.RESTORE)


def delete(
    name: Name, yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False
) -> None:
    """Delete a study with all its versions, raters and answers. It cannot be undone.

    A study with paid work, or with work whose pay is owed, can only be archived. The audit log stays.
    """
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.studies.actions.deletion import delete_rows, withdraw_study
    from labelwright.server.studies.actions.loading import get_any_study

    with database_errors():
        row = get_any_study(name)
        if not yes:
            typer.confirm(f'Delete "{name}" with all its answers? It cannot be undone.', abort=True)
        withdraw_study(row, WHO, datetime.now(UTC))
        typer.echo(
            f'Nobody can reach "{name}" any more. If this command is interrupted, the worker continues.'
        )
        for part in delete_rows(row.pk):
            if part.rows:
                typer.echo(f"Deleted {part.rows:,} rows of {part.table}.")
    typer.echo(f'"{name}" is deleted.')


def _change(name: str, verb: StudyVerb) -> None:
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.studies.actions.life import change_state
    from labelwright.server.studies.actions.loading import get_any_study

    with database_errors():
        changed = change_state(get_any_study(name), verb, WHO, datetime.now(UTC))
    typer.echo(f'"{name}" is {verb.state}. {DONE[verb]}' if changed else f'"{name}" is already {verb.state}.')
