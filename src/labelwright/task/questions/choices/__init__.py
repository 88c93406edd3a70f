"""Choice of several options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from labelwright.scales import Point, Scale
from labelwright.task.presentation import Asking
from labelwright.task.questions.base import (
    AnswerPart,
    BadAnswer,
    Question,
    compose_prompt,
    count_range,
    question_type,
)
from labelwright.task.questions.options import Options, code_schema, option_lines, view_points
from labelwright.task.words import Line

if TYPE_CHECKING:
    import numpy as np

CHOSEN = Scale(points=(Point(code=0, name="Not chosen"), Point(code=1, name="Chosen")))
"""What is counted of each option."""


@question_type
class ChoicesQuestion(Question):
    """Asks for several options; their codes are stored in the order of the study file.

    Each option is a separate judgment (`question.code`: 1 if it was chosen, 0 if not), so agreement is measured
    option by option. An option that means "no answer" is chosen alone, and gives no judgments.
    """

    EXAMPLES: ClassVar = (
        {
            "name": "wrong",
            "type": "choices",
            "text": "What is wrong with the reply?",
            "options": [
                {"code": 1, "name": "It repeats itself"},
                {"code": 2, "name": "It is made up"},
                {"code": 3, "name": "It is rude"},
                {"code": 0, "name": "Nothing I can see", "no_answer": True},
            ],
        },
        {
            "name": "uses",
            "type": "choices",
            "text": "What might the user do next?",
            "required": False,
            "most": 2,
            "options": [{"code": n, "name": f"Use {n}"} for n in range(1, 6)],
        },
    )

    type: Literal["choices"]
    options: Options
    """The options that raters can tick."""
    least: Annotated[int, Field(ge=1, le=60)] = 1
    """The smallest number of options, if any are chosen."""
    most: Annotated[int, Field(ge=1, le=60)] | None = None
    """The most options that a rater may tick. Default: all."""

    @model_validator(mode="after")
    def _possible(self) -> ChoicesQuestion:
        Scale(points=self.options)
        if self.least > (self.most or len(self._answers)):
            raise ValueError("`least` is more than the number of options that can be chosen")
        return self

    @property
    def _answers(self) -> tuple[int, ...]:
        return tuple(point.code for point in self.options if not point.no_answer)

    def check(self, value: Any, asking: Asking) -> list[int]:
        """The codes, each once, in the order of the study file."""
        codes = [point.code for point in self.options]
        if not isinstance(value, list) or len(value) > len(codes):
            raise BadAnswer("Choose from the options.")
        if any(isinstance(code, bool) or not isinstance(code, int) or code not in codes for code in value):
            raise BadAnswer("Choose from the options.")
        if len(set(value)) < len(value):
            raise BadAnswer("An option is chosen twice.")
        if len(value) > 1 and not set(value) <= set(self._answers):
            raise BadAnswer("This option cannot be chosen together with others.")
        return [code for code in codes if code in value]

    def check_complete(self, value: list[int]) -> None:
        """Neither too few options nor too many."""
        if not set(value) <= set(self._answers):
            return
        if len(value) < self.least:
            raise BadAnswer("Choose at least {least}.", least=self.least)
        if self.most is not None and len(value) > self.most:
            raise BadAnswer("Choose at most {most}. You chose {chosen}.", most=self.most, chosen=len(value))

    def is_empty(self, value: Any) -> bool:
        """Whether no option is chosen."""
        return value is None or value == []

    def code(self, value: list[int]) -> None:
        """None: options are counted one by one."""
        return

    def parts(self, value: list[int]) -> Mapping[str, AnswerPart]:
        """Whether each option was chosen."""
        if not set(value) <= set(self._answers):
            return {}
        return {
            str(code): AnswerPart(self.aspect, code in value, int(code in value)) for code in self._answers
        }

    def answer_scales(self, scales: Mapping[str, Scale]) -> Mapping[str, Scale]:
        """Chosen or not, option by option."""
        return {str(code): CHOSEN for code in self._answers}

    def part_text(self, part: str) -> str:
        """The option."""
        return next((point.name for point in self.options if str(point.code) == part), part)

    def option_codes(self, scales: Mapping[str, Scale]) -> tuple[int, ...]:
        """The codes of the options."""
        return tuple(point.code for point in self.options)

    def words(self, value: list[int], asking: Asking) -> tuple[Line, ...]:
        """The chosen options."""
        return (Line(tuple(point.name for point in self.options if point.code in value)),)

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """A list of codes, or one option that must be chosen alone."""
        several = {
            "type": "array",
            "items": code_schema(self._answers),
            "minItems": self.least,
            "maxItems": self.most or len(self._answers),
            "uniqueItems": True,
        }
        alone = [point.code for point in self.options if point.no_answer]
        if not alone:
            return several
        one = {"type": "array", "items": code_schema(alone), "minItems": 1, "maxItems": 1}
        return {"anyOf": [several, one]}

    def prompt(self, asking: Asking) -> str:
        """The options, and how many of them to choose."""
        most = self.most or len(self._answers)
        alone = [str(point.code) for point in self.options if point.no_answer]
        instruction = f"Answer with a list of {count_range(self.least, most)} numbers of options."
        if alone:
            instruction += f" Chosen alone, without any other: {', '.join(alone)}."
        return compose_prompt(self.text, option_lines(self.options), instruction)

    def sample(self, asking: Asking, random: np.random.Generator) -> list[int]:
        """Some of the options."""
        most = min(self.most or len(self._answers), len(self._answers))
        count = int(random.integers(self.least, most + 1))
        drawn = random.choice(self._answers, size=count, replace=False).tolist()
        return [code for code in self._answers if code in drawn]

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Choose at least one of the options."

    def view(self, asking: Asking) -> dict[str, Any]:
        """The options, and which of them must be chosen alone."""
        alone = [point.code for point in self.options if point.no_answer]
        points = [point | {"alone": point["code"] in alone} for point in view_points(self.options)]
        return super().view(asking) | {"points": points, "least": self.least, "most": self.most}
