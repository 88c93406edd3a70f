"""What should be so of assignments, in plain Python: no SQL, no locks, one dictionary after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

LEASE, HOLD = timedelta(minutes=30), timedelta(minutes=120)
HELD = ("open", "submitted", "approved", "rejected")
STORED = HELD[1:]


@dataclass(frozen=True)
class Place:
    """One wanted rating."""

    spoil: frozenset[str]
    also: frozenset[str]
    condition: str
    batch: int
    group: str


@dataclass
class Work:
    """One rater at one place."""

    place: int
    rater: int
    token: str
    offered_at: datetime
    until: datetime
    state: str = "open"
    data_use: str = "none"
    paid: str = "none"
    revision: int = 0
    free_for: timedelta = timedelta()

    @property
    def day(self) -> str:
        return f"{self.offered_at:%Y-%m-%d}"

    def extend(self, now: datetime) -> None:
        """A sign of life moves the end of the lease by at least a minute, or not at all."""
        until = self._lease_end(now)
        if self.state == "open" and until - self.until >= timedelta(minutes=1):
            self.until = until

    def come_back(self, now: datetime) -> bool:
        """Whether a rater who opens the link again holds the place; never longer than HOLD, gaps not counted."""
        if self.state == "expired":
            free_for = self.free_for + (now - self.until)
            if self.offered_at + free_for + HOLD <= now:
                return False
            self.state, self.free_for = "open", free_for
            self.until = self._lease_end(now)
        elif self.until < now:
            self.until = max(self.until, self._lease_end(now))
        return True

    def _lease_end(self, now: datetime) -> datetime:
        return min(now + LEASE, self.offered_at + self.free_for + HOLD)


@dataclass
class Batch:
    """A batch of the calendar."""

    id: int
    state: str
    opens_at: datetime
    closes_at: datetime | None


@dataclass
class Model:
    """Everything that should be so."""

    caps: Any
    groups: list[str]
    """The group of each rater."""
    batches: dict[int, Batch]
    conditions: list[str]
    places: dict[int, Place]
    free: set[int]
    works: dict[int, Work] = field(default_factory=dict)
    seen: dict[int, set[str]] = field(default_factory=dict)
    latest: dict[int, int] = field(default_factory=dict)
    state: str = "open"
    """The state of the study."""

    def mine(self, rater: int) -> list[Work]:
        return [w for w in self.works.values() if w.rater == rater and w.state in HELD]

    def counts(self, rater: int) -> Counter[tuple[str, str]]:
        """What the store should have counted of a rater."""
        counts: Counter[tuple[str, str]] = Counter()
        for work in self.mine(rater):
            place = self.places[work.place]
            counts["tasks", ""] += 1
            counts["condition", place.condition] += 1
            counts["batch", str(self.batches[place.batch].id)] += 1
            counts["day", work.day] += 1
        counts["conditions", ""] = sum(scope == "condition" for scope, _ in counts)
        given_back = sum(w.rater == rater and w.state == "returned" for w in self.works.values())
        counts["returns", ""] = min(given_back, self.caps.returns)
        return counts

    def offered(self) -> Counter[tuple[int, str, str]]:
        """Ratings offered or filled, by batch, group and condition."""
        places = (
            self.places[w.place] for w in self.works.values() if w.state in HELD and w.data_use != "left_out"
        )
        return Counter((place.batch, place.group, place.condition) for place in places)

    def left_out(self, batch: int, group: str) -> int:
        """Work of a batch whose data are not used."""
        found = (self.places[w.place] for w in self.works.values() if w.data_use == "left_out")
        return sum((place.batch, place.group) == (batch, group) for place in found)

    def may_count_again(self, work: Work) -> bool:
        """Whether a lapsed assignment may have its place again."""
        place, counts, caps = self.places[work.place], self.counts(work.rater), self.caps
        new = 0 if counts["condition", place.condition] else 1
        limits = [
            (caps.tasks, counts["tasks", ""] + 1),
            (caps.tasks_per_batch, counts["batch", str(self.batches[place.batch].id)] + 1),
            (caps.tasks_per_day, counts["day", work.day] + 1),
            (caps.conditions, counts["conditions", ""] + new),
        ]
        return self.is_free(work.place) and all(cap is None or n <= cap for cap, n in limits)

    def is_free(self, place: int) -> bool:
        is_open = self.batches[self.places[place].batch].state == "open"
        return place in self.free and is_open and self.state in ("open", "paused")

    def reached(self, rater: int, now: datetime) -> str | None:
        """The cap that keeps a rater from all work."""
        counts, caps = self.counts(rater), self.caps
        if caps.tasks and counts["tasks", ""] >= caps.tasks:
            return "cap"
        if caps.tasks_per_day and counts["day", f"{now:%Y-%m-%d}"] >= caps.tasks_per_day:
            return "cap_today"
        return "returns" if counts["returns", ""] >= caps.returns else None

    def open_batches(self, rater: int) -> list[int]:
        """The open batches in which this rater's group has places at all."""
        has = {place.batch for place in self.places.values() if place.group == self.groups[rater]}
        return sorted(n for n, batch in self.batches.items() if batch.state == "open" and n in has)

    def allowed(self, rater: int) -> Iterator[tuple[int, str]]:
        """Batches and conditions that no cap keeps from a rater."""
        counts, caps = self.counts(rater), self.caps
        for batch in self.open_batches(rater):
            full = (
                caps.tasks_per_batch and counts["batch", str(self.batches[batch].id)] >= caps.tasks_per_batch
            )
            for condition in self.conditions:
                new = caps.conditions and counts["conditions", ""] >= caps.conditions
                if not full and not (new and not counts["condition", condition]):
                    yield batch, condition

    def possible(self, rater: int) -> dict[str, set[int]]:
        """Places that this rater may have in the earliest batch that has one, by condition."""
        allowed = set(self.allowed(rater))
        for batch in self.open_batches(rater):
            found: dict[str, set[int]] = {}
            for key in self.free:
                place = self.places[key]
                fits = place.batch == batch and place.group == self.groups[rater]
                if fits and (batch, place.condition) in allowed and not place.spoil & self.seen[rater]:
                    found.setdefault(place.condition, set()).add(key)
            if found:
                return found
        return {}

    def take(self, assignment: int, work: Work) -> None:
        """An offer was made."""
        place = self.places[work.place]
        self.works[assignment] = work
        self.latest[work.rater] = assignment
        self.free.discard(work.place)
        self.seen[work.rater] |= place.spoil | place.also

    def turn_calendar(self, now: datetime) -> None:
        """Batches open and close."""
        for batch in self.batches.values():
            if batch.state == "planned" and batch.opens_at <= now:
                batch.state = "open"
            if batch.state == "open" and batch.closes_at and batch.closes_at <= now:
                batch.state = "closed"
