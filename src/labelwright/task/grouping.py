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
    """About one in this many items has a known answer (see `gold`); its seeded position cannot be recognised."""

    @model_validator(mode="after")
    def _one_way(self) -> TasksPart:
        if self.together and self.items_per_task > 1:
            raise ValueError("give `items_per_task` or `together`, not both")
        return self


def group_items(
    items: Sequence[Item],
    part: TasksPart,
    seed: int,
    gold: frozenset[str] = frozenset(),
    kept: Sequence[tuple[str, ...]] = (),
) -> list[tuple[str, ...]]:
    """The keys of the items of each task, in the order in which they are shown.

    `gold` has the keys of items with known answers. They are mixed in: as further tasks if a task holds one
    item or one dialogue, otherwise inside the tasks. `kept` has groups of an earlier version: those whose items are
    all there stay, and only the other items are grouped.

    >>> items = [Item("a#1", "a", 1, None), Item("a#3", "a", 3, None), Item("b#1", "b", 1, None)]
    >>> group_items(items, TasksPart(together="dialogue"), seed=1)
    [('a#1', 'a#3'), ('b#1',)]
    >>> group_items(items, TasksPart(items_per_task=2, gold_one_in=3), seed=1, gold=frozenset(["b#1"]))
    [('b#1', 'a#3', 'a#1')]
    >>> group_items(items, TasksPart(items_per_task=2), seed=1, kept=[("b#1", "a#3"), ("c#1", "a#1")])
    [('b#1', 'a#3'), ('a#1',)]
    """
    groups = _still_there(items, gold, kept)
    grouped = {key for group in groups for key in group}
    rest = [item for item in items if item.key not in grouped or item.key in gold]
    return groups + _grouped(rest, part, seed, gold)


def _still_there(
    items: Sequence[Item], gold: frozenset[str], kept: Sequence[tuple[str, ...]]
) -> list[tuple[str, ...]]:
    """The groups of items that are all there; a group of gold items alone is made anew."""
    there = {item.key for item in items}
    return [group for group in kept if there.issuperset(group) and not gold.issuperset(group)]


def _grouped(
    items: Sequence[Item], part: TasksPart, seed: int, gold: frozenset[str]
) -> list[tuple[str, ...]]:
    ordinary = [item for item in items if item.key not in gold]
    known = sorted(
        (item for item in items if item.key in gold), key=lambda i: seeds.rank(seed, "gold", i.key)
    )
    groups = _gathered(ordinary, part, seed)
    if not known or not part.gold_one_in:
        return groups
    if part.items_per_task > 1:
        return _mixed(groups, [item.key for item in known], part.gold_one_in, seed)
    wanted = -(-len(ordinary) // (part.gold_one_in - 1))
    return groups + _gathered(known[:wanted], part, seed)


def _gathered(items: Sequence[Item], part: TasksPart, seed: int) -> list[tuple[str, ...]]:
    if part.together:
        return _by_dialogue(items)
    if part.items_per_task == 1:
        return [(item.key,) for item in items]
    keys = sorted((item.key for item in items), key=lambda key: seeds.rank(seed, "task_items", key))
    return [tuple(keys[n : n + part.items_per_task]) for n in range(0, len(keys), part.items_per_task)]


def _mixed(
    groups: Sequence[tuple[str, ...]], known: Sequence[str], one_in: int, seed: int
) -> list[tuple[str, ...]]:
    """Each group with the next known items in turn, at seeded positions."""
    mixed, given = [], 0
    for group in groups:
        keys = list(group)
        for _ in range(min(len(known), max(1, round(len(group) / (one_in - 1))))):
            key = known[given % len(known)]
            keys.insert(seeds.rank(seed, "gold_position", group[0], key) % (len(keys) + 1), key)
            given += 1
        mixed.append(tuple(keys))
    return mixed


def _by_dialogue(items: Iterable[Item]) -> list[tuple[str, ...]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.dialogue, []).append(item)
    return [tuple(i.key for i in sorted(group, key=lambda i: i.target)) for group in found.values()]
