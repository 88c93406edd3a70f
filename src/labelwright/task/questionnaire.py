"""Questionnaires: questions about the rater, about a task as a whole, and a quiz before the first task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from labelwright.scales import Scale
from labelwright.task.examples import ExampleItem, wrong_answer
from labelwright.task.guidelines import Markdown
from labelwright.task.presentation import Asking
from labelwright.task.questions import AnyQuestion, Question
from labelwright.task.reference import Reference


def _unconditional(questions: tuple[Question, ...]) -> tuple[Question, ...]:
    for question in questions:
        if question.when is not None:
            raise ValueError(
                f'"{question.name}" depends on another answer; `when` is only for questions of a task'
            )
    return questions


def _optional(questions: tuple[Question, ...]) -> tuple[Question, ...]:
    return tuple(question.model_copy(update={"required": False}) for question in questions)


def _without_item(questions: tuple[Question, ...]) -> tuple[Question, ...]:
    for question in questions:
        if question.needs_item:
            raise ValueError(f'"{question.name}" is of type {question.type}, which needs an item')
    names = [question.name for question in questions]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"two questions are called {', '.join(repeated)}")
    return questions


RaterQuestions = Annotated[
    tuple[AnyQuestion, ...],
    Field(max_length=20),
    AfterValidator(_without_item),
    AfterValidator(_unconditional),
    AfterValidator(_optional),
]
"""Questions about the rater; nobody has to answer them."""
TaskQuestions = Annotated[tuple[AnyQuestion, ...], Field(max_length=10), AfterValidator(_without_item)]
"""Questions about a task as a whole."""


class QuizQuestion(BaseModel):
    """A question with the right answer, and the explanation for raters who got it wrong."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ask: AnyQuestion
    """The question, of any type."""
    right: Reference
    """Its right answer."""
    item: ExampleItem | None = None
    """What the question is about; shown above it."""

    def asking(self, scales: Mapping[str, Scale]) -> Asking:
        """The scales and the item that the question needs."""
        return Asking(scales, self.item.parts) if self.item else Asking(scales)


class QuizPart(BaseModel):
    """A comprehension quiz before the first task."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Markdown = ""
    """A text above the quiz."""
    questions: Annotated[tuple[QuizQuestion, ...], Field(min_length=1, max_length=20)]
    """The questions; a rater must answer all of them right."""
    tries: Annotated[int, Field(ge=1, le=10)] = 3
    """How often a rater may try; after that, there are no tasks for them."""
    right_share: Annotated[float, Field(ge=0, le=1)] = 1
    """The share of right answers that is needed to pass."""
    otherwise: Literal["go_on", "stop"] = "go_on"
    """What happens to a rater who does not pass: they work all the same and are marked, or they get no tasks."""


def quiz_problems(quiz: QuizPart | None, scales: Mapping[str, Scale]) -> Iterator[str]:
    """What is wrong with a quiz: two questions with the same name, or a right answer that its question rejects."""
    names: set[str] = set()
    for question in quiz.questions if quiz else ():
        name = question.ask.name
        if name in names:
            yield f'two quiz questions are called "{name}"'
        names.add(name)
        if question.ask.when is not None:
            yield f'quiz question "{name}" depends on another answer; `when` is only for questions of a task'
        if question.ask.needs_item and question.item is None:
            yield f'quiz question "{name}" is of type {question.ask.type}, which needs an item'
        elif wrong := wrong_answer(question.ask, question.right, question.asking(scales)):
            yield f'quiz question "{name}" rejects its right answer {question.right.answer!r}. {wrong}'
