"""Labels: a table of ratings from any source, together with their scale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from labelwright import tables
from labelwright.agreement import Counts, Ints, Ratings, UnknownCode
from labelwright.agreement.ratings import number_names
from labelwright.analysis._codes import CodeSets, code_sets
from labelwright.analysis.counting import describe_left_out
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
"""The columns with a meaning in the analysis. Results can be sliced by any other column too."""

NOBODY_GAVE: tuple[Code, ...] = (0,)
"""The scale used if every label is missing, so that counts keep their shape and every measure is undefined."""

NoAnswer: TypeAlias = Literal["left_out", "label"]

# Names of the same columns in other tools (crowd-kit: task, worker, label).
_OTHER_NAMES = {
    "item": ("task", "item_id"),
    "rater": ("worker", "annotator", "rater_id"),
    "label": ("answer",),
}
# Labels of different aspects or questions are never pooled.
_NEVER_POOLED = ("aspect", "question")
# If no scale is declared, each value of these columns may have its own codes.
_OWN_SCALE = (*_NEVER_POOLED, "condition")


@dataclass(frozen=True, eq=False)
class Votes:
    """How often each code was given to each item. Items are sorted by name, as in ratings."""

    items: pa.Table | None
    """The columns that identify items; None if items are only numbered."""
    codes: tuple[Code, ...]
    counts: Ints
    """Items x codes."""


@dataclass(frozen=True, eq=False)
class Labels:
    """Ratings with `item`, `label`, usually `rater`, and any other columns to slice by.

    Without a rater column, only the position of a rating within its item is known, and every
    result notes this. Without a declared scale, the codes that occur are used as the scale, and
    sets with different codes cannot be compared.

    >>> rows = {"item": ["a", "a", "b", "b"], "rater": ["x", "y", "x", "y"], "label": [1, 1, 2, 1]}
    >>> Labels.read(rows)
    Labels: 4 ratings of 2 items by 2 raters, codes 1, 2
    """

    table: Table
    scales: Mapping[str | None, Scale] = field(default_factory=dict)
    """The declared scale of each aspect; the scale under None is the default."""
    positions: bool = False
    inherited: tuple[Code, ...] | None = None
    """The codes of the labels that this is a slice of, because a slice may not contain all of them."""
    no_answer: NoAnswer = "left_out"
    """Whether points marked `no_answer` are left out or count as labels. Means always leave them out."""
    questions: Mapping[str, Scale] = field(default_factory=dict)
    """The declared scale of questions, because questions about one aspect can have different scales."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many answers of the export do not count, by reason; the same for every slice."""

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

        `columns` maps our column names to those of the source, e.g. `{"item": "dialogue_id"}`; the names
        `task` and `worker` of crowd-kit are recognised. `positions` declares that the rater
        column holds positions instead of raters. Labels that are names of scale points are
        converted to codes. Points marked `no_answer` are left out of agreement and aggregation
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
        """The rows in which each column has the given value. They keep the scale of all labels.

        Aspects, questions and conditions can each have their own codes.
        """
        own = {name: value for name, value in values.items() if name in _OWN_SCALE}
        asked = self.questions.get(str(values.get("question")))
        part = replace(
            self,
            table=tables.where(self.table, own),
            scales={None: asked} if asked else self.scales,
            inherited=None if own else self.inherited,
        )
        rest = {name: value for name, value in values.items() if name not in own}
        if not rest:
            return part
        codes = part.inherited or tables.codes_used(part.table).get((), ())
        return replace(part, table=tables.where(part.table, rest), inherited=codes)

    def recoded(self, codes: Mapping[Any, int], **within: object) -> Labels:
        """Labels with other codes in the given rows: `recoded({1: 0, 2: 1}, condition="C_0")`."""
        return replace(self, table=tables.recoded(self.table, "label", codes, within))

    def with_scale(self, scale: Scale, aspect: str | None = None) -> Labels:
        """The same labels with a declared scale."""
        return replace(self, scales={**self.scales, aspect: scale})

    def codes(self, aspect: str | None = None) -> tuple[Code, ...]:
        """The codes that count as labels of an aspect: those declared, or those that occur."""
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
        """The declared scale of an aspect, or None."""
        return self.scales.get(aspect, self.scales.get(None))

    def scale_in(self, where: Mapping[str, Any]) -> Scale | None:
        """The declared scale of a slice: that of its question, or else of its aspect."""
        return self.questions.get(str(where.get("question"))) or self.scale_of(where.get("aspect"))

    def code_sets(self, across: str) -> list[CodeSets]:
        """The codes that occur for each value of a column, per aspect and question."""
        return list(self._code_sets(across).values())

    def check_codes(self, across: str, doing: str) -> None:
        """Raises MixedCodes if the values of a column use different codes and no scale is declared."""
        for group, sets in self._code_sets(across).items():
            if self.scale_in(dict(zip(self.never_pooled(), group, strict=True))) is None:
                sets.check(doing)

    def _code_sets(self, across: str) -> dict[tuple[Any, ...], CodeSets]:
        """Code sets by aspect and question, as far as the table has them."""
        used = tables.codes_used(self.table, by=[*self.never_pooled(), across])
        grouped: dict[tuple[Any, ...], dict[str, Sequence[Code]]] = {}
        for (*group, value), codes in used.items():
            grouped.setdefault(tuple(group), {})[str(value)] = codes
        return {
            group: code_sets(" ".join(map(str, group)) or "labels", sets) for group, sets in grouped.items()
        }

    def never_pooled(self) -> tuple[str, ...]:
        """The columns of this table by which every analysis is sliced."""
        return tuple(name for name in _NEVER_POOLED if self.has(name))

    def slices(self, by: Sequence[str] = ()) -> Iterator[tuple[dict[str, Any], Labels]]:
        """The labels of every combination of values. Aspects and questions are always separated."""
        names = list(dict.fromkeys([*self.never_pooled(), *by]))
        tables.check_columns(self.table, names)
        if not names:
            yield {}, self
            return
        for values in tables.distinct(self.table, names):
            chosen = dict(zip(names, values, strict=True))
            yield chosen, self.where(**chosen)

    def item_key(self, by: Sequence[str] = ()) -> tuple[str, ...]:
        """The columns that identify items. The same item in another condition counts as another item."""
        return ("item", *(name for name in ("condition",) if self.has(name) and name not in by))

    def counts(self, by: Sequence[str] = ()) -> dict[tuple[Any, ...], Counts]:
        """Counts per item for every combination of values, computed by the engine."""
        names = [name for name in _OWN_SCALE if name in by]
        groups = tables.distinct(self.table, names) if names else [()]
        parts = {group: self.where(**dict(zip(names, group, strict=True))) for group in groups}
        codes = {group: self._codes_of(part) for group, part in parts.items()}
        # Questions with their own scales have their own points without a label, too.
        if len(set(codes.values())) == 1 and not self.questions:
            return self._counts(by, next(iter(codes.values())))
        found: dict[tuple[Any, ...], Counts] = {}
        for group, part in parts.items():
            found |= part._counts(by, codes[group])
        return found

    def _codes_of(self, part: Labels) -> tuple[Code, ...]:
        scales = part._scales_here() if self.questions else []
        if len(scales) == 1:
            return scales[0].codes if self.no_answer == "label" else scales[0].labels
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
        """Counts of every item of one aspect, computed by the engine. Items without any label are left out."""
        codes, key = self._codes_of(self), self.item_key()
        found = tables.count_items(self.table, codes, item=key)
        self._check_known(int(found.other.sum()), codes)
        labelled = np.asarray(found.counts.any(axis=1))
        names, number = number_names(_item_names(found.items, key), labelled)
        place = np.empty(len(names), dtype=np.int64)
        place[number] = np.flatnonzero(labelled)
        counts = np.take(found.counts.T, place, axis=1)
        if len(number) > len(names):  # names with the same spelling are one item, as in ratings
            alike = [np.bincount(number, given[labelled], len(names)) for given in found.counts.T]
            counts = np.array(alike, dtype=np.int64)
        return Votes(found.items.take(place), codes, counts.T)

    def _silent(self) -> set[Code]:
        """The codes on the scale of these rows that are not labels."""
        declared = (*self.scales.values(), *self.questions.values())
        if self.no_answer == "label" or not any(scale.silent for scale in declared):
            return set()
        return {code for scale in self._scales_here() for code in scale.silent}

    def _scales_here(self) -> list[Scale]:
        """The declared scales of these rows: those of their questions, or else of their aspects."""
        asked = [self.questions.get(name) for name in self.values("question")] if self.questions else [None]
        if all(asked):
            return [scale for scale in asked if scale]
        aspects = self.values("aspect") if self.has("aspect") else [None]
        return [scale for scale in map(self.scale_of, aspects) if scale]

    def ratings(self) -> Ratings:
        """The individual ratings of one aspect, in memory."""
        key = self.item_key()
        rows = self.fetch([*key, *(["rater"] if self.has("rater") else []), "label"])
        return self._ratings(rows, _item_names(rows, key))

    def named_ratings(self) -> tuple[Ratings, list[str]]:
        """The individual ratings of one slice, and the item names in the order of the item numbers."""
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
                f"label {unknown[0]!r} is not a code of the scale.",
                expected=f"one of {', '.join(map(repr, codes))}.",
                do="Declare the scale of these labels, or recode them.",
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
        who = "at unknown positions" if self.positions else f"by {raters[0]:,} raters"
        codes = self.codes()
        shown = ", ".join(map(str, codes)) if len(codes) <= 11 else f"{len(codes)} values"
        counted = f"Labels: {total:,} ratings of {items:,} items {who}, codes {shown}"
        return f"{counted}\n{describe_left_out(self.left_out)}" if self.left_out else counted


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
            f"there is no column {missing[0]!r}; the columns are {', '.join(table.columns)}.",
            expected="a table with the columns item, label and usually rater.",
            do=f'Give its name in your table: columns={{"{missing[0]}": "..."}}.',
        )
    return renamed


def _values(column: pa.ChunkedArray) -> Any:
    if pa.types.is_integer(column.type) and not column.null_count:
        return column.combine_chunks().to_numpy()
    return column.to_pylist()


def _names(column: pa.ChunkedArray) -> Any:
    """Names, or their ranks in sort order, which number items and raters equally well but faster."""
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
