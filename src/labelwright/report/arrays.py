"""Arrays: the ratings of one question as numbers, so that every analysis is sums over arrays and nothing is read twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from labelwright.agreement import Code, Counts, Floats, Ints, Ratings, UnknownCode
from labelwright.agreement.ratings import why_no_order
from labelwright.analysis.data.codes import CodeSets
from labelwright.analysis.scores import code_scores
from labelwright.scales import Scale

NAMED = ("item", "rater", "condition", "system", "dialogue", "shared_item", "category")
"""The columns that are numbered."""
NUMBERS = ("seconds", "confidence", "weight")


@dataclass(frozen=True, eq=False)
class Numbered:
    """A column of names as numbers from 0, in the order of the names; -1 where there is none."""

    number: Ints
    names: tuple[str, ...]

    @classmethod
    def of(cls, column: pa.ChunkedArray) -> Numbered:
        """The numbers of a column of any type."""
        values = column if pa.types.is_string(column.type) else column.cast(pa.string())
        encoded = values.combine_chunks().dictionary_encode()
        order = pc.sort_indices(encoded.dictionary).to_numpy()
        place = np.empty(len(order) + 1, dtype=np.int64)
        place[order] = np.arange(len(order))
        place[-1] = -1
        indices = encoded.indices.fill_null(len(order)).to_numpy(zero_copy_only=False)
        return cls(place[indices], tuple(encoded.dictionary.take(pa.array(order)).to_pylist()))

    def only(self, chosen: Any) -> Numbered:
        """The chosen rows, with the same numbers."""
        return replace(self, number=self.number[chosen])

    def reordered(self, names: Sequence[str]) -> Numbered:
        """The same column with its names in another order."""
        place = np.array([names.index(name) for name in self.names] + [-1], dtype=np.int64)
        return Numbered(place[self.number], tuple(names))


class ChosenRows(Mapping[str, Any]):
    """The chosen rows of columns, each made when it is first used, because most analyses need few of them."""

    def __init__(self, columns: Mapping[str, Any], choose: Callable[[Any], Any]) -> None:
        self._columns, self._choose = columns, choose
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = self._choose(self._columns[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


@dataclass(frozen=True, eq=False)
class RatingArrays:
    """The ratings of one question, each with a label."""

    columns: Mapping[str, Numbered]
    numbers: Mapping[str, Floats]
    code: Ints
    codes: tuple[Code, ...]
    scale: Scale | None
    positions: bool
    missing: int = 0
    """Ratings without a label."""
    where: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.code)

    @property
    def item(self) -> Ints:
        """The number of each rating's item."""
        return self.columns["item"].number

    @property
    def condition(self) -> Ints:
        """The number of each rating's condition."""
        return self.columns["condition"].number

    @property
    def conditions(self) -> list[str]:
        """The conditions in which the question was asked."""
        column = self.columns["condition"]
        seen = np.bincount(column.number, minlength=len(column.names)) > 0
        return [name for name, there in zip(column.names, seen, strict=True) if there]

    @property
    def rater(self) -> Ints | None:
        """The number of each rating's rater; None if raters are not known."""
        return None if self.positions or "rater" not in self.columns else self.columns["rater"].number

    @property
    def no_order(self) -> str:
        """Why the codes have no order; empty if they have one."""
        return self.scale.no_order if self.scale else why_no_order(self.codes)

    @property
    def outside(self) -> tuple[Code, ...]:
        """The codes without a place in the order."""
        return tuple(code for code in self.scale.outside if code in self.codes) if self.scale else ()

    def scores(self) -> Floats:
        """The score of each code; raises NoOrder if they have none."""
        return code_scores(self.codes, self.scale)

    def only(self, chosen: Any) -> RatingArrays:
        """The chosen ratings."""
        return replace(
            self,
            columns=ChosenRows(self.columns, lambda column: column.only(chosen)),
            numbers=ChosenRows(self.numbers, lambda values: values[chosen]),
            code=self.code[chosen],
        )

    def within(self, condition: str) -> RatingArrays:
        """The ratings of one condition. Without a declared scale, only the codes used in it are its scale."""
        place = self.columns["condition"].names.index(condition)
        part = self.only(self.condition == place)
        return part if self.scale else part.narrowed()

    def narrowed(self) -> RatingArrays:
        """The same ratings with the codes that occur."""
        used = np.flatnonzero(np.bincount(self.code, minlength=len(self.codes)))
        place = np.full(len(self.codes), -1)
        place[used] = np.arange(len(used))
        return replace(self, code=place[self.code], codes=tuple(self.codes[i] for i in used))

    def check_codes(self, doing: str) -> None:
        """Raises MixedCodes if conditions use different codes and no scale is declared."""
        if self.scale is None:
            used = {name: self.within(name).codes for name in self.conditions}
            CodeSets(" ".join(str(each) for each in self.where.values() if each) or "labels", used).check(
                doing
            )

    def compact(self) -> tuple[Ints, Ints]:
        """The items of these ratings: their numbers in ascending order, and the place of each rating's item among them."""
        seen = np.bincount(self.item, minlength=len(self.columns["item"].names)) > 0
        return np.flatnonzero(seen), (np.cumsum(seen) - 1)[self.item]

    def item_names(self, numbers: Ints) -> list[str]:
        """The names of items."""
        names = self.columns["item"].names
        return [names[number] for number in numbers.tolist()]

    def item_table(self, items: Ints, place: Ints) -> Ints:
        """Items x codes: how often each code was given."""
        size = len(self.codes)
        return np.bincount(place * size + self.code, minlength=len(items) * size).reshape(len(items), size)

    def counts(self) -> Counts:
        """The counts per item, with items that belong together."""
        items, place = self.compact()
        table = self.item_table(items, place)
        cluster = None
        if "shared_item" in self.columns:
            cluster = np.zeros(len(items), dtype=np.int64)
            cluster[place] = self.columns["shared_item"].number
        return Counts.of_table(table, self.codes, cluster, outside=self.outside, no_order=self.no_order)

    def ratings(self) -> Ratings:
        """The ratings with their raters, or with positions."""
        items, place = self.compact()
        rater, raters = self.raters_in(place)
        return Ratings(
            place,
            rater,
            self.code,
            self.codes,
            len(items),
            raters,
            self.rater is None,
            {"missing label": self.missing} if self.missing else {},
            self.outside,
            self.no_order,
        )

    def raters_in(self, place: Ints) -> tuple[Ints, int]:
        """The rater of each rating, numbered from 0, and their number; positions if raters are not known."""
        if self.rater is None:
            return positions_of(place), 0
        seen = np.bincount(self.rater) > 0
        number = np.cumsum(seen) - 1
        return number[self.rater], int(seen.sum())

    def groups(self, unit: str, items: Ints) -> dict[str, str] | None:
        """The dialogue of each item by name; None if dialogues are not known."""
        if unit not in self.columns:
            return None
        column, names = self.columns[unit], self.columns["item"].names
        of_item = np.zeros(len(names), dtype=np.int64)
        of_item[self.item] = column.number
        return {names[item]: str(of_item[item]) for item in items.tolist()}


