"""The calendar of batches: a job releases and closes them; the requester moves deadlines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from labelwright.crowd import BatchState
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.store.models import Batch, User
from labelwright.server.store.versions import study_of
from labelwright.server.studies.queries import calendar as queries
from labelwright.server.studies.queries.calendar import BatchLine
from labelwright.server.web.errors import NotFound
from labelwright.study import Study

USUAL_BONUS_HOURS = 24.0
"""Where the study file says nothing about a bonus."""


@dataclass(frozen=True, slots=True)
class CalendarChange:
    """How many batches were opened and closed."""

    opened: int
    closed: int


@transaction.atomic
def update_calendar(now: datetime) -> CalendarChange:
    """Opens batches whose release time has come and closes those past their deadline; safe to run twice.

    A closed batch makes no more offers, but open work can still be submitted. A batch that was due while no
    worker ran is opened late, or, past its deadline, opened and closed at once.
    """
    opened = Batch.objects.filter(state=BatchState.PLANNED, opens_at__lte=now).update(
        state=BatchState.OPEN, opened_at=now
    )
    closed = Batch.objects.filter(state=BatchState.OPEN, closes_at__lte=now).update(
        state=BatchState.CLOSED, closed_at=now
    )
    return CalendarChange(opened, closed)


@transaction.atomic
def move_deadline(
    user: User, public_id: str, batch: int, closes_at: datetime | None, now: datetime
) -> datetime | None:
    """Gives a batch of the newest version another deadline, or none; a future one reopens a closed batch.

    Returns the deadline that it had.
    """
    study = access_study(user, public_id, Permission.EDIT)
    row = Batch.objects.select_for_update().filter(study=study, pk=batch).first()
    if row is None or row.version_id != study.versions.latest("n").pk:
        raise NotFound
    earlier, row.closes_at = row.closes_at, closes_at
    if row.state == BatchState.CLOSED and (closes_at is None or closes_at > now):
        row.state, row.closed_at = BatchState.OPEN, None
    row.save(update_fields=["closes_at", "state", "closed_at"])
    log_change(
        study.pk,
        user.get_username(),
        "deadline",
        f"batch {row.number + 1}",
        now,
        before={"closes_at": earlier.isoformat() if earlier else None},
        after={"closes_at": closes_at.isoformat() if closes_at else None},
    )
    return earlier


def get_calendar(user: User, public_id: str) -> tuple[Study, list[BatchLine]]:
    """The study and the batches of its newest version, in the order of the calendar."""
    row = access_study(user, public_id, Permission.VIEW)
    version = row.versions.latest("n").pk
    study = study_of(version)
    hours = timedelta(hours=study.batches.bonus_hours if study.batches else USUAL_BONUS_HOURS)
    return study, queries.batch_lines(version, hours)
