"""Layout: the items of each batch, grouped into tasks. Used by the planner and by study loading."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd.calendar import BatchesPart, schedule
from labelwright.crowd.item_sets import BadLayout, ItemSet, choose_sets
from labelwright.crowd.pools import Group

Gather = Callable[[Sequence[str]], Sequence[tuple[str, ...]]]
"""Groups the keys of items into tasks."""


@dataclass(frozen=True, slots=True)
class Unit:
    """The items of one task, and the groups that rate it. A pool without groups has the group ""."""

    keys: tuple[str, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LaidBatch:
    """A batch of the calendar with its tasks."""

    topic: str
    units: tuple[Unit, ...]
    opens_at: datetime | None
    closes_at: datetime | None
    gold: tuple[Unit, ...] = ()
    """Gold items, which every rater can meet. No ratings of them are wanted."""

    def units_of(self, group: str) -> list[Unit]:
        """The units that a group rates."""
        return [unit for unit in self.units if group in unit.groups]


def lay_out(
    topics: Mapping[str, str],
    gather: Gather,
    sets: Mapping[str, ItemSet],
    groups: Mapping[str, Group],
    batches: BatchesPart | None,
    seed: int,
) -> list[LaidBatch]:
    """The batches of a study. `topics` maps each item to its topic, in corpus order.

    Items are grouped into tasks within a batch and a combination of sets, so a task never spans two of
    them. If there are groups, items that are not in any of their sets are left out. Raises BadLayout.
    """
    chosen = choose_sets(list(topics), sets, seed)
    wanted = {
        name: frozenset().union(*(chosen[part] for part in group.sets)) for name, group in groups.items()
    }
    rated = (
        topics if not groups else {k: t for k, t in topics.items() if any(k in w for w in wanted.values())}
    )
    laid = []
    for slot in schedule(batches, rated, chosen, seed):
        parts: dict[frozenset[str], list[str]] = {}
        for key in slot.keys:
            parts.setdefault(frozenset(name for name, keys in chosen.items() if key in keys), []).append(key)
        units = tuple(
            Unit(tuple(keys), tuple(name for name in groups if part[0] in wanted[name]) or ("",))
            for part in parts.values()
            for keys in gather(part)
        )
        laid.append(LaidBatch(slot.topic, units, slot.opens_at, slot.closes_at))
    if not any(batch.units for batch in laid):
        raise BadLayout(
            "there are no items to rate.", do="Check `items` and `corpus`, and the `sets` of the groups."
        )
    return laid
