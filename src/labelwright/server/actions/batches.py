"""The calendar of batches: released and closed by a job, seen by the requester."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from labelwright.crowd import BatchState
from labelwright.server.actions.errors import NotHere
from labelwright.server.actions.overview import get_owned
from labelwright.server.store.models import Batch, User
from labelwright.server.store.rows import rows
from labelwright.server.store.versions import study_of
from labelwright.study import Study


@dataclass(frozen=True, slots=True)
class Turned:
    """What the hands of the clock moved."""

    opened: int
    closed: int


@transaction.atomic
def turn_calendar(now: datetime) -> Turned:
    """Opens batches whose time has come and closes those past their deadline; safe to run twice.

    Closing ends offers alone: work under way may still be handed in. A batch that was missed while no
    worker ran is opened late, or, past its deadline, opened and closed at once.
    """
    opened = Batch.objects.filter(state=BatchState.PLANNED, opens_at__lte=now).update(
        state=BatchState.OPEN, opened_at=now
    )
    closed = Batch.objects.filter(state=BatchState.OPEN, closes_at__lte=now).update(
        state=BatchState.CLOSED, closed_at=now
    )
    return Turned(opened, closed)


@transaction.atomic
def move_deadline(user: User, public_id: str, batch: int, closes_at: datetime | None, now: datetime) -> None:
    """Gives a batch of the newest version another deadline, or none; a closed one is open again if it lies ahead."""
    study = get_owned(user, public_id)
    row = Batch.objects.select_for_update().filter(study=study, pk=batch).first()
    if row is None or row.version_id != study.versions.latest("n").pk:
        raise NotHere
    row.closes_at = closes_at
    if row.state == BatchState.CLOSED and (closes_at is None or closes_at > now):
        row.state, row.closed_at = BatchState.OPEN, None
    row.save(update_fields=["closes_at", "state", "closed_at"])


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
    whole: int
    """Raters who did the whole batch."""
    in_time: int
    """Those of them who earn the bonus: within its hours from the release."""


def get_calendar(user: User, public_id: str) -> tuple[Study, list[BatchLine]]:
    """The batches of the newest version, in the order of the calendar."""
    row = get_owned(user, public_id)
    version = row.versions.latest("n").pk
    study = study_of(version)
    hours = study.batches.bonus_hours if study.batches else 24.0
    found = rows(
        """SELECT b.id, b.number, b.topic, b.state, b.opens_at, b.closes_at, b.opened_at, b.items, b.wanted,
                  coalesce(p.filled, 0), coalesce(p.at_work, 0), coalesce(w.begun, 0), coalesce(w.whole, 0),
                  coalesce(w.in_time, 0)
           FROM batch b
           LEFT JOIN LATERAL (
             SELECT count(*) FILTER (WHERE state = 'filled') AS filled, count(*) FILTER (WHERE state = 'leased') AS at_work
             FROM place WHERE batch_id = b.id) p ON true
           LEFT JOIN LATERAL (
             SELECT count(*) AS begun, count(completed_at) AS whole,
                    count(*) FILTER (WHERE completed_at <= b.opened_at + %(bonus)s) AS in_time
             FROM batch_work WHERE batch_id = b.id) w ON true
           WHERE b.version_id = %(version)s AND b.purpose = 'collect' ORDER BY b.number""",
        {"version": version, "bonus": timedelta(hours=hours)},
    )
    return study, [BatchLine(*line) for line in found]
