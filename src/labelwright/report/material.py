"""Material: the ratings of a report, read once into arrays, with and without the excluded ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from labelwright import tables
from labelwright.analysis import Labels, NotLabels
from labelwright.report.arrays import NAMED, NUMBERS, Numbered, RatingArrays, code_labels
from labelwright.report.input import EXCLUDED, ReportInput

ONE_CONDITION = "all"
"""The name of the condition if the ratings have none."""
_SPLIT = ("aspect", "question")


@dataclass(frozen=True, eq=False)
class AskedQuestion:
    """One question about one aspect: what every analysis is separated by."""

    where: Mapping[str, Any]
    name: str
    key: str
    """A name for files and anchors, of letters, digits and hyphens."""
    kept: RatingArrays
    """The ratings that count."""
    every: RatingArrays
    """The same and those that were excluded."""


@dataclass(frozen=True, eq=False)
class ReportMaterial:
    """All ratings of a report in memory."""

    given: ReportInput
    rows: pa.Table
    columns: Mapping[str, Numbered]
    excluded: Any
    """A mask of the rows."""

    @classmethod
    def read(cls, given: ReportInput) -> ReportMaterial:
        """The ratings, fetched once."""
        if given.labels is None:
            return cls._of_rows(
                given, pa.table({"item": pa.array([], pa.string()), "label": pa.array([], pa.int64())})
            )
        present = tables.columns(given.labels.table)
        wanted = ("label", "assignment", "design", "data_use", EXCLUDED, *NAMED, *NUMBERS, *_SPLIT)
        rows = given.labels.fetch([name for name in wanted if name in present])
        if not rows.num_rows:
            raise NotLabels("there are no ratings to report on.", expected="at least one rating.")
        return cls._of_rows(given, rows)

    @classmethod
    def _of_rows(cls, given: ReportInput, rows: pa.Table) -> ReportMaterial:
        if "condition" not in rows.column_names:
            rows = rows.append_column("condition", pa.repeat(pa.scalar(ONE_CONDITION), rows.num_rows))
        columns = {name: Numbered.of(rows[name]) for name in NAMED if name in rows.column_names}
        columns["condition"] = columns["condition"].reordered(
            _condition_order(given, columns["condition"].names)
        )
        return cls(given, rows, columns, _excluded(rows))

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions: in the order of the study file if it is known, otherwise by name."""
        return self.columns["condition"].names

    @property
    def reference(self) -> str:
        """The condition that the others are compared with."""
        return self.conditions[0] if self.conditions else ""

    @cached_property
    def questions(self) -> tuple[AskedQuestion, ...]:
        """The questions, by aspect and name."""
        if not self.rows.num_rows:
            return ()
        split = [name for name in _SPLIT if name in self.rows.column_names]
        if not split:
            return (self._question({}, np.ones(self.rows.num_rows, dtype=bool), 1),)
        numbered = [Numbered.of(self.rows[name]) for name in split]
        joint = np.zeros(self.rows.num_rows, dtype=np.int64)
        for each in numbered:
            joint = joint * (len(each.names) + 1) + each.number + 1
        found: list[AskedQuestion] = []
        for value in np.unique(joint).tolist():
            chosen = joint == value
            row = int(np.argmax(chosen))
            where = {
                name: each.names[each.number[row]] if each.number[row] >= 0 else None
                for name, each in zip(split, numbered, strict=True)
            }
            found.append(self._question(where, chosen, len(found) + 1))
        return tuple(found)

    def _question(self, where: Mapping[str, Any], chosen: Any, number: int) -> AskedQuestion:
        labels = self.labels
        scale = labels.scale_in(where)
        code, codes = code_labels(
            self.rows["label"].filter(pa.array(chosen)), scale, silent=labels.no_answer == "left_out"
        )
        name = " ".join(dict.fromkeys(str(value) for value in where.values() if value)) or "label"
        whole = np.flatnonzero(chosen)
        given = whole[code >= 0]
        every = RatingArrays(
            {key: column.only(given) for key, column in self.columns.items()},
            {key: self._numbers(key)[given] for key in NUMBERS if self._is_number(key)},
            code[code >= 0],
            codes,
            scale,
            labels.positions or "rater" not in self.columns,
            len(whole) - len(given),
            where,
        )
        out = self.excluded[given]
        kept = every.only(~out) if out.any() else every
        shown = self.given.wordings.get(name, name)
        return AskedQuestion(where, shown, f"{slug(name)}-{number}", kept, every)

    def _numbers(self, key: str) -> Any:
        return self.rows[key].cast(pa.float64()).to_numpy(zero_copy_only=False)

    def _is_number(self, key: str) -> bool:
        if key not in self.rows.column_names:
            return False
        kind = self.rows.schema.field(key).type
        return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))

    def has(self, name: str) -> bool:
        """Whether the ratings have a column."""
        return name in self.rows.column_names

    @cached_property
    def kept(self) -> Any:
        """The numbers of the rows that count."""
        return np.flatnonzero(~self.excluded)

    def number_of(self, name: str, condition: str | None = None) -> int:
        """How many different values a column has in the rows that count, or in those of one condition."""
        rows = self.kept
        if condition is not None:
            rows = rows[self.columns["condition"].number[rows] == self.conditions.index(condition)]
        numbers = self.columns[name].number[rows]
        return int((np.bincount(numbers[numbers >= 0]) > 0).sum())

    def ratings_in(self, condition: str) -> int:
        """How many ratings count in a condition."""
        own = self.columns["condition"].number[self.kept] == self.conditions.index(condition)
        return int(own.sum())

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems, by name; empty if none is named."""
        return tuple(name for name in self.columns["system"].names if name) if self.has("system") else ()

    @property
    def labels(self) -> Labels:
        """The labels as given."""
        assert self.given.labels is not None, "there are no ratings without labels"
        return self.given.labels

    @property
    def several_conditions(self) -> bool:
        """Whether there are conditions to compare."""
        return len(self.conditions) > 1

    @property
    def names_raters(self) -> bool:
        """Whether it is known who gave each rating."""
        return "rater" in self.columns and not self.labels.positions

    @property
    def dialogue(self) -> str | None:
        """The column of dialogues, if items of one dialogue belong together."""
        return "dialogue" if "dialogue" in self.columns else None

    @property
    def marks_exclusion(self) -> bool:
        """Whether the rows say if they were excluded."""
        return self.has(EXCLUDED) or self.has("data_use")


def _condition_order(given: ReportInput, found: Sequence[str]) -> list[str]:
    design = given.facts.design
    declared = [each.name for each in design.conditions if each.name in found] if design else []
    return [*declared, *(name for name in found if name not in declared)]


def slug(name: str) -> str:
    """A name of letters, digits and hyphens.

    >>> slug("Fit & Finish!")
    'fit-finish'
    """
    words = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in name.lower()).split()
    return "-".join(words)[:60] or "x"


def _excluded(rows: pa.Table) -> Any:
    if EXCLUDED in rows.column_names:
        given = rows[EXCLUDED]
        if pa.types.is_string(given.type):
            given = pc.is_in(pc.utf8_lower(given), pa.array(["true", "1", "yes"]))
        return np.asarray(given.cast(pa.bool_()).fill_null(False).to_numpy(), dtype=bool)
    if "data_use" in rows.column_names:
        return np.asarray(pc.equal(rows["data_use"], "left_out").fill_null(False).to_numpy(), dtype=bool)
    return np.zeros(rows.num_rows, dtype=bool)
