"""Scale: choice of one labelled point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from labelwright.scales import Scale
from labelwright.task.presentation import Asking
from labelwright.task.questions.base import Question, compose_prompt, question_type
from labelwright.task.questions.options import (
    ONE_OPTION,
    check_code,
    code_schema,
    fits_a_row,
    option_lines,
    view_points,
)
from labelwright.task.words import Line

if TYPE_CHECKING:
    import numpy as np


@question_type
class ScaleQuestion(Question):
    """Asks for one point of a scale; the code of the point is stored."""

    EXAMPLES: ClassVar = (
        {"name": "useful", "type": "scale", "text": "How useful is the marked reply?", "scale": "useful"},
    )

    type: Literal["scale"]
    scale: str
    """The name of a scale under `scales`."""

    def check(self, value: Any, asking: Asking) -> int:
        """The code of a point."""
        return check_code(value, asking.scales[self.scale].codes)

    def code(self, value: int) -> int:
        """The code itself."""
        return value

    def answer_scales(self, scales: Mapping[str, Scale]) -> Mapping[str, Scale]:
        """The scale of the question."""
        return {"": scales[self.scale]}

    def words(self, value: int, asking: Asking) -> tuple[Line, ...]:
        """The point."""
        return (Line((asking.scales[self.scale].name_of(value),)),)

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """The code of a point."""
        return code_schema(asking.scales[self.scale].codes)

    def prompt(self, asking: Asking) -> str:
        """The points with their codes."""
        return compose_prompt(self.text, option_lines(asking.scales[self.scale].points), ONE_OPTION)

    def sample(self, asking: Asking, random: np.random.Generator) -> int:
        """Any of the points."""
        return int(random.choice(asking.scales[self.scale].codes))

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Choose one of the points."

    def view(self, asking: Asking) -> dict[str, Any]:
        """The points."""
        scale = asking.scales[self.scale]
        return super().view(asking) | {"points": view_points(scale.points), "row": fits_a_row(scale)}
