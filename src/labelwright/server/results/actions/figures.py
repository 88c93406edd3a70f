"""Figures of a study: pages read stored ones, and a job computes newer ones when a page finds that they are old.

A computation takes seconds and reads every submission. So a study has at most one at a time, and the next begins
only after an interval, however many pages are open.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from procrastinate.exceptions import AlreadyEnqueued

from labelwright import __version__
from labelwright.server.results import queries
from labelwright.server.results.actions.summary import StudySummary
from labelwright.server.results.queries import FiguresState
from labelwright.server.store.changes import delete_notes, noted_changes
from labelwright.server.store.models import StudyFigures
from labelwright.server.store.queue import app

QUEUE = "figures"
LEAST_COMPUTATIONS, MOST_COMPUTATIONS = 5, 20
"""The interval in durations of the last computation: the figures of a very large study use at most a fifth of one
processor, and those of a small one are never far behind."""
WORKER_LATE = timedelta(seconds=60)
"""A job that waits longer than this has no worker."""

PageContents = Mapping[str, Mapping[str, Any]]
"""What each page shows, by its name, as plain values."""


class UpdateState(enum.StrEnum):
    """Whether newer figures are on their way."""

    CURRENT = "current"
    UPDATING = "updating"
    LATE = "late"
    """An update should have begun, but no worker has taken it."""


@dataclass(frozen=True, slots=True)
class StoredFigures:
    """How new the stored figures are."""

    computed_at: datetime | None
    """None until the first computation is done."""
    counted: int
    """Judgments that they count."""
    progress: UpdateState
    next_at: datetime
    """The next computation begins at this time at the earliest."""
    worker_away: bool
    """Whether no worker is running, so that answers since then are not counted."""

    @property
    def stamp(self) -> str:
        """Changes whenever a page with these figures does; an entity tag."""
        at = self.computed_at.timestamp() if self.computed_at else 0.0
        return f'"{at:.6f}-{self.progress}{"-away" if self.worker_away else ""}"'


@dataclass(frozen=True, slots=True)
class FiguresBegun:
    """A computation that has begun."""

    at: datetime
    notes: list[int]
    """The changes that it will include."""


def request_figures(study: int, now: datetime) -> StoredFigures:
    """How new the figures of a study are; defers a job that computes newer ones if the study has changed."""
    state = queries.figures_state(study, _lock(study))
    outdated, next_at = _is_outdated(state), _next_at(state, now)
    if outdated and not state.running and state.waiting_since is None:
        _defer(study, next_at if next_at > now else None)
    usable = state.release == __version__
    return StoredFigures(
        state.computed_at if usable else None,
        (state.counted or 0) if usable else 0,
        _progress(state, now, outdated=outdated),
        next_at,
        state.worker_away,
    )


def get_page(study: int, name: str) -> dict[str, Any] | None:
    """The stored contents of a page; None until they are computed."""
    stored = StudyFigures.objects.filter(study=study, release=__version__).values_list("pages", flat=True)
    return json.loads(stored[0]).get(name) if stored else None


def begin_figures(study: int, now: datetime) -> FiguresBegun | None:
    """Begins a computation; None if the figures are current, or not old enough yet."""
    state = queries.figures_state(study, _lock(study))
    if not _is_outdated(state) or _next_at(state, now) > now:
        return None
    return restart_figures(study, now)


def restart_figures(study: int, now: datetime) -> FiguresBegun:
    """Begins a computation, whatever the age of the figures."""
    StudyFigures.objects.update_or_create(study_id=study, defaults={"started_at": now})
    return FiguresBegun(now, noted_changes(study))


@transaction.atomic
def record_figures(
    study: int, begun: FiguresBegun, pages: PageContents, summary: StudySummary, now: datetime
) -> None:
    """Stores computed figures. Changes since they began are noted and make them old again."""
    StudyFigures.objects.filter(study=study).update(
        computed_at=now,
        took_seconds=(now - begun.at).total_seconds(),
        counted=summary.counted,
        at_work=summary.at_work,
        release=__version__,
        summary=summary.stored_form(),
        pages=json.dumps(pages),
    )
    delete_notes(begun.notes)


def _lock(study: int) -> str:
    return f"figures/{study}"


def _defer(study: int, at: datetime | None) -> None:
    lock = _lock(study)
    task = app.configure_task("update_figures", queue=QUEUE, queueing_lock=lock, lock=lock, schedule_at=at)
    # Another page may have deferred it in the same moment; a duplicate would abort the whole transaction.
    with suppress(AlreadyEnqueued), transaction.atomic():
        task.defer(study=study)


def _is_outdated(state: FiguresState) -> bool:
    return state.changed or state.computed_at is None or state.release != __version__


def _next_at(state: FiguresState, now: datetime) -> datetime:
    if state.started_at is None:
        return now
    return state.started_at + timedelta(seconds=_interval(state.took_seconds))


def _interval(took_seconds: float | None) -> float:
    wanted = float(settings.ENVIRONMENT.figures_seconds)
    if took_seconds is None:
        return wanted
    return max(min(wanted, MOST_COMPUTATIONS * took_seconds), LEAST_COMPUTATIONS * took_seconds)


def _progress(state: FiguresState, now: datetime, *, outdated: bool) -> UpdateState:
    if state.waiting_since and state.waiting_since + WORKER_LATE < now:
        return UpdateState.LATE
    return UpdateState.UPDATING if outdated or state.running else UpdateState.CURRENT
