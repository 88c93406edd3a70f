"""The assignment behind a visit token."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from labelwright.server.store.rows import record, run


@dataclass(frozen=True, slots=True)
class Held:
    """The assignment behind a visit, locked."""

    assignment: int
    public_id: UUID
    study: int
    version: int
    place: int
    rater: int
    state: str
    offered_at: datetime
    lease_until: datetime
    free_for: timedelta
    """How long the place was open to others between leases."""
    newest: bool
    """Whether this visit is the newest one."""
    condition: str
    task: int
    items: int


def lock_visit(visit_hash: bytes) -> Held | None:
    """The assignment behind a visit; other requests for it wait."""
    return record(
        Held,
        """SELECT a.id AS assignment, a.public_id, a.study_id AS study, a.version_id AS version, a.place_id AS place,
                  a.rater_id AS rater, a.state, a.offered_at, a.lease_until, a.free_for,
                  a.visit_hash = v.token_hash AS newest, t.condition, t.id AS task, t.items
           FROM visit v JOIN assignment a ON a.id = v.assignment_id AND a.study_id = v.study_id
           JOIN task t ON t.id = a.task_id
           WHERE v.token_hash = %s FOR NO KEY UPDATE OF a""",
        [visit_hash],
    )


def lock_rater(visit_hash: bytes) -> None:
    """Locks the rater behind a visit, before the visit itself: for changes of the rater's counts off the hot path."""
    run(
        """SELECT 1 FROM rater WHERE id = (
             SELECT a.rater_id FROM visit v JOIN assignment a ON a.id = v.assignment_id AND a.study_id = v.study_id
             WHERE v.token_hash = %s)
           FOR NO KEY UPDATE""",
        [visit_hash],
    )
