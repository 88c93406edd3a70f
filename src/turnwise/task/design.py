"""Task design: instructions and questions, as written in the study file."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from turnwise.task.questions import AnyQuestion


class TaskDesign(BaseModel):
    """What raters read and what they are asked about one reply."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Annotated[str, Field(min_length=1, max_length=120)]
    scenario: Annotated[str, Field(max_length=300)] = ""
    """One sentence on who talks with what, above the dialogue."""
    lead: Annotated[str, Field(min_length=1, max_length=200)]
    """What to do, in one sentence, above the dialogue."""
    instructions: Annotated[str, Field(min_length=1, max_length=20_000)]
    """Read before the first task and open to look up at any time; blank lines part paragraphs."""
    questions: Annotated[tuple[AnyQuestion, ...], Field(min_length=1, max_length=40)]
    minutes: Annotated[float, Field(gt=0, le=600)] = 2
    """How long one task takes a careful rater; told to raters beside the pay."""

    @property
    def needs_item(self) -> bool:
        """Whether an answer can only be checked beside its item."""
        return any(question.needs_item for question in self.questions)

    @model_validator(mode="after")
    def _distinct(self) -> TaskDesign:
        names = [question.name for question in self.questions]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"two questions are called {', '.join(repeated)}")
        return self
