"""SQL of deleting a study: every table is read once, in blocks of pages, and each block is a transaction."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from labelwright.crowd import LedgerState, PaidState
from labelwright.server.store.rows import column, literal, run, value
from labelwright.server.store.study_tables import StudyTable

PAGES = 4096
"""Pages of 8 kB that one transaction deletes from."""


def has_paid_work(study: int, paying: Sequence[tuple[int, int]]) -> bool:
    """Whether anything in these versions and pools is paid or owed, or any payment is planned or made."""
    return bool(
        value(
            f"""SELECT EXISTS (
                  SELECT 1 FROM assignment a JOIN place p ON p.id = a.place_id AND p.study_id = a.study_id
                  JOIN unnest(%s::bigint[], %s::bigint[]) AS paying(version, pool)
                    ON paying.version = a.version_id AND paying.pool = p.pool_id
                  WHERE a.study_id = %s AND a.paid_state <> {literal(PaidState.NONE)})
                OR EXISTS (SELECT 1 FROM payment WHERE study_id = %s AND state <> {literal(LedgerState.REVERSED)})""",
            [[version for version, _ in paying], [pool for _, pool in paying], study, study],
        )
    )


def detach(study: int, table: StudyTable) -> None:
    """Empties the columns that point inside a table, so that its rows can be deleted in any order."""
    for key in table.own_keys:
        run(f'UPDATE "{table.name}" SET "{key}" = NULL WHERE study_id = %s AND "{key}" IS NOT NULL', [study])


def delete_rows(study: int, table: str) -> int:
    """Deletes the rows of a study from a table, and returns how many there were.

    Pages are read in order, so that the time is that of reading the table once, whatever indexes it has.
    """
    return sum(_delete_from(study, part) for part in _parts(table))


def _parts(table: str) -> list[str]:
    """The table itself, or its parts if it is divided by study."""
    return column("SELECT relid::text FROM pg_partition_tree(%s::regclass) WHERE isleaf", [table]) or [table]


def _delete_from(study: int, part: str) -> int:
    pages = int(value("SELECT pg_relation_size(%s::regclass) / current_setting('block_size')::int", [part]))
    deleted = 0
    for first in range(0, pages + 1, PAGES):
        with transaction.atomic():
            # Only studies that paid nobody are deleted; the lines of their ledger are about planned and rejected work.
            run("SELECT set_config('labelwright.ledger', 'removable', true)")
            deleted += run(
                f"""DELETE FROM {part} WHERE study_id = %s
                    AND ctid >= format('(%%s,0)', %s::bigint)::tid AND ctid < format('(%%s,0)', %s::bigint)::tid""",
                [study, first, first + PAGES],
            )
    return deleted


def delete_study(study: int) -> None:
    """Deletes the row of a withdrawn study; the database refuses (IntegrityError) if something is left of it."""
    run("DELETE FROM study WHERE id = %s AND deleted_at IS NOT NULL", [study])


def delete_unlinked_people() -> int:
    """Deletes the personal data of people who are raters in no study."""
    return run("DELETE FROM person p WHERE NOT EXISTS (SELECT 1 FROM rater r WHERE r.person_id = p.id)")
