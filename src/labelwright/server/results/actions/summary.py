"""The summary of a study: the numbers that the header and the list of studies show. A job computes and stores them."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from labelwright.agreement import Estimate
from labelwright.server.results import queries
from labelwright.server.results.actions.overview import Overview

DAYS = 7


@dataclass(frozen=True, slots=True)
class StudySummary:
    """The numbers of a study in a line. Stored as JSON, so every field is a plain value."""

    counted: int
    """Judgments that count."""
    at_work: int
    stored: int
    wanted: int
    items: int
    raters: int
    """People in the study, whether or not they have done anything."""
    raters_needed: int
    """The fewest raters who can give what is wanted."""
    to_review: int
    """Cases in the review queue."""
    late_answers: int
    unanswered: int
    days: list[int]
    """Submissions of the last seven days, up to the computation, the oldest first."""
    last_at: str | None
    """The newest submission."""
    agreement: list[float] | None
    """Value, lower and upper limit on the first question with a scale, over all conditions; None if undefined."""
    owed: list[tuple[int, str]]
    """Cents and currency."""
    paid: list[tuple[int, str]]
    pace: float | None
    """The median time of a task, in seconds."""
    comparison: dict[str, Any] | None
    """What raters are compared on, see `RaterComparison`."""

    def stored_form(self) -> dict[str, Any]:
        """As it is stored."""
        return asdict(self)


def summarize(figures: Overview, compared: dict[str, Any] | None, now: datetime) -> StudySummary:
    """The summary of a study, from its overview."""
    study = figures.row.pk
    return StudySummary(
        counted=figures.counted,
        at_work=figures.at_work,
        stored=figures.stored,
        wanted=figures.wanted,
        items=figures.items,
        raters=figures.people,
        raters_needed=figures.raters_needed,
        to_review=figures.counts.to_review,
        late_answers=figures.late_answers,
        unanswered=figures.counts.unanswered,
        days=_days(queries.submissions_by_age(study, now - timedelta(days=DAYS), now)),
        last_at=figures.over_time[-1][0].isoformat() if figures.over_time else None,
        agreement=_agreement(figures.questions[0].overall) if figures.questions else None,
        owed=[(pay.cents, pay.currency) for pay in figures.owed],
        paid=[(pay.cents, pay.currency) for pay in figures.paid],
        pace=figures.median_seconds,
        comparison=compared,
    )


def _days(by_age: dict[int, int]) -> list[int]:
    return [by_age.get(age, 0) for age in reversed(range(DAYS))]


def _agreement(found: Estimate) -> list[float] | None:
    if math.isnan(found.value):
        return None
    low, high = (found.interval.low, found.interval.high) if found.interval else (found.value, found.value)
    return [round(number, 4) for number in (found.value, low, high)]
