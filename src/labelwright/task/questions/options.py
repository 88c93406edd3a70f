"""Options of a question: listed in the question, or the points of a scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, Field, model_validator

from labelwright.scales import Point, Scale
from labelwright.task.explanations import Explanations
from labelwright.task.presentation import Asking
from labelwright.task.questions.base import BadAnswer, Question, compose_prompt

MOST_IN_A_ROW = 7
"""More options would be too narrow for a finger."""
LETTERS_IN_A_ROW = 50
"""The number of letters that fit on a phone in small type."""

ONE_OPTION = "Answer with the number of one option."
EXPLAINED_OPTION = 'Answer with an object: "choice" is the number of one option.'
"""Instructions for a language model."""

Options = Annotated[tuple[Point, ...], Field(min_length=2, max_length=60)]


class HasOptions(BaseModel):
    """A model that is answered with an option: one of its own list, or a point of a scale."""

    options: Options | None = None
    """Options of this question only."""
    scale: str | None = None
    """The name of a scale, whose points are the options."""

    @model_validator(mode="after")
    def _good_options(self) -> HasOptions:
        if self.options is not None and self.scale is not None:
            raise ValueError("give `options` or `scale`, not both")
        if self.options is not None:
            Scale(points=self.options)
        return self

    def scale_in(self, scales: Mapping[str, Scale]) -> Scale:
        """The options as a scale; listed options have no order."""
        if self.options is not None:
            return Scale(ordered=False, points=self.options)
        assert self.scale is not None
        return scales[self.scale]


class OptionsQuestion(HasOptions, Question):
    """A question with listed options, or with the points of a scale."""

    def answer_scales(self, scales: Mapping[str, Scale]) -> Mapping[str, Scale]:
        """The options of the question."""
        return {"": self.scale_in(scales)}

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """The code of an option."""
        return code_schema(self.scale_in(asking.scales).codes)

    def prompt(self, asking: Asking) -> str:
        """The options with their codes."""
        return compose_prompt(self.text, option_lines(self.scale_in(asking.scales).points), ONE_OPTION)


def check_code(value: Any, codes: Sequence[int]) -> int:
    """The code of an option; a boolean is rejected, although it is a number in Python."""
    if isinstance(value, bool) or not isinstance(value, int) or value not in codes:
        raise BadAnswer("Choose one of the options.")
    return value


def code_schema(codes: Iterable[int]) -> dict[str, Any]:
    """The JSON Schema of one code."""
    return {"type": "integer", "enum": list(codes)}


def explained_schema(codes: Sequence[int], explanations: Explanations | None) -> dict[str, Any]:
    """The JSON Schema of `{"choice": code, "explanation": {...}}`, with an explanation if the option takes one."""
    asked = {code: explanations.answer_schema(code) if explanations else None for code in codes}
    plain = [code for code, schema in asked.items() if schema is None]
    branches = [_choice_schema(plain, {}, [])] if plain else []
    branches += [
        _choice_schema(
            [code],
            {"explanation": schema},
            ["explanation"] if explanations and explanations.need(code) == "required" else [],
        )
        for code, schema in asked.items()
        if schema is not None
    ]
    return branches[0] if len(branches) == 1 else {"anyOf": branches}


def _choice_schema(codes: Sequence[int], fields: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"choice": code_schema(codes), **fields},
        "required": ["choice", *required],
        "additionalProperties": False,
    }


def option_lines(points: Iterable[Point], explanations: Explanations | None = None) -> list[str]:
    """Options as a language model reads them.

    >>> option_lines([Point(code=1, name="Bad", meaning="It does not help."), Point(code=2, name="Good")])
    ['1: Bad. It does not help.', '2: Good']
    """
    return [
        " ".join(
            filter(
                None,
                (
                    f"{point.code}: {point.name}" + ("." if point.meaning else ""),
                    point.meaning,
                    f"({why})" if explanations and (why := explanations.prompt(point.code)) else "",
                ),
            )
        )
        for point in points
    ]


def fits_a_row(scale: Scale) -> bool:
    """Whether the points of a scale fit side by side on a phone, so that there is less to scroll.

    >>> named = lambda *names: Scale(points=[Point(code=code, name=name) for code, name in enumerate(names)])
    >>> fits_a_row(named("Very poor", "Poor", "Fair", "Good", "Very good")), fits_a_row(named("No", "Uncompromisingly so"))
    (True, True)
    >>> fits_a_row(named("Unsuccessful", "Half", "Mostly", "Nearly", "Entirely"))
    False
    """
    if not scale.ordered or len(scale.points) > MOST_IN_A_ROW or any(point.meaning for point in scale.points):
        return False
    longest = max(len(word) for point in scale.points for word in point.name.split())
    return longest * len(scale.points) <= LETTERS_IN_A_ROW


def are_numbers(names: Iterable[str]) -> bool:
    """Whether all options are digits, so that their own keys choose them; otherwise the keys count the options.

    >>> are_numbers(["3", "4"]), are_numbers(["9", "10"]), are_numbers(["1 time", "2 times"])
    (True, False, False)
    """
    return all(name in set("123456789") for name in names)


def view_points(points: Iterable[Point], explanations: Explanations | None = None) -> list[dict[str, Any]]:
    """Options as the page is given them, without scores and marks."""
    return [
        {
            "code": point.code,
            "name": point.name,
            "meaning": point.meaning,
            "explanation": explanations.view(point.code) if explanations else None,
        }
        for point in points
    ]
