"""Answers: what a rater sent, checked against the questions of the task design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnwise.task.design import TaskDesign
from turnwise.task.questions import BadAnswer, Question
from turnwise.task.showing import Asking

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


def check_answers(
    design: TaskDesign, items: Sequence[Asking], answers: Any
) -> tuple[list[CheckedAnswer], list[Problem]]:
    """What may be stored of a submission, and what is wrong with it; any problem refuses all of it."""
    return _checked(design, items, answers, complete=True)


def check_draft(design: TaskDesign, items: Sequence[Asking], answers: Any) -> list[Problem]:
    """What is wrong with half-finished answers; what is missing or too short is not."""
    return _checked(design, items, answers, complete=False)[1]


def _checked(
    design: TaskDesign, items: Sequence[Asking], answers: Any, *, complete: bool
) -> tuple[list[CheckedAnswer], list[Problem]]:
    problems = list(_misshapen(design, answers, len(items)))
    if problems:
        return [], problems
    checked: list[CheckedAnswer] = []
    for position, asking in enumerate(items):
        given = answers.get(str(position), {})
        for question in design.questions:
            if not question.applies(asking):
                continue
            try:
                checked += _one(question, asking, given.get(question.name), position, complete=complete)
            except BadAnswer as bad:
                problems.append(Problem(position, question.name, bad.sentence, bad.values))
    return checked, problems


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
