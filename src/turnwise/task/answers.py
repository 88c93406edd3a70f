"""Answers: what a rater sent, checked against the questions of the task design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from turnwise.scales import Scale
from turnwise.task.design import TaskDesign
from turnwise.task.questions import BadAnswer, Question

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
    message: str


def check_answers(
    design: TaskDesign, scales: Mapping[str, Scale], answers: Any, items: int
) -> tuple[list[CheckedAnswer], list[Problem]]:
    """What may be stored of a submission, and what is wrong with it; any problem refuses all of it."""
    return _checked(design, scales, answers, items, complete=True)


def check_draft(design: TaskDesign, scales: Mapping[str, Scale], answers: Any, items: int) -> list[Problem]:
    """What is wrong with half-finished answers; what is missing or too short is not."""
    return _checked(design, scales, answers, items, complete=False)[1]


def _checked(
    design: TaskDesign, scales: Mapping[str, Scale], answers: Any, items: int, *, complete: bool
) -> tuple[list[CheckedAnswer], list[Problem]]:
    problems = list(_misshapen(design, answers, items))
    if problems:
        return [], problems
    checked: list[CheckedAnswer] = []
    for position in range(items):
        given = answers.get(str(position), {})
        for question in design.questions:
            try:
                answer = _one(question, scales, given.get(question.name), position, complete=complete)
            except BadAnswer as bad:
                problems.append(Problem(position, question.name, str(bad)))
            else:
                checked += [answer] if answer else []
    return checked, problems


def _one(
    question: Question, scales: Mapping[str, Scale], value: Any, position: int, *, complete: bool
) -> CheckedAnswer | None:
    if question.is_empty(value):
        if question.required and complete:
            raise BadAnswer(question.missing())
        return None
    stored = question.check(value, scales)
    if complete:
        question.check_complete(stored)
    return CheckedAnswer(position, question.name, question.aspect, stored, question.code(stored))


def _misshapen(design: TaskDesign, answers: Any, items: int) -> Iterator[Problem]:
    """Anything that no page of ours would send."""
    if not isinstance(answers, dict):
        yield Problem(None, None, "The answers are not readable.")
        return
    known = {question.name for question in design.questions}
    positions = {str(position) for position in range(items)}
    for position, given in answers.items():
        if position not in positions or not isinstance(given, dict):
            yield Problem(None, None, "The answers belong to no part of this task.")
            return
        unknown = [name for name in given if name not in known]
        if unknown:
            yield Problem(int(position), None, "There is an answer to a question that was not asked.")
