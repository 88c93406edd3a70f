"""What a rehearsal reads and moves in the store, besides what raters do themselves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from labelwright.server.store.rows import rows, run


def end_leases(visit_hashes: Sequence[bytes], now: datetime) -> None:
    """Moves the end of the leases behind these visits to now, because they have run out in simulated time."""
    run(
        """UPDATE assignment a SET lease_until = %s FROM visit v
           WHERE v.token_hash = ANY(%s) AND a.id = v.assignment_id AND a.state = 'open'""",
        [now, list(visit_hashes)],
    )


def is_complete(pool: int) -> bool:
    """Whether no place of a pool waits for a rating."""
    found = rows("SELECT EXISTS (SELECT 1 FROM place WHERE pool_id = %s AND state <> 'filled')", [pool])
    return not found[0][0]


def next_opening(study: int) -> datetime | None:
    """When the next batch is released, or None where all are."""
    found = rows("SELECT min(opens_at) FROM batch WHERE study_id = %s AND state = 'planned'", [study])
    opens: datetime | None = found[0][0]
    return opens


def wanted(pool: int) -> int:
    """Ratings wanted of a pool."""
    return int(rows("SELECT count(*) FROM place WHERE pool_id = %s", [pool])[0][0])


def stored_work(study: int) -> list[tuple[Any, ...]]:
    """Pseudonym and pool of each submission, in order, and whether a rule found something in it."""
    return rows(
        """SELECT r.pseudonym, t.pool_id, EXISTS (SELECT 1 FROM flag f WHERE f.assignment_id = a.id AND f."then" <> 'nothing')
           FROM assignment a JOIN rater r ON r.id = a.rater_id JOIN task t ON t.id = a.task_id
           WHERE a.study_id = %s AND a.submitted_at IS NOT NULL AND a.state <> 'expired_answered'
           ORDER BY a.submitted_at, a.id""",
        [study],
    )
