"""The demo: PostgreSQL in a folder, a study, a server and a worker, reachable from this machine only."""

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

import labelwright
from labelwright.errors import LabelwrightError
from labelwright.server.operations.laptop import LaptopPostgres, reachable_folder, wheel_binaries

EMAIL = "demo@labelwright.example"
STARTING_SECONDS = 45
PR_SET_PDEATHSIG = 1


class DemoFailed(LabelwrightError):
    """A part of the demo did not start."""

    code = "demo_failed"


@dataclass(slots=True)
class Demo:
    """The running processes, and the folder with the data for the next run."""

    folder: Path
    port: int
    postgres: LaptopPostgres = field(init=False)
    children: list[subprocess.Popen[bytes]] = field(default_factory=list)
    started_postgres: bool = False
    """False if another demo in the same folder started it; then that demo stops it."""

    def __post_init__(self) -> None:
        self.folder = reachable_folder(self.folder.resolve())
        self.postgres = LaptopPostgres(self.folder / "postgres", wheel_binaries())

    @property
    def root(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    def start_database(self) -> None:
        """Starts PostgreSQL and points the environment at it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.started_postgres = self.postgres.start()
        os.environ |= {
            "DATABASE_URL": self.postgres.create("labelwright"),
            "LABELWRIGHT_DEMO": "1",
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
                raise DemoFailed("a part of the demo did not start.", do=f"See the logs in {self.folder}.")
            time.sleep(0.1)

    def password(self) -> str:
        """The password of the demo's requester; it stays the same across runs."""
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
        if self.started_postgres:
            self.postgres.stop()

    def watch(self) -> None:
        """Waits for Ctrl-C; raises DemoFailed if a process exits before that."""
        while not any(child.poll() is not None for child in self.children):
            time.sleep(0.5)
        raise DemoFailed("a part of the demo stopped unexpectedly.", do=f"See the logs in {self.folder}.")

    def _start(self, *arguments: str) -> None:
        with (self.folder / f"{arguments[0]}.log").open("ab") as log:
            self.children.append(
                subprocess.Popen(
                    [sys.executable, "-m", "labelwright", *arguments],
                    stdout=log,
                    stderr=log,
                    stdin=subprocess.DEVNULL,
                    # Only the demo itself gets Ctrl-C; it then stops its children in order.
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
    """Asks Linux to end the child when the demo is killed; on other systems this does nothing."""
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


def demo_study() -> Path:
    """The study file that comes with Labelwright."""
    package = Path(labelwright.__file__).parent
    for folder in (package / "studies", package.parents[1] / "studies"):
        if (folder / "demo" / "study.yaml").exists():
            return folder / "demo" / "study.yaml"
    raise DemoFailed("the demo study is missing.", do="Reinstall Labelwright.")
