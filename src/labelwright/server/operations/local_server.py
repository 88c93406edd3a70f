"""A complete installation on this machine: PostgreSQL in a folder, a server and a worker."""

from __future__ import annotations

import ctypes
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from labelwright.errors import LabelwrightError
from labelwright.server.config.settings_file import (
    FILE_NAME,
    FILE_VARIABLE,
    apply_settings_file,
    write_settings_file,
)
from labelwright.server.operations.laptop import (
    LaptopPostgres,
    private_folder,
    reachable_folder,
    wheel_binaries,
)

STARTING_SECONDS = 120
PR_SET_PDEATHSIG = 1


class LocalServerFailed(LabelwrightError):
    """The server or the worker did not start, or stopped."""

    code = "local_server_failed"


@dataclass(slots=True)
class LocalServer:
    """The running processes, and the folder with the data for the next run."""

    folder: Path
    port: int
    postgres: LaptopPostgres = field(init=False)
    children: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        # The folder itself stays as given, so that a link in its place is noticed.
        self.folder = reachable_folder(self.folder.parent.resolve() / self.folder.name)
        self.postgres = LaptopPostgres(self.folder / "postgres", wheel_binaries())

    @property
    def root(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    def start_database(self) -> None:
        """Starts PostgreSQL and points the environment at it, with the demo's keys."""
        self._start_postgres()
        # A settings file in the current folder belongs to another server.
        os.environ |= {"LABELWRIGHT_DEMO": "1", FILE_VARIABLE: ""}

    def start_database_with_keys(self) -> None:
        """Starts PostgreSQL and points the environment at it, with keys of this folder."""
        self._start_postgres()
        file = self.folder / FILE_NAME
        if not file.exists():
            write_settings_file(file, os.environ["DATABASE_URL"], self.root)
        apply_settings_file(os.environ, file)

    def _start_postgres(self) -> None:
        private_folder(self.folder)
        if os.geteuid() == 0:
            # PostgreSQL runs as another user, who must reach its own folder in this one.
            self.folder.chmod(0o711)
        self.postgres.start()
        os.environ |= {
            "DATABASE_URL": self.postgres.create("labelwright"),
            "LABELWRIGHT_BASE_URL": self.root,
            "LABELWRIGHT_METRICS_DIR": str(self.folder / "metrics"),
            "LABELWRIGHT_EXPORT_DIR": str(self.folder / "exports"),
        }

    def start_processes(self) -> None:
        """Starts server and worker and waits until the server is ready."""
        self._start("serve", "--port", str(self.port))
        self._start("worker")
        until = time.monotonic() + STARTING_SECONDS
        while not self._ready():
            dead = next((child for child in self.children if child.poll() is not None), None)
            if dead or time.monotonic() > until:
                raise LocalServerFailed(
                    "the server or the worker did not start.", do=f"See the logs in {self.folder}."
                )
            time.sleep(0.1)

    def password(self) -> str:
        """The password of the requester; it stays the same across runs."""
        file = self.folder / "password"
        if not file.exists():
            file.touch(mode=0o600)
            file.write_text(secrets.token_urlsafe(9))
        return file.read_text()

    def stop(self) -> None:
        """Stops all processes in dependency order."""
        for child in self.children:
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
        for child in self.children:
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
        self.postgres.stop()

    def watch(self) -> None:
        """Waits for Ctrl-C; raises LocalServerFailed if a process exits before that."""
        while not any(child.poll() is not None for child in self.children):
            time.sleep(0.5)
        raise LocalServerFailed(
            "the server or the worker stopped unexpectedly.", do=f"See the logs in {self.folder}."
        )

    def _start(self, *arguments: str) -> None:
        with (self.folder / f"{arguments[0]}.log").open("ab") as log:
            self.children.append(
                subprocess.Popen(
                    [sys.executable, "-m", "labelwright", *arguments],
                    stdout=log,
                    stderr=log,
                    stdin=subprocess.DEVNULL,
                    # Only the command itself gets Ctrl-C; it then stops its children in order.
                    start_new_session=True,
                    preexec_fn=_end_with_parent,  # noqa: PLW1509  no thread runs yet
                )
            )

    def _ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.root}/readyz", timeout=2) as response:  # noqa: S310
                return bool(response.status == 200)
        except (urllib.error.URLError, OSError):
            return False


def _end_with_parent() -> None:
    """Asks Linux to end the child when the command is killed; on other systems this does nothing."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def check_port(port: int, host: str = "127.0.0.1") -> None:
    """Raises an error if the port is not available."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or "not a valid port number"
            raise LabelwrightError(
                f"port {port} on {host} cannot be used: {reason}.",
                do="Stop the program that uses it, or choose another port with --port.",
            ) from error
