"""A number, whole or with decimals, within a range."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from labelwright.task.presentation import Asking
from labelwright.task.questions.base import BadAnswer, Question, compose_prompt, question_type
from labelwright.task.words import Line

if TYPE_CHECKING:
    import numpy as np

LARGEST = 1_000_000_000
Bound = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]


@question_type
class NumberQuestion(Question):
    """Asks for a number; a whole number is also its code."""

    EXAMPLES: ClassVar = (
        {
            "name": "turns",
            "type": "number",
            "text": "How many turns does the conversation have?",
            "min": 1,
            "max": 200,
        },
        {
            "name": "minutes",
            "type": "number",
            "text": "How long would this take you?",
            "decimals": 1,
            "unit": "minutes",
            "max": 60,
        },
    )

    type: Literal["number"]
    min: Bound = 0
    """The smallest number that is accepted."""
    max: Bound = LARGEST
    """The largest number that is accepted."""
    decimals: Annotated[int, Field(ge=0, le=6)] = 0
    """The largest number of decimal places; 0 for whole numbers."""
    unit: Annotated[str, Field(max_length=40)] = ""
    """Shown after the field."""

    @model_validator(mode="after")
    def _possible(self) -> NumberQuestion:
        if self.min > self.max:
            raise ValueError("min is more than max")
        if self.decimals == 0 and math.ceil(self.min) > math.floor(self.max):
            raise ValueError("there is no whole number between min and max")
        return self

    def check(self, value: Any, asking: Asking) -> int | float:
        """The number; the range is checked when the task is submitted, because drafts are saved while typing."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
            raise BadAnswer("Write a number.")
        if self.decimals == 0:
            if not isinstance(value, int):
                raise BadAnswer("Write a whole number.")
            return value
        if round(value, self.decimals) != value:
            raise BadAnswer("Use at most {most} decimal places.", most=self.decimals)
        # Minus zero is zero, and 3 is the same answer as 3.0.
        return float(value) + 0.0

    def check_complete(self, value: float) -> None:
        """The range."""
        if not self.min <= value <= self.max:
            least, most = (int(n) if n == int(n) else n for n in (self.min, self.max))
            raise BadAnswer("Write a number from {least} to {most}.", least=least, most=most)

    def code(self, value: float) -> int | None:
        """A whole number itself; None for a number with decimals."""
        return value if isinstance(value, int) else None

    def words(self, value: float, asking: Asking) -> tuple[Line, ...]:
        """The number with its unit, without trailing zeros."""
        number = f"{value:.{self.decimals}f}".rstrip("0").rstrip(".") if self.decimals else str(value)
        return (Line((f"{number} {self.unit}".strip(),)),)

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """A number in the range."""
        if self.decimals == 0:
            return {"type": "integer", "minimum": math.ceil(self.min), "maximum": math.floor(self.max)}
        about = f"decimal places: at most {self.decimals}"
        return {"type": "number", "minimum": self.min, "maximum": self.max, "description": about}

    def prompt(self, asking: Asking) -> str:
        """The range, the digits and the unit."""
        kind = f"a number (decimal places: at most {self.decimals})" if self.decimals else "a whole number"
        unit = f", in {self.unit}" if self.unit else ""
        return compose_prompt(self.text, [], f"Answer with {kind} from {self.min:g} to {self.max:g}{unit}.")

    def sample(self, asking: Asking, random: np.random.Generator) -> int | float:
        """Any number in the range."""
        if self.decimals == 0:
            return int(random.integers(math.ceil(self.min), math.floor(self.max) + 1))
        drawn = round(float(random.uniform(self.min, self.max)), self.decimals)
        return min(max(drawn, self.min), self.max)

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Write a number."

    def view(self, asking: Asking) -> dict[str, Any]:
        """The unit and the kind of number, for the keyboard of a phone."""
        return super().view(asking) | {"unit": self.unit, "whole": self.decimals == 0, "signed": self.min < 0}
