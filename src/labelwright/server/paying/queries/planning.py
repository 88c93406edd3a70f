"""SQL of planning: work that is owed and has no payment yet, and batches that were completed in time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from labelwright.crowd import AssignmentState, PaidState, PaymentKind, RaterKind
from labelwright.server.store.models import Batch
from labelwright.server.store.rows import literal, records


@dataclass(frozen=True, slots=True)
class OwedTask:
    """Submitted work without a payment."""

    study: int
    assignment: int
    public_id: UUID
    version: int
    pool: str
    rater: int
    batch: int


_OWED = f"""SELECT a.study_id AS study, a.id AS assignment, a.public_id, a.version_id AS version, l.name AS pool,
                  a.rater_id AS rater, p.batch_id AS batch
           FROM assignment a JOIN place p ON p.id = a.place_id JOIN pool l ON l.id = p.pool_id
           JOIN rater r ON r.id = a.rater_id AND r.kind = {literal(RaterKind.PERSON)}
           WHERE a.paid_state = {literal(PaidState.OWED)}
             AND NOT EXISTS (SELECT 1 FROM payment y WHERE y.assignment_id = a.id
                               AND y.kind = {literal(PaymentKind.TASK)})"""


def owed_among(assignments: Sequence[int]) -> list[OwedTask]:
    """Those of the assignments that are owed and have no payment."""
    return records(OwedTask, f"{_OWED} AND a.id = ANY(%s) ORDER BY a.id", [list(assignments)])


def owed_in(study: int, after: int, most: int) -> list[OwedTask]:
    """The next work of a study that is owed and has no payment; reads all of its work."""
    return records(
        OwedTask, f"{_OWED} AND a.study_id = %s AND a.id > %s ORDER BY a.id LIMIT %s", [study, after, most]
    )


@dataclass(frozen=True, slots=True)
class CompletedInTime:
    """A batch that a rater completed."""

    batch: int
    version: int
    rater: int
    opened_at: datetime
    completed_at: datetime


def completed_batches(study: int) -> list[CompletedInTime]:
    """Batches that raters completed, without a bonus and without rejected work; the study file says which are in time."""
    return records(
        CompletedInTime,
        f"""SELECT w.batch_id AS batch, b.version_id AS version, w.rater_id AS rater, b.opened_at, w.completed_at
            FROM batch_work w JOIN batch b ON b.id = w.batch_id AND b.purpose = '{Batch.Purpose.COLLECT}'
            JOIN rater r ON r.id = w.rater_id AND r.kind = {literal(RaterKind.PERSON)}
            WHERE w.study_id = %s AND w.completed_at IS NOT NULL AND b.opened_at IS NOT NULL
              AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.batch_id = w.batch_id AND p.rater_id = w.rater_id
                                AND p.kind = {literal(PaymentKind.BATCH_BONUS)})
              AND NOT EXISTS (SELECT 1 FROM assignment a JOIN place p ON p.id = a.place_id
                              WHERE a.rater_id = w.rater_id AND p.batch_id = w.batch_id
                                AND a.state = {literal(AssignmentState.REJECTED)})
            ORDER BY w.batch_id, w.rater_id""",
        [study],
    )
