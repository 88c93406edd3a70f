"""Reading: the input of a report from files of ratings, exports or item lists."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from labelwright import tables
from labelwright.analysis import Labels, NotLabels, read_export, read_labels
from labelwright.analysis.audit import AuditReport, LabelSet, audit, audit_sets, read_sets
from labelwright.report.facts import Facts, FeedbackFact, RepeatFacts
from labelwright.report.input import ReportInput
from labelwright.report.preferences import AskedComparison, PreferenceSet, read_preferences
from labelwright.report.wording import listed
from labelwright.scales import Scale

_TABLES = (".csv", ".jsonl", ".ndjson", ".parquet")
_FEEDBACK = ("feedback", "comment", "comments")


@dataclass(frozen=True)
class Recoding:
    """Other codes for the labels of some rows."""

    within: Mapping[str, str]
    codes: Mapping[int, int | None]

    @property
    def where(self) -> str:
        """Which labels it changes."""
        return " ".join(self.within.values()) or "all labels"

    @property
    def changes(self) -> str:
        """Which codes become which."""
        return ", ".join(f"{old} to {'missing' if new is None else new}" for old, new in self.codes.items())


def recoding_phrases(recodings: Sequence[Recoding]) -> tuple[str, ...]:
    """What recodings do, in words; those with the same codes together.

    >>> recoding_phrases([Recoding({"condition": name}, {1: 0, 9: None}) for name in ("C_0", "C_7")])
    ('C_0 and C_7 (1 to 0, 9 to missing)',)
    """
    grouped: dict[str, list[str]] = {}
    for each in recodings:
        grouped.setdefault(each.changes, []).append(each.where)
    return tuple(f"{listed(where)} ({changes})" for changes, where in grouped.items())


@dataclass(frozen=True)
class ReadingOptions:
    """How files are read."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """Our names of columns, and those of the files."""
    scales: Mapping[str | None, Scale] = field(default_factory=dict)
    recodings: Sequence[Recoding] = ()
    positions: bool = False
    """Whether the column of raters holds positions."""
    item: str | None = None
    label: str | None = None
    """The fields of JSON item lists."""
    preferences: Sequence[str] = ()
    """Questions of an export that compare candidates."""


def read_export_input(path: Path, title: str, facts: Facts | None = None) -> ReportInput:
    """The input from `labelwright study export`, with the excluded ratings; the column `data_use` tells them apart."""
    return ReportInput(title, read_export(path, include=("left_out",)), facts or Facts())


def read_input(
    source: Path, title: str, facts: Facts | None = None, options: ReadingOptions | None = None
) -> ReportInput:
    """The input from a file of ratings, an export, or a folder of such files or of JSON item lists."""
    chosen = options or ReadingOptions()
    paths = label_files(source)
    known = facts or Facts()
    if known.repeat is None:
        known = known.model_copy(update={"repeat": RepeatFacts(hashes=_hashes(paths, source))})
    if paths[0].suffix == ".json":
        return _of_item_lists(paths, title, known, chosen)
    labels, audited = _of_tables(paths, chosen)
    given = ReportInput(title, labels, known, preferences=_compared(paths, chosen.preferences))
    return _recoded(given, labels, chosen.recodings, audited)


def _compared(paths: Sequence[Path], questions: Sequence[str]) -> tuple[PreferenceSet, ...]:
    """The comparisons in exports. Answers without a code are orders of all candidates."""
    if not questions:
        return ()
    rows = [row for path in paths for row in tables.fetch(tables.read(path)).to_pylist()]
    asked = []
    for name in questions:
        own = [row for row in rows if row.get("question") == name]
        if not own:
            raise NotLabels(
                f'there are no answers to a question "{name}".',
                expected="the name of a question in an export.",
            )
        ranked = all(row.get("label") is None for row in own)
        asked.append(AskedComparison(name, name, str(own[0].get("aspect") or ""), None if ranked else (0, 1)))
    return read_preferences(rows, asked)


def label_files(source: Path) -> list[Path]:
    """The files of ratings at a path: itself, or all in the folder; JSON item lists only if there is no table."""
    if not source.exists():
        raise NotLabels("there is no such file or folder.", where=str(source))
    if source.is_file():
        return [source]
    inside = sorted(path for path in source.rglob("*") if path.is_file() and not path.name.startswith("."))
    found = [path for path in inside if path.suffix.lower() in _TABLES]
    found = found or [path for path in inside if path.suffix.lower() == ".json"]
    if not found:
        raise NotLabels(
            "this folder has no ratings.",
            where=str(source),
            expected="CSV, JSON Lines, Parquet or JSON files.",
        )
    return found


def _hashes(paths: Sequence[Path], source: Path) -> dict[str, str]:
    base = source if source.is_dir() else source.parent
    return {str(path.relative_to(base)): _digest(path) for path in paths}


def _digest(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _of_tables(paths: Sequence[Path], options: ReadingOptions) -> tuple[Labels, AuditReport | None]:
    """The labels of one table, or of several that are conditions of the same study."""
    how: dict[str, Any] = {
        "scale": options.scales,
        "columns": options.columns,
        "positions": options.positions,
        "repeated": "kept",
        "include": ("left_out",),
    }
    if len(paths) == 1:
        return read_labels(paths[0], **how), None
    parts = [tables.fetch(tables.read(path)) for path in paths]
    parts = [
        part
        if "condition" in part.column_names or "condition" in options.columns
        else part.append_column("condition", pa.repeat(pa.scalar(path.stem), part.num_rows))
        for path, part in zip(paths, parts, strict=True)
    ]
    return read_labels(pa.concat_tables(parts, promote_options="permissive"), **how), None


def _of_item_lists(paths: Sequence[Path], title: str, facts: Facts, options: ReadingOptions) -> ReportInput:
    sets = read_sets(list(paths), item=options.item, label=options.label)
    rows = pa.concat_tables([_set_rows(each) for each in sets])
    labels = Labels.read(rows, scale=dict(options.scales))
    if facts.feedback is None and (comments := _comments(sets)):
        facts = facts.model_copy(update={"feedback": comments})
    return _recoded(ReportInput(title, labels, facts), labels, options.recodings, audit_sets(sets))


def _set_rows(each: LabelSet) -> pa.Table:
    """The ratings of a label set as rows; labels that are no codes are missing."""
    codes = [None if place < 0 else each.codes[place] for place in each.code.tolist()]
    columns: dict[str, Any] = {
        "item": list(each.item),
        "label": codes,
        "aspect": [each.aspect] * len(codes),
        "condition": [each.condition] * len(codes),
    }
    schema = {"seconds": pa.array(each.times, from_pandas=True)} if each.seconds else {}
    return pa.table({**columns, **(schema or {"seconds": pa.nulls(len(codes), pa.float64())})})


def _comments(sets: Sequence[LabelSet]) -> tuple[FeedbackFact, ...]:
    return tuple(
        FeedbackFact(text=text.strip(), condition=f"{each.aspect} {each.condition}")
        for each in sets
        if each.lists
        for name in each.lists.fields
        if name.lower() in _FEEDBACK
        for entries in each.lists.entries(name)
        for text in entries
        if text.strip()
    )


def _recoded(
    given: ReportInput, labels: Labels, recodings: Sequence[Recoding], audited: AuditReport | None
) -> ReportInput:
    """The input with other codes, and the audit of the labels as they were."""
    if not recodings:
        return replace(given, audited=audited)

    before = labels
    for each in recodings:
        labels = labels.recoded(dict(each.codes), **each.within)
    return replace(
        given,
        labels=labels,
        audited=audited or audit([before]),
        recodings=recoding_phrases(recodings),
    )
