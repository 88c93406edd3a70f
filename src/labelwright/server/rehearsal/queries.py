"""SQL of rehearsals, besides what raters do themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import AssignmentState, BatchState, PlaceState
from labelwright.server.store.rows import records, run, value


def end_leases(visit_hashes: Sequence[bytes], now: datetime) -> None:
    """Moves the end of the leases behind these visits to now, because they have run out in simulated time."""
    run(
        """UPDATE assignment a SET lease_until = %s FROM visit v
           WHERE v.token_hash = ANY(%s) AND a.id = v.assignment_id AND a.state = %s""",
        [now, list(visit_hashes), AssignmentState.OPEN],
    )


def is_complete(pool: int) -> bool:
    """Whether every wanted rating of a pool is there."""
    return not value(
        "SELECT EXISTS (SELECT 1 FROM place WHERE pool_id = %s AND state <> ALL(%s) AND NOT gold)",
        [pool, [PlaceState.FILLED, PlaceState.CLOSED]],
    )


def next_opening(study: int) -> datetime | None:
    """When the next batch is released; None if all are."""
    opens: datetime | None = value(
        "SELECT min(opens_at) FROM batch WHERE study_id = %s AND state = %s", [study, BatchState.PLANNED]
    )
    return opens


def wanted(pool: int) -> int:
    """Ratings wanted of a pool."""
    return int(
        value(
            "SELECT count(*) FROM place WHERE pool_id = %s AND state <> %s AND NOT gold",
            [pool, PlaceState.CLOSED],
        )
    )


@dataclass(frozen=True, slots=True)
class Submission:
    """One submission of a rehearsal."""

    pseudonym: str
    pool: int
    gold: bool
    """Whether it was a gold task, which is not a wanted rating."""
    flagged: bool


def submissions(study: int) -> list[Submission]:
    """The submissions of a study, in order."""
    return records(
        Submission,
        """SELECT r.pseudonym, p.pool_id AS pool, p.gold,
                  EXISTS (SELECT 1 FROM flag f WHERE f.assignment_id = a.id AND f."then" <> 'nothing') AS flagged
           FROM assignment a JOIN rater r ON r.id = a.rater_id JOIN place p ON p.id = a.place_id
           WHERE a.study_id = %s AND a.submitted_at IS NOT NULL AND a.state <> %s
           ORDER BY a.submitted_at, a.id""",
        [study, AssignmentState.EXPIRED_ANSWERED],
    )
