"""Real server and worker processes for tests, ended with the test that started them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

LABELWRIGHT = str(Path(sys.executable).parent / "labelwright")


STARTING_SECONDS = 120
"""A server starts within three seconds, unless the machine is busy with other suites."""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Process:
    """A `labelwright` command in a process group of its own."""

    def __init__(self, *arguments: str, log: Path, **environment: str) -> None:
        self.arguments = arguments
        self.log = log
        self.environment = os.environ | environment
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the command."""
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(
                [LABELWRIGHT, *self.arguments],
                env=self.environment,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def kill(self) -> None:
        """Ends the whole group at once, as a crash would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Ends it as a person would."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, how)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait(10)


class Server(Process):
    """One server process on a port of its own."""

    def __init__(self, log: Path, **environment: str) -> None:
        self.port = free_port()
        self.root = f"http://127.0.0.1:{self.port}"
        super().__init__(
            "serve", "--port", str(self.port), "--processes", "1", "--threads", "8", log=log, **environment
        )

    def start(self) -> None:
        """Starts it and waits until it answers."""
        super().start()
        until = time.monotonic() + STARTING_SECONDS
        while time.monotonic() < until:
            try:
                httpx.get(f"{self.root}/w/none", timeout=5)
            except httpx.TransportError:
                time.sleep(0.1)
            else:
                return
        raise AssertionError(f"the server did not start: {self.log.read_text()}")
