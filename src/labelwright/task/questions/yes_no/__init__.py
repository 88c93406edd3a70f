"""Yes or no; follow-up questions depend on it with `when`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.scales import Point, Scale
from labelwright.task.presentation import Asking
from labelwright.task.questions.base import BadAnswer, Question, compose_prompt, question_type
from labelwright.task.words import Line, Phrase

if TYPE_CHECKING:
    import numpy as np

Score = Annotated[float, Field(ge=0, le=1)]


@question_type
class YesNoQuestion(Question):
    """Asks for yes or no, stored as true or false and counted as 1 or 0."""

    EXAMPLES: ClassVar = (
        {"name": "recommends", "type": "yes_no", "text": "Does the reply recommend a movie?"},
        {
            "name": "rude",
            "type": "yes_no",
            "text": "Is the reply rude?",
            "yes_score": 0,
            "no_score": 1,
            "required": False,
        },
    )

    type: Literal["yes_no"]
    yes_score: Score | None = 1
    """The score of yes in means, from 0 for the worst to 1 for the best; null gives it none."""
    no_score: Score | None = 0
    """The score of no."""

    def check(self, value: Any, asking: Asking) -> bool:
        """True or false."""
        if not isinstance(value, bool):
            raise BadAnswer("Choose yes or no.")
        return value

    def code(self, value: bool) -> int:
        """1 for yes, 0 for no."""
        return int(value)

    def answer_scales(self, scales: Mapping[str, Scale]) -> Mapping[str, Scale]:
        """No and yes."""
        points = (
            Point(code=0, name="No", score=self.no_score),
            Point(code=1, name="Yes", score=self.yes_score),
        )
        return {"": Scale(points=points)}

    def words(self, value: bool, asking: Asking) -> tuple[Line, ...]:
        """Yes or no."""
        return (Line((Phrase("Yes") if value else Phrase("No"),)),)

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """True or false."""
        return {"type": "boolean"}

    def prompt(self, asking: Asking) -> str:
        """True for yes."""
        return compose_prompt(self.text, [], "Answer with true for yes or false for no.")

    def sample(self, asking: Asking, random: np.random.Generator) -> bool:
        """Either."""
        return bool(random.random() < 0.5)

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Choose yes or no."
