"""Scale with labelled points: one of them is chosen."""

from __future__ import annotations

from typing import Any, Literal

from turnwise.task.questions.base import BadAnswer, Question, Scales

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class ScaleQuestion(Question):
    """Asks for one point of a scale; the code of the point is stored."""

    type: Literal["scale"]
    scale: str

    def check(self, value: Any, scales: Scales) -> int:
        """The code of a point.

        A boolean is refused although Python takes it for a number.
        """
        codes = scales[self.scale].codes
        if isinstance(value, bool) or not isinstance(value, int) or value not in codes:
            raise BadAnswer(f"Choose one of the {_number(len(codes))} points.")
        return value

    def code(self, value: int) -> int:
        """The code itself."""
        return value

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Choose one of the points."

    def view(self, scales: Scales) -> dict[str, Any]:
        """The points by code, name and meaning; scores stay here."""
        points = [
            {"code": point.code, "name": point.name, "meaning": point.meaning}
            for point in scales[self.scale].points
        ]
        missing = f"Choose one of the {_number(len(points))} points."
        return super().view(scales) | {"points": points, "missing": missing}


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)
