"""A new database gets the newest tables at once, instead of repeating the history of the migrations.

Django rebuilds all models at every step of a migration, so the whole history takes some twenty seconds, the newest
tables a few. `python -m scripts.schema` writes the file from the migrations; a test compares the two.
"""

from __future__ import annotations

from pathlib import Path

from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.graph import MigrationGraph

Migration = tuple[str, str]
"""An app and the name of its migration."""
APP = "store"
FILE = Path(__file__).with_name("schema.sql")
MIGRATIONS = "-- Migrations: "
"""The start of the line with the migrations that the file contains."""


def create_tables() -> None:
    """Creates all tables if the database has none of ours; migrations newer than the file are still to be run."""
    executor = MigrationExecutor(connection)
    if any(app == APP for app, _ in executor.loader.applied_migrations) or not _in_usual_schema():
        return
    executor.migrate(library_migrations(executor.loader.graph, with_ours=False))
    text = FILE.read_text(encoding="utf-8")
    # One transaction, because Django finds the order of what it records wrong until all of it is recorded.
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(text)
        _record(text, executor)


def _record(text: str, executor: MigrationExecutor) -> None:
    """Records our migrations, and runs those of libraries whose tables refer to ours.

    The libraries need the first ones of ours only, and with the others recorded every step would take longer.
    """
    dependents = library_migrations(executor.loader.graph, with_ours=True)
    first = [name for app, name in executor.loader.graph.forwards_plan(dependents[0]) if app == APP]
    for name in first:
        executor.recorder.record_applied(APP, name)
    MigrationExecutor(connection).migrate(dependents)
    for name in contained_migrations(text):
        if name not in first:
            executor.recorder.record_applied(APP, name)


def library_migrations(graph: MigrationGraph, *, with_ours: bool) -> list[Migration]:
    """The newest migration of each library whose tables refer to ours, or of the other libraries."""
    return [
        leaf
        for leaf in graph.leaf_nodes()
        if leaf[0] != APP and any(app == APP for app, _ in graph.forwards_plan(leaf)) == with_ours
    ]


def contained_migrations(text: str) -> list[str]:
    """The names of the migrations that made the tables of a schema file."""
    line = next(line for line in text.splitlines() if line.startswith(MIGRATIONS))
    return line.removeprefix(MIGRATIONS).split()


def _in_usual_schema() -> bool:
    """Whether tables are created where the file says."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_schema() = 'public'")
        row = cursor.fetchone()
    return bool(row and row[0])
