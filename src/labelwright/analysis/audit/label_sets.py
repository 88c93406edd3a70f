"""Label sets: the input of an audit, each holding the ratings of one aspect in one condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from labelwright.agreement import Floats, Ints, Ratings
from labelwright.analysis.audit.alphas import SetAlpha, alpha_of
from labelwright.analysis.audit.label_values import LabelValues, read_values
from labelwright.analysis.audit.shuffles import ShuffledAgreement, shuffle_labels
from labelwright.analysis.data.item_lists import ItemLists
from labelwright.scales import Scale

if TYPE_CHECKING:
    from labelwright.tables import Code


@dataclass(frozen=True)
class ExportFile:
    """An export of ours that sets come from."""

    name: str
    rows: int
    """The number of its rows, including those that are no labels."""


@dataclass(frozen=True, eq=False)
class LabelSet:
    """The ratings of one aspect in one condition. Columns are in file order, and labels as the file holds them."""

    name: str
    aspect: str
    condition: str
    item: Sequence[str]
    label: Sequence[Any]
    rater: Sequence[str] | None = None
    seconds: Sequence[float | None] | None = None
    keys: tuple[str, ...] = ()
    """The item ids in the file, one per item, if items are not paired by them."""
    lists: ItemLists | None = None
    """The whole file, if it is a JSON file of item lists."""
    scale: Scale | None = None
    """The declared scale, if there is one."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The judged text of each item, if the file has a column for it."""
    odd_times: Mapping[str, int] = field(default_factory=dict)
    """The values of the column of times that are no numbers, and how often they occur."""
    export: ExportFile | None = None
    """The export that the set comes from."""
    row: Ints | None = None
    """A number for each row of the table; equal rows have the same number."""

    @cached_property
    def _items(self) -> tuple[tuple[str, ...], Ints]:
        return numbered(self.item)

    @property
    def items(self) -> tuple[str, ...]:
        """The distinct items in file order."""
        return self._items[0]

    @property
    def item_number(self) -> Ints:
        """The place in `items` of each rating's item."""
        return self._items[1]

    @cached_property
    def _raters(self) -> tuple[tuple[str, ...], Ints]:
        return numbered(self.rater or ())

    @property
    def raters(self) -> tuple[str, ...]:
        """The distinct raters in file order; empty if they are not known."""
        return self._raters[0]

    @property
    def rater_number(self) -> Ints:
        """The place in `raters` of each rating's rater."""
        return self._raters[1]

    @cached_property
    def values(self) -> LabelValues:
        """The labels as codes, with everything that is not a code."""
        return read_values(self.label, self.scale.labels if self.scale else None)

    @property
    def code(self) -> Ints:
        """The place in `codes` of each rating's label; -1 if it has none."""
        return self.values.code

    @property
    def codes(self) -> tuple[Code, ...]:
        """The codes that occur, ascending."""
        return self.values.codes

    @property
    def ordered(self) -> bool:
        """Whether labels can be more or less different: numbers, unless the scale is declared as unordered."""
        return self.values.numeric and (self.scale is None or self.scale.ordered)

    @cached_property
    def number(self) -> Floats:
        """Each rating's label as a number from 0 to 1 along the scale; nan if it has none."""
        codes = np.asarray(self.codes if self.values.numeric else range(len(self.codes)), dtype=float)
        span = np.ptp(codes) if len(codes) > 1 else 1.0
        scaled = np.append((codes - codes.min(initial=np.inf)) / span, np.nan)
        return np.asarray(scaled[self.code])

    @cached_property
    def labelled(self) -> Any:
        """A mask of the ratings with a label."""
        return self.code >= 0

    @cached_property
    def counts(self) -> Ints:
        """Items x codes: how often each code was given to each item."""
        cells = self.item_number[self.labelled] * len(self.codes) + self.code[self.labelled]
        size = len(self.items) * len(self.codes)
        return np.bincount(cells, minlength=size).reshape(len(self.items), len(self.codes))

    @cached_property
    def times(self) -> Floats:
        """The seconds of each rating; nan if they are not known."""
        if self.seconds is None:
            return np.full(len(self.item), np.nan)
        return np.array([np.nan if value is None else value for value in self.seconds], dtype=float)

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings with a label as arrays, with positions if the raters are not known."""
        kept = self.labelled
        names, item = np.unique(self.item_number[kept], return_inverse=True)
        known = self.rater is not None
        rater = np.unique(self.rater_number[kept], return_inverse=True)[1] if known else _positions(item)
        return Ratings(
            item.astype(np.int64),
            rater.astype(np.int64),
            self.code[kept],
            self.codes,
            len(names),
            int(rater.max(initial=-1)) + 1 if known else 0,
            positions=not known,
        )

    @cached_property
    def numbers(self) -> Floats | None:
        """The codes of a slider as numbers; None for a scale whose codes are equal or not."""
        return np.asarray(self.codes, dtype=float) if self.values.slider else None

    @cached_property
    def shuffled(self) -> ShuffledAgreement | None:
        """The agreement of ratings of one item, compared with shuffled labels."""
        kept = self.labelled
        return shuffle_labels(self.item_number[kept], self.code[kept], self.numbers)

    @cached_property
    def alpha(self) -> SetAlpha | None:
        """Krippendorff's alpha of the set, with the influence of each item."""
        kept = self.labelled
        return alpha_of(self.item_number[kept], self.code[kept], self.items, self.numbers)

    @cached_property
    def majority(self) -> dict[str, Code | None]:
        """The majority label of each item; None if there is a tie."""
        counts, top = self.counts, self.counts.max(axis=1)
        tied = (counts == top[:, None]).sum(axis=1) > 1
        first = counts.argmax(axis=1)
        return {
            item: None if tied[number] else self.codes[first[number]]
            for number, item in enumerate(self.items)
            if top[number]
        }


def numbered(names: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """The distinct names in order of first appearance, and the place of each name among them.

    >>> names, places = numbered(["b", "a", "b"])
    >>> names, places.tolist()
    (('b', 'a'), [0, 1, 0])
    """
    encoded = pa.array(names, pa.string()).dictionary_encode()
    return tuple(encoded.dictionary.to_pylist()), encoded.indices.to_numpy().astype(np.int64)


def _positions(item: Ints) -> Ints:
    order = np.argsort(item, kind="stable")
    sizes = np.bincount(item)
    starts = np.cumsum(sizes) - sizes
    position = np.empty_like(item)
    position[order] = np.arange(item.size) - np.repeat(starts, sizes)
    return position


def by_aspect(sets: Sequence[LabelSet]) -> dict[str, list[LabelSet]]:
    """The sets of each aspect."""
    grouped: dict[str, list[LabelSet]] = {}
    for each in sets:
        grouped.setdefault(each.aspect, []).append(each)
    return grouped


def usual_count(numbers: Sequence[int] | Ints) -> int:
    """The most frequent of some numbers; 0 if there are none."""
    found = Counter(map(int, numbers)).most_common(1)
    return found[0][0] if found else 0
