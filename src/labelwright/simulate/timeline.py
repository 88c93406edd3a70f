"""Simulated time: a queue of what each rater does next, without waiting and without I/O.

A driver takes the events that are due, carries them out (through the pages or the actions) and reports
the result of each. See `outside.crowd` and `server.rehearsal`.
"""

from __future__ import annotations

import enum
import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from labelwright.simulate.answering import KnownAnswers
from labelwright.simulate.raters import SimulatedRater
from labelwright.study import Study
from labelwright.task import Asking, Sheet, TaskDesign, sheets


class Act(enum.StrEnum):
    """The action of a rater."""

    LOOK = "look"
    HAND_IN = "hand_in"
    RETURN = "return"


class End(enum.StrEnum):
    """How work on a task ended."""

    STORED = "stored"
    REFUSED = "refused"
    """Another rater had taken the place before the task was submitted."""
    RETURNED = "returned"
    VANISHED = "vanished"
    """The rater closed the page, and the lease runs out."""


@dataclass(frozen=True, slots=True)
class SimulatedTask:
    """A task as a simulated rater sees it. The driver identifies it by the ticket."""

    ticket: Any
    sheets: Sequence[Sheet]
    minutes: float
    """The time that the task takes a careful rater."""
    lease_seconds: float
    known: KnownAnswers = field(default_factory=dict)


def simulated_task(
    ticket: Any, study: Study, design: TaskDesign, items: Sequence[Asking], lease_seconds: float
) -> SimulatedTask:
    """A task of a study, with the correct answers of its gold items."""
    known = {
        (position, question): reference.answer
        for position, asking in enumerate(items)
        for question, reference in study.gold.get(asking.key, {}).items()
    }
    return SimulatedTask(ticket, sheets(design, items), design.minutes, lease_seconds, known)


class NoTask(enum.Enum):
    """Why a rater gets no task."""

    FOR_NOW = "for now"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Event:
    """The action of one rater at one time."""

    at: datetime
    rater: int
    act: Act
    ticket: Any = None
    answers: Any = None


@dataclass(frozen=True, slots=True)
class WorkRecord:
    """One rater's work on one task."""

    rater: int
    began: datetime
    ended: datetime
    end: End

    @property
    def seconds(self) -> float:
        """How long the rater worked."""
        return (self.ended - self.began).total_seconds()


@dataclass(slots=True)
class Timeline:
    """The events of a simulated crowd, from the opening of a study until no rater comes back."""

    raters: Sequence[SimulatedRater]
    opened: datetime
    watch: Callable[[WorkRecord], None] | None = None
    """Called whenever work on a task ends."""
    worked: list[WorkRecord] = field(default_factory=list)
    _queue: list[tuple[datetime, int, Event]] = field(default_factory=list)
    _leases: dict[int, tuple[datetime, Any]] = field(default_factory=dict)
    _began: dict[int, datetime] = field(default_factory=dict)
    _in_vain: dict[int, int] = field(default_factory=dict)
    _gone: set[int] = field(default_factory=set)
    """Raters who left, or who cannot get more tasks."""

    def __post_init__(self) -> None:
        for number, rater in enumerate(self.raters):
            self._push(Event(rater.arrives(self.opened), number, Act.LOOK))

    def due(self, at_once: int = 1) -> list[Event]:
        """The next events in time order, at most `at_once`, each of a different rater; empty at the end."""
        return [heapq.heappop(self._queue)[2] for _ in range(min(at_once, len(self._queue)))]

    def next_at(self) -> datetime | None:
        """When the next event is due, or None if there are no more events."""
        return self._queue[0][0] if self._queue else None

    def dismiss(self, raters: Iterable[int]) -> None:
        """Removes raters from the simulation."""
        self._gone |= set(raters)

    def invite(self, now: datetime) -> None:
        """Brings back raters who had stopped looking for tasks, because new tasks were released."""
        waiting = {event.rater for _, _, event in self._queue}
        for number, rater in enumerate(self.raters):
            if number not in waiting and number not in self._gone:
                self._in_vain[number] = 0
                self._push(Event(rater.arrives(now), number, Act.LOOK))

    def lapsed(self, now: datetime) -> list[Any]:
        """The tickets of tasks whose lease has run out; each is returned once."""
        late = [number for number, (until, _) in self._leases.items() if until < now]
        return [self._leases.pop(number)[1] for number in late]

    def looked(self, event: Event, found: SimulatedTask | NoTask) -> None:
        """Records what a rater who looked for a task was shown."""
        if isinstance(found, NoTask):
            self._nothing(event, found)
            return
        rater = self.raters[event.rater]
        pace = rater.pace(found.minutes)
        self._in_vain[event.rater] = 0
        self._began[event.rater] = event.at
        self._leases[event.rater] = (event.at + timedelta(seconds=found.lease_seconds), found.ticket)
        ends = event.at + timedelta(seconds=pace.seconds)
        if not pace.leaves:
            answers = rater.answer(found.sheets, found.known)
            self._push(Event(ends, event.rater, Act.HAND_IN, found.ticket, answers))
        elif pace.returns:
            self._push(Event(ends, event.rater, Act.RETURN, found.ticket))
        else:
            self._gone.add(event.rater)
            self._record(WorkRecord(event.rater, event.at, ends, End.VANISHED))

    def ended(self, event: Event, end: End) -> None:
        """Records the result of a submitted or returned task. A rater who returns a task leaves."""
        self._leases.pop(event.rater, None)
        self._record(WorkRecord(event.rater, self._began[event.rater], event.at, end))
        if end is End.RETURNED:
            self._gone.add(event.rater)
        else:
            self._push(Event(self.raters[event.rater].goes_on(event.at), event.rater, Act.LOOK))

    def end(self) -> None:
        """Ends the simulation, because the study is complete."""
        self._queue.clear()

    def _record(self, work: WorkRecord) -> None:
        self.worked.append(work)
        if self.watch:
            self.watch(work)

    def _nothing(self, event: Event, why: NoTask) -> None:
        if why is NoTask.NEVER:
            self._gone.add(event.rater)
            return
        rater = self.raters[event.rater]
        times = self._in_vain[event.rater] = self._in_vain.get(event.rater, 0) + 1
        if times <= rater.behaviour.looks_again.times:
            self._push(Event(rater.looks_again(event.at), event.rater, Act.LOOK))

    def _push(self, event: Event) -> None:
        # Simultaneous events are ordered by rater number.
        heapq.heappush(self._queue, (event.at, event.rater, event))
