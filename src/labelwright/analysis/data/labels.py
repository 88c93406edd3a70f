"""Labels: a table of ratings from any source, together with their scale."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from labelwright import tables
from labelwright.agreement import Counts, Ints, Ratings, UnknownCode
from labelwright.agreement.ratings import number_names, why_no_order
from labelwright.analysis.data.codes import CodeSets, code_sets
from labelwright.analysis.data.counting import describe_left_out
from labelwright.analysis.data.row_checks import Repeated, check_named, check_rows
from labelwright.analysis.errors import NotLabels, SeveralQuestions
from labelwright.scales import Scale

if TYPE_CHECKING:
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
    "weight",
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


@dataclass(frozen=True)
class OrderedCodes:
    """The codes of labels, and what is known of their order."""

    codes: tuple[Code, ...]
    outside: tuple[Code, ...]
    """The codes without a place in the order."""
    no_order: str
    """Why the codes have no order; empty if they have one."""


@dataclass(frozen=True, eq=False)
class Labels:
    """Ratings with `item`, `label`, usually `rater`, and any other columns to slice by.

    Without a rater column, only the position of a rating within its item is known, and every
    result notes this. Without a declared scale, the codes that occur are used as the scale, and
    sets with different codes cannot be compared. Numbers are then in ascending order, and text
    has no order. `weight` is the design weight of the item: how many items of the corpus it
    stands for, relative to the others.

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
    notes: tuple[str, ...] = ()
    """Caveats about the rows, to report together with every result."""

    @classmethod
    def read(
        cls,
        source: object,
        *,
        scale: Scale | Mapping[str | None, Scale] | None = None,
        columns: Mapping[str, str] | None = None,
        positions: bool = False,
        missing: Sequence[Code] = (),
        repeated: Repeated | Literal["unchecked"] = "refused",
        no_answer: NoAnswer = "left_out",
        engine: Any = None,
    ) -> Labels:
        """Labels from a data frame, an Ibis table or a file.

        `columns` maps our column names to those of the source, e.g. `{"item": "dialogue_id"}`; the names
        `task` and `worker` of crowd-kit are recognised. `positions` declares that the rater
        column holds positions instead of raters. Labels that are names of scale points are
        converted to codes. Points marked `no_answer` are left out of agreement and aggregation
        unless `no_answer="label"`.

        Raises NotLabels if a row has no item or no rater, if the labels mix numbers with text, or if a
        rater has several ratings of the same item, question and condition. `missing` lists labels that
        mean no label, such as "n/a"; `repeated="kept"` counts repeated ratings, and every result notes it.
        More than two million rows, or any with `repeated="unchecked"`, are read without these checks,
        and `check` runs them.
        """
        table = _with_known_names(tables.read(source, engine), columns or {})
        table = tables.emptied(table, "label", missing)
        declared: dict[str | None, Scale] = {None: scale} if isinstance(scale, Scale) else dict(scale or {})
        unnamed = positions or "rater" not in table.columns
        labels = cls(table, declared, unnamed, no_answer=no_answer)
        return replace(labels, notes=labels._row_notes(repeated))._names_to_codes()

    def check(self) -> None:
        """Raises NotLabels for rows that cannot be counted as ratings, however many rows there are."""
        check_rows(self.table, positions=self.positions, at_any_size=True)

    def _row_notes(self, repeated: Repeated | Literal["unchecked"]) -> tuple[str, ...]:
        if repeated == "unchecked":
            return ()
        names = {point.name for scale in self.scales.values() for point in scale.points}
        return check_rows(self.table, positions=self.positions, names=names, repeated=repeated)

    @property
    def caveats(self) -> tuple[str, ...]:
        """What every result should say about the rows: the notes on them, and what was left out."""
        left_out = describe_left_out(self.left_out)
        return (*self.notes, left_out) if left_out else self.notes

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

    def recoded(self, codes: Mapping[Any, int | None], **within: object) -> Labels:
        """Labels with other codes in the given rows: `recoded({1: 0, 2: 1}, condition="C_0")`.

        Every code that occurs in these rows must be named, so that none is dropped by mistake. A code that is
        mapped to None becomes missing. Raises NotLabels if no row is chosen.
        """
        used = tables.codes_used(tables.where(self.table, within)).get(())
        if used is None:
            where = ", ".join(f"{name}={value!r}" for name, value in within.items()) or "the table"
            raise NotLabels(f"there are no rows to recode: {where} has none.", expected="at least one row.")
        if dropped := [code for code in used if code not in codes]:
            raise UnknownCode(
                f"these codes occur but are not recoded: {', '.join(map(repr, dropped))}.",
                expected="a new code for every code that occurs.",
                do=f"Add them, for example {{{dropped[0]!r}: {dropped[0]!r}}} to keep or {{{dropped[0]!r}: None}} to drop one.",
                dropped=tuple(dropped),
            )
        if within and not self.table["label"].type().is_integer():
            self._check_whole(within)
        kept = {code: new for code, new in codes.items() if new is not None}
        inherited = tuple(sorted({kept[code] for code in self.inherited or () if code in kept}))
        table = tables.recoded(self.table, "label", kept, within)
        return replace(self, table=table, inherited=None if within or not inherited else inherited)

    def _check_whole(self, within: Mapping[str, object]) -> None:
        """Refuses to recode some rows to whole numbers if the other rows hold anything else."""
        odd = [code for code in tables.codes_used(self.table).get((), ()) if not _is_whole(code)]
        inside = tables.codes_used(tables.where(self.table, within)).get((), ())
        if outside := [code for code in odd if code not in inside]:
            raise NotLabels(
                f"label {outside[0]!r} in other rows is not a whole number, and would be changed.",
                expected="whole numbers in all rows that are not recoded.",
                do="Recode the other rows first, or all rows at once.",
            )

    def with_scale(self, scale: Scale, aspect: str | None = None) -> Labels:
        """The same labels with a declared scale; names of its points become codes, as in `read`."""
        return replace(self, scales={**self.scales, aspect: scale})._names_to_codes()

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

    def resampled_together(self) -> str | None:
        """The column whose ratings belong together: one item in several conditions, or the candidates of an item."""
        if self.has("shared_item"):
            return "shared_item"
        return "item" if len(self.item_key()) > 1 else None

    def counts(self, by: Sequence[str] = ()) -> dict[tuple[Any, ...], Counts]:
        """Counts per item for every combination of values, computed by the engine."""
        names = [name for name in _OWN_SCALE if name in by]
        groups = tables.distinct(self.table, names) if names else [()]
        parts = {group: self.where(**dict(zip(names, group, strict=True))) for group in groups}
        ordered = {group: part.ordered_codes() for group, part in parts.items()}
        # Questions with their own scales have their own points without a label, too.
        if len(set(ordered.values())) == 1 and not self.questions:
            return self._counts(by, next(iter(ordered.values())))
        found: dict[tuple[Any, ...], Counts] = {}
        for group, part in parts.items():
            found |= part._counts(by, ordered[group])
        return found

    def ordered_codes(self) -> OrderedCodes:
        """The codes of these labels, and what is known of their order."""
        scales = self._scales_here() if self.questions else []
        scale = scales[0] if len(scales) == 1 else self.scale_of(self.only_aspect())
        if scale is None:
            codes = self.codes(self.only_aspect())
            return OrderedCodes(codes, (), why_no_order(codes))
        codes = scale.codes if self.no_answer == "label" else scale.labels
        return OrderedCodes(codes, tuple(code for code in scale.outside if code in codes), scale.no_order)

    def only_aspect(self) -> str | None:
        """The aspect of these labels if they have only one, otherwise None."""
        aspects = self.values("aspect") if self.has("aspect") else [None]
        return aspects[0] if len(aspects) == 1 else None

    def _counts(self, by: Sequence[str], ordered: OrderedCodes) -> dict[tuple[Any, ...], Counts]:
        codes = ordered.codes
        patterns = tables.count_patterns(self.table, codes, by, item=self.item_key(by))
        self._check_known(sum(each.other for each in patterns.values()), codes)
        why = "no answer or missing label" if self._silent() else "missing label"
        return {
            group: Counts.of_patterns(
                each.counts,
                each.items,
                codes,
                {why: each.other} if each.other else {},
                outside=ordered.outside,
                no_order=ordered.no_order,
            )
            for group, each in patterns.items()
        }

    def votes(self) -> Votes:
        """Counts of every item of one aspect, computed by the engine. Items without any label are left out."""
        self._check_one_question()
        codes, key = self.codes(self.only_aspect()), self.item_key()
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
        """The individual ratings of one aspect and question, in memory."""
        self._check_one_question()
        key = self.item_key()
        together = self.resampled_together()
        known = [name for name in ("rater", "shared_item") if self.has(name)]
        rows = self.fetch([*key, *known, "label"])
        return self._ratings(rows, _item_names(rows, key), _names(rows[together]) if together else None)

    def named_ratings(self, by: Sequence[str] = ("condition",)) -> tuple[Ratings, list[str]]:
        """The individual ratings of one slice, and the item names in the order of the item numbers.

        `by` names the columns that have one value in this slice; the names of items do not include them.
        """
        self._check_one_question(*(name for name in by if self.has(name)))
        key = self.item_key(by)
        rows = self.fetch([*key, *(["rater"] if self.has("rater") else []), "label"])
        names = np.asarray(
            [item_name(row) for row in zip(*(rows[name].to_pylist() for name in key), strict=True)], dtype=str
        )
        present = self._are_labels(rows["label"])
        return self._ratings(rows, names), np.unique(names[present]).tolist()

    def rater_names(self) -> list[str]:
        """The names of the raters with a label, in the order of the rater numbers in `ratings`."""
        if not self.has("rater"):
            return []
        rows = self.fetch(["rater", "label"])
        present = zip(rows["rater"].to_pylist(), self._are_labels(rows["label"]), strict=True)
        return [str(rater) for rater in sorted({rater for rater, given in present if given})]

    def _are_labels(self, column: pa.ChunkedArray) -> list[bool]:
        """Whether each value is a label: not null, nan or a code for no answer."""
        silent = {None, *self._silent()}
        values = column.to_pylist()
        return [
            value not in silent and not (isinstance(value, float) and math.isnan(value)) for value in values
        ]

    def _check_one_question(self, *more: str) -> None:
        """Refuses labels of several questions, because pooled ratings would not be about the same thing."""
        for name in (*self.never_pooled(), *more):
            if len(found := self.values(name)) > 1:
                shown = ", ".join(str(value) for value in found[:3])
                raise SeveralQuestions(
                    f"these labels have {len(found)} values of {name!r} ({shown}{', ...' if len(found) > 3 else ''}).",
                    expected=f"one {name}.",
                    do=f"Choose one with labels.where({name}=...).",
                )

    def _ratings(self, rows: pa.Table, items: Any, cluster: Any = None) -> Ratings:
        labels, ordered = _values(rows["label"]), self.ordered_codes()
        if silent := self._silent():
            labels = [None if label in silent else label for label in rows["label"].to_pylist()]
        return Ratings.of(
            items,
            labels,
            _names(rows["rater"]) if self.has("rater") else None,
            codes=ordered.codes,
            positions=self.positions,
            outside=ordered.outside,
            no_order=ordered.no_order,
            cluster=cluster,
        )

    def in_memory(self) -> Labels:
        """The same labels as a table in memory, for analyses that ask for many small parts of it."""
        return replace(self, table=tables.read(tables.fetch(self.table)))

    def fetch(self, names: Sequence[str]) -> pa.Table:
        """Columns in memory, as pyarrow."""
        tables.check_columns(self.table, names)
        return tables.fetch(self.table, names)

    def check_named(self) -> dict[str, int]:
        """Raises if a rating has no item, no rater or an unknown code; returns how many rows have no label."""
        check_named(self.table, ["item", "rater"])
        self.check_scale()
        _, missing = tables.missing(self.table, ["label"])
        return {"missing label": missing["label"]} if missing["label"] else {}

    def check_scale(self) -> None:
        """Raises UnknownCode if a label is not a code of the declared scale."""
        self._check_known(1, self.codes(self.only_aspect()))

    def _check_known(self, other: int, codes: Sequence[Code]) -> None:
        if not other:
            return
        known = {*codes, *self._silent()}
        unknown = [code for code in tables.codes_used(self.table).get((), ()) if code not in known]
        if unknown:
            scale = self.scale_of(self.only_aspect())
            named = [point.name for point in scale.points] if scale and isinstance(unknown[0], str) else codes
            raise UnknownCode(
                f"label {unknown[0]!r} is not a code of the scale.",
                expected=f"one of {', '.join(map(repr, named))}.",
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
        caveats = "".join(f"\n{each}" for each in self.caveats)
        return f"Labels: {total:,} ratings of {items:,} items {who}, codes {shown}{caveats}"


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


def item_name(values: Sequence[Any]) -> str:
    """The name of an item from the values of the columns that identify it.

    >>> item_name(["d1"])
    'd1'
    """
    return "\x1f".join(map(str, values))


def _is_whole(code: Code) -> bool:
    try:
        return float(code).is_integer()
    except ValueError:
        return False
