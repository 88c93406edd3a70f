"""Contrasts: one figure compared between two conditions, and tables of contrasts that are tested as a family."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, TypeAlias

import pyarrow as pa

from labelwright.agreement import Interval, Significance, UnknownOption, correct_tests
from labelwright.analysis.comparing.jackknife import FEW_DEGREES, Jackknife
from labelwright.analysis.results import html_table, text_table
from labelwright.errors import with_hint

Reference: TypeAlias = Mapping[Any, Any] | str | None
"""The condition that all others are compared with; a mapping names one for each aspect."""


@dataclass(frozen=True)
class Contrast:
    """The difference of one figure between two conditions, second minus first."""

    first: Any
    second: Any
    name: str
    """The figure that is compared, such as the name of a measure."""
    values: tuple[float, float]
    """The figure in the first and in the second condition."""
    value: float
    definition: str
    """How the difference is computed and tested, in words that a paper can quote."""
    interval: Interval | None
    test: Significance
    equivalence: Significance | None = None
    """The test that the difference lies within the declared margin; None without a margin."""
    margin: float | None = None
    effect_size: float | None = None
    """Mean difference divided by the standard deviation of the items' differences (Cohen's dz)."""
    items: int = 0
    paired: bool = True
    """Whether the same items are compared."""
    ratings_per_item: int | None = None
    """The number of ratings per item to which both conditions were reduced; None if they had the same number."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How much was left out, by reason."""
    undefined: str | None = None
    """Why there is no value or no interval."""
    notes: tuple[str, ...] = ()
    where: Mapping[str, Any] = field(default_factory=dict)
    """The slice: its aspect and question."""

    @property
    def significant(self) -> bool:
        """Whether the interval excludes zero. In a table of several contrasts, use `test.p_holm`."""
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high

    @property
    def text(self) -> str:
        """The difference with its interval: `+0.12 [+0.03, +0.21]`."""
        if math.isnan(self.value):
            return "undefined"
        between = f" [{self.interval.low:+.3f}, {self.interval.high:+.3f}]" if self.interval else ""
        return f"{self.value:+.3f}{between}"

    @property
    def restriction(self) -> str:
        """The items that are compared and what was left out, as a sentence; empty if nothing was left out."""
        return restriction_text(self.items, self.left_out, paired=self.paired)

    def reversed(self) -> Contrast:
        """The same contrast with the opposite sign: first minus second."""
        turned = self.interval and replace(self.interval, low=-self.interval.high, high=-self.interval.low)
        return replace(
            self,
            value=-self.value,
            interval=turned,
            test=replace(self.test, statistic=-self.test.statistic),
            effect_size=None if self.effect_size is None else -self.effect_size,
            definition=self.definition.replace("second minus first", "first minus second"),
        )

    def record(self) -> dict[str, Any]:
        """A dictionary of plain values for a data frame or JSON; nan becomes None."""
        low, high = (self.interval.low, self.interval.high) if self.interval else (None, None)
        one, two = map(_plain, self.values)
        tests = {"p": self.test.p, "p_holm": self.test.p_holm, "p_bh": self.test.p_bh}
        alike = self.equivalence
        return {
            **self.where,
            "figure": self.name,
            "first": self.first,
            "second": self.second,
            "value_first": one,
            "value_second": two,
            "difference": _plain(self.value),
            "low": low,
            "high": high,
            "test": self.test.method,
            **{name: _plain(value) for name, value in tests.items()},
            "margin": self.margin,
            "p_equivalence": None if alike is None else _plain(alike.p),
            "p_equivalence_holm": None if alike is None else _plain(alike.p_holm),
            "effect_size": _plain(self.effect_size),
            "items": self.items,
            "left_out": json.dumps(dict(self.left_out), ensure_ascii=False),
            "undefined": self.undefined,
        }

    def __repr__(self) -> str:
        one, two = self.values
        head = f"{self.name}, {self.first} to {self.second}: {one:.3f} to {two:.3f}, {self.text}"
        facts = [repr(self.test), *([repr(self.equivalence)] if self.equivalence else []), *self.comments]
        return f"{head} ({'; '.join(facts)}; {self.items:,} items)"

    @property
    def comments(self) -> list[str]:
        """Everything to report together with the difference: why it is undefined, what was left out, notes."""
        return [part for part in (self.undefined, self.restriction, *self.notes) if part]


def restriction_text(items: int, left_out: Mapping[str, int], *, paired: bool = True) -> str:
    """The number of items compared and what was left out, as a sentence; empty if nothing was left out.

    >>> restriction_text(38, {"item only in C_0": 3})
    '38 common items; left out: 3 × item only in C_0.'
    """
    if not left_out:
        return ""
    reasons = ", ".join(f"{n:,} × {why}" for why, n in left_out.items())
    return f"{items:,} {'common items' if paired else 'items'}; left out: {reasons}."


