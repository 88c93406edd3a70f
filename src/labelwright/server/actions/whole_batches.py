"""Who did a whole batch, and whether in time for the bonus; kept by the block job, paid by nobody here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

import pyarrow as pa

from labelwright.release.formats import Column
from labelwright.server.store.models import Study
from labelwright.server.store.rows import rows
from labelwright.server.store.versions import study_of

TIME = pa.timestamp("us", "UTC")
COLUMNS = (
    Column("version", pa.int64(), "the version of the study file that the batch was laid out by"),
    Column("batch", pa.int64(), "the number of the batch in its version, from 1"),
    Column("topic", pa.string(), "its topic, where it has one"),
    Column("released_at", TIME, "when it was released (UTC)"),
    Column("rater", pa.string(), "the rater's pseudonym"),
    Column("tasks", pa.int64(), "tasks of the batch that the rater submitted"),
    Column("left_out", pa.int64(), "those of them that were rejected or whose data are left out"),
    Column("first_offered_at", TIME, "when the rater was offered the first of them (UTC)"),
    Column("completed_at", TIME, "when the rater submitted the one that made the batch whole (UTC)"),
    Column("hours_from_release", pa.float64(), "from the release to then"),
    Column(
        "in_time", pa.bool_(), "whether that is within `bonus_hours`; empty where the study has no batches"
    ),
)


@dataclass(frozen=True, slots=True)
class Completion:
    """A rater who did a whole batch."""

    version: int
    batch: int
    topic: str
    released_at: datetime
    rater: str
    tasks: int
    left_out: int
    """Those of the tasks that were rejected or whose data are not used: the bonus is the requester's to decide."""
    first_offered_at: datetime
    completed_at: datetime
    hours_from_release: float
    in_time: bool | None = None
    """Whether the whole batch was done within the hours of the bonus; None where the study has no batches."""


def get_completions(batch: int) -> list[Completion]:
    """Who did a batch whole, the quickest first."""
    return list(_found("b.id = %(id)s", batch))


def get_all_completions(study: Study) -> Iterator[dict[str, Any]]:
    """The same for every batch of every version, as rows of `COLUMNS`."""
    return (asdict(completion) for completion in _found("b.study_id = %(id)s", study.pk))


def _found(which: str, number: int) -> Iterator[Completion]:
    found = rows(
        f"""SELECT b.version_id, v.n, b.number + 1, b.topic, coalesce(b.opened_at, b.opens_at), r.pseudonym, w.done,
                   (SELECT count(*) FROM assignment s JOIN task t ON t.id = s.task_id
                    WHERE s.rater_id = w.rater_id AND t.batch_id = w.batch_id
                      AND (s.state = 'rejected' OR s.data_use = 'left_out')),
                   w.first_offered_at, w.completed_at,
                   (extract(epoch FROM w.completed_at - coalesce(b.opened_at, b.opens_at)) / 3600)::float8
            FROM batch_work w JOIN batch b ON b.id = w.batch_id JOIN study_version v ON v.id = b.version_id
            JOIN rater r ON r.id = w.rater_id
            WHERE {which} AND b.purpose = 'collect' AND w.completed_at IS NOT NULL
            ORDER BY v.n, b.number, w.completed_at, r.id""",
        {"id": number},
    )
    for version, *facts in found:
        done, part = Completion(*facts), study_of(version).batches
        yield replace(done, in_time=done.hours_from_release <= part.bonus_hours) if part else done
