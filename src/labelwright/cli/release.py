"""`labelwright release`, `personal-data` and `data-sheet`: publish a study; and `study import`, which reads a release."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from labelwright.cli.study import study as study_commands

WHO = "command line"
Name = Annotated[str, typer.Argument(help="The name of a study.")]
Numbers = Annotated[list[str] | None, typer.Option(metavar="NUMBER", help="Numbers from the list, or all.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command()(release)
    app.command("personal-data")(personal_data)
    app.command("data-sheet")(data_sheet)
    study_commands.command("import")(import_study)


def release(
    name: Name,
    out: Annotated[
        Path | None, typer.Option(help="The folder to write. Default: NAME-release in this folder.")
    ] = None,
) -> None:
    """Write the folder that you publish: data, documents, and everything that an import needs.

    Texts are searched for personal data first. While one is undecided, nothing is written.
    """
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.access.actions.audit import log_change
    from labelwright.server.releasing.actions.folder import write_release
    from labelwright.server.studies.actions.loading import get_study

    folder, now = out or Path(f"{name}-release"), datetime.now(UTC)
    with database_errors():
        row = get_study(name)
        facts = write_release(row, folder, now)
        log_change(row.pk, WHO, "release", row.name, now, after={"answers": facts.answers})
    typer.echo(f"Wrote the release of {name} to {folder}.")
    for table in facts.tables:
        typer.echo(f"  {table.name}: " + ", ".join(f"{split} {n:,}" for split, n in table.rows.items()))
    if facts.sheet.open:
        typer.echo(
            f"The data sheet has {len(facts.sheet.open)} open fields, which its documents mark as open. "
            f"Fill them in with `labelwright data-sheet {name}` or on the page Data sheet."
        )


def personal_data(
    name: Name, keep: Numbers = None, replace: Numbers = None, leave_out: Numbers = None
) -> None:
    """Search the texts of a study for personal data, list what was found, and decide about it.

    `--keep 3` publishes it, `--replace 3` hides it, and `--leave-out 3` hides the whole text around it.
    """
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.release.personal_data import HitDecision
    from labelwright.server.releasing.actions.personal_data import (
        decide_hits,
        get_hits,
        get_surroundings,
        scan_texts,
    )
    from labelwright.server.studies.actions.loading import get_study

    chosen = {HitDecision.KEEP: keep, HitDecision.REPLACE: replace, HitDecision.LEAVE_OUT: leave_out}
    now = datetime.now(UTC)
    with database_errors():
        row = get_study(name)
        scan_texts(row, now)
        for decision, numbers in chosen.items():
            picked = [hit.pk for hit in get_hits(row) if {"all", str(hit.pk)} & set(numbers or ())]
            decide_hits(row, picked, decision, WHO, now)
        hits = get_surroundings(get_hits(row))
    for hit, around in hits:
        shown = json.dumps(around or hit.text, ensure_ascii=False)
        typer.echo(f"{hit.pk}\t{hit.decision or 'open'}\t{hit.kind}\t{hit.places:,}\t{hit.text!r}\t{shown}")
    undecided = sum(not hit.decision for hit, _ in hits)
    typer.echo(f"{len(hits):,} texts may be personal data; {undecided:,} are undecided.", err=True)


def data_sheet(
    name: Name,
    answer: Annotated[
        list[str] | None, typer.Option(metavar="FIELD=TEXT", help="Answer a field; can be repeated.")
    ] = None,
) -> None:
    """Show the data sheet of a study with its open fields, and answer them."""
    from labelwright.errors import LabelwrightError
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.release.data_sheet import FIELDS
    from labelwright.server.releasing.actions.data_sheet import answer_sheet, get_sheet
    from labelwright.server.studies.actions.loading import get_study

    wrong = [each for each in answer or () if "=" not in each]
    if wrong:
        raise LabelwrightError(f'"{wrong[0]}" is not an answer.', expected="FIELD=TEXT.")
    given = dict(each.split("=", 1) for each in answer or ())
    with database_errors():
        row = get_study(name)
        sheet = answer_sheet(row, given, WHO, datetime.now(UTC)) if given else get_sheet(row)
    for field in FIELDS.values():
        typer.echo(f"{field.name}: {sheet[field.name] or 'open. ' + field.about}")


def import_study(
    folder: Annotated[Path, typer.Argument(help="The folder of a release.")],
    owner: Annotated[str | None, typer.Option(help="Email address of the owner.")] = None,
) -> None:
    """Import a release as a closed study, with the same figures and report."""
    from labelwright.server.config.startup import database_errors, set_up

    set_up()
    from labelwright.server.access.actions.users import get_user
    from labelwright.server.operations.moving.importing import import_release

    with database_errors():
        user = get_user(owner) if owner else None
        row = import_release(folder, user, WHO, datetime.now(UTC))
    typer.echo(f'Imported "{row.name}". The worker computes its figures.')
