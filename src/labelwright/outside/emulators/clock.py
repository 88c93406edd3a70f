"""A clock that can be moved forward, and effects that wait for their time on it."""

from __future__ import annotations

import heapq
import itertools
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta


class VirtualClock:
    """Real time plus an offset. Effects run in the order of their times, each at its own time.

    >>> clock = VirtualClock(lambda: datetime(2026, 1, 1, tzinfo=UTC))
    >>> clock.after(60, lambda: print("a minute later:", clock.now().time()))
    >>> clock.advance(3600); clock.settle()
    a minute later: 00:01:00
    >>> clock.now().time()
    datetime.time(1, 0)
    """

    def __init__(self, real: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._real = real
        self._offset = timedelta()
        self._waiting: list[tuple[datetime, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._shown: datetime | None = None
        self._lock = threading.Lock()
        """Of the heap: effects are also planned by threads that wait for an answer."""

    def now(self) -> datetime:
        """The time on this clock; while an effect runs, the time for which it was planned."""
        return self._shown or self._real() + self._offset

    def advance(self, seconds: float) -> None:
        """Moves the clock forward."""
        self._offset += timedelta(seconds=seconds)

    def after(self, seconds: float, effect: Callable[[], None]) -> None:
        """Plans an effect."""
        due = self.now() + timedelta(seconds=seconds)
        with self._lock:
            heapq.heappush(self._waiting, (due, next(self._order), effect))

    def settle(self) -> None:
        """Runs the effects whose time has come, including those that they plan."""
        until = self._real() + self._offset
        while self._waiting and self._waiting[0][0] <= until:
            with self._lock:
                self._shown, _, effect = heapq.heappop(self._waiting)
            try:
                effect()
            finally:
                self._shown = None
