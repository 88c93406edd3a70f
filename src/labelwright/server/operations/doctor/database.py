"""Checks of the database server."""

from __future__ import annotations

import time

from labelwright.server.config.environment import Environment
from labelwright.server.operations.doctor.diagnosis import Check, Diagnosis, finding
from labelwright.server.store.rows import column, value

OLDEST_POSTGRES = 150000
MOST_SKEW_SECONDS = 5


def version(environment: Environment) -> Diagnosis:
    """PostgreSQL is new enough."""
    found = int(value("SELECT current_setting('server_version_num')::int"))
    return finding(
        "Database",
        found >= OLDEST_POSTGRES,
        f"PostgreSQL {found // 10000}",
        "Labelwright needs PostgreSQL 15 or newer.",
    )


def encoding(environment: Environment) -> Diagnosis:
    """The database stores text in every language."""
    found = str(value("SELECT current_setting('server_encoding')"))
    return finding(
        "Encoding",
        found == "UTF8",
        "UTF8",
        f"The database has the encoding {found}, so it stores damaged text or none. Create one with "
        "`createdb --encoding UTF8 --template template0`, and restore a dump into it.",
    )


def clock(environment: Environment) -> Diagnosis:
    """Server and database agree on the time."""
    skew = abs(float(value("SELECT extract(epoch FROM clock_timestamp())")) - time.time())
    return finding(
        "Clock",
        skew < MOST_SKEW_SECONDS,
        f"within {skew:.1f} s of the database",
        "The clocks of server and database differ. Synchronize both with NTP.",
    )


def durability(environment: Environment) -> Diagnosis:
    """A committed judgment survives a crash."""
    settings = column(
        "SELECT current_setting(name) FROM unnest(ARRAY['fsync', 'synchronous_commit']) AS name"
    )
    return finding(
        "Durability",
        settings == ["on"] * 2,
        "fsync on",
        "A crash would lose judgments. Turn on fsync and synchronous_commit in PostgreSQL.",
    )


CHECKS: tuple[Check, ...] = (version, encoding, clock, durability)
