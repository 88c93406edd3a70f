"""Labels: a table of ratings from anywhere, together with the scale they were given on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from labelwright import tables
from labelwright.agreement import Counts, Ratings, UnknownCode
from labelwright.agreement.arrays import Ints
from labelwright.agreement.ratings import number_names
from labelwright.analysis.codes import CodeSets, code_sets
from labelwright.analysis.errors import NotLabels
from labelwright.scales import Scale
from labelwright.tables import Code, Table

COLUMNS = (
    "item",
    "rater",
    "label",
    "condition",
    "aspect",
    "question",
    "group",
    "category",
    "system",
    "seconds",
    "confidence",
)
"""The columns that analysis knows; any other may still be sliced by."""

NOBODY_GAVE: tuple[Code, ...] = (0,)
"""What stands for a scale where every label is missing: counts keep their shape, and every measure is undefined."""

NoAnswer: TypeAlias = Literal["left_out", "label"]

# Names that other tools give to the same columns (crowd-kit: task, worker, label).
_OTHER_NAMES = {
    "item": ("task", "item_id"),
    "rater": ("worker", "annotator", "rater_id"),
    "label": ("answer",),
}
# Labels of different aspects or questions are different things and are never pooled.
_NEVER_POOLED = ("aspect", "question")
# Where a scale is not declared, each of these may turn out to have codes of its own.
_OWN_SCALE = (*_NEVER_POOLED, "condition")


@dataclass(frozen=True, eq=False)
class Votes:
    """How often each code was given to each item; items are in the order of their names, as in ratings."""

    items: pa.Table | None
    """The columns that tell items apart; None where they are only numbered."""
    codes: tuple[Code, ...]
    counts: Ints
    """Items x codes."""


@dataclass(frozen=True, eq=False)
class Labels:
    """Ratings with `item`, `label`, usually `rater`, and any other column to slice by.

    Without a rater column, only the position of a rating within its item is known, and
    every result says so. Without a declared scale, the codes that occur are taken for it,
    and sets that use different codes are not compared before one is declared.

    >>> rows = {"item": ["a", "a", "b", "b"], "rater": ["x", "y", "x", "y"], "label": [1, 1, 2, 1]}
    >>> Labels.read(rows)
    Labels: 4 ratings of 2 items by 2 raters, codes 1, 2
    """

    table: Table
    scales: Mapping[str | None, Scale] = field(default_factory=dict)
    """The declared scale of each aspect; the one under None holds for every other."""
    positions: bool = False
    inherited: tuple[Code, ...] | None = None
    """The codes of the labels that this is a slice of; a slice of high labels only is still on that scale."""
    no_answer: NoAnswer = "left_out"
    """Whether points that stand for no answer are left out or count as labels; means leave them out in any case."""

    @classmethod
    def read(
        cls,
        source: object,
        *,
        scale: Scale | Mapping[str | None, Scale] | None = None,
        columns: Mapping[str, str] | None = None,
        positions: bool = False,
        no_answer: NoAnswer = "left_out",
        engine: Any = None,
    ) -> Labels:
        """Labels from a data frame, an Ibis table or a file.

        `columns` says what this module's columns are called in the source, e.g. `{"item": "dialogue_id"}`;
        crowd-kit's `task` and `worker` are found by themselves. `positions` declares that the
        rater column holds positions, not persons. Labels that are names of a scale's points
        become their codes. Points marked `no_answer` are left out of agreement and aggregation,
        unless `no_answer="label"`.
        """
        table = _with_known_names(tables.read(source, engine), columns or {})
        declared: dict[str | None, Scale] = {None: scale} if isinstance(scale, Scale) else dict(scale or {})
        labels = cls(table, declared, positions or "rater" not in table.columns, no_answer=no_answer)
        return labels._names_to_codes()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table."""
        return tables.columns(self.table)

    def has(self, *names: str) -> bool:
        """Whether the table has all these columns."""
        return set(names) <= set(self.columns)

    def values(self, column: str) -> list[Any]:
        """The values of a column, ascending."""
        return [value for (value,) in tables.distinct(self.table, [column])]

    def where(self, **values: object) -> Labels:
        """Only the rows in which each column has the given value; they stay on the same scale.

        Aspects, questions and conditions may each have codes of their own.
        """
        own = {name: value for name, value in values.items() if name in _OWN_SCALE}
        part = replace(self, table=tables.where(self.table, own), inherited=None if own else self.inherited)
        rest = {name: value for name, value in values.items() if name not in own}
        if not rest:
            return part
        codes = part.inherited or tables.codes_used(part.table).get((), ())
        return replace(part, table=tables.where(part.table, rest), inherited=codes)

    def recoded(self, codes: Mapping[Any, int], **within: object) -> Labels:
        """Labels with other codes, in the rows named: `recoded({1: 0, 2: 1}, condition="C_0")`."""
        return replace(self, table=tables.recoded(self.table, "label", codes, within))

    def with_scale(self, scale: Scale, aspect: str | None = None) -> Labels:
        """The same labels with a declared scale."""
        return replace(self, scales={**self.scales, aspect: scale})

    def codes(self, aspect: str | None = None) -> tuple[Code, ...]:
        """The codes of an aspect's scale that are labels: the declared ones, or those that occur."""
        if scale := self.scale_of(aspect):
            return scale.codes if self.no_answer == "label" else scale.labels
        if self.inherited is not None:
            return self.inherited
        table = (
            self.table
            if aspect is None or not self.has("aspect")
            else tables.where(self.table, {"aspect": aspect})
        )
        return tables.codes_used(table).get(()) or NOBODY_GAVE

    def scale_of(self, aspect: str | None) -> Scale | None:
        """The declared scale, if there is one."""
        return self.scales.get(aspect, self.scales.get(None))

    def code_sets(self, across: str) -> list[CodeSets]:
        """The codes that occur in each value of a column, per aspect and question."""
        kept = self.never_pooled()
        used = tables.codes_used(self.table, by=[*kept, across])
        grouped: dict[str, dict[str, Sequence[Code]]] = {}
        for (*group, value), codes in used.items():
            grouped.setdefault(" ".join(map(str, group)) or "labels", {})[str(value)] = codes
        return [code_sets(of, sets) for of, sets in grouped.items()]

    def check_codes(self, across: str, doing: str) -> None:
        """Raises where the values of a column use different codes of an undeclared scale."""
        for sets in self.code_sets(across):
            aspect = sets.of.split(" ")[0] if self.has("aspect") else None
            if self.scale_of(aspect) is None:
                sets.check(doing)

    def never_pooled(self) -> tuple[str, ...]:
        """The columns, of those here, by which every analysis is sliced."""
        return tuple(name for name in _NEVER_POOLED if self.has(name))

    def slices(self, by: Sequence[str] = ()) -> Iterator[tuple[dict[str, Any], Labels]]:
        """The labels of every combination of values, aspects and questions always apart."""
        names = list(dict.fromkeys([*self.never_pooled(), *by]))
        tables.check_columns(self.table, names)
        if not names:
            yield {}, self
            return
        for values in tables.distinct(self.table, names):
            chosen = dict(zip(names, values, strict=True))
            yield chosen, self.where(**chosen)

    def item_key(self, by: Sequence[str] = ()) -> tuple[str, ...]:
        """The columns that tell items apart: an item under another condition is judged anew."""
        return ("item", *(name for name in ("condition",) if self.has(name) and name not in by))

    def counts(self, by: Sequence[str] = ()) -> dict[tuple[Any, ...], Counts]:
        """Counts per item for every combination of values, made by the engine."""
        names = [name for name in _OWN_SCALE if name in by]
        groups = tables.distinct(self.table, names) if names else [()]
        parts = {group: self.where(**dict(zip(names, group, strict=True))) for group in groups}
        codes = {group: self._codes_of(part) for group, part in parts.items()}
        if len(set(codes.values())) == 1:
            return self._counts(by, next(iter(codes.values())))
        found: dict[tuple[Any, ...], Counts] = {}
        for group, part in parts.items():
            found |= part._counts(by, codes[group])
        return found

    def _codes_of(self, part: Labels) -> tuple[Code, ...]:
        aspects = part.values("aspect") if self.has("aspect") else [None]
        return part.codes(aspects[0] if len(aspects) == 1 else None)

    def _counts(self, by: Sequence[str], codes: tuple[Code, ...]) -> dict[tuple[Any, ...], Counts]:
        patterns = tables.count_patterns(self.table, codes, by, item=self.item_key(by))
        self._check_known(sum(each.other for each in patterns.values()), codes)
        why = "no answer or missing label" if self._silent() else "missing label"
        return {
            group: Counts.of_patterns(each.counts, each.items, codes, {why: each.other} if each.other else {})
            for group, each in patterns.items()
        }

    def votes(self) -> Votes:
        """Counts of every item of one aspect, made by the engine; items without any label are left out."""
        codes, key = self._codes_of(self), self.item_key()
        found = tables.count_items(self.table, codes, item=key)
        self._check_known(int(found.other.sum()), codes)
        labelled = np.asarray(found.counts.any(axis=1))
        names, number = number_names(_item_names(found.items, key), labelled)
        place = np.empty(len(names), dtype=np.int64)
        place[number] = np.flatnonzero(labelled)
        counts = np.take(found.counts.T, place, axis=1)
        if len(number) > len(names):  # names that are written alike are one item, as they are in ratings
            alike = [np.bincount(number, given[labelled], len(names)) for given in found.counts.T]
            counts = np.array(alike, dtype=np.int64)
        return Votes(found.items.take(place), codes, counts.T)

    def _silent(self) -> set[Code]:
        """The codes that are on the scale of these rows and are no labels."""
        if self.no_answer == "label" or not any(scale.silent for scale in self.scales.values()):
            return set()
        aspects = self.values("aspect") if self.has("aspect") else [None]
        scales = [scale for scale in map(self.scale_of, aspects) if scale]
        return {code for scale in scales for code in scale.silent}

    def ratings(self) -> Ratings:
        """The single ratings of one aspect, in memory."""
        key = self.item_key()
        rows = self.fetch([*key, *(["rater"] if self.has("rater") else []), "label"])
        return self._ratings(rows, _item_names(rows, key))

    def named_ratings(self) -> tuple[Ratings, list[str]]:
        """The single ratings of one slice with their items' names, in the order of the item numbers."""
        rows = self.fetch(["item", *(["rater"] if self.has("rater") else []), "label"])
        names = np.asarray(rows["item"].to_pylist(), dtype=str)
        silent = self._silent()
        present = [value is not None and value not in silent for value in rows["label"].to_pylist()]
        return self._ratings(rows, names), np.unique(names[present]).tolist()

    def _ratings(self, rows: pa.Table, items: Any) -> Ratings:
        labels = _values(rows["label"])
        if silent := self._silent():
            labels = [None if label in silent else label for label in rows["label"].to_pylist()]
        return Ratings.of(
            items,
            labels,
            _names(rows["rater"]) if self.has("rater") else None,
            codes=self._codes_of(self),
            positions=self.positions,
        )

    def fetch(self, names: Sequence[str]) -> pa.Table:
        """Columns in memory, as pyarrow."""
        tables.check_columns(self.table, names)
        return tables.fetch(self.table, names)

    def _check_known(self, other: int, codes: Sequence[Code]) -> None:
        if not other:
            return
        known = {*codes, *self._silent()}
        unknown = [code for code in tables.codes_used(self.table).get((), ()) if code not in known]
        if unknown:
            raise UnknownCode(
                f"label {unknown[0]!r} is no code of the scale.",
                expected=f"one of {', '.join(map(repr, codes))}.",
                do="Declare the scale the labels were given on, or recode them.",
            )

    def _names_to_codes(self) -> Labels:
        parts = []
        for aspect, scale in self.scales.items():
            within = {"aspect": aspect} if aspect is not None and self.has("aspect") else {}
            chosen = tables.where(self.table, within) if within else self.table
            used = tables.codes_used(chosen).get((), ())
            names = {point.name: point.code for point in scale.points}
            if used and all(value in names for value in used):
                parts.append((within, names))
        return replace(self, table=tables.recoded_parts(self.table, "label", parts))

    def __repr__(self) -> str:
        total, items, *raters = tables.sizes(self.table, ["item"] if self.positions else ["item", "rater"])
        who = "at unnamed positions" if self.positions else f"by {raters[0]:,} raters"
        codes = self.codes()
        shown = ", ".join(map(str, codes)) if len(codes) <= 11 else f"{len(codes)} values"
        return f"Labels: {total:,} ratings of {items:,} items {who}, codes {shown}"