def numbers_of(column: pa.ChunkedArray) -> Ints:
    """A number for each row, the same for equal values, without the values themselves."""
    encoded = column.combine_chunks().dictionary_encode()
    return np.asarray(
        encoded.indices.fill_null(len(encoded.dictionary)).to_numpy(zero_copy_only=False), np.int64
    )


def positions_of(item: Ints) -> Ints:
    """The position of each rating within its item, in the order of the rows."""
    order = np.argsort(item, kind="stable")
    sizes = np.bincount(item)
    starts = np.cumsum(sizes) - sizes
    position = np.empty_like(item)
    position[order] = np.arange(item.size) - np.repeat(starts, sizes)
    return position


def code_labels(
    column: pa.ChunkedArray, scale: Scale | None, *, silent: bool
) -> tuple[Ints, tuple[Code, ...]]:
    """The place of each label among the codes; -1 if it has none, or is no answer and those are left out.

    Raises UnknownCode for a label that is not on the declared scale.
    """
    encoded = column.combine_chunks().dictionary_encode()
    given = encoded.dictionary.to_pylist()
    values = [None if value is None or value != value else value for value in given]  # noqa: PLR0124  nan
    if scale is None:
        codes: tuple[Code, ...] = tuple(sorted(value for value in values if value is not None))
    else:
        codes = scale.labels if silent else scale.codes
    known = {code: place for place, code in enumerate(codes)}
    quiet = set(scale.silent) if scale and silent else set()
    unknown = [value for value in values if value is not None and value not in known and value not in quiet]
    if unknown:
        raise UnknownCode(
            f"label {unknown[0]!r} is not a code of the scale.",
            expected=f"one of {', '.join(map(repr, codes))}.",
            do="Declare the scale of these labels, or recode them.",
        )
    place = np.array([known.get(value, -1) if value is not None else -1 for value in values] + [-1], np.int64)
    return place[encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)], codes
