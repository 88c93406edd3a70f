"""Divides the largest tables by study, so that a study's rows lie together and can be read, kept or dropped alone.

Worth it when one PostgreSQL holds hundreds of millions of answers; smaller tables are faster whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction

from labelwright.errors import LabelwrightError
from labelwright.server.store.rows import record, records, run, value

TABLES = ("place", "assignment", "answer")

_CONSTRAINTS = """
SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
FROM pg_constraint WHERE contype = ANY(%s) AND {} = %s::regclass ORDER BY 1, 2"""
_INDEXES = """
SELECT x.indexrelid::regclass::text AS name, pg_get_indexdef(x.indexrelid) AS definition
FROM pg_index x WHERE x.indrelid = %s::regclass
  AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = x.indexrelid AND contype IN ('p', 'u'))"""
_VIEWS = """
SELECT DISTINCT r.ev_class::regclass::text AS name, pg_get_viewdef(r.ev_class) AS definition
FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
WHERE d.classid = 'pg_rewrite'::regclass AND d.refobjid = ANY(%s::regclass[]::oid[])"""


@dataclass(frozen=True, slots=True)
class _Constraint:
    table: str
    name: str
    definition: str

    def add(self) -> None:
        run(f'ALTER TABLE {self.table} ADD CONSTRAINT "{self.name}" {self.definition}')


@dataclass(frozen=True, slots=True)
class _Definition:
    name: str
    definition: str


@dataclass(frozen=True, slots=True)
class _Options:
    options: str | None


@transaction.atomic
def divide_by_study(parts: int) -> None:
    """Divides places, assignments and answers into parts by study. Nobody may be at work: the tables are rewritten."""
    if value("SELECT relkind = 'p' FROM pg_class WHERE oid = %s::regclass", [TABLES[0]]):
        raise LabelwrightError("the tables are divided by study already.")
    views = records(_Definition, _VIEWS, [list(TABLES)])
    for view in views:
        run(f"DROP VIEW {view.name}")
    pointing = {
        (key.table, key.name): key
        for table in TABLES
        for side in ("confrelid", "conrelid")
        for key in records(_Constraint, _CONSTRAINTS.format(side), [["f"], table])
    }
    for key in pointing.values():
        run(f'ALTER TABLE {key.table} DROP CONSTRAINT "{key.name}"')
    for table in TABLES:
        _divide(table, parts)
    for key in pointing.values():
        key.add()
    for view in views:
        run(f"CREATE VIEW {view.name} AS {view.definition}")


def _divide(table: str, parts: int) -> None:
    keys = records(_Constraint, _CONSTRAINTS.format("conrelid"), [["p", "u"], table])
    indexes = records(_Definition, _INDEXES, [table])
    found = record(
        _Options,
        "SELECT array_to_string(reloptions, ', ') AS options FROM pg_class WHERE oid = %s::regclass",
        [table],
    )
    options = f" WITH ({found.options})" if found and found.options else ""
    last = int(value(f'SELECT coalesce(max(id), 0) FROM "{table}"'))
    run(f'ALTER TABLE "{table}" RENAME TO "{table}_whole"')
    # Not an identity column: PostgreSQL 15 and 16 cannot attach a part to a table with one.
    run(f'CREATE SEQUENCE "{table}_number"')
    run("SELECT setval(%s::regclass, %s)", [f"{table}_number", last + 1])
    run(
        f'CREATE TABLE "{table}" (LIKE "{table}_whole" INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY HASH (study_id)'
    )
    run(f"""ALTER TABLE "{table}" ALTER COLUMN id SET DEFAULT nextval('{table}_number')""")
    run(f'ALTER SEQUENCE "{table}_number" OWNED BY "{table}".id')
    for part in range(parts):
        run(
            f'CREATE TABLE "{table}_{part}" PARTITION OF "{table}" FOR VALUES WITH (MODULUS {parts}, REMAINDER {part}){options}'
        )
    run(f'INSERT INTO "{table}" SELECT * FROM "{table}_whole"')
    run(f'DROP TABLE "{table}_whole"')
    for key in keys:
        key.add()
    for index in indexes:
        run(index.definition)
    run(f'ANALYZE "{table}"')
