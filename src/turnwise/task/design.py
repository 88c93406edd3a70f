"""Task design: instructions and questions, as written in the study file."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from turnwise.task.around import Guidelines, Markdown, TaskQuestions
from turnwise.task.examples import Example
from turnwise.task.questions import AnyQuestion


class Display(BaseModel):
    """How texts of the corpus look on the page; what is stored, and offsets into it, stay as they are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lower_case: bool = False


class TaskDesign(BaseModel):
    """What raters read and what they are asked about the items of a task."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Annotated[str, Field(min_length=1, max_length=120)]
    purpose: Markdown = ""
    """Why the study is done, for the start page."""
    scenario: Annotated[str, Field(max_length=300)] = ""
    """One sentence on who talks with what, above the dialogue."""
    lead: Annotated[str, Field(min_length=1, max_length=200)]
    """What to do, in one sentence, above the dialogue."""
    instructions: Annotated[Markdown, Field(min_length=1)]
    """Read before the first task and open to look up at any time."""
    examples: Annotated[tuple[Example, ...], Field(max_length=20)] = ()
    """Shown with the instructions, answered."""
    guidelines: Guidelines | None = None
    questions: Annotated[tuple[AnyQuestion, ...], Field(min_length=1, max_length=40)]
    """Asked about each item."""
    feedback: TaskQuestions = ()
    """Asked once, at the end of a task, about the task as a whole."""
    display: Display = Display()
    minutes: Annotated[float, Field(gt=0, le=600)] = 2
    """How long one task takes a careful rater; told to raters beside the pay."""

    @property
    def needs_item(self) -> bool:
        """Whether an answer can only be checked beside its item."""
        return any(question.needs_item for question in self.questions)

    @model_validator(mode="after")
    def _distinct(self) -> TaskDesign:
        names = [question.name for question in (*self.questions, *self.feedback)]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"two questions are called {', '.join(repeated)}")
        return self
