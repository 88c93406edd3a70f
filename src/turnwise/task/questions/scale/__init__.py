"""Scale with labelled points: one of them is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from turnwise.task.questions.base import BadAnswer, Question
from turnwise.task.showing import Asking

if TYPE_CHECKING:
    import numpy as np


class ScaleQuestion(Question):
    """Asks for one point of a scale; the code of the point is stored."""

    type: Literal["scale"]
    scale: str

    def check(self, value: Any, asking: Asking) -> int:
        """The code of a point.

        A boolean is refused although Python takes it for a number.
        """
        codes = asking.scales[self.scale].codes
        if isinstance(value, bool) or not isinstance(value, int) or value not in codes:
            raise BadAnswer("Choose one of the points.")
        return value

    def code(self, value: int) -> int:
        """The code itself."""
        return value

    def sample(self, asking: Asking, random: np.random.Generator) -> int:
        """Any of the points."""
        return int(random.choice(asking.scales[self.scale].codes))

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Choose one of the points."

    def view(self, asking: Asking) -> dict[str, Any]:
        """The points by code, name and meaning; scores stay here."""
        points = [
            {"code": point.code, "name": point.name, "meaning": point.meaning}
            for point in asking.scales[self.scale].points
        ]
        return super().view(asking) | {"points": points}
