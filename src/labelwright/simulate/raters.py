"""Simulated raters: their traits, working hours, speed and drop-out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from labelwright import seeds
from labelwright.simulate.answering import Answering, KnownAnswers, PageAnswers, Traits
from labelwright.simulate.behaviour import Behaviour, checked_mix, default_behaviour
from labelwright.study import Study
from labelwright.task import Sheet

NOTHING_KNOWN: KnownAnswers = {}
MONDAY = datetime(2027, 1, 4, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Pace:
    """How the work on one task will go."""

    seconds: float
    leaves: bool
    """Whether the rater leaves the study instead of submitting the task."""
    returns: bool
    """Whether a rater who leaves returns the task. Otherwise the page is just closed."""


class SimulatedRater:
    """A rater of one kind. The same seed and name always give the same behaviour."""

    def __init__(self, kind: str, name: str, seed: int, behaviour: Behaviour | None = None) -> None:
        self.kind = kind
        self.name = name
        self.behaviour = behaviour or default_behaviour()
        self._own = self.behaviour.kinds[kind]
        drawn = seeds.generator(seed, "traits", name)
        traits = Traits(
            self._own.habit, self._own.competence.draw(drawn), self._own.near, self._own.bias.draw(drawn)
        )
        self._speed = self._own.speed.draw(drawn)
        self._begin = self.behaviour.hours.begin.draw(drawn) % 24
        self._length = min(self.behaviour.hours.length.draw(drawn), 24)
        self._arrives_hours = max(0.0, self.behaviour.arrives_hours.draw(drawn))
        self._answering = Answering(name, kind, traits, self.behaviour, seed)
        self._random = seeds.generator(seed, "life", name)
        self._left_today = self.behaviour.session_tasks.draw(self._random)

    def answer(
        self, asked: Sequence[Sheet], known: KnownAnswers = NOTHING_KNOWN, again: int = 0
    ) -> PageAnswers:
        """Valid answers. `known` are correct answers; `again` is the number of earlier attempts."""
        return self._answering.answer(asked, known, again)

    def pace(self, minutes: float) -> Pace:
        """How the next task will go, if it takes a careful rater this many minutes."""
        random, behaviour = self._random, self.behaviour
        seconds = 60 * minutes * self._speed * float(random.lognormal(0, behaviour.unevenness))
        if random.random() < behaviour.interrupted:
            seconds += 60 * behaviour.away_minutes.draw(random)
        leaves = random.random() < self._own.drop_out
        return Pace(max(seconds, 0.5), leaves, leaves and random.random() >= behaviour.vanishes)

    def arrives(self, opened: datetime) -> datetime:
        """The first visit after the opening of a study, within the rater's working hours."""
        return self.next_working(opened + timedelta(hours=self._arrives_hours))

    def goes_on(self, now: datetime) -> datetime:
        """The next visit after a submitted task. After enough tasks, it is on the next day."""
        self._left_today -= 1
        if self._left_today < 1:
            self._left_today = self.behaviour.session_tasks.draw(self._random)
            midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
            return self.next_working(midnight + timedelta(days=1, hours=self._begin))
        return self.next_working(
            now + timedelta(seconds=max(0.1, self.behaviour.pause_seconds.draw(self._random)))
        )

    def looks_again(self, now: datetime) -> datetime:
        """The next visit after one without tasks."""
        hours = max(0.05, self.behaviour.looks_again.hours.draw(self._random))
        return self.next_working(now + timedelta(hours=hours))

    def next_working(self, at: datetime) -> datetime:
        """The given time if it is within working hours, or else the next start of work."""
        midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
        begins = midnight + timedelta(hours=self._begin)
        for begin in (begins - timedelta(days=1), begins):
            if begin <= at < begin + timedelta(hours=self._length):
                return at
        return begins if at < begins else begins + timedelta(days=1)


def opening(study: Study) -> datetime:
    """The default opening of a rehearsed study: its first batch, or else a fixed Monday morning."""
    if study.batches is None:
        return MONDAY
    daily = study.batches.daily
    if daily is not None:
        return study.batches.moment(datetime.combine(daily.first_day, daily.at))
    return min((study.batches.moment(b.opens) for b in study.batches.calendar if b.opens), default=MONDAY)


def crowd(
    size: int, mix: Mapping[str, float], seed: int, behaviour: Behaviour | None = None
) -> list[SimulatedRater]:
    """Simulated raters in the proportions of the mix, in a seeded order.

    >>> [r.kind for r in crowd(4, {"careful": 3, "hasty": 1}, seed=1)].count("careful")
    3
    """
    shares = checked_mix(dict(mix))
    bounds = np.cumsum([share / sum(shares.values()) * size for share in shares.values()])
    kinds = [list(shares)[int(np.searchsorted(bounds, n + 0.5))] for n in range(size)]
    order = sorted(range(size), key=lambda n: seeds.rank(seed, "crowd", n))
    return [SimulatedRater(kinds[n], str(place), seed, behaviour) for place, n in enumerate(order)]