def _plain(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value


@dataclass(frozen=True)
class ContrastTable:
    """Contrasts with their tests corrected over all of them. `repr` prints a plain table; notebooks show HTML."""

    rows: tuple[Contrast, ...]
    title: str
    comments: tuple[str, ...] = ()
    """Caveats about the ratings that the contrasts come from."""

    @classmethod
    def of(cls, rows: Iterable[Contrast], title: str, comments: tuple[str, ...] = ()) -> ContrastTable:
        """The table of these contrasts, which are one family of tests."""
        found = tuple(rows)
        tests = correct_tests([row.test for row in found])
        alike = iter(correct_tests([row.equivalence for row in found if row.equivalence]))
        corrected = [
            replace(row, test=test, equivalence=next(alike) if row.equivalence else None)
            for row, test in zip(found, tests, strict=True)
        ]
        return cls(tuple(corrected), title, comments)

    def __iter__(self) -> Iterator[Contrast]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def get(self, first: Any = None, second: Any = None, **where: Any) -> Contrast:
        """A single contrast: `table.get("C_0", "C_7", aspect="relevance")`; without names, the only one."""
        wanted = {"first": first, "second": second}
        [row] = [
            row
            for row in self.rows
            if all(value is None or getattr(row, name) == value for name, value in wanted.items())
            and all(row.where.get(key) == value for key, value in where.items())
        ]
        return row

    def records(self) -> list[dict[str, Any]]:
        """One plain record per contrast, for a data frame or JSON."""
        return [row.record() for row in self.rows]

    def frame(self) -> pa.Table:
        """The records as a pyarrow table; `.to_pandas()` gives pandas."""
        return pa.Table.from_pylist(self.records())

    @property
    def notes(self) -> list[str]:
        """How the rows were tested and what they leave out, without repetition."""
        tested = sum(not math.isnan(row.test.p) for row in self.rows)
        methods = dict.fromkeys(row.test.method for row in self.rows)
        family = f"Test: {', '.join(methods)}."
        family += f" Corrected over the {tested:,} tests of this table." if tested > 1 else ""
        return [*([family] if self.rows else []), *self.comments, *self._row_notes()]

    def _row_notes(self) -> list[str]:
        """The comments on rows: once if they are about all rows, otherwise with the names of their rows."""
        rows: dict[str, list[str]] = {}
        for row in self.rows:
            for note in row.comments:
                rows.setdefault(note, []).append(_named(row))
        return [
            note if len(named) == len(self.rows) else f"{'; '.join(named)}: {note}"
            for note, named in rows.items()
        ]

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Column heads and rows as text."""
        keys = list(self.rows[0].where) if self.rows else []
        heads = [*keys, "from", "to", "values", "difference", "p", "Holm", "BH"]
        margin = next((row.margin for row in self.rows if row.margin is not None), None)
        more = [f"equivalent within {margin:g}"] if margin is not None else []
        return [*heads, *more, "items"], [_text_row(row, keys) for row in self.rows]

    def __repr__(self) -> str:
        return "\n".join([self.title, text_table(*self.cells()), *self.notes])

    def _repr_html_(self) -> str:
        return html_table(*self.cells(), caption=self.title, notes=self.notes)


def _named(row: Contrast) -> str:
    return ", ".join([*map(str, row.where.values()), f"{row.first} to {row.second}"])


def _text_row(row: Contrast, keys: Sequence[str]) -> list[str]:
    one, two = row.values
    cells = [*(str(row.where[key]) for key in keys), str(row.first), str(row.second)]
    cells += [f"{one:.3f} to {two:.3f}", row.text]
    cells += [p_text(row.test.p), p_text(row.test.p_holm), p_text(row.test.p_bh)]
    if row.equivalence is not None:
        cells.append(p_text(row.equivalence.p_holm))
    return [*cells, f"{row.items:,}"]


def p_text(value: float | None) -> str:
    """A p-value as in tables."""
    if value is None or math.isnan(value):
        return "undefined"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def pairs_of(values: Sequence[Any], reference: Any, between: tuple[Any, Any] | None) -> list[tuple[Any, Any]]:
    """The pairs to compare: the named one, the reference with every other, or all.

    >>> pairs_of(["C_0", "C_3", "C_7"], "C_7", None)
    [('C_7', 'C_0'), ('C_7', 'C_3')]
    """
    for name in (*(between or ()), *([reference] if reference is not None else [])):
        if name not in values:
            known = [str(value) for value in values]
            hint = with_hint(f"one of {', '.join(known)}.", str(name), known)
            raise UnknownOption(f"there are no ratings in {name!r}.", expected=hint)
    if between is not None:
        return [between]
    if reference is not None:
        return [(reference, value) for value in values if value != reference]
    return list(combinations(values, 2))


def reference_of(reference: Reference, where: Mapping[str, Any]) -> Any:
    """The reference condition of a slice."""
    return reference.get(where.get("aspect")) if isinstance(reference, Mapping) else reference


def uncertainty(spread: Jackknife) -> tuple[str | None, tuple[str, ...]]:
    """Why a contrast has no interval, or a warning that its interval rests on few items."""
    if math.isnan(spread.value):
        return None, ()
    if not math.isfinite(spread.error):
        return "no interval: without one of the items, the difference is undefined", ()
    if not spread.certain:
        return "no interval: the difference is the same without any of the items", ()
    if spread.freedom < FEW_DEGREES:
        return None, (FEW_ITEMS.format(spread.freedom),)
    return None, ()


FEW_ITEMS = (
    "Few items carry most of this difference ({:.1f} degrees of freedom): in simulated data of this kind, "
    "95% intervals covered the true difference in 91 to 99% of cases."
)
