"""Task design: instructions and questions, as written in the study file."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.scales import Scale
from labelwright.task.examples import Example
from labelwright.task.guidelines import Guidelines, Markdown
from labelwright.task.labels import DerivedLabel
from labelwright.task.questionnaire import TaskQuestions
from labelwright.task.questions import AnyQuestion, Question


class Display(BaseModel):
    """How texts of the corpus look on the page; stored texts and offsets do not change."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lower_case: bool = False
    """Whether texts of the corpus are shown in lower case."""


@dataclass(frozen=True, slots=True)
class AspectColumn:
    """Stored answers that measure an aspect on a scale."""

    name: str
    """As answers are stored; `*` stands for one step of the name of a part."""
    text: str
    aspect: str
    scale: Scale


class TaskDesign(BaseModel):
    """The instructions and the questions about the items of a task."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Annotated[str, Field(min_length=1, max_length=120)]
    """The heading of the task."""
    purpose: Markdown = ""
    """The purpose of the study, for the start page."""
    scenario: Annotated[str, Field(max_length=300)] = ""
    """One sentence above the dialogue that says who is talking."""
    lead: Annotated[str, Field(min_length=1, max_length=200)]
    """What to do, in one sentence, above the dialogue."""
    instructions: Annotated[Markdown, Field(min_length=1)]
    """Shown before the first task; raters can open them at any time."""
    examples: Annotated[tuple[Example, ...], Field(max_length=20)] = ()
    """Shown with the instructions, with their answers."""
    guidelines: Guidelines | None = None
    """A longer text behind the instructions, with its own version."""
    questions: Annotated[tuple[AnyQuestion, ...], Field(min_length=1, max_length=40)]
    """Asked about each item."""
    feedback: TaskQuestions = ()
    """Asked once, at the end of a task, about the task as a whole."""
    display: Display = Display()
    """How texts of the corpus are shown."""
    labels: Annotated[tuple[DerivedLabel, ...], Field(max_length=20)] = ()
    """Labels derived from the answers when a task is submitted; raters never see them."""
    minutes: Annotated[float, Field(gt=0, le=600)] = 2
    """How long a task takes a careful rater; shown to raters next to the pay."""

    @property
    def needs_item(self) -> bool:
        """Whether answers can only be checked together with the item."""
        return any(question.needs_item for question in self.questions)

    @property
    def attention_checks(self) -> frozenset[str]:
        """The names of the questions that only check that the item was read."""
        return frozenset(question.name for question in self.questions if question.checks_attention)

    def question(self, name: str) -> Question | None:
        """The question about each item that has this name."""
        return next((question for question in self.questions if question.name == name), None)

    @model_validator(mode="after")
    def _distinct(self) -> TaskDesign:
        questions = (*self.questions, *self.feedback)
        names = [question.name for question in questions] + [label.name for label in self.labels]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"several questions or labels are called {', '.join(repeated)}")
        return self

    def answer_scales(self, scales: Mapping[str, Scale]) -> dict[str, Scale]:
        """What the codes of stored answers mean, by the name they are stored under.

        Judgments inside an answer are called `question.part`; `*` stands for one step of such a name.
        """
        found = {
            column.name: column.scale
            for question in (*self.questions, *self.feedback)
            for column in question.export_columns(scales)
            if column.scale is not None
        }
        return found | {label.name: scales[label.scale] for label in self.labels}

    def judgments(self, scales: Mapping[str, Scale]) -> list[AspectColumn]:
        """The answers that measure an aspect and have codes, those to attention checks excepted; derived labels last."""
        asked = [
            AspectColumn(column.name, column.text, column.aspect, column.scale)
            for question in self.questions
            if not question.checks_attention
            for column in question.export_columns(scales)
            if column.aspect and column.scale is not None
        ]
        derived = [
            AspectColumn(label.name, label.name, label.aspect, scales[label.scale])
            for label in self.labels
            if label.aspect
        ]
        return asked + derived


def scale_under(name: str, scales: Mapping[str, Scale]) -> Scale | None:
    """The scale of a stored answer among those that `answer_scales` gives.

    >>> from labelwright.scales import Point
    >>> fit = Scale(points=[Point(code=0, name="Bad"), Point(code=1, name="Good")])
    >>> scale_under("quality.c0.fit", {"quality.*.fit": fit}) is fit
    True
    """
    pattern = pattern_of(name, scales)
    return None if pattern is None else scales[pattern]


def pattern_of(name: str, patterns: Collection[str]) -> str | None:
    """The name in `answer_scales` of a stored answer; `*` stands for one step.

    >>> pattern_of("quality.c0.fit", ["quality.*.fit"])
    'quality.*.fit'
    """
    if name in patterns:
        return name
    steps = name.split(".")
    for pattern in patterns:
        wanted = pattern.split(".")
        if len(wanted) == len(steps) and all(w in ("*", s) for w, s in zip(wanted, steps, strict=True)):
            return pattern
    return None
