"""Labels from a study export: the table and the scales file next to it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from labelwright import tables
from labelwright.analysis.data.counting import EARLIER_VERSION, counted, in_order
from labelwright.analysis.data.labels import Labels, NoAnswer
from labelwright.analysis.data.row_checks import Repeated
from labelwright.scales import Scale
from labelwright.task import pattern_of, scale_under

if TYPE_CHECKING:
    from labelwright.tables import Table

_SIGNATURE = {"study", "version", "item", "question", "label", "data_use", "role"}
"""The columns by which an export is recognised."""


def is_export(table: Table) -> bool:
    """Whether a table is an export of `labelwright study export`."""
    return set(tables.columns(table)) >= _SIGNATURE


def read_labels(
    source: object,
    *,
    scale: Mapping[str | None, Scale] | None = None,
    columns: Mapping[str, str] | None = None,
    positions: bool = False,
    repeated: Repeated | Literal["unchecked"] = "refused",
    include: Collection[str] = (),
    engine: Any = None,
) -> Labels:
    """Labels from a file or table of any origin. Of an export of ours, only the answers that count; see `read_export`.

    Scales that are given replace those of the export.
    """
    table = tables.read(source, engine)
    if not is_export(table):
        return Labels.read(table, scale=scale, columns=columns, positions=positions, repeated=repeated)
    path = Path(source) if isinstance(source, str | Path) else None
    found = _counted(table, _scales_beside(path), include)
    labels = found.labels(columns=columns, positions=positions, repeated=repeated)
    return replace(labels, scales={**labels.scales, **scale}, questions={}) if scale else labels


def read_export(
    path: str | Path,
    *,
    include: Collection[str] = (),
    no_answer: NoAnswer = "left_out",
    engine: Any = None,
) -> Labels:
    """The answers of `labelwright study export` that count, with the scales that the study declares for its aspects.

    Answers without a code (such as free text) are not labels. Of the others, `Labels.left_out` says how many do not count,
    and why; `include` names reasons whose answers are wanted all the same, e.g. `include=("left_out", "gold")`. Versions
    are joined as far as the newest one asks the same question with the same codes. Judgments of one kind
    inside an answer, such as those of each candidate, become one question, and the candidate becomes part of the
    item: `d1/c0`. Every question has the scale of the newest version.
    """
    found = _counted(tables.read(path, engine), _scales_beside(Path(path)), include)
    return found.labels(no_answer=no_answer)


@dataclass(frozen=True)
class ExportedScales:
    """The scales file of an export."""

    document: Mapping[str, Any]

    @cached_property
    def aspects(self) -> dict[str | None, Scale]:
        """The scale of each aspect; if versions differ, that of the newest."""
        found: dict[str | None, Scale] = {}
        for version in self.document["versions"]:
            found |= {name: Scale.model_validate(scale) for name, scale in version["aspects"].items()}
        return found

    @cached_property
    def questions(self) -> dict[int, dict[str, Scale]]:
        """The scale of each stored name by version; `*` stands for one step of a name."""
        return {
            version["version"]: {
                name: Scale.model_validate(scale) for name, scale in version["questions"].items()
            }
            for version in self.document["versions"]
        }

    @cached_property
    def newest(self) -> dict[str, Scale]:
        """The scale of each stored name in the newest version."""
        return self.questions[max(self.questions)]

    @property
    def of_questions(self) -> dict[str, Scale]:
        """The scale of each question, under the name that all its parts have in common."""
        return {_split(name, name)[0]: scale for name, scale in self.newest.items()}

    def is_asked_still(self, version: int, question: str) -> bool:
        """Whether the newest version asks the same question with the same codes."""
        then, now = scale_under(question, self.questions[version]), scale_under(question, self.newest)
        # Without a scale there are no codes that could differ.
        return then is None or (now is not None and then.matches(now))

    def parts(self, questions: Collection[str]) -> dict[str, tuple[str, str]]:
        """The judgments inside answers whose names depend on the item: their common name, and the step of its own."""
        named = {question: pattern_of(question, self.newest) for question in questions}
        return {question: _split(question, name) for question, name in named.items() if name and "*" in name}


def _scales_beside(path: Path | None) -> ExportedScales | None:
    beside = path.with_suffix(".scales.json") if path else None
    return ExportedScales(json.loads(beside.read_text())) if beside and beside.exists() else None


@dataclass(frozen=True)
class _Counted:
    """The answers of an export that count, and how many do not, by reason."""

    table: Table
    scales: ExportedScales | None
    left_out: Mapping[str, int]

    def labels(self, **how: Any) -> Labels:
        """The same as labels; `how` is passed on to `Labels.read`."""
        read = Labels.read(self.table, scale=self.scales.aspects if self.scales else {}, **how)
        return replace(
            read, questions=self.scales.of_questions if self.scales else {}, left_out=in_order(self.left_out)
        )


def _counted(table: Table, scales: ExportedScales | None, include: Collection[str]) -> _Counted:
    table, left_out = counted(tables.having(table, "label"), include)
    if scales is None:
        return _Counted(table, None, left_out)
    if EARLIER_VERSION not in include:
        table, left_out[EARLIER_VERSION] = _asked_still(table, scales)
    parts = scales.parts([question for (question,) in tables.distinct(table, ["question"])])
    steps = {name: f"/{step}" for name, (_, step) in parts.items()}
    if steps:
        table = tables.copied(table, "item", "shared_item")
    table = tables.extended(table, "item", "question", steps)
    table = tables.replaced(table, "question", {name: common for name, (common, _) in parts.items()})
    return _Counted(table, scales, left_out)


def _asked_still(table: Table, scales: ExportedScales) -> tuple[Table, int]:
    """The rows whose question the newest version still asks with the same codes, and the number of the others."""
    names = ["version", "question"]
    replaced = {
        (version, question): n
        for (version, question), n in tables.row_counts(table, names).items()
        if not scales.is_asked_still(version, question)
    }
    return tables.without(table, names, list(replaced)), sum(replaced.values())


def _split(question: str, name: str) -> tuple[str, str]:
    """The name without the steps that depend on the item, and these steps.

    >>> _split("quality.c0.fit", "quality.*.fit")
    ('quality.fit', 'c0')
    """
    steps = list(zip(question.split("."), name.split("."), strict=True))
    return ".".join(s for s, p in steps if p != "*"), ".".join(s for s, p in steps if p == "*")
