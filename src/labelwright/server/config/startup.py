"""Sets up Django for a command, and turns problems that an administrator can fix into clear errors."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import django
import psycopg
from django.db import OperationalError, ProgrammingError
from psycopg_pool import PoolTimeout

from labelwright.errors import LabelwrightError

MIGRATION_LOCK = int.from_bytes(b"lw-migr8")
"""The key of the advisory lock; any number that no other program uses."""
LOCK_POLL_SECONDS = 0.5


class DatabaseAway(LabelwrightError):
    """The database cannot be reached."""

    code: ClassVar[str] = "database_away"


class OldSchema(LabelwrightError):
    """The database schema does not match this release."""

    code: ClassVar[str] = "old_schema"


class BehindPooler(LabelwrightError):
    """The database is behind a connection pooler that the settings do not mention."""

    code: ClassVar[str] = "behind_pooler"


def set_up() -> None:
    """Sets up Django; raises BadSetting for a setting that is missing or wrong."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "labelwright.server.config.settings")
    django.setup()


@contextmanager
def database_errors() -> Iterator[None]:
    """Turns a missing or outdated database into an error that says what to do."""
    try:
        yield
    except (OperationalError, psycopg.OperationalError, PoolTimeout) as error:
        raise away(error) from error
    except ProgrammingError as error:
        if isinstance(error.__cause__, psycopg.errors.UndefinedTable | psycopg.errors.UndefinedColumn):
            raise OldSchema("the database schema is out of date.", do="Run `labelwright migrate`.") from error
        raise


def away(error: Exception) -> DatabaseAway:
    """The connection error, without the password."""
    reason = str(error).strip().splitlines()
    return DatabaseAway(
        f"the database is not responding: {reason[-1] if reason else type(error).__name__}",
        do="Check that PostgreSQL is running and that DATABASE_URL is right.",
    )


def migrate() -> None:
    """Updates the database schema to this release; several processes may do this at the same time."""
    from django.conf import settings  # noqa: PLC0415  needs `set_up`
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    from labelwright.server.config.schema import create_tables  # noqa: PLC0415

    # A separate connection keeps the lock, because a migration may commit or reconnect. The lock belongs to a
    # transaction, so that it also works through a pooler.
    with psycopg.connect(settings.ENVIRONMENT.database_url, connect_timeout=5) as lock:
        # A session that keeps a snapshot would hold up the process that builds an index without locking its table.
        while not _has_lock(lock):
            lock.rollback()
            time.sleep(LOCK_POLL_SECONDS)
        # As a second statement, this also ends the snapshot of the first.
        lock.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        with connection.cursor() as cursor:
            # A migration of a large table may take longer than any job.
            cursor.execute("SET statement_timeout = 0")
        create_tables()
        call_command("migrate", verbosity=0, interactive=False)
        with connection.cursor() as cursor:
            cursor.execute("RESET statement_timeout")


def _has_lock(connection: psycopg.Connection[Any]) -> bool:
    found = connection.execute("SELECT pg_try_advisory_xact_lock(%s)", [MIGRATION_LOCK]).fetchone()
    return bool(found and found[0])


def close_database() -> None:
    """Closes all connections; otherwise a script would wait for the pool's threads when it exits."""
    from django.db import connection  # noqa: PLC0415  needs `set_up`

    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]


def check_loopback(host: str) -> None:
    """Raises an error if the demo, whose keys are public, would be reachable from other machines."""
    from django.conf import settings  # noqa: PLC0415  needs `set_up`

    if settings.DEMO and host not in ("127.0.0.1", "localhost", "::1"):
        raise LabelwrightError(
            "the demo's keys are public, so it serves this machine only.",
            do="To serve others, unset LABELWRIGHT_DEMO and set your own keys.",
        )


def check_database() -> None:
    """Raises DatabaseAway or OldSchema unless the database responds and its schema matches this release."""
    from django.conf import settings  # noqa: PLC0415  needs `set_up`
    from django.db import connection  # noqa: PLC0415
    from django.db.migrations.executor import MigrationExecutor  # noqa: PLC0415

    try:
        # Connect directly: the pool would keep trying until its timeout.
        with psycopg.connect(settings.ENVIRONMENT.database_url, connect_timeout=5) as direct:
            pooled = is_pooled(direct)
    except psycopg.OperationalError as error:
        raise away(error) from error
    if pooled and not settings.ENVIRONMENT.transaction_pooler:
        raise BehindPooler(
            "DATABASE_URL leads to a connection pooler, where prepared statements of other clients would run.",
            do="Set LABELWRIGHT_TRANSACTION_POOLER=1, or use the address of PostgreSQL itself.",
        )
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise OldSchema("the database schema is out of date.", do="Run `labelwright migrate`.")


def is_pooled(connection: psycopg.Connection[Any]) -> bool:
    """Whether a pooler such as pgbouncer is between us and PostgreSQL.

    A pooler opens our session itself and reports a process number of its own making, so that it differs from the
    number of the PostgreSQL process that runs our statements.
    """
    found = connection.execute("SELECT pg_backend_pid()").fetchone()
    assert found is not None
    return bool(found[0] != connection.info.backend_pid)
