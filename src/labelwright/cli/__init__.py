"""The command line: `labelwright STAGE VERB`. Each module adds its commands."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from labelwright import __version__
from labelwright.errors import LabelwrightError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Human evaluation of dialogue systems, from raw logs to labels that can be defended in print.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"labelwright {__version__}")
        raise typer.Exit


OWN_SETTINGS = ("demo", "init", "up")
"""Commands that make their own settings, and must not mix them with those of a server."""


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001  its callback prints it
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
    settings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The settings file. Default: LABELWRIGHT_SETTINGS, or labelwright.env in this folder.",
        ),
    ] = None,
) -> None:
    from labelwright.server.config.settings_file import apply_settings_file

    if context.invoked_subcommand not in OWN_SETTINGS:
        apply_settings_file(os.environ, settings)


LIBRARY = ("study", "corpus", "agreement", "audit", "report", "judge", "emulate")
SERVER = (
    *(
        "server",
        "life",
        "init",
        "backup",
        "user",
        "pool",
        "pay",
        "publish",
        "link",
        "context",
        "task",
        "release",
    ),
    "model_raters",
    *("demo", "up", "simulate"),
)


def _has_server() -> bool:
    return importlib.util.find_spec("django") is not None


@functools.cache
def register_commands() -> typer.Typer:
    """The command line with all commands, each of them once. Server commands need `labelwright[server]`."""
    for name in (*LIBRARY, *(SERVER if _has_server() else ())):
        importlib.import_module(f"labelwright.cli.{name}").register(app)
    return app


def main() -> None:
    """Runs the command line. Errors caused by the user are printed without a traceback."""
    try:
        register_commands()()
    except LabelwrightError as error:
        typer.secho(str(error), err=True, fg="red" if sys.stderr.isatty() else None)
        raise SystemExit(1) from None
