"""Writes the tables that all migrations make together, for new databases; `make migrations` runs it:

.venv/bin/python -m scripts.schema
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path

from labelwright.server.operations.laptop import LaptopPostgres, wheel_binaries

HEADING = "-- The tables of a new database, written by `python -m scripts.schema` from the migrations. Do not edit.\n"
_BLOCK = re.compile(r"^--\n-- (?:Name|Data for Name): .*\n--\n", re.MULTILINE)
_SESSION = re.compile(r"^(?:SET|\\restrict|\\unrestrict|--).*\n", re.MULTILINE)


def make_schema(pg_dump: Path) -> str:
    """The text of the file, from the empty database of the settings: what is there with our migrations and not without."""
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from labelwright.server.config.schema import APP, MIGRATIONS, library_migrations

    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    executor.migrate(library_migrations(graph, with_ours=False))
    others = set(_blocks(pg_dump))
    dependents = library_migrations(graph, with_ours=True)
    first = [each for leaf in dependents for each in graph.forwards_plan(leaf) if each[0] == APP]
    MigrationExecutor(connection).migrate(first)
    before = set(_blocks(pg_dump))
    MigrationExecutor(connection).migrate(dependents)
    others |= set(_blocks(pg_dump)) - before
    call_command("migrate", verbosity=0)
    names = sorted(name for app, name in executor.loader.disk_migrations if app == APP)
    ours = "\n\n".join(block for block in _blocks(pg_dump) if block not in others)
    return f"{HEADING}{MIGRATIONS}{' '.join(names)}\n\n{ours}\n"


def _blocks(pg_dump: Path) -> list[str]:
    """The statements of a dump, one block for each thing that it creates."""
    command = [str(pg_dump), "--schema-only", "--no-owner", "--no-privileges", os.environ["DATABASE_URL"]]
    dump = subprocess.run(command, capture_output=True, text=True, check=True)
    return [_SESSION.sub("", block).strip() for block in _BLOCK.split(dump.stdout)[1:]]


def main() -> None:
    """Writes the file."""
    import django

    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    with tempfile.TemporaryDirectory(prefix="lw-schema-") as folder:
        Path(folder).chmod(0o755)
        postgres = LaptopPostgres(
            Path(folder) / "cluster", found[0] if found else wheel_binaries(), {"fsync": "off"}
        )
        postgres.start()
        try:
            os.environ |= {
                "DATABASE_URL": postgres.create("schema"),
                "LABELWRIGHT_DEMO": "1",
                "DJANGO_SETTINGS_MODULE": "labelwright.server.config.settings",
            }
            django.setup()
            text = make_schema(postgres.binaries / "pg_dump")
            from labelwright.server.config.schema import FILE

            FILE.write_text(text, encoding="utf-8")
        finally:
            postgres.stop("immediate")


if __name__ == "__main__":
    main()
