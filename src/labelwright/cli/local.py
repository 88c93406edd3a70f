"""What `labelwright demo` and `labelwright up` share: a server on this machine that runs until Ctrl-C."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from labelwright.server.operations.local_server import LocalServer


@contextmanager
def local_server(folder: Path, port: int) -> Iterator[LocalServer]:
    """A server that is not started yet; at the end of the block, or on Ctrl-C, everything in it is stopped."""
    from labelwright.server.operations.local_server import LocalServer, check_port

    check_port(port)
    running = LocalServer(folder, port)
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)
    try:
        typer.echo("Starting PostgreSQL, the server and the worker ...")
        yield running
    except KeyboardInterrupt:
        typer.echo("\nStopping ...")
    finally:
        running.stop()
    typer.echo(f"Stopped. The data are kept in {running.folder}.")


def keep_running(running: LocalServer) -> None:
    """Waits for Ctrl-C."""
    typer.echo("Press Ctrl-C to stop. The next start continues with the same data.")
    running.watch()
