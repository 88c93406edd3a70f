"""Grid: every candidate of the item is judged on every criterion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from labelwright.scales import Scale
from labelwright.task.candidates import candidate_key, shown_candidates
from labelwright.task.presentation import Asking
from labelwright.task.questions.base import (
    AnswerPart,
    BadAnswer,
    NameUse,
    Question,
    compose_prompt,
    question_type,
)
from labelwright.task.questions.grid.criteria import Cell, Criterion
from labelwright.task.words import Line

if TYPE_CHECKING:
    import numpy as np

Cells = Mapping[str, Mapping[str, Cell]]
"""By candidate (`c0`), then by the name of the criterion."""


@question_type
class GridQuestion(Question):
    """Asks for one option per candidate and criterion, some with an explanation.

    Stored by the position of the candidates in the item, whatever their order on the page:
    `{"c0": {"correctness": {"choice": 1}}, "c1": {...}}`. Each cell is a judgment of its own.
    """

    needs_item: ClassVar[bool] = True
    NAMES: ClassVar = (
        *Question.NAMES,
        NameUse(("criteria", "*", "scale"), "scales", "criterion"),
        NameUse(("criteria", "*", "aspect"), "aspects", "criterion"),
    )
    EXAMPLES: ClassVar = (
        {
            "name": "quality",
            "type": "grid",
            "text": "Judge each reply.",
            "criteria": [
                {"name": "usefulness", "title": "Usefulness", "text": "Does it help?", "scale": "useful"},
                {
                    "name": "fit",
                    "title": "Fit",
                    "text": "Does it belong here?",
                    "guideline": "A reply belongs here if it could follow the last turn.",
                    "scale": "fit",
                    "explanations": {
                        "options": {
                            0: {
                                "need": "required",
                                "reasons": [
                                    {"code": "generic", "text": "It could be said to anyone"},
                                    {"code": "contradicts", "text": "It contradicts what was said"},
                                ],
                            }
                        }
                    },
                },
            ],
        },
    )
    EXAMPLE_ITEM: ClassVar = "candidates"

    type: Literal["grid"]
    criteria: Annotated[tuple[Criterion, ...], Field(min_length=1, max_length=12)]
    """The criteria by which each candidate is judged, in order."""

    @model_validator(mode="after")
    def _distinct(self) -> GridQuestion:
        names = [criterion.name for criterion in self.criteria]
        if len(set(names)) < len(names):
            raise ValueError("two criteria have the same name")
        return self

    def applies(self, asking: Asking) -> bool:
        """Only if the item has candidates."""
        return bool(asking.item.candidates)

    def check(self, value: Any, asking: Asking) -> dict[str, dict[str, Cell]]:
        """The cells by candidate; a candidate without answers has an empty entry."""
        keys = _keys(asking)
        if not isinstance(value, dict) or set(value) - set(keys):
            raise BadAnswer("The answers do not belong to any reply on this page.")
        return {key: self._check_candidate(value.get(key), asking) for key in keys}

    def _check_candidate(self, value: Any, asking: Asking) -> dict[str, Cell]:
        given = {} if value is None else value
        if not isinstance(given, dict) or set(given) - {criterion.name for criterion in self.criteria}:
            raise BadAnswer("The answers do not belong to any line on this page.")
        return {
            criterion.name: criterion.check(given[criterion.name], criterion.scale_in(asking.scales))
            for criterion in self.criteria
            if given.get(criterion.name) is not None
        }

    def check_complete(self, value: Cells) -> None:
        """Every cell has an option, and an explanation if the option asks for one."""
        for cells in value.values():
            for criterion in self.criteria:
                if criterion.name not in cells:
                    raise BadAnswer(self.missing())
                criterion.check_complete(cells[criterion.name])

    def is_empty(self, value: Any) -> bool:
        """Whether no cell has an answer."""
        return value is None or value == {}

    def code(self, value: Cells) -> None:
        """None: the cells have codes, not the grid."""
        return

    def parts(self, value: Cells) -> Mapping[str, AnswerPart]:
        """The cells, each with the aspect of its criterion."""
        return dict(self._parts(value))

    def _parts(self, value: Cells) -> Iterator[tuple[str, AnswerPart]]:
        for candidate, cells in value.items():
            for criterion in self.criteria:
                if cell := cells.get(criterion.name):
                    yield f"{candidate}.{criterion.name}", AnswerPart(criterion.aspect, cell, cell["choice"])

    def answer_scales(self, scales: Mapping[str, Scale]) -> Mapping[str, Scale]:
        """The options of each criterion, for all candidates."""
        return {f"*.{criterion.name}": criterion.scale_in(scales) for criterion in self.criteria}

    def part_text(self, part: str) -> str:
        """The criterion."""
        _, _, name = part.partition(".")
        return next((criterion.title for criterion in self.criteria if criterion.name == name), part)

    def part_aspect(self, part: str) -> str | None:
        """The aspect of the criterion."""
        _, _, name = part.partition(".")
        return next((criterion.aspect for criterion in self.criteria if criterion.name == name), None)

    def aspects(self) -> frozenset[str]:
        """Those of the criteria, besides one of the grid itself."""
        return super().aspects() | {criterion.aspect for criterion in self.criteria if criterion.aspect}

    def inconsistencies(self, scales: Mapping[str, Scale]) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Explanations of options that a criterion's scale does not have."""
        for index, criterion in enumerate(self.criteria):
            codes = criterion.scale_in(scales).codes
            known = ", ".join(map(str, codes))
            for code in criterion.explanations.unknown(codes) if criterion.explanations else ():
                what = f'asks to explain option {code} of criterion "{criterion.name}", which does not exist.'
                yield (
                    ("criteria", index, "explanations", "options", str(code)),
                    f"{what} Options: {known}.",
                )

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """An object for each candidate, with a cell for each criterion."""
        cells = {criterion.name: criterion.answer_schema(asking.scales) for criterion in self.criteria}
        candidate = _whole_object(cells)
        return _whole_object(dict.fromkeys(_keys(asking), candidate))

    def prompt(self, asking: Asking) -> str:
        """The candidates with their keys, and the criteria with their options."""
        lines = [f'{shown.letter} (key "{shown.key}"): {shown.text}' for shown in shown_candidates(asking)]
        for criterion in self.criteria:
            lines += criterion.prompt_lines(asking.scales)
        keys = ", ".join(f'"{key}"' for key in _keys(asking))
        names = ", ".join(f'"{criterion.name}"' for criterion in self.criteria)
        instruction = (
            f"Answer with an object that has the keys {keys}; each is an object that has the keys {names}; "
            'each of these is an object: "choice" is the number of one option.'
        )
        return compose_prompt(self.text, lines, instruction)

    def words(self, value: Cells, asking: Asking) -> tuple[Line, ...]:
        """A line for each cell, candidate by candidate in the order of the page."""
        return tuple(
            Line(
                (criterion.scale_in(asking.scales).name_of(cell["choice"]),),
                part=f"{candidate.key}.{criterion.name}",
                letter=candidate.letter,
                about=criterion.title,
                why=criterion.why(cell),
            )
            for candidate in shown_candidates(asking)
            for criterion in self.criteria
            if (cell := value.get(candidate.key, {}).get(criterion.name))
        )

    def sample(self, asking: Asking, random: np.random.Generator) -> dict[str, dict[str, Cell]]:
        """Any option in every cell."""
        return {
            key: {
                criterion.name: criterion.sample(criterion.scale_in(asking.scales), random)
                for criterion in self.criteria
            }
            for key in _keys(asking)
        }

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Choose an option on every line, for each reply."

    def view(self, asking: Asking) -> dict[str, Any]:
        """The candidates in the order of the page, and the criteria with their options."""
        criteria = [criterion.view(criterion.scale_in(asking.scales)) for criterion in self.criteria]
        return super().view(asking) | {
            "candidates": [candidate.view for candidate in shown_candidates(asking)],
            "criteria": criteria,
            "guided": any(c["guideline"] or any(p["meaning"] for p in c["points"]) for c in criteria),
        }


def _whole_object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _keys(asking: Asking) -> list[str]:
    return [candidate_key(index) for index in range(len(asking.item.candidates))]
