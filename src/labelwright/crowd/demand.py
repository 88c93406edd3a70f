"""Demand: how many ratings a study needs from one group of raters, and how many one rater can give."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from labelwright.crowd.layout import LaidBatch
from labelwright.crowd.pools import Caps
from labelwright.crowd.rules import Spoil


@dataclass(frozen=True, slots=True)
class EarlierWork:
    """What a group has done before a version of a running study."""

    kept: int = 0
    """Wanted ratings that are there."""
    done: tuple[int, ...] = ()
    """The tasks of each rater who has begun, in all versions."""


NOT_BEGUN = EarlierWork()


@dataclass(frozen=True, slots=True)
class Demand:
    """The ratings that one group must give. A pool without groups counts as one group."""

    group: str
    raters: int
    batches: tuple[LaidBatch, ...]
    redundancy: Mapping[str, int]
    """The number of ratings per task, by condition."""
    spoils: Mapping[str, Spoil]
    caps: Caps
    left_out_share: float = 0.0
    """The expected share of work that is excluded and collected again."""
    progress: EarlierWork = NOT_BEGUN
    gold_one_in: int | None = None
    """Set if gold items are tasks of their own: every rater does one gold task in this many."""
    gold: int = 0
    """The number of gold tasks that a rater can meet."""

    @property
    def units(self) -> int:
        """The number of tasks in each condition."""
        return sum(len(batch.units_of(self.group)) for batch in self.batches)

    @property
    def wanted(self) -> int:
        """The number of valid ratings needed."""
        return self.units * sum(self.redundancy.values())

    @property
    def needed(self) -> int:
        """The number of ratings that must still be collected, including those that will be excluded."""
        return math.ceil((self.wanted - self.progress.kept) / (1 - self.left_out_share))

    @property
    def meetings(self) -> int:
        """How often one rater can judge the same items."""
        kinds = len({spoil.own for spoil in self.spoils.values()})
        return min(kinds, self.caps.conditions or kinds)

    def most_in(self, batch: LaidBatch) -> int:
        """The maximum number of tasks that one rater can do in a batch, gold tasks included."""
        ratings = len(batch.units_of(self.group)) * self.meetings
        limits = [ratings + self._gold_among(ratings)]
        if self.caps.tasks_per_batch:
            limits.append(self.caps.tasks_per_batch)
        if self.caps.tasks_per_day and (days := _days(batch)):
            limits.append(self.caps.tasks_per_day * days)
        return min(limits)

    @property
    def most_tasks(self) -> int:
        """The maximum number of tasks that one rater can do in total, gold tasks included."""
        most = sum(self.most_in(batch) for batch in self.batches)
        return min(most, self.caps.tasks or most)

    @property
    def most_per_rater(self) -> int:
        """The maximum number of ratings that one rater can give: caps count gold tasks too."""
        return self._ratings_in(self.most_tasks)

    def _ratings_in(self, tasks: int) -> int:
        """The number of ratings among a rater's tasks, gold tasks included."""
        return tasks - min(self.gold, tasks // self.gold_one_in) if self.gold_one_in else tasks

    @property
    def most_of_known(self) -> int:
        """The maximum number of ratings that the raters who have begun can still give: they meet no item twice, and
        their caps count what they have done."""
        return sum(self._ratings_in(max(0, self.most_tasks - done)) for done in self.progress.done)

    @property
    def possible(self) -> int:
        """The maximum number of ratings that all raters can still give."""
        return self.most_of_known + max(0, self.raters - len(self.progress.done)) * self.most_per_rater

    def _gold_among(self, ratings: int) -> int:
        """The number of gold tasks that a rater does along with this many ratings, at least."""
        return min(self.gold, ratings // (self.gold_one_in - 1)) if self.gold_one_in else 0

    @property
    def gold_needed(self) -> int:
        """About how many gold tasks all raters do together, along with the ratings."""
        return min(self.needed // (self.gold_one_in - 1), self.raters * self.gold) if self.gold_one_in else 0

    @property
    def raters_per_item(self) -> int:
        """The number of different raters that one item needs, given how often each may judge it."""
        kinds: dict[str, int] = {}
        for name, spoil in self.spoils.items():
            kinds[spoil.own] = kinds.get(spoil.own, 0) + self.redundancy[name]
        return max(kinds.values())

    @property
    def raters_needed(self) -> int:
        """The minimum number of raters to complete the study, including those who have begun."""
        further = math.ceil(max(0, self.needed - self.most_of_known) / self.most_per_rater)
        return max(len(self.progress.done) + further, self.raters_per_item)

    def drift(self, batch: LaidBatch) -> int:
        """An upper bound on the difference in ratings between the conditions of a batch at any time.

        If every rater can work in every condition, the bound is the number of raters. If raters are
        limited to few conditions, or have already seen the open items of a condition, the balancing rule
        can only choose among the others, and each rater can add to the difference with all their tasks.
        """
        units = len(batch.units_of(self.group))
        wanted = [units * n for n in self.redundancy.values()]
        if len(wanted) < 2:
            return 0
        top, uneven = max(wanted), max(wanted) - min(wanted)
        own = min(self.most_in(batch), self.most_per_rater)
        # Excluded ratings may all belong to one condition until they are collected again.
        bound = self.raters + uneven + math.ceil(self.left_out_share * units * sum(self.redundancy.values()))
        if self.meetings < len(self.redundancy):
            # Only near the end of a condition can a rater have seen all of its open items.
            bound += min(own, units) * max(self.redundancy.values())
        few = self.caps.conditions
        if few and few < len(self.redundancy):
            bound += self.raters * max(own - few + 1, 1)
        return min(top, bound)


def _days(batch: LaidBatch) -> int | None:
    """The number of days on which a batch is open; None without a deadline."""
    if batch.closes_at is None or batch.opens_at is None:
        return None
    last: datetime = batch.closes_at - timedelta(microseconds=1)
    return (last.date() - batch.opens_at.date()).days + 1
