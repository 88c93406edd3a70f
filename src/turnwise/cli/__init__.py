"""The command line: `turnwise STAGE VERB`. Each module adds its own commands."""

from __future__ import annotations

import importlib
import importlib.util
import sys

import typer

from turnwise.errors import TurnwiseError

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Human evaluation of dialogue systems, from raw logs to labels that can be defended in print.",
)

LIBRARY = ("study", "corpus", "agreement", "audit")
SERVER = ("server", "pool", "context", "task", "demo", "simulate")


def _has_server() -> bool:
    return importlib.util.find_spec("django") is not None


def register_commands() -> typer.Typer:
    """The whole command line; the server's commands are there where `turnwise[server]` is installed."""
    for name in (*LIBRARY, *(SERVER if _has_server() else ())):
        importlib.import_module(f"turnwise.cli.{name}").register(app)
    return app


def main() -> None:
    """Runs the command line; an error that a person caused is printed without a traceback."""
    try:
        register_commands()()
    except TurnwiseError as error:
        typer.secho(str(error), err=True, fg="red" if sys.stderr.isatty() else None)
        raise SystemExit(1) from None
