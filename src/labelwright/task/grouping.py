"""Grouping of items into tasks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright import seeds
from labelwright.corpus import Item


class TasksPart(BaseModel):
    """How items are grouped into tasks; by default one item each."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    items_per_task: Annotated[int, Field(ge=1, le=200)] = 1
    """Number of items in a task, in a seeded order."""
    together: Literal["dialogue"] | None = None
    """All items of a dialogue are judged in one task, in the order of the dialogue."""
    gold_one_in: Annotated[int, Field(ge=2, le=1000)] | None = None
    """Every rater meets one gold task (see `gold`) in this many, or one gold item in tasks of several items."""

    @model_validator(mode="after")
    def _one_way(self) -> TasksPart:
        if self.together and self.items_per_task > 1:
            raise ValueError("give `items_per_task` or `together`, not both")
        return self

    @property
    def groups_items(self) -> bool:
        """Whether a task can have several items."""
        return self.items_per_task > 1 or self.together is not None

    @property
    def gold_within(self) -> bool:
        """Whether gold items are within tasks, among other items. Otherwise they are tasks of their own."""
        return self.items_per_task > 1

    def groups_like(self, other: TasksPart) -> bool:
        """Whether items are grouped in the same way; gold items belong to no group."""
        return (self.items_per_task, self.together) == (other.items_per_task, other.together)


def group_items(
    items: Sequence[Item], part: TasksPart, seed: int, kept: Sequence[tuple[str, ...]] = ()
) -> list[tuple[str, ...]]:
    """The keys of the items of each task, in the order in which they are shown.

    `kept` has groups of an earlier version: those whose items are all there stay, and only the other items are grouped.

    >>> items = [Item("a#1", "a", 1, None), Item("a#3", "a", 3, None), Item("b#1", "b", 1, None)]
    >>> group_items(items, TasksPart(together="dialogue"), seed=1)
    [('a#1', 'a#3'), ('b#1',)]
    >>> group_items(items, TasksPart(items_per_task=2), seed=1, kept=[("b#1", "a#3"), ("c#1", "a#1")])
    [('b#1', 'a#3'), ('a#1',)]
    """
    there = {item.key for item in items}
    groups = [group for group in kept if there.issuperset(group)]
    grouped = {key for group in groups for key in group}
    return groups + _grouped([item for item in items if item.key not in grouped], part, seed)


def _grouped(items: Sequence[Item], part: TasksPart, seed: int) -> list[tuple[str, ...]]:
    if part.together:
        return _by_dialogue(items)
    if part.items_per_task == 1:
        return [(item.key,) for item in items]
    keys = sorted((item.key for item in items), key=lambda key: seeds.rank(seed, "task_items", key))
    return [tuple(keys[n : n + part.items_per_task]) for n in range(0, len(keys), part.items_per_task)]


def group_gold(items: Sequence[Item], part: TasksPart) -> list[tuple[str, ...]]:
    """The keys of the gold items that raters meet together: one, or those of a dialogue.

    >>> items = [Item("a#1", "a", 1, None), Item("a#3", "a", 3, None), Item("b#1", "b", 1, None)]
    >>> group_gold(items, TasksPart(items_per_task=10, gold_one_in=10))
    [('a#1',), ('a#3',), ('b#1',)]
    """
    return _by_dialogue(items) if part.together else [(item.key,) for item in items]


def _by_dialogue(items: Iterable[Item]) -> list[tuple[str, ...]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.dialogue, []).append(item)
    return [tuple(i.key for i in sorted(group, key=lambda i: i.target)) for group in found.values()]
