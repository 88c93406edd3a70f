"""Checks an installation and says how to fix each problem."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labelwright.errors import LabelwrightError
from labelwright.server.config.environment import Environment

OLDEST_POSTGRES = 150000
LEAST_FREE_BYTES = 1_000_000_000
MOST_SKEW_SECONDS = 5
VENDORED = ("vega.min.js", "vega-lite.min.js", "vega-interpreter.js")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of one check."""

    name: str
    good: bool
    message: str


def examine() -> Iterator[Diagnosis]:
    """Runs the checks one after the other; skips checks that depend on a failed one."""
    yield _finding(
        "Python",
        sys.version_info >= (3, 11),
        sys.version.split()[0],
        "Labelwright needs Python 3.11 or newer.",
    )
    try:
        environment = Environment.read(os.environ)
    except LabelwrightError as error:
        yield Diagnosis("Settings", good=False, message=str(error))
        return
    yield Diagnosis("Settings", good=True, message="read from the environment")
    yield from _address(environment)
    yield _scripts()
    yield _disk()
    yield from _database()


def _address(environment: Environment) -> Iterator[Diagnosis]:
    from urllib.parse import urlsplit  # noqa: PLC0415

    host = urlsplit(environment.base_url).hostname or ""
    known = host in environment.allowed_hosts or "*" in environment.allowed_hosts
    yield _finding("Address", known, environment.base_url, f"Add {host} to LABELWRIGHT_ALLOWED_HOSTS.")
    local = host in ("127.0.0.1", "localhost")
    safe = local or environment.base_url.startswith("https://")
    yield _finding(
        "Encryption", safe, "https, or this machine only", "Links are credentials. Serve them over https."
    )


def _scripts() -> Diagnosis:
    folder = Path(__file__).parents[1] / "web" / "static" / "vendor"
    missing = [name for name in VENDORED if not (folder / name).exists()]
    return _finding(
        "Charts",
        not missing,
        "scripts installed",
        "The scripts for charts are missing. Reinstall Labelwright.",
    )


def _disk() -> Diagnosis:
    free = shutil.disk_usage(Path.cwd()).free
    return _finding(
        "Disk",
        free > LEAST_FREE_BYTES,
        f"{free / 1e9:.1f} GB free",
        "Less than 1 GB is free. Free some disk space.",
    )


def _database() -> Iterator[Diagnosis]:
    from labelwright.server.config.startup import check_database, set_up  # noqa: PLC0415

    set_up()
    try:
        check_database()
    except LabelwrightError as error:
        yield Diagnosis("Database", good=False, message=str(error))
        return
    version = int(_one("SELECT current_setting('server_version_num')::int"))
    yield _finding(
        "Database",
        version >= OLDEST_POSTGRES,
        f"PostgreSQL {version // 10000}, schema up to date",
        "Labelwright needs PostgreSQL 15 or newer.",
    )
    for look in (_clock, _worker, _backlog, _fsync):
        yield look()


def _one(sql: str) -> float:
    from labelwright.server.store.rows import value  # noqa: PLC0415

    return float(value(sql))


def _clock() -> Diagnosis:
    import time  # noqa: PLC0415

    skew = abs(_one("SELECT extract(epoch FROM clock_timestamp())") - time.time())
    return _finding(
        "Clock",
        skew < MOST_SKEW_SECONDS,
        f"within {skew:.1f} s of the database",
        "The clocks of server and database differ. Synchronize both with NTP.",
    )


def _worker() -> Diagnosis:
    alive = _one(
        "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '1 minute'"
    )
    return _finding(
        "Worker",
        alive > 0,
        f"{alive:.0f} running",
        "No worker is running, so leases do not expire. Start one with `labelwright worker`.",
    )


def _backlog() -> Diagnosis:
    waiting = _one(
        "SELECT count(*) FROM assignment WHERE unflagged AND submitted_at < now() - interval '5 minutes'"
    )
    return _finding(
        "Backlog",
        waiting == 0,
        "none",
        f"{waiting:.0f} submissions have not been checked for flags. Check that the worker is not stuck.",
    )


def _fsync() -> Diagnosis:
    from labelwright.server.store.rows import column  # noqa: PLC0415

    on = (
        column("SELECT current_setting(name) FROM unnest(ARRAY['fsync', 'synchronous_commit']) AS name")
        == ["on"] * 2
    )
    return _finding(
        "Durability",
        on,
        "fsync on",
        "A crash would lose judgments. Turn on fsync and synchronous_commit in PostgreSQL.",
    )


def _finding(name: str, good: bool, fine: str, mend: str) -> Diagnosis:
    return Diagnosis(name, good, fine if good else mend)
