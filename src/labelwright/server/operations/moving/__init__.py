"""Copies a study to the database of another installation. Its links go on to work there, because they hold public ids.

Internal ids are different in the other database: every table gets a free range of ids there, and every id of the study
is shifted into it, together with all columns that point to it.
"""

from __future__ import annotations

from typing import Any

import psycopg
from django.db import connection

from labelwright.crowd import CountScope
from labelwright.errors import LabelwrightError
from labelwright.server.config.startup import away
from labelwright.server.store.models import User
from labelwright.server.store.rows import literal
from labelwright.server.store.study_tables import StudyTable, study_tables

Shifts = dict[str, int]
"""How far the ids of each table are shifted."""

# Ids in columns that are no foreign keys; {shift} is that of the table they point to.
_HIDDEN = {
    ("rater_count", "key"): (
        "batch",
        f"CASE WHEN scope = {literal(CountScope.BATCH)} THEN (key::bigint + {{shift}})::text ELSE key END",
    ),
    ("rater_sheet", "key"): ("batch", "CASE WHEN key <> '' THEN (key::bigint + {shift})::text ELSE key END"),
    ("item", "payload"): (
        "assignment",
        """CASE WHEN payload ? 'chosen_in' AND payload->'chosen_in' <> 'null' THEN jsonb_set(
             payload, '{{chosen_in}}', to_jsonb((payload->>'chosen_in')::bigint + {shift})) ELSE payload END""",
    ),
}


def copy_study(study: int, to: str) -> int:
    """Copies a study as it is at this moment, in one transaction on each side; returns the number of rows.

    The study stays here; to move it, direct its raters to the other installation and delete it. Generated texts that
    are still waiting are requested there after `labelwright context agree`.
    """
    try:
        target = psycopg.connect(to, connect_timeout=5)
    except psycopg.OperationalError as error:
        raise away(error) from error
    connection.ensure_connection()
    source: psycopg.Connection[Any] = connection.connection
    with target:
        _check_target(source, target, study)
        target.commit()
        shifts = _reserve(source, target, study)
        with source.transaction():
            source.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ WRITE")
            new = _copy_row(source, target, study)
            _copy_people(source, target, study)
            return sum(_copy_table(source, target, table, study, new, shifts) for table in _copied_tables())


def _copied_tables() -> list[StudyTable]:
    """The tables of a study without its team, whose accounts belong to this installation."""
    return [table for table in study_tables() if User._meta.db_table not in table.keys.values()]


def _check_target(source: psycopg.Connection[Any], target: psycopg.Connection[Any], study: int) -> None:
    migrations = "SELECT name FROM django_migrations WHERE app = 'store' ORDER BY name"
    try:
        theirs = target.execute(migrations).fetchall()
    except psycopg.errors.UndefinedTable:
        theirs = []
    if theirs != source.execute(migrations).fetchall():
        raise LabelwrightError(
            "the other database has another schema.",
            expected="a database of the same release.",
            do="Run `labelwright migrate` on both.",
        )
    found = source.execute("SELECT name, public_id FROM study WHERE id = %s", [study]).fetchone()
    if target.execute("SELECT 1 FROM study WHERE name = %s OR public_id = %s", found).fetchone():
        raise LabelwrightError(
            f'the other database already has the study "{found[0] if found else ""}".',
            do="Delete it there first.",
        )


def _reserve(source: psycopg.Connection[Any], target: psycopg.Connection[Any], study: int) -> Shifts:
    """A free range of ids for each table, reserved for good: an interrupted copy only leaves a gap."""
    shifts = {}
    for table in _copied_tables():
        if "id" not in table.columns:
            continue
        first, last = _one(
            source, f'SELECT min(id), max(id) FROM "{table.name}" WHERE study_id = %s', [study]
        )
        if first is not None:
            shifts[table.name] = take_ids(target, table.name, last - first + 1) - first
    return shifts


