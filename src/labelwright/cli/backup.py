"""`labelwright backup` and `labelwright restore`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from labelwright.server.config.environment import Environment


def register(app: typer.Typer) -> None:
    """Adds `labelwright backup` and `labelwright restore`."""
    app.command()(backup)
    app.command()(restore)


def backup(
    folder: Annotated[
        Path | None, typer.Argument(help="The folder for backups. Default: LABELWRIGHT_BACKUP_DIR.")
    ] = None,
    keep: Annotated[int, typer.Option(min=1, help="Number of backups to keep; older ones are deleted.")] = 14,
    keys: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the keys to a file outside the folder of the backups."),
    ] = None,
) -> None:
    """Back up the database while the server is running. The keys are not in the backup."""
    from labelwright.errors import LabelwrightError
    from labelwright.server.operations.backup import back_up, read_manifest, write_keys

    environment = _environment()
    target = folder or environment.backup_folder
    if target is None:
        raise LabelwrightError("no folder for backups.", do="Name one, or set LABELWRIGHT_BACKUP_DIR.")
    if keys:
        write_keys(environment, keys, target)
    dump = back_up(environment, target, keep)
    rows = read_manifest(dump).rows
    typer.echo(f"Wrote {dump} ({dump.stat().st_size:,} bytes, {rows['assignment']:,} assignments).")


def restore(
    dump: Annotated[Path, typer.Argument(help="A file written by `labelwright backup`.", exists=True)],
    other_keys: Annotated[
        bool,
        typer.Option("--other-keys", help="Restore although the keys have changed; old links will not work."),
    ] = False,
) -> None:
    """Restore a backup into an empty database, and update its schema to this release."""
    from labelwright.server.config.startup import database_errors, migrate, set_up
    from labelwright.server.operations.backup import restore as restore_dump

    manifest = restore_dump(_environment(), dump, other_keys=other_keys)
    set_up()
    with database_errors():
        migrate()
    rows = ", ".join(f"{count:,} rows of {table}" for table, count in manifest.rows.items())
    typer.echo(f"Restored the backup of {manifest.made_at}: {rows}.")


def _environment() -> Environment:
    from labelwright.server.config.environment import Environment

    return Environment.read(os.environ)
