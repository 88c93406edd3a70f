"""The matrix of an item: questions down, raters across, the label last; everything in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from labelwright.analysis.data.counting import REASONS
from labelwright.crowd import DataUse, RaterKind
from labelwright.server.results.actions.attention import reason_of
from labelwright.server.results.actions.items import SECONDS, ItemEvidence
from labelwright.server.results.pages.label_words import NO_MAJORITY, is_unclear, share_in_words
from labelwright.server.results.pages.spans import MarkedQuestion, Parts, count_kinds, describe_parts
from labelwright.server.results.queries.items import ItemAnswer, ItemWork, StoredLabel
from labelwright.server.store.models import TaskItem
from labelwright.server.store.versions import study_of
from labelwright.server.web.answer_words import translated
from labelwright.server.web.desk.times import clock
from labelwright.study import Study
from labelwright.task import Asking, Line, TaskDesign
from labelwright.task.candidates import shown_candidates
from labelwright.task.questions import Question

NO_COMMON_PART = "No part in common"


@dataclass(frozen=True, slots=True)
class MatrixColumn:
    """A rater, and what makes their answers different."""

    rater: str
    tags: list[str]


@dataclass(slots=True)
class MatrixCell:
    """What a rater answered."""

    said: list[str]
    why: list[str] = field(default_factory=list)
    code: int | None = None
    left_out: str = ""
    """Why it does not count, in words; empty if it does."""
    differs: bool = False
    """Whether it is not the label."""
    parts: Parts = ()
    """What the rater marked."""


@dataclass(frozen=True, slots=True)
class LabelCell:
    """What the answers of a row are aggregated to."""

    text: str
    share: str
    unclear: bool


@dataclass(slots=True)
class MatrixRow:
    """A question, or a judgment inside an answer."""

    title: str
    group: str = ""
    """The candidate that it is about; rows of a group stand together."""
    judged: bool = False
    """Whether it is a judgment, which gets a label."""
    cells: list[MatrixCell | None] = field(default_factory=list)
    label: LabelCell | None = None
    stored: str = ""
    """The name under which its answers are stored; `SECONDS` for the time, empty for other facts."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """All answers about an item in a condition."""

    columns: list[MatrixColumn]
    rows: list[MatrixRow]

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The rows as the template goes through them: each cell with its column."""
        return [
            {"of": row, "group": row.group, "cells": list(zip(row.cells, self.columns, strict=True))}
            for row in self.rows
        ]

    @property
    def width(self) -> int:
        """The number of columns, with those of the questions and of the labels."""
        return len(self.columns) + 2

    @property
    def has_differences(self) -> bool:
        """Whether any answer differs from the label."""
        return any(cell and cell.differs for row in self.rows for cell in row.cells)


@dataclass(slots=True)
class _Row:
    """A row while it is being filled."""

    order: tuple[int, str, int]
    title: str
    group: str
    stored: str
    """The name under which its judgments are stored."""
    judged: bool
    cells: dict[int, MatrixCell] = field(default_factory=dict)


def make_matrix(evidence: ItemEvidence, marked: Mapping[str, MarkedQuestion]) -> Matrix:
    """The answers of all raters; `marked` holds the questions whose answers are marked parts, by name."""
    rows: dict[tuple[str, str], _Row] = {}
    for work in evidence.work:
        study = study_of(work.version)
        asking = replace(study.asking(evidence.condition, evidence.item), order=evidence.order)
        reader = _Reader(evidence, study.design(evidence.condition), asking, work)
        for row, cell in reader.cells():
            rows.setdefault((row.stored, row.title), row).cells[work.assignment] = cell
    labels = {each.question: each for each in evidence.labels if each.condition == evidence.condition}
    ordered = sorted(rows.values(), key=lambda row: row.order)
    return Matrix(
        [MatrixColumn(work.rater, list(_tags(work))) for work in evidence.work],
        [*(_finished(row, evidence, labels, marked) for row in ordered), *_facts(evidence)],
    )


def candidate_names(asking: Asking, systems: Sequence[str]) -> dict[str, str]:
    """The candidates by their key: the letter, and the system if the corpus names it."""
    return {
        shown.key: f"{shown.letter} ({systems[shown.index]})" if systems[shown.index] else shown.letter
        for shown in shown_candidates(asking)
    }


