"""Ranking: candidates or listed options are put in order, best first."""

from __future__ import annotations

import re
from collections.abc import Mapping
from string import ascii_uppercase
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.scales import Point, Scale
from labelwright.task.candidates import candidate_key, shown_candidates
from labelwright.task.names import Name
from labelwright.task.presentation import Asking
from labelwright.task.questions.base import AnswerPart, BadAnswer, Question, compose_prompt, question_type
from labelwright.task.words import Line, Phrase

if TYPE_CHECKING:
    import numpy as np

MOST = 9
"""There are nine number keys, and few people can put more than that in order."""


class RankedOption(BaseModel):
    """One of the listed options."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    """The name under which its rank is stored."""
    text: Annotated[str, Field(min_length=1, max_length=300)]
    """The text that raters read."""


@question_type
class RankingQuestion(Question):
    """Asks for an order of the item's candidates, or of the options listed here.

    The ranks are stored in the order of the item or of the list, whatever the order on the page; 1 is the
    best. Ranks have no gaps: after two tied at 1 comes 2.
    """

    needs_item: ClassVar[bool] = True
    ranks: ClassVar[bool] = True
    EXAMPLES: ClassVar = (
        {"name": "order", "type": "ranking", "text": "Put the replies in order."},
        {"name": "order_with_ties", "type": "ranking", "text": "Put the replies in order.", "ties": True},
        {
            "name": "matters",
            "type": "ranking",
            "text": "What matters most to you in a reply?",
            "options": [
                {"name": "speed", "text": "That it comes fast"},
                {"name": "tone", "text": "That it is friendly"},
                {"name": "facts", "text": "That it is right"},
                {"name": "length", "text": "That it is short"},
            ],
        },
    )
    EXAMPLE_ITEM: ClassVar = "candidates"

    type: Literal["ranking"]
    options: Annotated[tuple[RankedOption, ...], Field(max_length=MOST)] = ()
    """The options to put in order; by default the candidates of the item."""
    ties: bool = False
    """Whether two candidates or options may share a rank."""

    @model_validator(mode="after")
    def _sound(self) -> RankingQuestion:
        if len(self.options) == 1:
            raise ValueError("a ranking needs at least two options")
        if len({option.name for option in self.options}) < len(self.options):
            raise ValueError("two options have the same name")
        if any(re.fullmatch(r"c\d+", option.name) for option in self.options):
            raise ValueError("names such as c0 are reserved for candidates; choose another name")
        return self

    @property
    def ranks_candidates(self) -> bool:
        """Unless it has options of its own."""
        return not self.options

    def applies(self, asking: Asking) -> bool:
        """Only if there are at least two to put in order, and not too many."""
        return 2 <= self._count(asking) <= MOST

    def check(self, value: Any, asking: Asking) -> list[int | None]:
        """The ranks; None for those without a place yet, which cannot be submitted."""
        if not isinstance(value, list) or len(value) != self._count(asking):
            raise BadAnswer("Put all of them in order.")
        ranks = [rank for rank in value if rank is not None]
        if any(isinstance(rank, bool) or not isinstance(rank, int) for rank in ranks):
            raise BadAnswer("Put all of them in order.")
        if not self.ties and len(set(ranks)) < len(ranks):
            raise BadAnswer("Two have the same place. Give each one a different place.")
        if set(ranks) != set(range(1, len(set(ranks)) + 1)):
            raise BadAnswer("Put all of them in order.")
        return value

    def check_complete(self, value: list[int | None]) -> None:
        """Each has a place."""
        if None in value:
            raise BadAnswer(self.missing())

    def is_empty(self, value: Any) -> bool:
        """Whether nothing has a place yet."""
        return value is None or (isinstance(value, list) and all(rank is None for rank in value))

    def code(self, value: list[int | None]) -> None:
        """None: the ranks have codes, not the order."""
        return

    def parts(self, value: list[int | None]) -> Mapping[str, AnswerPart]:
        """The rank of each, as its code."""
        names = [option.name for option in self.options] or [candidate_key(n) for n in range(len(value))]
        return {
            name: AnswerPart(self.aspect, rank, rank)
            for name, rank in zip(names, value, strict=True)
            if rank is not None
        }

    def answer_scales(self, scales: Mapping[str, Scale]) -> Mapping[str, Scale]:
        """A rank is its own code; 1 is the best."""
        points = (Point(code=n, name=str(n), score=(MOST - n) / (MOST - 1)) for n in range(1, MOST + 1))
        places = Scale(points=tuple(points))
        return {option.name: places for option in self.options} or {"*": places}

    def part_text(self, part: str) -> str:
        """The listed option, or what a rank is."""
        return next((option.text for option in self.options if option.name == part), "Rank, 1 for the best.")

    def words(self, value: list[int | None], asking: Asking) -> tuple[Line, ...]:
        """The place of each, the best first."""
        shown = self.view(asking)["options"]
        names = [option.name for option in self.options] or [candidate_key(n) for n in range(len(value))]
        lines = [
            (
                rank,
                Line(
                    (Phrase("place {place}", place=rank),),
                    part=names[each["index"]],
                    letter=each["letter"],
                    about=each["text"] if self.options else "",
                ),
            )
            for each in shown
            if (rank := value[each["index"]]) is not None
        ]
        return tuple(line for _, line in sorted(lines, key=lambda one: one[0]))

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """A rank for each, in the order of the item or of the list."""
        count = self._count(asking)
        return {
            "type": "array",
            "items": {"type": "integer", "minimum": 1, "maximum": count},
            "minItems": count,
            "maxItems": count,
        } | ({} if self.ties else {"uniqueItems": True})

    def prompt(self, asking: Asking) -> str:
        """The options or candidates, and the order in which to give the ranks."""
        shown = self.view(asking)["options"]
        order = ", ".join(each["letter"] for each in sorted(shown, key=lambda each: each["index"]))
        ties = (
            "Two may have the same rank, and ranks have no gaps."
            if self.ties
            else "Each has a different rank."
        )
        instruction = (
            f"Answer with a list of {len(shown)} ranks, 1 for the best, in this order: {order}. {ties}"
        )
        return compose_prompt(self.text, [f"{each['letter']}: {each['text']}" for each in shown], instruction)

    def sample(self, asking: Asking, random: np.random.Generator) -> list[int]:
        """A random order, with ties if they are allowed."""
        count = self._count(asking)
        if not self.ties:
            return [int(rank) + 1 for rank in random.permutation(count)]
        drawn = [int(rank) for rank in random.integers(count, size=count)]
        return [sorted(set(drawn)).index(rank) + 1 for rank in drawn]

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Put all of them in order."

    def view(self, asking: Asking) -> dict[str, Any]:
        """The options or candidates in the order of the page."""
        if self.options:
            shown: list[dict[str, Any]] = [
                {"index": index, "letter": letter, "text": option.text}
                for index, (letter, option) in enumerate(zip(ascii_uppercase, self.options, strict=False))
            ]
        else:
            shown = [candidate.view for candidate in shown_candidates(asking)]
        return super().view(asking) | {"options": shown, "ties": self.ties}

    def _count(self, asking: Asking) -> int:
        return len(self.options) or len(asking.item.candidates)