def take_ids(target: psycopg.Connection[Any], table: str, span: int) -> int:
    """The first of `span` ids that nobody else gets. The sequence is locked, so nobody can take one in between."""
    with target.transaction():
        (sequence,) = _one(target, "SELECT pg_get_serial_sequence(%s, 'id')", [table])
        target.execute(f"ALTER SEQUENCE {sequence} INCREMENT BY {span}")
        (end,) = _one(target, "SELECT nextval(%s)", [sequence])
        target.execute(f"ALTER SEQUENCE {sequence} INCREMENT BY 1")
        # A sequence that was never used gives its start, whatever its increment.
        if end == 1:
            target.execute("SELECT setval(%s, %s)", [sequence, span])
            return 1
    return int(end) - span + 1


def _copy_row(source: psycopg.Connection[Any], target: psycopg.Connection[Any], study: int) -> int:
    """The id of the study's row in the target; its owner is the user of the same name there, if there is one."""
    name, public_id, number, state, created, owner = _one(
        source,
        """SELECT s.name, s.public_id, s.link_key_number, s.state, s.created_at, u.username
           FROM study s LEFT JOIN user_account u ON u.id = s.owner_id WHERE s.id = %s""",
        [study],
    )
    (new,) = _one(
        target,
        """INSERT INTO study (name, public_id, link_key_number, state, created_at, owner_id)
           VALUES (%s, %s, %s, %s, %s, (SELECT id FROM user_account WHERE username = %s)) RETURNING id""",
        [name, public_id, number, state, created, owner],
    )
    return int(new)


def _copy_people(source: psycopg.Connection[Any], target: psycopg.Connection[Any], study: int) -> None:
    """Copies the people behind the raters; somebody who rates there already stays one person."""
    source.execute("CREATE TEMPORARY TABLE copied_person (old bigint, new bigint) ON COMMIT DROP")
    people = source.execute(
        """SELECT p.id, p.platform, p.id_sealed, p.id_hmac FROM person p
           WHERE p.id IN (SELECT person_id FROM rater WHERE study_id = %s)""",
        [study],
    )
    for old, *facts in people.fetchall():
        (new,) = _one(
            target,
            """INSERT INTO person (platform, id_sealed, id_hmac) VALUES (%s, %s, %s)
               ON CONFLICT (id_hmac) DO UPDATE SET id_hmac = excluded.id_hmac RETURNING id""",
            facts,
        )
        source.execute("INSERT INTO copied_person VALUES (%s, %s)", [old, new])


def _copy_table(
    source: psycopg.Connection[Any],
    target: psycopg.Connection[Any],
    table: StudyTable,
    study: int,
    new: int,
    shifts: Shifts,
) -> int:
    columns = ", ".join(f'"{column}"' for column in table.columns)
    values = ", ".join(shifted(table, column, new, shifts) for column in table.columns)
    query = f'COPY (SELECT {values} FROM "{table.name}" WHERE study_id = {int(study)}) TO STDOUT'
    cursor = target.cursor()
    with (
        source.cursor().copy(query.encode()) as rows,
        cursor.copy(f'COPY "{table.name}" ({columns}) FROM STDIN'.encode()) as stored,
    ):
        for block in rows:
            stored.write(block)
    return cursor.rowcount


def shifted(table: StudyTable, column: str, new: int, shifts: Shifts) -> str:
    """A column as it is in the other database."""
    points_to = table.keys.get(column, table.name if column == "id" else None)
    if column == "study_id":
        return str(new)
    if (table.name, column) in _HIDDEN:
        hidden, expression = _HIDDEN[table.name, column]
        return expression.format(shift=shifts.get(hidden, 0))
    if points_to == "person":
        return f'(SELECT new FROM copied_person WHERE old = "{column}")'
    return f'"{column}" + {shifts.get(points_to, 0)}' if points_to else f'"{column}"'


def _one(database: psycopg.Connection[Any], statement: str, values: list[Any]) -> tuple[Any, ...]:
    found: tuple[Any, ...] | None = database.execute(statement.encode(), values).fetchone()
    assert found is not None
    return tuple(found)
