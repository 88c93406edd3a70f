"""Keys that hold the study: what lets PostgreSQL divide a table by study, and a study be copied elsewhere.

Django declares a key by its own columns. In the database, every primary key, unique index and foreign key of a table
with a `study_id` ends with that column. It comes last, so that a search by id alone still finds its row by the index.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

Execute = Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]

# Unique indexes of tables with a study that do not hold it: the table, the name, its constraint if it has one, whether
# this is the primary key, its columns and its condition.
_UNIQUE = """
SELECT t.relname, i.relname, k.conname, x.indisprimary,
       ARRAY(SELECT a.attname FROM unnest(x.indkey) WITH ORDINALITY AS c(number, place)
             JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = c.number ORDER BY c.place)::text[],
       pg_get_expr(x.indpred, t.oid)
FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
JOIN pg_attribute s ON s.attrelid = t.oid AND s.attname = 'study_id' AND NOT s.attisdropped
LEFT JOIN pg_constraint k ON k.conindid = i.oid AND k.contype IN ('p', 'u')
WHERE x.indisunique AND t.relnamespace = current_schema()::regnamespace AND NOT (s.attnum = ANY(x.indkey))
ORDER BY 1, 2"""

# Foreign keys between two tables with a study that do not hold it: the table, the name, the column, the table and the
# column that it points to.
_FOREIGN = """
SELECT t.relname, k.conname, a.attname, r.relname, b.attname
FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.conkey[1]
JOIN pg_attribute b ON b.attrelid = r.oid AND b.attnum = k.confkey[1]
WHERE k.contype = 'f' AND cardinality(k.conkey) = 1 AND t.relnamespace = current_schema()::regnamespace
  AND EXISTS (SELECT 1 FROM pg_attribute s WHERE s.attrelid = t.oid AND s.attname = 'study_id' AND NOT s.attisdropped)
  AND EXISTS (SELECT 1 FROM pg_attribute s WHERE s.attrelid = r.oid AND s.attname = 'study_id' AND NOT s.attisdropped)
ORDER BY 1, 2"""


class PutStudyIntoKeys(Operation):
    """Appends `study_id` to every key of a table that has this column; run again, it changes only what is new.

    The migration must not be atomic: new indexes are built while raters work, and the tables are locked only for the
    exchange. A table that is made later needs this operation in its migration, and `db_constraint=False` where it
    points inside a study, with `foreign_key` for the constraint.
    """

    reduces_to_sql = False
    reversible = False

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Django's models do not change."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Builds the new indexes, exchanges the keys, and checks the rows against the new foreign keys."""

        def execute(statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
            with schema_editor.connection.cursor() as cursor:
                cursor.execute(statement, values or None)
                return cursor.fetchall() if cursor.description else []

        unique, foreign = execute(_UNIQUE), execute(_FOREIGN)
        for table, index, _, _, columns, condition in unique:
            # What a run that was interrupted left behind.
            execute(f'DROP INDEX IF EXISTS "{_new(index)}"')
            listed = ", ".join(f'"{column}"' for column in (*columns, "study_id"))
            where = f" WHERE {condition}" if condition else ""
            execute(f'CREATE UNIQUE INDEX CONCURRENTLY "{_new(index)}" ON "{table}" ({listed}){where}')
        with transaction.atomic(schema_editor.connection.alias):
            for table, name, *_ in foreign:
                execute(f'ALTER TABLE "{table}" DROP CONSTRAINT "{name}"')
            for table, index, constraint, primary, *_ in unique:
                _exchange(execute, table, index, constraint, primary=primary)
            for table, name, column, target, target_column in foreign:
                execute(foreign_key(table, name, column, target, target_column) + " NOT VALID")
        for table, name, *_ in foreign:
            execute(f'ALTER TABLE "{table}" VALIDATE CONSTRAINT "{name}"')

    def describe(self) -> str:
        """One line, for `migrate`."""
        return "Append the study to every key of its tables"


def foreign_key(table: str, name: str, column: str, target: str, target_column: str = "id") -> str:
    """A foreign key inside a study, as Django would make it."""
    return (
        f'ALTER TABLE "{table}" ADD CONSTRAINT "{name}" FOREIGN KEY ("{column}", study_id) '
        f'REFERENCES "{target}" ("{target_column}", study_id) DEFERRABLE INITIALLY DEFERRED'
    )


def _new(index: str) -> str:
    return f"{index[:55]}_new"


def _exchange(execute: Execute, table: str, index: str, constraint: str | None, *, primary: bool) -> None:
    """Puts the new index in the place of the old one, under its name."""
    if constraint:
        execute(f'ALTER TABLE "{table}" DROP CONSTRAINT "{constraint}"', ())
    else:
        execute(f'DROP INDEX "{index}"', ())
    execute(f'ALTER INDEX "{_new(index)}" RENAME TO "{index}"', ())
    if constraint:
        kind = "PRIMARY KEY" if primary else "UNIQUE"
        execute(f'ALTER TABLE "{table}" ADD CONSTRAINT "{constraint}" {kind} USING INDEX "{index}"', ())
