"""Answers of a rater, checked against the questions of the task design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from labelwright.task.design import TaskDesign
from labelwright.task.labels import DerivedLabel
from labelwright.task.presentation import Asking
from labelwright.task.questions import BadAnswer, Question

Answers = Mapping[str, Mapping[str, Any]]
"""Answers by the position of the item in the task, then by the name of the question."""


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
    """What is wrong with an answer, as the rater reads it."""

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
    """The questions at one position of a task, and the labels that are derived from their answers."""

    position: int
    asking: Asking
    questions: tuple[Question, ...]
    labels: tuple[DerivedLabel, ...] = ()


def sheets(design: TaskDesign, items: Sequence[Asking]) -> list[Sheet]:
    """A sheet for each item and, after the last one, a sheet with the questions about the task as a whole."""
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
    """The answers of a submission to store, and its problems; with any problem, nothing may be stored.

    Answers to hidden questions are left out. Derived labels follow the answers.
    """
    return check_sheets(sheets(design, items), answers)


def check_sheets(asked: Sequence[Sheet], answers: Any) -> tuple[list[CheckedAnswer], list[Problem]]:
    """The same for any sheets, such as those of a quiz."""
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
    """The draft to keep and its problems; an answer that is missing or too short is not a problem yet.

    The draft is kept as it was sent, without answers to hidden questions.
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
    """The result of checking one sheet."""

    answers: list[CheckedAnswer] = field(default_factory=list)
    stored: dict[str, Any] = field(default_factory=dict)
    """The answers by question, without the judgments inside them."""
    shown: set[str] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def _item(sheet: Sheet, given: Mapping[str, Any], *, complete: bool) -> _Item:
    found = _Item()
    for question in sheet.questions:
        # A `when` can only refer to an earlier question, so that answer is known by now.
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
    # Whatever the study file says, an attention check measures the rater and no aspect.
    aspect = None if question.checks_attention else question.aspect
    whole = CheckedAnswer(position, question.name, aspect, stored, question.code(stored))
    return [
        whole,
        *(
            CheckedAnswer(position, f"{question.name}.{name}", part.aspect, part.value, part.code)
            for name, part in question.parts(stored).items()
        ),
    ]


def _misshapen(asked: Sequence[Sheet], answers: Any) -> Iterator[Problem]:
    """Problems that our own pages never cause."""
    if not isinstance(answers, dict):
        yield Problem(None, None, "The answers could not be read.")
        return
    known = {str(sheet.position): {question.name for question in sheet.questions} for sheet in asked}
    for position, given in answers.items():
        if position not in known or not isinstance(given, dict):
            yield Problem(None, None, "The answers do not belong to this task.")
            return
        if not given.keys() <= known[position]:
            yield Problem(int(position), None, "There is an answer to a question that was not asked.")
