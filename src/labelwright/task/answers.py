"""Answers: what a rater sent, checked against the questions of the task design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from labelwright.task.design import TaskDesign
from labelwright.task.labels import DerivedLabel
from labelwright.task.presentation import Asking
from labelwright.task.questions import BadAnswer, Question

Answers = Mapping[str, Mapping[str, Any]]
"""Answers by position of the item in its task, then by the name of the question."""


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """An answer that may be stored."""

    position: int
    question: str
    aspect: str | None
    value: Any
    code: int | None


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with an answer, in words for the rater."""

    position: int | None
    question: str | None
    sentence: str
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The sentence with its values, in English; see BadAnswer."""
        return self.sentence.format(**self.values)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The questions that are asked at one position of a task, and the labels that are made of their answers."""

    position: int
    asking: Asking
    questions: tuple[Question, ...]
    labels: tuple[DerivedLabel, ...] = ()


def sheets(design: TaskDesign, items: Sequence[Asking]) -> list[Sheet]:
    """A sheet for each item; then, at the position after the last, one about the task as a whole if it is asked of."""
    found = [
        Sheet(position, asking, tuple(q for q in design.questions if q.applies(asking)), design.labels)
        for position, asking in enumerate(items)
    ]
    if design.feedback:
        found.append(Sheet(len(items), Asking(items[0].scales), design.feedback))
    return found


def check_answers(
    design: TaskDesign, items: Sequence[Asking], answers: Any
) -> tuple[list[CheckedAnswer], list[Problem]]:
    """What may be stored of a submission, and what is wrong with it; any problem refuses all of it.

    Answers to questions that are hidden are left out; labels derived from the others follow them.
    """
    return check_sheets(sheets(design, items), answers)


def check_sheets(asked: Sequence[Sheet], answers: Any) -> tuple[list[CheckedAnswer], list[Problem]]:
    """The same for any sheets, also outside a task."""
    problems = list(_misshapen(asked, answers))
    if problems:
        return [], problems
    checked: list[CheckedAnswer] = []
    for sheet in asked:
        found = _item(sheet, answers.get(str(sheet.position), {}), complete=True)
        checked += [*found.answers, *_derived(sheet, found.stored)]
        problems += found.problems
    return checked, problems


def check_draft(
    design: TaskDesign, items: Sequence[Asking], answers: Any
) -> tuple[dict[str, dict[str, Any]], list[Problem]]:
    """What may be kept of half-finished answers, and what is wrong with them; missing or too short is not wrong.

    Kept is what was sent, without the answers to questions that are hidden.
    """
    asked = sheets(design, items)
    problems = list(_misshapen(asked, answers))
    if problems:
        return {}, problems
    kept: dict[str, dict[str, Any]] = {}
    for position, given in answers.items():
        found = _item(asked[int(position)], given, complete=False)
        kept[position] = {name: value for name, value in given.items() if name in found.shown}
        problems += found.problems
    return kept, problems


@dataclass(slots=True)
class _Item:
    """What was found out about the answers to one sheet."""

    answers: list[CheckedAnswer] = field(default_factory=list)
    stored: dict[str, Any] = field(default_factory=dict)
    """The answers by question, without the judgments inside them."""
    shown: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def _item(sheet: Sheet, given: Mapping[str, Any], *, complete: bool) -> _Item:
    found = _Item()
    for question in sheet.questions:
        # A `when` looks back only, so what it needs is known by now.
        if not (question.when is None or question.when.holds(found.stored)):
            continue
        found.shown.add(question.name)
        try:
            answers = _one(
                question, sheet.asking, given.get(question.name), sheet.position, complete=complete
            )
        except BadAnswer as bad:
            found.problems.append(Problem(sheet.position, question.name, bad.sentence, bad.values))
            continue
        found.answers += answers
        found.stored |= {answer.question: answer.value for answer in answers[:1]}
    return found


def _derived(sheet: Sheet, stored: Mapping[str, Any]) -> Iterator[CheckedAnswer]:
    for label in sheet.labels:
        code = label.derive(stored)
        if code is not None:
            yield CheckedAnswer(sheet.position, label.name, label.aspect, code, code)


def _one(
    question: Question, asking: Asking, value: Any, position: int, *, complete: bool
) -> list[CheckedAnswer]:
    """The answer to a question, followed by the judgments inside it."""
    if question.is_empty(value):
        if question.required and complete:
            raise BadAnswer(question.missing())
        return []
    stored = question.check(value, asking)
    if complete:
        question.check_complete(stored)
    whole = CheckedAnswer(position, question.name, question.aspect, stored, question.code(stored))
    return [
        whole,
        *(
            CheckedAnswer(position, f"{question.name}.{name}", part.aspect, part.value, part.code)
            for name, part in question.parts(stored).items()
        ),
    ]


def _misshapen(asked: Sequence[Sheet], answers: Any) -> Iterator[Problem]:
    """Anything that no page of ours would send."""
    if not isinstance(answers, dict):
        yield Problem(None, None, "The answers are not readable.")
        return
    known = {str(sheet.position): {question.name for question in sheet.questions} for sheet in asked}
    for position, given in answers.items():
        if position not in known or not isinstance(given, dict):
            yield Problem(None, None, "The answers belong to no part of this task.")
            return
        if not given.keys() <= known[position]:
            yield Problem(int(position), None, "There is an answer to a question that was not asked.")
