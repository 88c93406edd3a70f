"""Criterion: a line of a grid, on which candidates are judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import ConfigDict, Field, model_validator

from labelwright.scales import Scale
from labelwright.task.explanations import Explanations
from labelwright.task.names import Name
from labelwright.task.questions.base import BadAnswer
from labelwright.task.questions.options import (
    HasOptions,
    check_code,
    explained_schema,
    option_lines,
    view_points,
)
from labelwright.task.words import Words

if TYPE_CHECKING:
    import numpy as np

Cell = dict[str, Any]
"""As stored: `{"choice": 0, "explanation": {...}}`; the explanation is left out if none was given."""

_NO_EXPLANATIONS = Explanations.model_construct(options={})


class Criterion(HasOptions):
    """One line of a grid, with its options or its scale."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    """The name under which its judgments are stored; raters never see it."""
    title: Annotated[str, Field(min_length=1, max_length=60)]
    """The name that raters read."""
    text: Annotated[str, Field(max_length=200)] = ""
    """The question, in one sentence under the title."""
    guideline: Annotated[str, Field(max_length=2000)] = ""
    """Details that raters can look up; blank lines separate paragraphs."""
    aspect: str | None = None
    """The aspect that its judgments measure."""
    explanations: Explanations | None = None
    """Options that ask why the rater chose them."""

    @model_validator(mode="after")
    def _complete(self) -> Criterion:
        if self.options is None and self.scale is None:
            raise ValueError("give `options` or `scale`")
        unknown = self._asked.unknown(point.code for point in self.options or ())
        if self.options is not None and unknown:
            raise ValueError(f"explanations are asked for option {unknown[0]}, which does not exist")
        return self

    def check(self, value: Any, scale: Scale) -> Cell:
        """A cell as it is stored; raises BadAnswer."""
        if not isinstance(value, dict) or set(value) - {"choice", "explanation"}:
            raise BadAnswer("Choose one of the options.")
        code = check_code(value.get("choice"), scale.codes)
        return _cell(code, self._asked.check(code, value.get("explanation")))

    def check_complete(self, cell: Cell) -> None:
        """Raises BadAnswer if the explanation is missing or has the wrong length."""
        self._asked.check_complete(cell["choice"], cell.get("explanation", {}))

    def why(self, cell: Cell) -> tuple[Words, ...]:
        """The explanation of a cell in words."""
        return self._asked.words(cell["choice"], cell.get("explanation", {}))

    def answer_schema(self, scales: Mapping[str, Scale]) -> dict[str, Any]:
        """The JSON Schema of a cell."""
        return explained_schema(self.scale_in(scales).codes, self.explanations)

    def prompt_lines(self, scales: Mapping[str, Scale]) -> list[str]:
        """The criterion and its options as a language model reads them."""
        said = " ".join(filter(None, (self.text, self.guideline.replace("\n\n", " "))))
        about = f'{self.title} (key "{self.name}")' + (f": {said}" if said else "")
        return [
            about,
            *(f" {line}" for line in option_lines(self.scale_in(scales).points, self.explanations)),
        ]

    def sample(self, scale: Scale, random: np.random.Generator) -> Cell:
        """A random valid cell."""
        code = int(random.choice(scale.codes))
        return _cell(code, self._asked.sample(code, random))

    def view(self, scale: Scale) -> dict[str, Any]:
        """What the page is given."""
        return {
            "name": self.name,
            "title": self.title,
            "text": self.text,
            "guideline": [part.strip() for part in self.guideline.split("\n\n") if part.strip()],
            "points": view_points(scale.points, self.explanations),
        }

    @property
    def _asked(self) -> Explanations:
        return self.explanations or _NO_EXPLANATIONS


def _cell(code: int, explanation: dict[str, Any]) -> Cell:
    return {"choice": code} | ({"explanation": explanation} if explanation else {})
