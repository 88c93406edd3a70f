"""Commands of `labelwright` in the process of the test, on its database; starting a process for each takes seconds."""

from __future__ import annotations

from functools import lru_cache

import typer
from typer.testing import CliRunner, Result

from labelwright.cli import register_commands
from labelwright.errors import LabelwrightError


@lru_cache(maxsize=1)
def _app() -> typer.Typer:
    return register_commands()


def run(*arguments: str) -> Result:
    """The outcome of a command; raises what a person reads as an error."""
    done = CliRunner().invoke(_app(), arguments)
    if isinstance(done.exception, LabelwrightError):
        raise done.exception
    return done
