"""What a new version keeps and what it makes new, in ratings and money; said before anything is changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from labelwright.crowd import Pay
from labelwright.server.studies.queries.layout import ConditionChange, LeftTasks
from labelwright.study import Changes, Study

_NOTHING_LEFT = LeftTasks("", 0, 0, 0, 0, [])


@dataclass(frozen=True, slots=True)
class Change:
    """The difference that loading a study file makes."""

    study: Study
    version: int
    """The number that the new version gets."""
    changes: Changes
    conditions: list[ConditionChange]
    left: list[LeftTasks]
    same_meaning: str
    fresh: bool

    @property
    def stay(self) -> int:
        """Ratings that count in the new version."""
        return sum(each.stay for each in self.conditions)

    @property
    def new_tasks(self) -> int:
        """Tasks that nobody has rated yet."""
        return sum(each.new_tasks for each in self.conditions)

    def left_of(self, condition: str) -> LeftTasks:
        """The tasks of a condition that the new version no longer has."""
        return next((each for each in self.left if each.condition == condition), _NOTHING_LEFT)

    def cost_of(self, ratings: dict[str, int]) -> str:
        """What ratings cost, by condition: "USD 16.00"."""
        sums: dict[str, int] = {}
        for condition, n in ratings.items():
            pay: Pay = self.study.pool_for(condition).pay
            sums[pay.currency] = sums.get(pay.currency, 0) + pay.cents * n
        return " and ".join(f"{name} {cents // 100:,}.{cents % 100:02}" for name, cents in sums.items())

    @property
    def lines(self) -> list[str]:
        """The change as sentences."""
        keeping = "" if self._left_behind else "; this keeps every rating"
        return [
            f"{self._staying()}; {count(self.new_tasks, 'new task')}.",
            *self._condition_lines(),
            *(f"{phrase[:1].upper()}{phrase[1:]}{keeping}." for phrase in self.changes.kept),
            *([f"Declared to have the same meaning: {self.same_meaning}"] if self.same_meaning else []),
            *self._work_lines(),
            self._collect_line(),
        ]

    @property
    def _left_behind(self) -> int:
        """Ratings that count only under earlier versions."""
        return sum(each.ratings for each in self.left)

    def _staying(self) -> str:
        if self._left_behind:
            return f"{self.stay:,} of {count(self.stay + self._left_behind, 'rating')} stay"
        return f"{count(self.stay, 'rating')} {'stays' if self.stay == 1 else 'stay'}"

    def record(self) -> dict[str, Any]:
        """What is stored with the version, for its history."""
        return {"lines": self.lines, "stay": self.stay, "new_tasks": self.new_tasks}

    def _condition_lines(self) -> Iterator[str]:
        for each in self.conditions:
            left = self.left_of(each.condition)
            parts = [*self._tasks(each), *_left_parts(left)]
            reason = self._reason(each, left)
            if parts:
                yield f"{_named(each.condition)} {reason}: {'; '.join(parts)}."
        named = {each.condition for each in self.conditions}
        for left in self.left:
            if left.condition not in named:
                yield f"{_named(left.condition)} was removed: {'; '.join(_left_parts(left))}."

    def _tasks(self, each: ConditionChange) -> Iterator[str]:
        def cost(n: int) -> str:
            return self.cost_of({each.condition: n})

        if each.new_tasks:
            ratings = f"{count(each.new_ratings, 'rating')} to collect"
            yield f"{count(each.new_tasks, 'task')} new, {ratings}, {cost(each.new_ratings)}"
        if each.added:
            yield f"{count(each.added, 'more rating')} of existing tasks, {cost(each.added)}"
        if each.closed:
            yield f"{count(each.closed, 'open place')} closed, {cost(each.closed)} less"

    def _reason(self, each: ConditionChange, left: LeftTasks) -> str:
        renewal = self.changes.renewal(each.condition)
        if self.fresh:
            return "starts anew"
        if renewal and (left.tasks or each.new_tasks):
            first, *others = renewal.reasons or ("has other content",)
            return "; ".join([first if _is_verb(first) else f"is new because {first}", *others])
        if each.condition in self.changes.added:
            return "is new"
        return "has other items" if each.new_tasks or left.tasks else "has another number of ratings"

    def _work_lines(self) -> Iterator[str]:
        at_work = sum(each.at_work for each in self.left)
        if at_work:
            yield f"{count(at_work, 'task')} that raters are working on can still be submitted."

    def _collect_line(self) -> str:
        open_ = {each.condition: each.open for each in self.conditions}
        ratings = f"Still to collect: {count(sum(open_.values()), 'rating')}, {self.cost_of(open_)}"
        gold = self._gold_among(open_)
        if not sum(gold.values()):
            return f"{ratings}."
        return f"{ratings}; about {count(sum(gold.values()), 'gold task')} on top, {self.cost_of(gold)}."

    def _gold_among(self, ratings: dict[str, int]) -> dict[str, int]:
        """About how many gold tasks raters do along with ratings, by condition."""
        tasks = self.study.tasks
        if tasks.gold_one_in is None or tasks.gold_within:
            return {}
        return {name: n // (tasks.gold_one_in - 1) for name, n in ratings.items() if self.study.gold_in(name)}


def count(n: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "rating"), count(1200, "new task")
    ('1 rating', '1,200 new tasks')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _named(condition: str) -> str:
    return f'Condition "{condition}"'


def _is_verb(reason: str) -> bool:
    return reason.startswith(("shows ", "belongs ", "displays "))


def _left_parts(left: LeftTasks) -> list[str]:
    parts = [f"{count(left.open, 'open place')} of earlier tasks closed"] if left.open else []
    if left.ratings:
        numbers = " and ".join(map(str, sorted(left.versions)))
        parts.append(
            f"{count(left.ratings, 'rating')} {'counts' if left.ratings == 1 else 'count'} only under "
            f"version{'s' if len(left.versions) > 1 else ''} {numbers}"
        )
    return parts
