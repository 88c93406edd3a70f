"""Confidence: how sure a rater is, on labelled points or from 0 to 100."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.scales import Scale
from labelwright.task.names import Name
from labelwright.task.presentation import Asking
from labelwright.task.questions.base import BadAnswer, Confidence, NameUse, compose_prompt, question_type
from labelwright.task.questions.options import OptionsQuestion, check_code, view_points
from labelwright.task.words import Line, Phrase

if TYPE_CHECKING:
    import numpy as np

HIGHEST = 100


@question_type
class ConfidenceQuestion(OptionsQuestion):
    """Asks how sure the rater is; stored as a number, which exports have in the column `confidence` of each judgment.

    With `options` or a `scale` the number is the code of a point; without them it is 0 to 100.
    """

    NAMES: ClassVar = (*OptionsQuestion.NAMES, NameUse(("about",), "questions"))
    EXAMPLES: ClassVar = (
        {
            "name": "sure",
            "type": "confidence",
            "text": "How sure are you?",
            "options": [
                {"code": 1, "name": "Not sure"},
                {"code": 2, "name": "Fairly sure"},
                {"code": 3, "name": "Very sure"},
            ],
        },
        {
            "name": "certain",
            "type": "confidence",
            "text": "How certain are you of your answer?",
            "low": "Pure guess",
            "high": "Certain",
        },
    )

    type: Literal["confidence"]
    about: Name | None = None
    """The question whose answer it is about; by default all answers to the item."""
    low: Annotated[str, Field(max_length=40)] = ""
    """What 0 means; shown at the low end."""
    high: Annotated[str, Field(max_length=40)] = ""
    """What 100 means; shown at the high end."""

    @property
    def _points(self) -> bool:
        return self.options is not None or self.scale is not None

    def check(self, value: Any, asking: Asking) -> int:
        """The code of a point, or a whole number from 0 to 100."""
        if self._points:
            return check_code(value, self.scale_in(asking.scales).codes)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= HIGHEST:
            raise BadAnswer("Choose a number from 0 to 100.")
        return value

    def code(self, value: int) -> int:
        """The number itself."""
        return value

    def answer_scales(self, scales: Mapping[str, Scale]) -> Mapping[str, Scale]:
        """The points, if there are any."""
        return {"": self.scale_in(scales)} if self._points else {}

    def words(self, value: int, asking: Asking) -> tuple[Line, ...]:
        """The point, or the number."""
        if self._points:
            return (Line((self.scale_in(asking.scales).name_of(value),)),)
        return (Line((Phrase("{number} of 100", number=value),)),)

    def confidence(self) -> Confidence:
        """How sure the rater is of the answer that `about` names, or of all answers."""
        return Confidence(self.about)

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """The code of a point, or a number from 0 to 100."""
        if self._points:
            return super().answer_schema(asking)
        return {"type": "integer", "minimum": 0, "maximum": HIGHEST}

    def prompt(self, asking: Asking) -> str:
        """The points, or what the two ends mean."""
        if self._points:
            return super().prompt(asking)
        ends = [f"{number}: {name}" for number, name in ((0, self.low), (HIGHEST, self.high)) if name]
        return compose_prompt(self.text, ends, f"Answer with a whole number from 0 to {HIGHEST}.")

    def sample(self, asking: Asking, random: np.random.Generator) -> int:
        """Any point or number."""
        if self._points:
            return int(random.choice(self.scale_in(asking.scales).codes))
        return int(random.integers(0, HIGHEST + 1))

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Say how sure you are."

    def view(self, asking: Asking) -> dict[str, Any]:
        """The points, or what the two ends mean."""
        points = view_points(self.scale_in(asking.scales).points) if self._points else []
        return super().view(asking) | {"points": points, "low": self.low, "high": self.high}
