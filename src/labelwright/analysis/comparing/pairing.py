"""Pairing: the items that two conditions have in common, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from labelwright import tables
from labelwright.agreement import Ints, Ratings
from labelwright.analysis.data.labels import Labels, item_name
from labelwright.analysis.errors import NotLabels


@dataclass(frozen=True)
class Comparison:
    """What is compared: the names of both sides, and how their items belong together."""

    first: Any = "first"
    second: Any = "second"
    where: Mapping[str, Any] = field(default_factory=dict)
    units: Mapping[str, str] | None = None
    """The unit that each item belongs to; None if each item is its own."""
    unit: str = "item"
    notes: tuple[str, ...] = ()


def comparisons(
    labels: Labels, where: Mapping[str, Any], pairs: Sequence[tuple[Any, Any]], across: str, unit: str
) -> list[Comparison]:
    """Every pair of conditions of one slice, with the units of its items and a note on its raters."""
    units = unit_of_items(labels, unit, (across,))
    notes = different_raters(labels, across)
    return [Comparison(one, two, where, units, unit, notes.get((one, two), ())) for one, two in pairs]


@dataclass(frozen=True, eq=False)
class Pairing:
    """Two sets of ratings. If they are paired, both number the same items in the same order."""

    sets: tuple[Ratings, Ratings]
    names: tuple[Sequence[str], Sequence[str]]
    """The names of the items of each set."""
    paired: bool
    left_out: Mapping[str, int]

    @classmethod
    def of(
        cls,
        first: tuple[Ratings, Sequence[str]],
        second: tuple[Ratings, Sequence[str]],
        sides: tuple[Any, Any] = ("first", "second"),
        least: float = 0.5,
    ) -> Pairing:
        """Both sets reduced to their common items, if these are at least this share of the larger set."""
        common = sorted(set(first[1]) & set(second[1]))
        missing = _added(first[0].left_out, second[0].left_out)
        if len(common) < least * max(len(first[1]), len(second[1])):
            return cls((first[0], second[0]), (first[1], second[1]), False, missing)
        left_out = _added(missing, alone(first[1], second[1], sides))
        return cls((_only(*first, common), _only(*second, common)), (common, common), True, left_out)

    @property
    def items(self) -> int:
        """The number of paired items; otherwise that of both sets."""
        return len(self.names[0]) if self.paired else len(self.names[0]) + len(self.names[1])

    def only(self, first: np.ndarray, second: np.ndarray, reason: str) -> Pairing:
        """The chosen items of each set; if paired, those chosen in both."""
        masks = (first & second, first & second) if self.paired else (first, second)
        one, two = (
            [name for name, kept in zip(own, mask, strict=True) if kept]
            for own, mask in zip(self.names, masks, strict=True)
        )
        sets = (_only(self.sets[0], self.names[0], one), _only(self.sets[1], self.names[1], two))
        dropped = sum(int((~mask).sum()) for mask in masks[: 1 if self.paired else 2])
        return replace(self, sets=sets, names=(one, two), left_out=_added(self.left_out, {reason: dropped}))

    def replaced(self, sets: Sequence[Ratings]) -> Pairing:
        """The same items with other ratings."""
        return replace(self, sets=(sets[0], sets[1]))


def alone(first: Sequence[str], second: Sequence[str], sides: tuple[Any, Any]) -> dict[str, int]:
    """How many items are in one condition only."""
    one, two = set(first), set(second)
    found = {f"item only in {sides[0]}": len(one - two), f"item only in {sides[1]}": len(two - one)}
    return {why: n for why, n in found.items() if n}


def _added(one: Mapping[str, int], two: Mapping[str, int]) -> dict[str, int]:
    sums = {why: one.get(why, 0) + two.get(why, 0) for why in [*one, *two]}
    return {why: n for why, n in sums.items() if n}


def _only(ratings: Ratings, names: Sequence[str], items: Sequence[str]) -> Ratings:
    place = {name: i for i, name in enumerate(items)}
    new: Ints = np.array([place.get(name, -1) for name in names], dtype=np.int64)
    number = new[ratings.item]
    kept = number >= 0
    return Ratings(
        number[kept],
        ratings.rater[kept],
        ratings.code[kept],
        ratings.codes,
        len(items),
        ratings.raters,
        ratings.positions,
    )


def unit_of_items(labels: Labels, unit: str, by: Sequence[str]) -> dict[str, str] | None:
    """The unit that each item belongs to; None if each item is its own."""
    key = labels.item_key(by)
    if unit == "item" and len(key) == 1:
        return None
    rows = tables.distinct(labels.table, list(dict.fromkeys([*key, unit])))
    found: dict[str, str] = {}
    for row in rows:
        name = item_name(row[: len(key)])
        own = str(row[0] if unit == "item" else row[-1])
        if found.setdefault(name, own) != own:
            raise NotLabels(
                f"item {name!r} belongs to several values of {unit!r}: {found[name]!r} and {own!r}.",
                expected=f"one {unit} for each item.",
                do="Name the column that items belong to, such as their dialogue, in `unit`.",
            )
    return found


def different_raters(labels: Labels, across: str) -> dict[tuple[Any, Any], tuple[str, ...]]:
    """A note for every two conditions that no rater judged both."""
    if labels.positions:
        return {}
    raters: dict[Any, set[Any]] = {}
    for value, rater in tables.distinct(labels.table, [across, "rater"]):
        raters.setdefault(value, set()).add(rater)
    apart = [pair for pair in combinations(raters, 2) if not raters[pair[0]] & raters[pair[1]]]
    return {pair: (DIFFERENT_RATERS,) for one, two in apart for pair in ((one, two), (two, one))}


DIFFERENT_RATERS = (
    "No rater judged both conditions, so this is also a difference between two groups of raters. With three raters in "
    "each condition who differ in leniency, tests at 5% called equal conditions different in 8.1% of simulated cases."
)


def unit_numbers(names: Sequence[str], units: Mapping[str, str] | None) -> Ints:
    """The number of each item's unit."""
    if units is None:
        return np.arange(len(names))
    _, numbers = np.unique([units[str(name)] for name in names], return_inverse=True)
    return np.asarray(numbers, dtype=np.int64)
