"""Forecast: when a study will have all its ratings, at the pace of its latest submissions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import scipy

LEVEL = 0.8
LATEST = timedelta(days=7)
"""The pace is that of this time, which holds each day of the week once."""
SHORTEST = timedelta(hours=1)
"""Less tells nothing about a day."""
LEAST_SUBMISSIONS = 5
LONGEST = timedelta(days=3650)
"""A pace that needs longer says nothing about the end."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """When the last rating will come in, with an interval of 80%."""

    at: datetime
    earliest: datetime
    latest: datetime
    left: int
    """Ratings that are still wanted."""
    per_day: float
    """Submissions per day of late."""


def make_forecast(
    over_time: Sequence[tuple[datetime, int]], stored: int, wanted: int, now: datetime
) -> Forecast | None:
    """The end of a study; None if nothing is left, or too little came in of late to tell.

    `over_time` holds how many submissions there were up to each time. Submissions are taken as independent of each
    other (a Poisson process), so the interval is too narrow where raters work in bursts.

    >>> from datetime import UTC
    >>> start = datetime(2026, 11, 1, tzinfo=UTC)
    >>> now = start + timedelta(days=4)
    >>> found = make_forecast([(start, 0), (now, 40)], 40, 100, now)
    >>> found.per_day, found.at.isoformat()
    (10.0, '2026-11-11T00:00:00+00:00')
    >>> idle = make_forecast([(start, 0), (start + timedelta(days=4), 40)], 40, 100, start + timedelta(days=5))
    >>> idle.per_day, idle.at.isoformat()
    (8.0, '2026-11-13T12:00:00+00:00')
    """
    left = wanted - stored
    if left <= 0 or not over_time:
        return None
    since = max(now - LATEST, over_time[0][0])
    before = max((n for at, n in over_time if at <= since), default=0)
    latest, seconds = over_time[-1][1] - before, (now - since).total_seconds()
    if latest < LEAST_SUBMISSIONS or now - since < SHORTEST:
        return None
    # The times until the next `left` submissions follow from a rate that is itself known only from `latest` of them:
    # their ratio has an F distribution.
    low, high = (
        left / latest * scipy.stats.f.ppf(share, 2 * left, 2 * latest) * seconds
        for share in ((1 - LEVEL) / 2, (1 + LEVEL) / 2)
    )
    expected = timedelta(seconds=left / latest * seconds)
    if max(timedelta(seconds=float(high)), expected) > LONGEST:
        return None
    return Forecast(
        now + expected,
        now + timedelta(seconds=float(low)),
        now + timedelta(seconds=float(high)),
        left,
        latest / seconds * 86400,
    )