def systems_of(evidence: ItemEvidence) -> list[str]:
    """The system of each candidate; empty for one that the corpus does not name."""
    return [str(each.get("system") or "") for each in evidence.item.payload.get("candidates", ())]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the answers of one submission. Candidates have the letters of one order, the same for all raters."""

    evidence: ItemEvidence
    design: TaskDesign
    asking: Asking
    work: ItemWork

    def cells(self) -> Iterator[tuple[_Row, MatrixCell]]:
        """A row for each thing that was judged, and what this rater said about it."""
        own = [each for each in self.evidence.answers if each.assignment == self.work.assignment]
        about_item = {each.question: each for each in own if not each.whole_task}
        about_task = {each.question: each for each in own if each.whole_task}
        place = 0
        for question in self.design.questions:
            if question.name in about_item and not question.free_text:
                yield from self._question(question, about_item, place)
            place += 1
        yield from self._derived(about_item, place)
        for question in self.design.feedback:
            if question.name in about_task and not question.free_text:
                for line in question.requester_words(about_task[question.name].value, self.asking):
                    row = _Row(
                        (place + 1, "", 0), _about_task(question, line), "", f"task:{question.name}", False
                    )
                    yield row, _cell(line, None, "")

    def _question(
        self, question: Question, answers: Mapping[str, ItemAnswer], place: int
    ) -> Iterator[tuple[_Row, MatrixCell]]:
        answer = answers[question.name]
        judged = bool(question.aspects()) and not question.checks_attention
        if question.selects:
            said = describe_parts(question.selected(answer.value), self.asking.item.text)
            lines = question.requester_words(answer.value, self.asking)
            cell = MatrixCell([said] if said else [translated(w) for line in lines for w in line.said])
            kinds = count_kinds(question.selected_kinds(answer.value))
            cell.why = [kinds] if kinds else []
            cell.parts = question.selected(answer.value)
            cell.left_out = self._reason(answer)
            yield _Row((place, "", 0), question.text, "", question.name, judged), cell
            return
        names = candidate_names(self.asking, systems_of(self.evidence)) if self.asking.item.candidates else {}
        for number, line in enumerate(question.requester_words(answer.value, self.asking)):
            stored = f"{question.name}.{line.part}" if line.part else question.name
            coded = answers.get(stored)
            title, group = _titles(question, line, names)
            row = _Row((place, line.letter, number), title, group, stored, judged)
            yield row, _cell(line, coded.code if coded else None, self._reason(coded) if coded else "")

    def _derived(self, answers: Mapping[str, ItemAnswer], place: int) -> Iterator[tuple[_Row, MatrixCell]]:
        for label in self.design.labels:
            found = answers.get(label.name)
            if found is not None and found.code is not None:
                scale = self.asking.scales[label.scale]
                title = self._study.aspects[label.aspect].title if label.aspect else _plain(label.name)
                row = _Row((place, "", 0), f"{title} (derived)", "", label.name, label.aspect is not None)
                yield row, MatrixCell([scale.name_of(found.code)], [], found.code, self._reason(found))

    @property
    def _study(self) -> Study:
        return study_of(self.work.version)

    def _reason(self, answer: ItemAnswer) -> str:
        reason = reason_of(answer.left_out, self.work.version, self.evidence.condition, answer.question)
        return REASONS[reason] if reason else ""


def _cell(line: Line, code: int | None, left_out: str) -> MatrixCell:
    return MatrixCell([translated(w) for w in line.said], [translated(w) for w in line.why], code, left_out)


def _titles(question: Question, line: Line, candidates: Mapping[str, str]) -> tuple[str, str]:
    """The title of a row, and the candidate or question under which it stands."""
    candidate = candidates.get(line.part.partition(".")[0])
    if candidate is None:
        return (line.about, question.text) if line.about else (question.text, "")
    return (line.about, f"{candidate}: {question.text}") if line.about else (candidate, question.text)


def _about_task(question: Question, line: Line) -> str:
    return f"{question.text} {line.about} (whole task)" if line.about else f"{question.text} (whole task)"


def _plain(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").capitalize()


def _finished(
    row: _Row, evidence: ItemEvidence, labels: Mapping[str, StoredLabel], marked: Mapping[str, MarkedQuestion]
) -> MatrixRow:
    cells = [row.cells.get(work.assignment) for work in evidence.work]
    if row.stored in marked:
        return _finished_parts(row, cells, marked[row.stored])
    stored = labels.get(row.stored)
    label = _label(stored, cells) if stored else None
    for cell in cells:
        if cell and stored and stored.code is not None and not cell.left_out:
            cell.differs = cell.code is not None and cell.code != stored.code
    return MatrixRow(row.title, row.group, row.judged, cells, label, row.stored)


def _finished_parts(row: _Row, cells: list[MatrixCell | None], marked: MarkedQuestion) -> MatrixRow:
    """The row of a question that asks to mark parts; its label is what more than half of the raters marked."""
    counted = [cell for cell in cells if cell and not cell.left_out]
    nothing = [cell for cell in counted if not cell.parts]
    if marked.label:
        label = LabelCell(
            describe_parts(marked.label, marked.text), f"by at least {marked.least} of {len(counted)}", False
        )
    elif len(nothing) >= marked.least:
        label = LabelCell(", ".join(nothing[0].said), f"{len(nothing)} of {len(counted)}", False)
    else:
        label = LabelCell(NO_COMMON_PART, "", unclear=True)
    for cell in counted:
        cell.differs = not marked.is_label(cell.parts)
    return MatrixRow(row.title, row.group, row.judged, cells, label)


def _label(stored: StoredLabel, cells: Sequence[MatrixCell | None]) -> LabelCell:
    """The label in the words of a rater who gave it."""
    given = [cell.said for cell in cells if cell and cell.code == stored.code and cell.code is not None]
    text = ", ".join(given[0]) if given else NO_MAJORITY
    return LabelCell(text, share_in_words(stored), is_unclear(stored))


def _tags(work: ItemWork) -> Iterator[str]:
    if work.rater_kind != RaterKind.PERSON:
        yield _plain(work.rater_kind)
    if work.data_use == DataUse.LEFT_OUT:
        yield "Data excluded"
    if work.role == TaskItem.Role.GOLD:
        yield "Gold item"


def _facts(evidence: ItemEvidence) -> Iterator[MatrixRow]:
    """Facts about each submission that are not answers."""
    work = evidence.work
    if not work:
        return
    if systems_of(evidence):
        yield _fact("Order on the page", [_order(evidence, each) for each in work])
    whole = max(each.items for each in work)
    title = "Time on page" if whole == 1 else f"Time for the task of {whole} items"
    yield replace(_fact(title, [clock(each.seconds) for each in work]), stored=SECONDS)
    if len({each.version for each in work}) > 1:
        yield _fact("Version", [str(each.version_number) for each in work])


def _fact(title: str, values: Sequence[str]) -> MatrixRow:
    return MatrixRow(title, cells=[MatrixCell([value]) for value in values])


def _order(evidence: ItemEvidence, work: ItemWork) -> str:
    """The candidates as this rater saw them, by the letters that this page uses."""
    study = study_of(work.version)
    letters = {
        shown.index: shown.letter
        for shown in shown_candidates(
            replace(study.asking(evidence.condition, evidence.item), order=evidence.order)
        )
    }
    return ", ".join(letters[index] for index in study.order_for(work.rater_number, evidence.item))


def comments(evidence: ItemEvidence) -> list[dict[str, Any]]:
    """Free text about the item and about the task as a whole, with its rater and its question."""
    found = []
    by_assignment = {work.assignment: work for work in evidence.work}
    for answer in evidence.answers:
        work = by_assignment[answer.assignment]
        design = study_of(work.version).design(evidence.condition)
        asked: Sequence[Question] = design.feedback if answer.whole_task else design.questions
        question = next((each for each in asked if each.name == answer.question), None)
        if question is not None and question.free_text:
            about = f"{question.text} (whole task)" if answer.whole_task else question.text
            found.append({"rater": work.rater, "text": answer.value, "about": about, "at": work.at})
    return found
