"""Which items stand together in one task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from turnwise import seeds
from turnwise.corpus import Item


class TasksPart(BaseModel):
    """How items are gathered into tasks; one item each when left out."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    items_per_task: Annotated[int, Field(ge=1, le=200)] = 1
    """Items of one task, in a seeded order."""
    together: Literal["dialogue"] | None = None
    """All targets of one dialogue are judged in one reading, in the order of the dialogue."""

    @model_validator(mode="after")
    def _one_way(self) -> TasksPart:
        if self.together and self.items_per_task > 1:
            raise ValueError("a task gathers items_per_task or what belongs together, not both")
        return self


def group_items(items: Sequence[Item], part: TasksPart, seed: int) -> list[tuple[str, ...]]:
    """The keys of the items of each task, in the order in which they are shown.

    >>> items = [Item("a#1", "a", 1, None), Item("a#3", "a", 3, None), Item("b#1", "b", 1, None)]
    >>> group_items(items, TasksPart(together="dialogue"), seed=1)
    [('a#1', 'a#3'), ('b#1',)]
    """
    if part.together:
        return _by_dialogue(items)
    if part.items_per_task == 1:
        return [(item.key,) for item in items]
    keys = sorted((item.key for item in items), key=lambda key: seeds.rank(seed, "task_items", key))
    return [tuple(keys[n : n + part.items_per_task]) for n in range(0, len(keys), part.items_per_task)]


def _by_dialogue(items: Iterable[Item]) -> list[tuple[str, ...]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.dialogue, []).append(item)
    return [tuple(i.key for i in sorted(group, key=lambda i: i.target)) for group in found.values()]
