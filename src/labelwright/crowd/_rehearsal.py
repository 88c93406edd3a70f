"""Rehearsal: simulates the offers of a study by the real rule, with raters who do all tasks they can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from labelwright import seeds
from labelwright.crowd.balance import order_conditions
from labelwright.crowd.demand import Demand
from labelwright.crowd.gold import GoldSchedule
from labelwright.crowd.layout import LaidBatch


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The result of a rehearsal."""

    left_open: int
    """The number of places that no rater could fill."""
    drift: int
    """The largest difference between the conditions of a batch at any time."""
    gold: int = 0
    """The number of gold tasks that raters did."""


@dataclass(slots=True)
class _Rater:
    number: int
    seen: set[tuple[int, str]] = field(default_factory=set)
    tasks: int = 0
    in_batch: dict[int, int] = field(default_factory=dict)
    conditions: dict[str, int] = field(default_factory=dict)
    gold: int = 0
    gold_blocks: int = 0


@dataclass(slots=True)
class _Queue:
    """The places of one condition of a batch: units in seeded order, with the open places of each."""

    units: list[int]
    open: dict[int, int]
    first: int = 0

    def find(self, rater: _Rater, own: str) -> int | None:
        while self.first < len(self.units) and not self.open[self.units[self.first]]:
            self.first += 1
        for place in range(self.first, len(self.units)):
            unit = self.units[place]
            if self.open[unit] and (unit, own) not in rater.seen:
                return unit
        return None


class _Play:
    def __init__(self, demand: Demand, seed: int, rng: np.random.Generator) -> None:
        self.demand, self.seed, self.rng = demand, seed, rng
        self.raters = [_Rater(number) for number in range(demand.raters)]
        self.queues: list[dict[str, _Queue]] = []
        self.offered: list[dict[str, int]] = []
        self.drift = 0
        first = 0
        for batch in demand.batches:
            units = list(range(first, first + len(batch.units_of(demand.group))))
            first += len(units)
            self.queues.append({name: self._queue(name, units) for name in demand.redundancy})
            self.offered.append(dict.fromkeys(demand.redundancy, 0))

    def _queue(self, name: str, units: list[int]) -> _Queue:
        ordered = sorted(units, key=lambda unit: seeds.rank(self.seed, "task", name, unit))
        return _Queue(ordered, dict.fromkeys(units, self.demand.redundancy[name]))

    def offer(self, rater: _Rater, batches: list[int]) -> bool:
        """Whether the rater got a task in one of these batches, tried in order."""
        caps = self.demand.caps
        if caps.tasks and rater.tasks >= caps.tasks:
            return False
        for batch in batches:
            if caps.tasks_per_batch and rater.in_batch.get(batch, 0) >= caps.tasks_per_batch:
                continue
            offered = self.offered[batch]
            if caps.conditions and len(rater.conditions) >= caps.conditions:
                offered = {name: n for name, n in offered.items() if name in rater.conditions}
            for name in order_conditions(offered, rater.conditions, self.seed, rater.number):
                unit = self.queues[batch][name].find(rater, self.demand.spoils[name].own)
                if unit is not None:
                    gold = self._is_gold_due(rater)
                    rater.tasks += 1
                    rater.in_batch[batch] = rater.in_batch.get(batch, 0) + 1
                    rater.conditions[name] = rater.conditions.get(name, 0) + 1
                    if gold:
                        rater.gold += 1
                    else:
                        self._take(rater, batch, name, unit)
                    return True
        return False

    def _is_gold_due(self, rater: _Rater) -> bool:
        """Whether the rater gets a gold task instead, which they have not met."""
        if self.demand.gold_one_in is None:
            return False
        schedule = GoldSchedule(self.seed, rater.number, self.demand.gold_one_in)
        if not schedule.is_due(rater.tasks, rater.gold_blocks):
            return False
        rater.gold_blocks = schedule.settled(rater.tasks)
        return rater.gold < self.demand.gold

    def _take(self, rater: _Rater, batch: int, name: str, unit: int) -> None:
        spoil = self.demand.spoils[name]
        rater.seen.update((unit, key) for key in (spoil.own, *spoil.also))
        offered = self.offered[batch]
        offered[name] += 1
        self.drift = max(self.drift, max(offered.values()) - min(offered.values()))
        if self.demand.left_out_share and self.rng.random() < self.demand.left_out_share:
            offered[name] -= 1
            # A place that opens again may come before the first one known to be open.
            self.queues[batch][name].first = 0
        else:
            self.queues[batch][name].open[unit] -= 1

    def all_together(self, batches: list[int]) -> None:
        """Raters come back in random order until nobody can get another task."""
        active = list(self.raters)
        while active:
            place = int(self.rng.integers(len(active)))
            if not self.offer(active[place], batches):
                active[place] = active[-1]
                active.pop()

    def one_after_the_other(self, batches: list[int]) -> None:
        """Each rater does all their tasks before the next one starts."""
        for place in self.rng.permutation(len(self.raters)):
            while self.offer(self.raters[place], batches):
                pass

    def result(self) -> Rehearsal:
        left = sum(sum(queue.open.values()) for queues in self.queues for queue in queues.values())
        return Rehearsal(left, self.drift, sum(rater.gold for rater in self.raters))


def rehearse(demand: Demand, seed: int, runs: int = 2) -> list[Rehearsal]:
    """Simulates the study `runs` times with all raters together, and as often with one after the other.

    Batches open at their release times; batches with the same time are tried in order. Daily caps are
    not simulated, because the duration of tasks is unknown.
    """
    results = []
    for run in range(2 * runs):
        play = _Play(demand, seed, seeds.generator(seed, "rehearsal", demand.group, run))
        for batches in _phases(demand.batches):
            play.all_together(batches) if run % 2 == 0 else play.one_after_the_other(batches)
        results.append(play.result())
    return results


def _phases(batches: tuple[LaidBatch, ...]) -> Iterator[list[int]]:
    """The batches that are open at the same time, from one release to the next."""
    at_once = [place for place, batch in enumerate(batches) if batch.opens_at is None]
    moments = sorted({batch.opens_at for batch in batches if batch.opens_at})
    if at_once or not moments:
        yield at_once
    for moment in moments:
        yield [
            place
            for place, batch in enumerate(batches)
            if (batch.opens_at is None or batch.opens_at <= moment)
            and (batch.closes_at is None or batch.closes_at > moment)
        ]
