"""Choice of one option, with an explanation if the study asks for one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import model_validator

from labelwright.scales import Scale
from labelwright.task.explanations import Explanations
from labelwright.task.presentation import Asking
from labelwright.task.questions.base import BadAnswer, compose_prompt, question_type
from labelwright.task.questions.options import (
    EXPLAINED_OPTION,
    ONE_OPTION,
    OptionsQuestion,
    are_numbers,
    check_code,
    code_schema,
    explained_schema,
    option_lines,
    view_points,
)
from labelwright.task.words import Line

if TYPE_CHECKING:
    import numpy as np


@question_type
class ChoiceQuestion(OptionsQuestion):
    """Asks for one option; its code is stored, or `{"choice": code, "explanation": {...}}` if explanations are asked for."""

    EXAMPLES: ClassVar = (
        {
            "name": "success",
            "type": "choice",
            "text": "Did the user get what they wanted?",
            "options": [
                {"code": 1, "name": "Yes", "score": 1},
                {"code": 2, "name": "In part", "meaning": "Some of it, or with help.", "mixed": True},
                {"code": 3, "name": "No", "score": 0},
                {"code": 4, "name": "I cannot tell", "no_answer": True},
            ],
            "explanations": {
                "options": {
                    3: {
                        "need": "required",
                        "reasons": [
                            {"code": "misheard", "text": "The system misunderstood what was said."},
                            {"code": "gave_up", "text": "The user gave up."},
                        ],
                    },
                    4: {"need": "optional"},
                }
            },
        },
        {"name": "useful", "type": "choice", "text": "How useful is the reply?", "scale": "useful"},
    )

    type: Literal["choice"]
    explanations: Explanations | None = None
    """Options that ask why the rater chose them."""

    @model_validator(mode="after")
    def _complete(self) -> ChoiceQuestion:
        if self.options is None and self.scale is None:
            raise ValueError("give `options` or `scale`")
        return self

    def check(self, value: Any, asking: Asking) -> Any:
        """The code of the option, with its explanation if it has one."""
        codes = self.scale_in(asking.scales).codes
        if self.explanations is None:
            return check_code(value, codes)
        if not isinstance(value, dict) or set(value) - {"choice", "explanation"}:
            raise BadAnswer("Choose one of the options.")
        chosen = check_code(value.get("choice"), codes)
        explanation = self.explanations.check(chosen, value.get("explanation"))
        return {"choice": chosen} | ({"explanation": explanation} if explanation else {})

    def check_complete(self, value: Any) -> None:
        """A required explanation is given, and its text is neither too short nor too long."""
        if self.explanations is not None:
            self.explanations.check_complete(value["choice"], value.get("explanation", {}))

    def code(self, value: Any) -> int:
        """The code of the option."""
        return int(value["choice"] if isinstance(value, dict) else value)

    def written(self, value: Any) -> str:
        """The free text of the explanation."""
        return str(value.get("explanation", {}).get("words", "")) if isinstance(value, dict) else ""

    def words(self, value: Any, asking: Asking) -> tuple[Line, ...]:
        """The option, and the explanation."""
        chosen = self.code(value)
        given = value.get("explanation", {}) if isinstance(value, dict) else {}
        why = self.explanations.words(chosen, given) if self.explanations else ()
        return (Line((self.scale_in(asking.scales).name_of(chosen),), why=why),)

    def inconsistencies(self, scales: Mapping[str, Scale]) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Explanations of options that do not exist."""
        codes = self.option_codes(scales)
        for code in self.explanations.unknown(codes) if self.explanations else ():
            known = ", ".join(map(str, codes))
            yield (
                ("explanations", "options", str(code)),
                f"asks to explain option {code}, which does not exist. Options: {known}.",
            )

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """The code of an option, or an object with its explanation."""
        codes = self.scale_in(asking.scales).codes
        return code_schema(codes) if self.explanations is None else explained_schema(codes, self.explanations)

    def prompt(self, asking: Asking) -> str:
        """The options, and the explanation that each asks for."""
        lines = option_lines(self.scale_in(asking.scales).points, self.explanations)
        return compose_prompt(self.text, lines, EXPLAINED_OPTION if self.explanations else ONE_OPTION)

    def sample(self, asking: Asking, random: np.random.Generator) -> Any:
        """Any of the options."""
        chosen = int(random.choice(self.scale_in(asking.scales).codes))
        if self.explanations is None:
            return chosen
        explanation = self.explanations.sample(chosen, random)
        return {"choice": chosen} | ({"explanation": explanation} if explanation else {})

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Choose one of the options."

    def view(self, asking: Asking) -> dict[str, Any]:
        """The options, and the explanation that each asks for."""
        options = self.scale_in(asking.scales).points
        return super().view(asking) | {
            "points": view_points(options, self.explanations),
            "explained": self.explanations is not None,
            "numbers": are_numbers(point.name for point in options),
        }
