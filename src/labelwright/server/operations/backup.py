"""Backups of the database: a dump made by pg_dump, and a manifest next to it that says what the dump contains.

The keys are not in the database and so never in a dump. The manifest holds fingerprints of the keys, so that a
restore with other keys, under which no link would work, is refused before it starts.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from labelwright import __version__
from labelwright.errors import LabelwrightError
from labelwright.server.config.environment import Environment
from labelwright.server.config.startup import away, is_pooled
from labelwright.server.operations.laptop import NoPostgres, wheel_binaries

DUMPS = "labelwright-*.dump"
KEYS = {
    "LABELWRIGHT_SECRET_KEY": "secret_key",
    "LABELWRIGHT_LINK_KEY": "link_key",
    "LABELWRIGHT_PSEUDONYM_KEY": "pseudonym_key",
}
COUNTED = ("study", "rater", "assignment", "answer")
"""Tables whose rows are counted in the dump, and again after a restore."""


class BackupFailed(LabelwrightError):
    """A backup could not be made or restored."""

    code: ClassVar[str] = "backup_failed"


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a dump contains."""

    made_at: str
    labelwright: str
    postgres: int
    """The major version of the server."""
    sha256: str
    rows: dict[str, int]
    keys: dict[str, str]
    """A fingerprint of each key; nothing can be derived from it."""


def back_up(environment: Environment, folder: Path, keep: int) -> Path:
    """Writes a dump and its manifest into the folder, deletes all but the newest `keep`, and returns the dump.

    The dump and its counts are of one moment; raters go on working meanwhile.
    """
    now = datetime.now(UTC)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    dump = folder / f"labelwright-{now:%Y%m%dT%H%M%SZ}.dump"
    partial = dump.with_suffix(".partial")
    with _direct(environment) as connection, connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        snapshot = connection.execute("SELECT pg_export_snapshot()").fetchone()
        assert snapshot is not None
        rows, version = _rows(connection), connection.info.server_version // 10000
        partial.touch(mode=0o600)
        _run(
            environment, "pg_dump", version,
            "--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot[0]}", f"--file={partial}",
        )  # fmt: skip
    manifest = Manifest(
        now.isoformat(timespec="seconds"),
        __version__,
        version,
        _sha256(partial),
        rows,
        fingerprints(environment),
    )
    _write_private(dump.with_suffix(".json"), json.dumps(asdict(manifest), indent=2) + "\n")
    partial.rename(dump)
    for old in sorted(folder.glob(DUMPS))[:-keep]:
        old.unlink()
        old.with_suffix(".json").unlink(missing_ok=True)
    return dump


def restore(environment: Environment, dump: Path, *, other_keys: bool = False) -> Manifest:
    """Restores a dump into the empty database of DATABASE_URL, all of it or nothing, and counts its rows."""
    manifest = read_manifest(dump)
    if _sha256(dump) != manifest.sha256:
        raise BackupFailed(
            "the file differs from the one that was written.", where=str(dump), do="Use another backup."
        )
    changed = [name for name, mark in fingerprints(environment).items() if manifest.keys[name] != mark]
    if changed and not other_keys:
        raise BackupFailed(
            f"the backup was made with other keys: {', '.join(changed)} differ.",
            do="Restore the settings file with the old keys. Without them, links stop working and personal data "
            "cannot be read; `--other-keys` restores the rest.",
        )
    with _direct(environment) as connection:
        version = connection.info.server_version // 10000
        if connection.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'public' LIMIT 1").fetchone():
            raise BackupFailed(
                f'the database "{connection.info.dbname}" already has tables.',
                do="Create an empty database, and set DATABASE_URL to it.",
            )
    _run(
        environment, "pg_restore", version,
        "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", str(dump),
    )  # fmt: skip
    with _direct(environment) as connection:
        rows = _rows(connection)
    if rows != manifest.rows:
        raise BackupFailed(
            f"the restored database has {rows}.", expected=f"{manifest.rows}, as in the manifest."
        )
    return manifest


def read_manifest(dump: Path) -> Manifest:
    """The manifest next to a dump."""
    try:
        return Manifest(**json.loads(dump.with_suffix(".json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise BackupFailed(
            "there is no readable manifest next to the dump.",
            where=str(dump),
            expected=f"{dump.with_suffix('.json').name}, which `labelwright backup` writes.",
        ) from error


def newest_backup(folder: Path) -> Path | None:
    """The newest complete dump in a folder."""
    return max(folder.glob(DUMPS), default=None)


def write_keys(environment: Environment, file: Path, folder: Path) -> None:
    """Writes the keys to a private file outside the folder of the backups."""
    if file.resolve().is_relative_to(folder.resolve()):
        raise BackupFailed(
            "keys and backups must not be in the same folder: together they reveal personal data.",
            where=str(file),
            do="Choose another folder, preferably on another machine.",
        )
    _write_private(file, "".join(f"{name}={getattr(environment, field)}\n" for name, field in KEYS.items()))


def fingerprints(environment: Environment) -> dict[str, str]:
    """A short fingerprint of each key."""
    return {
        name: hmac.new(
            getattr(environment, field).encode(), b"labelwright|backup", hashlib.sha256
        ).hexdigest()[:16]
        for name, field in KEYS.items()
    }


@contextmanager
def _direct(environment: Environment) -> Iterator[psycopg.Connection[Any]]:
    try:
        connection = psycopg.connect(environment.database_url, connect_timeout=5, autocommit=True)
    except psycopg.OperationalError as error:
        raise away(error) from error
    with connection:
        if is_pooled(connection):
            raise BackupFailed(
                "pg_dump and pg_restore do not work through a connection pooler.",
                do="Set DATABASE_URL to the address of PostgreSQL itself for this command.",
            )
        yield connection


def _rows(connection: psycopg.Connection[Any]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for table in COUNTED:
        found = connection.execute(
            sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
        ).fetchone()
        assert found is not None
        counts[table] = found[0]
    return counts


def _run(environment: Environment, program: str, version: int, *arguments: str) -> None:
    address = conninfo_to_dict(environment.database_url)
    # Everyone on the machine can read the arguments of a process, so the password goes into its environment.
    password = {"PGPASSWORD": str(address.pop("password"))} if address.get("password") else {}
    done = subprocess.run(
        [str(_program(program, version)), f"--dbname={make_conninfo('', **address)}", *arguments],
        env=os.environ | password,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise BackupFailed(f"{program} failed: {done.stderr.strip() or done.returncode}")


def _program(name: str, version: int) -> Path:
    """The installed program of the server's version or a newer one; an older one refuses to work."""
    for program in _installed(name, version):
        if _version_of(program) >= version:
            return program
    raise BackupFailed(
        f"{name} of PostgreSQL {version} is not installed.",
        do=f"Install the Debian package postgresql-client-{version}.",
    )


def _installed(name: str, version: int) -> Iterator[Path]:
    debian = Path(f"/usr/lib/postgresql/{version}/bin") / name
    if debian.exists():
        yield debian
    if found := shutil.which(name):
        yield Path(found)
    with suppress(NoPostgres):
        yield wheel_binaries() / name


def _version_of(program: Path) -> int:
    """For example 15 of "pg_dump (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"\) (\d+)", said)
    return int(found[1]) if found else 0


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _write_private(file: Path, text: str) -> None:
    file.touch(mode=0o600)
    file.chmod(0o600)
    file.write_text(text, encoding="utf-8")
