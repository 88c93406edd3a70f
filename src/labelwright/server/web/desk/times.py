"""Times in the time zone of the user: the zone chosen in their profile, or else that of their browser."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from labelwright.server.web.requests import is_raters

COOKIE = "labelwright_zone"
"""The browser's time zone, which a script of the page stores."""
DAY, WEEK, YEAR = timedelta(days=1), timedelta(days=6), timedelta(days=300)


@lru_cache(maxsize=1)
def zone_names() -> frozenset[str]:
    """The names of all time zones."""
    # Two names of the database of zones are not places: one for machines that are not set up, one for this machine.
    return frozenset(available_timezones()) - {"Factory", "localtime"}


class ZoneMiddleware:
    """Makes the user's time zone the one that pages are written in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Handles the request in its time zone; raters' pages say UTC."""
        name = "" if is_raters(request) else _zone_of(request)
        with timezone.override(ZoneInfo(name) if name else UTC):
            return self._get_response(request)


def _zone_of(request: HttpRequest) -> str:
    chosen = getattr(getattr(request, "user", None), "time_zone", "")
    name = chosen or request.COOKIES.get(COOKIE, "")
    return name if name in zone_names() else ""


def zone_name() -> str:
    """The time zone of the current page, such as Europe/Rome."""
    return timezone.get_current_timezone_name()


def clock(seconds: float | None) -> str:
    """A duration as a table shows it.

    >>> clock(79.6), clock(3725), clock(None)
    ('1:20', '1:02:05', '–')
    """
    if seconds is None:
        return "–"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def moment(at: datetime, now: datetime) -> str:
    """A time as a table shows it; the year only if it is another one.

    >>> moment(datetime(2026, 11, 3, 9, 5, tzinfo=UTC), datetime(2026, 11, 16, tzinfo=UTC))
    '3 Nov 09:05'
    """
    local = at.astimezone(timezone.get_current_timezone())
    year = "" if abs(now - at) < YEAR else f" {local:%Y}"
    return f"{local.day} {local:%b}{year} {local:%H:%M}"


def ago(at: datetime, now: datetime) -> str:
    """How long ago something happened, the less exactly the longer ago.

    >>> now = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
    >>> [ago(now - timedelta(minutes=m), now) for m in (0, 5, 100, 60 * 30, 60 * 24 * 40)]
    ['now', '5 min ago', '1 h ago', 'Sun 06:00', '7 Oct']
    """
    passed, local = now - at, at.astimezone(timezone.get_current_timezone())
    minutes = int(passed.total_seconds() // 60)
    if minutes < 1:
        return "now"
    if passed < DAY:
        return f"{minutes} min ago" if minutes < 60 else f"{minutes // 60} h ago"
    if passed < WEEK:
        return f"{local:%a %H:%M}"
    return f"{local.day} {local:%b}" if passed < YEAR else f"{local.day} {local:%b %Y}"


def wall_clock(at: str) -> str:
    """A stored time as the clock on the user's wall shows it, written as if it were UTC; for charts.

    Charts are drawn on a UTC axis, so that they show the same times as their tables, whatever the browser's zone is.
    """
    local = datetime.fromisoformat(at).astimezone(timezone.get_current_timezone())
    return local.replace(tzinfo=UTC).isoformat()


def with_wall_clocks(data: Any) -> Any:
    """A copy of plain data in which every value `at` is the time on the user's wall."""
    if isinstance(data, list):
        return [with_wall_clocks(each) for each in data]
    if isinstance(data, dict):
        return {
            key: wall_clock(each) if key == "at" and isinstance(each, str) else with_wall_clocks(each)
            for key, each in data.items()
        }
    return data
