"""Judgments of a study: what each is called, and which versions ask for it with the same codes. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from labelwright.scales import Scale
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.study import Study
from labelwright.task import AspectColumn, TaskDesign
from labelwright.task.questions import Question, Sides


@dataclass(frozen=True, slots=True)
class Judged:
    """A judgment that is counted."""

    name: str
    """The stored name."""
    text: str
    """The text of the question."""
    scale: Scale
    sides: Sides | None
    """Set if it compares two candidates."""


def judged_in(study: Study) -> list[Judged]:
    """The judgments that a study asks for."""
    found: dict[str, Judged] = {}
    for design in study.designs.values():
        for column in design.judgments(study.scales):
            found.setdefault(column.name, _judged_as(study, design, column))
    return list(found.values())


def _judged_as(study: Study, design: TaskDesign, column: AspectColumn) -> Judged:
    """The judgment behind a stored name; a derived label has no question, and is called after its aspect."""
    question = design.question(column.name.partition(".")[0])
    if question is None:
        return Judged(column.name, f"{study.aspects[column.aspect].title} (derived)", column.scale, None)
    return Judged(column.name, column.text, column.scale, question.sides())


@dataclass(frozen=True, slots=True)
class MarkedParts:
    """A question whose answers are compared by the characters that raters marked."""

    question: Question
    label: str
    """The stored name of its label: that of "anything marked", or its own if something must be marked."""


def marked_in(study: Study) -> list[MarkedParts]:
    """The questions of a study that ask to mark parts. Chosen sentences are judgments of their own."""
    judged = {each.name for each in judged_in(study)}
    found: dict[str, MarkedParts] = {}
    for design in study.designs.values():
        for question in design.questions:
            if question.selects and question.aspects() and f"{question.name}.*" not in judged:
                label = f"{question.name}.found"
                found[question.name] = MarkedParts(question, label if label in judged else question.name)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class JoinedVersions:
    """A study with all its versions, whose answers are counted together where they mean the same."""

    row: int
    newest: Study
    """Its questions and scales are shown."""
    ids: tuple[int, ...]
    excluded_too: bool = False
    """Whether excluded data are counted like the others, to show what their exclusion changed."""

    @classmethod
    def of(cls, row: StudyRow) -> JoinedVersions:
        """All versions of a study."""
        ids = tuple(row.versions.order_by("n").values_list("id", flat=True))
        return cls(row.pk, study_of(ids[-1]), ids)

    def asking_to_mark(self, marked: MarkedParts) -> list[int]:
        """The versions that ask to mark parts in the same way."""
        asked = {
            version: design.question(marked.question.name)
            for version in self.ids
            for design in study_of(version).designs.values()
            if design.question(marked.question.name) is not None
        }
        return [version for version, question in asked.items() if type(question) is type(marked.question)]

    def asking(self, judged: Judged) -> list[int]:
        """The versions that ask for a judgment of the newest one with the same codes."""
        asked = {version: judged_scales(version).get(judged.name) for version in self.ids}
        return [version for version, scale in asked.items() if scale and scale.matches(judged.scale)]


@lru_cache(maxsize=256)
def judged_scales(version: int) -> dict[str, Scale]:
    """The scale of each judgment in a version."""
    return {judged.name: judged.scale for judged in judged_in(study_of(version))}