def _with_known_names(table: Table, columns: Mapping[str, str]) -> Table:
    names = dict(columns)
    for known, others in _OTHER_NAMES.items():
        if known not in table.columns and known not in names:
            found = [other for other in others if other in table.columns]
            names.update({known: found[0]} if found else {})
    renamed = tables.renamed(table, names) if names else table
    missing = [name for name in ("item", "label") if name not in renamed.columns]
    if missing:
        raise NotLabels(
            f"there is no column {missing[0]!r} among {', '.join(table.columns)}.",
            expected="a table with item, rater and label.",
            do=f'Say what it is called: columns={{"{missing[0]}": "..."}}.',
        )
    return renamed


def _values(column: pa.ChunkedArray) -> Any:
    if pa.types.is_integer(column.type) and not column.null_count:
        return column.combine_chunks().to_numpy()
    return column.to_pylist()


def _names(column: pa.ChunkedArray) -> Any:
    """Names, or their places among each other in order, which number items and raters just as well and faster."""
    if not pa.types.is_string(column.type) or column.null_count:
        return _values(column)
    encoded = column.combine_chunks().dictionary_encode()
    place = np.empty(len(encoded.dictionary), dtype=np.int64)
    place[pc.sort_indices(encoded.dictionary).to_numpy()] = np.arange(len(place))
    return place[encoded.indices.to_numpy()]


def _item_names(rows: pa.Table, key: Sequence[str]) -> Any:
    if len(key) == 1:
        return _names(rows[key[0]])
    parts = [np.asarray(rows[name].to_pylist(), dtype=str) for name in key]
    names = parts[0]
    for part in parts[1:]:
        names = np.char.add(np.char.add(names, "\x1f"), part)
    return names
