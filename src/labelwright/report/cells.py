"""The building blocks of a report's tree: cells, tables, figures and sections, as plain values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from labelwright.agreement import Estimate, Interval, Significance
from labelwright.analysis import Contrast
from labelwright.report.tree import Json

ColumnKind: TypeAlias = Literal["text", "count", "number", "share", "estimate", "difference", "p", "seconds"]
"""How the cells of a column are written. Estimates and differences are objects with `value`, `low` and `high`."""


def plain(value: Any) -> float | None:
    """A number for JSON; None if it is undefined.

    >>> plain(float("nan")), plain(0.5)
    (None, 0.5)
    """
    return None if value is None or not math.isfinite(value) else float(value)


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (plain(interval.low), plain(interval.high)) if interval else (None, None)


def interval_cell(interval: Interval | None) -> Json:
    """The ends of an interval, as far as it is known."""
    low, high = _ends(interval)
    return {"low": low, "high": high}


def estimate_cell(found: Estimate) -> Json:
    """An estimate with its interval, and the reason if it is undefined."""
    cell: Json = {"value": plain(found.value), **interval_cell(found.interval)}
    if found.undefined:
        cell["undefined"] = found.undefined
    return cell


def contrast_cell(found: Contrast) -> Json:
    """A difference with its interval."""
    cell: Json = {"value": plain(found.value), **interval_cell(found.interval)}
    if found.undefined:
        cell["undefined"] = found.undefined
    return cell


def p_cells(test: Significance) -> Json:
    """The p-values of a test: as computed, and corrected over its family."""
    return {"p": plain(test.p), "p_holm": plain(test.p_holm)}


def column(key: str, name: str, kind: ColumnKind = "text", term: str = "") -> Json:
    """A column; `term` is the entry of the glossary that defines it."""
    return {"key": key, "name": name, "kind": kind, "term": term}


def table(
    key: str,
    caption: str,
    columns: Sequence[Json],
    rows: Iterable[Mapping[str, Any]],
    notes: Iterable[str] = (),
    result: Json | None = None,
) -> Json:
    """A table. `result` says which analysis it is, so that a plan can be compared with it."""
    return {
        "type": "table",
        "key": key,
        "caption": caption,
        "columns": list(columns),
        "rows": [dict(row) for row in rows],
        "notes": list(dict.fromkeys(notes)),
        "result": result,
        "planned": None,
    }


def figure(key: str, caption: str, kind: str, **data: Any) -> Json:
    """A figure: what `draw` needs to draw it."""
    return {"type": "figure", "key": key, "caption": caption, "kind": kind, **data}


def text(*sentences: str) -> Json:
    """A paragraph."""
    return {"type": "paragraph", "text": " ".join(filter(None, sentences))}


def unknown(what: str, how: str = "") -> Json:
    """What is not known, and how it would be."""
    return {"type": "unknown", "text": " ".join(filter(None, (what, how)))}


def section(key: str, title: str, blocks: Iterable[Json | None]) -> Json:
    """A section of the report; paragraphs without a sentence are left out."""
    said = [block for block in blocks if block and block.get("text", "said")]
    return {"key": key, "title": title, "blocks": said}


def result_of(kind: str, where: Mapping[str, Any] | None = None, across: str = "", measure: str = "") -> Json:
    """Which analysis a table holds, in the words of a plan."""
    own = where or {}
    return {
        "kind": kind,
        "aspect": str(own.get("aspect") or ""),
        "question": str(own.get("question") or ""),
        "across": across,
        "measure": measure,
    }
