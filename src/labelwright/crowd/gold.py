"""Gold: when a rater meets an item whose right answer is known."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright import seeds


@dataclass(frozen=True, slots=True)
class GoldPlan:
    """The gold items of one task of several items, and the rater's position afterwards."""

    positions: tuple[int, ...]
    """Where the gold items are in the task, counted from 0."""
    met: int
    blocks: int
    missing: int
    """Gold items that were due, but that the rater has met already."""


@dataclass(frozen=True, slots=True)
class GoldSchedule:
    """When one rater meets gold: once in every block of `one_in`, at a seeded position within the block.

    The unit is an item, or a task if gold items have tasks of their own. `met` counts the units that the rater was
    shown before, gold included; `blocks` counts the blocks that are settled, because their gold was shown or because
    there was none left. Gold that could not be shown at its position follows later in the same block, and a block
    without gold is not made up for: otherwise a rater would meet several gold items in a row.

    >>> schedule = GoldSchedule(seed=7, rater=0, one_in=4)
    >>> [schedule.position(block) for block in range(3)]
    [3, 3, 2]
    >>> [met for met in range(12) if schedule.is_due(met, blocks=met // 4)]
    [3, 7, 10, 11]
    >>> schedule.spread(items=9, met=0, blocks=0, available=2)
    GoldPlan(positions=(3, 7), met=11, blocks=3, missing=1)
    """

    seed: int
    rater: int
    """The rater's number in the pool, which is the same in every run."""
    one_in: int

    def position(self, block: int) -> int:
        """Where the gold of a block is due."""
        return seeds.rank(self.seed, "gold_position", self.rater, block) % self.one_in

    def is_due(self, met: int, blocks: int) -> bool:
        """Whether the next unit should be gold."""
        block, position = divmod(met, self.one_in)
        return blocks <= block and position >= self.position(block)

    def settled(self, met: int) -> int:
        """The number of settled blocks once gold was due after `met` units."""
        return met // self.one_in + 1

    def spread(self, items: int, met: int, blocks: int, available: int | None = None) -> GoldPlan:
        """The gold items among the items of the next task. `available` are new to the rater; by default, enough."""
        positions: list[int] = []
        left, missing = items, 0
        while left:
            due = self.is_due(met, blocks)
            if due:
                blocks = self.settled(met)
            if due and (available is None or len(positions) < available):
                positions.append(items - left + len(positions))
                met += 1
                continue
            missing += due
            left -= 1
            met += 1
        return GoldPlan(tuple(positions), met, blocks, missing)
