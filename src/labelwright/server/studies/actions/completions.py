"""Raters who completed a batch, and whether in time for the bonus. Nothing is paid here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from labelwright.release import Column
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.studies.queries import calendar as queries
from labelwright.server.studies.queries.calendar import CompletedBatch

TIME = pa.timestamp("us", "UTC")
COLUMNS = (
    Column("version", pa.int64(), "version of the study file that the batch belongs to"),
    Column("batch", pa.int64(), "number of the batch in its version, from 1"),
    Column("topic", pa.string(), "its topic, if it has one"),
    Column("released_at", TIME, "when it was released (UTC)"),
    Column("rater", pa.string(), "the rater's pseudonym"),
    Column("tasks", pa.int64(), "tasks of the batch that the rater submitted"),
    Column("left_out", pa.int64(), "those of them that were rejected or whose data are excluded"),
    Column("first_offered_at", TIME, "when the rater was offered the first of them (UTC)"),
    Column("completed_at", TIME, "when the rater submitted the last one (UTC)"),
    Column("hours_from_release", pa.float64(), "hours from the release to then"),
    Column("in_time", pa.bool_(), "whether that is within `bonus_hours`; empty if the study has no batches"),
)


@dataclass(frozen=True, slots=True)
class Completion:
    """A rater who completed a batch, and whether within the hours of the bonus."""

    of: CompletedBatch
    in_time: bool | None
    """None if the study has no batches."""


def get_completions(study: StudyRow, batch: int) -> list[Completion]:
    """The raters who completed a batch, the fastest first."""
    return [_completion(found) for found in queries.completed_batches(study.pk, batch)]


def get_all_completions(study: StudyRow) -> Iterator[dict[str, Any]]:
    """The same for every batch of every version, as rows of `COLUMNS`."""
    for found in queries.completed_batches(study.pk):
        row = {column.name: getattr(found, column.name) for column in COLUMNS if column.name != "in_time"}
        yield row | {"in_time": _completion(found).in_time}


def _completion(found: CompletedBatch) -> Completion:
    part = study_of(found.version_id).batches
    return Completion(found, found.hours_from_release <= part.bonus_hours if part else None)
