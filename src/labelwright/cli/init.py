"""`labelwright init`: a settings file for a new server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds `labelwright init`."""
    app.command()(init)


def init(
    folder: Annotated[Path, typer.Argument(help="The folder for the settings file.", metavar="DIR")],
    address: Annotated[str, typer.Option(help="The public address of the server.")] = "http://127.0.0.1:8000",
    database: Annotated[
        str, typer.Option(help="The PostgreSQL database, postgresql://user@host:5432/name.")
    ] = "postgresql:///labelwright",
) -> None:
    """Write a settings file with fresh keys, which every command in that folder reads."""
    from labelwright.server.config.settings_file import FILE_NAME, write_settings_file

    file = folder / FILE_NAME
    write_settings_file(file, database, address)
    typer.echo(f"Wrote {file}. Only you can read it; keep a copy of its keys in a safe place.")
    typer.echo(f"Run commands in {folder}, or set LABELWRIGHT_SETTINGS={file.resolve()}.")
