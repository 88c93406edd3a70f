"""Demand: what a study asks of one group of raters, and how much one rater of it can give."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from labelwright.crowd.layout import LaidBatch
from labelwright.crowd.pools import Caps
from labelwright.crowd.rules import Spoil


@dataclass(frozen=True, slots=True)
class Demand:
    """What is wanted of one group; a pool without groups is one."""

    group: str
    raters: int
    batches: tuple[LaidBatch, ...]
    redundancy: Mapping[str, int]
    """Ratings wanted of each task, by condition."""
    spoils: Mapping[str, Spoil]
    caps: Caps
    left_out_share: float = 0.0
    """The share of work whose data will not be used, and is collected again."""

    @property
    def units(self) -> int:
        """Tasks of each condition."""
        return sum(len(batch.units_of(self.group)) for batch in self.batches)

    @property
    def wanted(self) -> int:
        """Valid ratings wanted."""
        return self.units * sum(self.redundancy.values())

    @property
    def needed(self) -> int:
        """Ratings that must be given for the wanted ones to be valid."""
        return math.ceil(self.wanted / (1 - self.left_out_share))

    @property
    def meetings(self) -> int:
        """How often one rater can meet the same items."""
        kinds = len({spoil.own for spoil in self.spoils.values()})
        return min(kinds, self.caps.conditions or kinds)

    def most_in(self, batch: LaidBatch) -> int:
        """The most tasks that one rater can do in a batch."""
        limits = [len(batch.units_of(self.group)) * self.meetings]
        if self.caps.tasks_per_batch:
            limits.append(self.caps.tasks_per_batch)
        if self.caps.tasks_per_day and (days := _days(batch)):
            limits.append(self.caps.tasks_per_day * days)
        return min(limits)

    @property
    def most_per_rater(self) -> int:
        """The most tasks that one rater can do in all."""
        most = sum(self.most_in(batch) for batch in self.batches)
        return min(most, self.caps.tasks or most)

    @property
    def raters_per_item(self) -> int:
        """Different raters that one item needs, since each may meet it only so often."""
        kinds: dict[str, int] = {}
        for name, spoil in self.spoils.items():
            kinds[spoil.own] = kinds.get(spoil.own, 0) + self.redundancy[name]
        return max(kinds.values())

    @property
    def raters_needed(self) -> int:
        """The fewest raters with whom the numbers can come out."""
        return max(math.ceil(self.needed / self.most_per_rater), self.raters_per_item)

    def drift(self, batch: LaidBatch) -> int:
        """How far the conditions of a batch can be apart at any moment, whoever comes and goes.

        Without rules that part raters from conditions, never more than the raters at work. Where a rater
        keeps to few conditions, or has met the items that a condition still has open, the rule can only
        choose among the others; then each rater may push one condition as far as their own work goes.
        """
        units = len(batch.units_of(self.group))
        wanted = [units * n for n in self.redundancy.values()]
        if len(wanted) < 2:
            return 0
        top, uneven = max(wanted), max(wanted) - min(wanted)
        own = min(self.most_in(batch), self.most_per_rater)
        # What is left out may all be of one condition until it is collected again.
        bound = self.raters + uneven + math.ceil(self.left_out_share * units * sum(self.redundancy.values()))
        if self.meetings < len(self.redundancy):
            # Only what is left of a condition at its end can be known to one rater through and through.
            bound += min(own, units) * max(self.redundancy.values())
        few = self.caps.conditions
        if few and few < len(self.redundancy):
            bound += self.raters * max(own - few + 1, 1)
        return min(top, bound)


def _days(batch: LaidBatch) -> int | None:
    """Days on which a batch is open; None without a deadline."""
    if batch.closes_at is None or batch.opens_at is None:
        return None
    last: datetime = batch.closes_at - timedelta(microseconds=1)
    return (last.date() - batch.opens_at.date()).days + 1
