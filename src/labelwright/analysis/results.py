"""Results: tables of estimates for terminals, notebooks and files."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from labelwright.agreement import Estimate
from labelwright.analysis.data.counting import describe_left_out


@dataclass(frozen=True)
class EstimateRow:
    """The estimates of one slice."""

    where: Mapping[str, Any]
    estimates: Mapping[str, Estimate]


@dataclass(frozen=True)
class EstimateTable:
    """The estimates of every slice. `repr` prints a plain table; notebooks show HTML."""

    rows: tuple[EstimateRow, ...]
    title: str = ""
    comments: tuple[str, ...] = ()
    """Caveats about the rows that the estimates come from."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many answers of the export do not count, by reason; over all slices."""

    def __iter__(self) -> Iterator[EstimateRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def get(self, name: str | None = None, **where: Any) -> Estimate:
        """The estimate of a single slice: `table.get("alpha_nominal", condition="C_0")`."""
        [row] = [row for row in self.rows if all(row.where.get(key) == value for key, value in where.items())]
        return row.estimates[name] if name is not None else next(iter(row.estimates.values()))

    def records(self) -> list[dict[str, Any]]:
        """One plain record per slice and measure, for a data frame or JSON."""
        whole = {"answers_left_out": dict(self.left_out)} if self.left_out else {}
        return [
            {**row.where, **estimate.record(), **whole}
            for row in self.rows
            for estimate in row.estimates.values()
        ]

    def frame(self) -> pa.Table:
        """Slice, measure, value and interval as a pyarrow table; `.to_pandas()` gives pandas."""
        rows = []
        for row in self.rows:
            for each in row.estimates.values():
                low, high = (each.interval.low, each.interval.high) if each.interval else (None, None)
                value = None if each.undefined else each.value
                rows.append(
                    {
                        **row.where,
                        "measure": each.name,
                        "value": value,
                        "low": low,
                        "high": high,
                        "items": each.items,
                    }
                    | {"ratings": each.ratings, "undefined": each.undefined}
                )
        return pa.Table.from_pylist(rows)

    def json(self) -> str:
        """The table as JSON; undefined values are null, with the reason."""
        return json.dumps(self.records(), ensure_ascii=False, indent=2, default=str)

    @property
    def notes(self) -> list[str]:
        """What intervals answer, and the notes on the rows and on all estimates, without repetition; then what was left out."""
        every = [each for row in self.rows for each in row.estimates.values()]
        questions = [each.interval.question for each in every if each.interval]
        found = [note for each in every for note in each.notes]
        left_out = describe_left_out(self.left_out)
        return list(dict.fromkeys([*questions, *self.comments, *found, *([left_out] if left_out else [])]))

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Column heads and rows as text."""
        keys = list(self.rows[0].where) if self.rows else []
        names = list(dict.fromkeys(name for row in self.rows for name in row.estimates))
        heads = [*keys, *names, "items"]
        return heads, [_text_row(row, keys, names) for row in self.rows]

    def __repr__(self) -> str:
        return "\n".join(part for part in (self.title, text_table(*self.cells()), *self.notes) if part)

    def _repr_html_(self) -> str:
        return html_table(*self.cells(), caption=self.title, notes=self.notes)


def _text_row(row: EstimateRow, keys: Sequence[str], names: Sequence[str]) -> list[str]:
    estimates = [row.estimates[name].text if name in row.estimates else "" for name in names]
    items = max((each.items for each in row.estimates.values()), default=0)
    return [*(str(row.where[key]) for key in keys), *estimates, f"{items:,}"]


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A plain-text table with padded columns.

    >>> print(text_table(["a", "value"], [["x", "0.50"]]))
    a  value
    x  0.50
    """
    widths = [max(len(cell) for cell in column) for column in zip(heads, *rows, strict=True)]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in (heads, *rows)]
    return "\n".join(line.rstrip() for line in lines)


def html_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "", notes: Sequence[str] = ()
) -> str:
    """An HTML table with escaped cells, and notes below it."""
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    below = "".join(f"<p><small>{html.escape(note)}</small></p>" for note in notes)
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"
