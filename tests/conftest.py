"""Fixtures for all tests: a real PostgreSQL of the tests' own, and a server on it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from labelwright.server.operations.laptop import LaptopPostgres, wheel_binaries
from tests.catalogues import compile_what_is_old
from tests.processes import Server
from tests.senders import DoomedSenders
from tests.studies import dialogues, parse, study_text

settings.register_profile(
    "labelwright", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("labelwright")

TABLES_KEPT = ("django_migrations", "django_content_type", "auth_permission")


def postgres_binaries() -> Path:
    """PostgreSQL 15 of Debian, or with LABELWRIGHT_TEST_POSTGRES=18 that of the wheel."""
    if os.environ.get("LABELWRIGHT_TEST_POSTGRES", "15") == "18":
        return wheel_binaries()
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if not found:
        pytest.fail("PostgreSQL is not installed; `make setup-dev` as root installs it")
    return found[0].parent


@pytest.fixture(scope="session")
def postgres() -> Iterator[LaptopPostgres]:
    """A running cluster that ends with the tests."""
    folder = Path(tempfile.mkdtemp(prefix="lw-pg-"))
    cluster = LaptopPostgres(
        folder / "cluster",
        postgres_binaries(),
        # The machine does not lose power during a test; a killed server loses nothing without fsync.
        {"fsync": "off", "max_connections": "150", "shared_buffers": "256MB", "timezone": "UTC"},
    )
    folder.chmod(0o755)
    cluster.start()
    yield cluster
    cluster.stop("immediate")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def django_ready(postgres: LaptopPostgres, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Django set up on a migrated database; its address."""
    os.environ["LABELWRIGHT_EXPORT_DIR"] = str(tmp_path_factory.getbasetemp() / "exports")
    os.environ["DATABASE_URL"] = postgres.create("labelwright_test")
    os.environ["LABELWRIGHT_DEMO"] = "1"
    os.environ["DJANGO_SETTINGS_MODULE"] = "labelwright.server.config.settings"
    from labelwright.server.config.startup import migrate, set_up

    compile_what_is_old()
    set_up()
    migrate()
    return os.environ["DATABASE_URL"]


@pytest.fixture
def database(django_ready: str) -> Iterator[str]:
    """An empty database, whatever the test before it left behind."""
    from django.db import connection, connections

    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [row[0] for row in cursor.fetchall() if row[0] not in TABLES_KEPT]
        # Ids go on: a server remembers what it read of a version by its id.
        cursor.execute(f"TRUNCATE {', '.join(tables)} CASCADE")
    yield django_ready
    connections.close_all()


@pytest.fixture(scope="session")
def server(django_ready: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server") / "server.log")
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def senders(django_ready: str) -> Iterator[DoomedSenders]:
    """Senders of calls that are killed."""
    made = DoomedSenders()
    yield made
    made.close()


@pytest.fixture
def study(database: str, server: Server) -> Callable[..., list[str]]:
    """Loads a study; the addresses of its raters."""

    def load(raters: int = 2, size: int = 4, corpus: list[Any] | None = None, **changes: Any) -> list[str]:
        from labelwright.server.people.actions.joining import make_links
        from labelwright.server.store.models import Pool
        from labelwright.server.studies.actions.loading import load_study

        now = datetime.now(UTC)
        changes.setdefault("items", {"per_dialogue": 1, "turns_before": 3})
        text = study_text(**changes)
        loaded = load_study(parse(text), text, corpus or dialogues(size), now, opened=True)
        links = make_links(loaded.study, Pool.objects.get(), raters, 60, now)
        return [server.root + "/w/" + link.token for link in links]

    return load
