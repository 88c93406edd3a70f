"""Crossing: all ratings by known raters, pooled over label sets, with the labels that others gave to the same item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwright.agreement import Floats, Ints
from labelwright.analysis.audit.label_sets import LabelSet
from labelwright.seeds import generator

# Labels on a slider agree if they are at most this share of the scale apart.
TOLERANCE = 0.02
# A set of more words than this is free text, in which labels cannot be compared.
_MOST_WORDS = 60
# More pairs of ratings than this are not looked at: a random part of the units is enough.
_MOST_PAIRS = 30_000_000
_PAIRS_AT_ONCE = 2_000_000


@dataclass(frozen=True, eq=False)
class Crossing:
    """One entry per rating. A unit is an item in one set, so that labels are compared on one scale only."""

    raters: tuple[str, ...]
    sets: tuple[str, ...]
    unit: Ints
    rater: Ints
    code: Ints
    """A number for each code, the same in all sets."""
    number: Floats
    """The label from 0 to 1 along the scale of its set."""
    of_set: Ints
    vector: Floats
    """Ratings x columns: the number of an ordered label, or one column per word; set means are subtracted."""
    close: NDArray[np.bool_]
    """Whether the rating is on a slider, where labels agree if they are close."""

    @cached_property
    def sizes(self) -> Ints:
        """The number of ratings of each unit."""
        return np.bincount(self.unit)

    @cached_property
    def others(self) -> Floats:
        """Ratings x columns: the mean label of the other raters of the same unit; nan if there is none."""
        units = len(self.sizes)
        sums = np.column_stack([np.bincount(self.unit, column, units) for column in self.vector.T])
        rest = (self.sizes[self.unit] - 1)[:, None]
        left = sums[self.unit] - self.vector
        return np.asarray(np.where(rest > 0, left / np.maximum(rest, 1), np.nan))

    @cached_property
    def spread(self) -> Floats:
        """The variance of labels within each rating's unit; nan if it has one rating."""
        units = len(self.sizes)
        total, squares = np.zeros(units), np.zeros(units)
        for column in self.vector.T:
            total += np.bincount(self.unit, column, units) ** 2
            squares += np.bincount(self.unit, column**2, units)
        size = np.maximum(self.sizes, 2)
        within = np.where(self.sizes > 1, (squares - total / size) / (size - 1), np.nan)
        return np.asarray(np.maximum(within, 0.0)[self.unit])

    @cached_property
    def ratings_of(self) -> Ints:
        """The number of ratings by each rater."""
        return np.bincount(self.rater, minlength=len(self.raters))

    @cached_property
    def chance(self) -> float:
        """How often two ratings of different units agree."""
        draw = generator(0, "audit", "chance")
        order = np.lexsort((draw.random(len(self.unit)), self.of_set))
        one, two = order[:-1], order[1:]
        compared = (self.of_set[one] == self.of_set[two]) & (self.unit[one] != self.unit[two])
        agreed = self.agree(one[compared], two[compared])
        return float(agreed.mean()) if len(agreed) else 0.0

    def agree(self, one: Ints, two: Ints) -> NDArray[np.bool_]:
        """Whether the ratings in these rows have the same label, or close ones on a slider."""
        same = self.code[one] == self.code[two]
        if not self.close.any():
            return np.asarray(same)
        near = np.abs(self.number[one] - self.number[two]) <= TOLERANCE
        return np.asarray(same | (self.close[one] & near))

    def pairs(self) -> Iterator[tuple[Ints, Ints]]:
        """Rows of two ratings of the same unit, in chunks. Every pair of ratings occurs once."""
        order = np.argsort(self.unit, kind="stable")
        starts = np.cumsum(self.sizes) - self.sizes
        kept = self._units_compared()
        for size in np.unique(self.sizes[kept]):
            if size < 2:
                continue
            units = kept[self.sizes[kept] == size]
            first, second = np.triu_indices(int(size), 1)
            step = max(1, _PAIRS_AT_ONCE // len(first))
            for at in range(0, len(units), step):
                rows = order[starts[units[at : at + step], None] + np.arange(size)]
                yield rows[:, first].ravel(), rows[:, second].ravel()

    def _units_compared(self) -> Ints:
        units = np.arange(len(self.sizes))
        total = int((self.sizes * (self.sizes - 1) // 2).sum())
        if total <= _MOST_PAIRS:
            return units
        chosen = generator(0, "audit", "pairs").random(len(units)) < _MOST_PAIRS / total
        return units[chosen]


def cross(sets: Sequence[LabelSet]) -> Crossing | None:
    """The ratings of all sets with known raters and comparable labels; None if there are none."""
    usable = [each for each in sets if _comparable(each)]
    if not usable:
        return None
    names = tuple(dict.fromkeys(name for each in usable for name in each.raters))
    place = {name: number for number, name in enumerate(names)}
    columns = max(1 if each.ordered else len(each.codes) for each in usable)
    codes = {
        code: number for number, code in enumerate(dict.fromkeys(c for each in usable for c in each.codes))
    }
    parts: dict[str, list[Any]] = {name: [] for name in ("unit", "rater", "code", "number", "set", "vector")}
    units = 0
    for number, each in enumerate(usable):
        kept = _first_ratings(each)
        parts["unit"].append(each.item_number[kept] + units)
        parts["rater"].append(np.array([place[name] for name in each.raters])[each.rater_number[kept]])
        parts["code"].append(np.array([codes[code] for code in each.codes])[each.code[kept]])
        parts["number"].append(each.number[kept])
        parts["set"].append(np.full(len(kept), number))
        parts["vector"].append(_vectors(each, kept, columns))
        units += len(each.items)
    joined = {name: np.concatenate(part) for name, part in parts.items()}
    slider = np.array([each.values.slider for each in usable])
    unit = np.unique(joined["unit"], return_inverse=True)[1].astype(np.int64)
    return Crossing(
        names,
        tuple(each.name for each in usable),
        unit,
        joined["rater"],
        joined["code"],
        joined["number"],
        joined["set"],
        joined["vector"],
        slider[joined["set"]],
    )


def _comparable(each: LabelSet) -> bool:
    many = not each.values.numeric and len(each.codes) > _MOST_WORDS
    return each.rater is not None and len(each.codes) > 1 and len(each.raters) > 1 and not many


def _first_ratings(each: LabelSet) -> Ints:
    """The rows with a label and ids, without a rater's further ratings of the same item."""
    named = np.array([bool(name.strip()) for name in each.raters])[each.rater_number]
    rows = np.flatnonzero(each.labelled & named)
    pair = each.item_number[rows] * len(each.raters) + each.rater_number[rows]
    return np.sort(rows[np.unique(pair, return_index=True)[1]])


def _vectors(each: LabelSet, rows: Ints, columns: int) -> Floats:
    vector = np.zeros((len(rows), columns))
    if each.ordered:
        vector[:, 0] = each.number[rows]
    else:
        vector[np.arange(len(rows)), each.code[rows]] = 1.0
    return np.asarray(vector - vector.mean(axis=0))
