"""SQL of the calendar: batches with their progress, and raters who completed one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from labelwright.crowd import AssignmentState, DataUse
from labelwright.server.store.models import Batch
from labelwright.server.store.rows import records


@dataclass(frozen=True, slots=True)
class BatchLine:
    """One batch of the calendar."""

    id: int
    number: int
    topic: str
    state: str
    opens_at: datetime
    closes_at: datetime | None
    opened_at: datetime | None
    items: int
    wanted: int
    filled: int
    at_work: int
    begun: int
    """Raters who submitted something of it."""
    completed: int
    """Raters who completed the batch."""
    in_time: int
    """Raters who completed it within the hours of the bonus, counted from the release."""


def batch_lines(version: int, bonus: timedelta) -> list[BatchLine]:
    """The batches of a version, in the order of the calendar.

    A filled place is one that was offered and that nobody is working on: counting places would read all of them.
    """
    return records(
        BatchLine,
        """WITH working AS MATERIALIZED (
             SELECT p.batch_id, count(*) AS n, count(*) FILTER (WHERE NOT p.gold) AS ordinary
             FROM assignment s JOIN place p ON p.id = s.place_id WHERE s.state = %(open)s GROUP BY 1)
           SELECT b.id, b.number, b.topic, b.state, b.opens_at, b.closes_at, b.opened_at, b.items, b.wanted,
                  (coalesce(o.n, 0) - coalesce(p.ordinary, 0))::bigint AS filled, coalesce(p.n, 0) AS at_work,
                  coalesce(w.begun, 0) AS begun, coalesce(w.completed, 0) AS completed,
                  coalesce(w.in_time, 0) AS in_time
           FROM batch b
           LEFT JOIN working p ON p.batch_id = b.id
           LEFT JOIN LATERAL (SELECT sum(n) AS n FROM offered WHERE batch_id = b.id) o ON true
           LEFT JOIN LATERAL (
             SELECT count(*) AS begun, count(completed_at) AS completed,
                    count(*) FILTER (WHERE completed_at <= b.opened_at + %(bonus)s) AS in_time
             FROM batch_work WHERE batch_id = b.id) w ON true
           WHERE b.version_id = %(version)s AND b.purpose = %(collect)s ORDER BY b.number""",
        {
            "version": version,
            "bonus": bonus,
            "open": AssignmentState.OPEN,
            "collect": Batch.Purpose.COLLECT,
        },
    )


@dataclass(frozen=True, slots=True)
class CompletedBatch:
    """A rater who completed a batch."""

    version_id: int
    version: int
    batch: int
    """The number of the batch in its version, from 1."""
    topic: str
    released_at: datetime
    rater: str
    tasks: int
    left_out: int
    """Tasks that were rejected or whose data are excluded: the bonus is the requester's decision."""
    first_offered_at: datetime
    completed_at: datetime
    hours_from_release: float


def completed_batches(study: int, batch: int | None = None) -> list[CompletedBatch]:
    """Raters who completed a batch, or any batch of the study; the fastest first."""
    return records(
        CompletedBatch,
        """SELECT b.version_id, v.n AS version, b.number + 1 AS batch, b.topic,
                  coalesce(b.opened_at, b.opens_at) AS released_at, r.pseudonym AS rater, w.done AS tasks,
                  (SELECT count(*) FROM assignment s JOIN place p ON p.id = s.place_id
                   WHERE s.rater_id = w.rater_id AND p.batch_id = w.batch_id
                     AND (s.state = %(rejected)s OR s.data_use = %(left_out)s)) AS left_out,
                  w.first_offered_at, w.completed_at,
                  (extract(epoch FROM w.completed_at - coalesce(b.opened_at, b.opens_at)) / 3600)::float8
                    AS hours_from_release
           FROM batch_work w JOIN batch b ON b.id = w.batch_id JOIN study_version v ON v.id = b.version_id
           JOIN rater r ON r.id = w.rater_id
           WHERE b.study_id = %(study)s AND (%(batch)s::bigint IS NULL OR b.id = %(batch)s)
             AND b.purpose = %(collect)s AND w.completed_at IS NOT NULL
           ORDER BY v.n, b.number, w.completed_at, r.id""",
        {
            "study": study,
            "batch": batch,
            "rejected": AssignmentState.REJECTED,
            "left_out": DataUse.LEFT_OUT,
            "collect": Batch.Purpose.COLLECT,
        },
    )
