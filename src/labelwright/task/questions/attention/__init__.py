"""Attention check: a question about the item with one right answer, which is on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright import seeds
from labelwright.context import EntitiesPart, comparable, find_entities
from labelwright.corpus import Turn
from labelwright.task.presentation import Asking, StoredTurn
from labelwright.task.questions.base import BadAnswer, Question, compose_prompt, question_type
from labelwright.task.questions.options import ONE_OPTION, are_numbers, code_schema
from labelwright.task.words import Line

if TYPE_CHECKING:
    import numpy as np

FEWEST, MOST = 2, 5
"""The number of options."""


@question_type
class AttentionQuestion(Question):
    """Asks how many turns are shown, or what the marked reply names last; left out if there is no answer.

    Whether the chosen option is right is stored with it, so that a later change of the rules does not change it.
    """

    needs_item: ClassVar[bool] = True
    checks_attention: ClassVar[bool] = True
    EXAMPLES: ClassVar = (
        {
            "name": "look",
            "type": "attention",
            "asks": "turns_shown",
            "text": "How many turns of the conversation are shown?",
        },
        {
            "name": "named",
            "type": "attention",
            "asks": "named_last",
            "text": "What is named last in the marked reply?",
            "entities": {"by": "names", "names": ["Pharos", "lighthouses"]},
        },
    )

    type: Literal["attention"]
    asks: Literal["turns_shown", "named_last"]
    """`turns_shown`: how many turns the page shows; `named_last`: what the marked reply names last."""
    one_in: Annotated[int, Field(ge=1, le=1000)] = 1
    """Asked about one in this many items, chosen by seed."""
    entities: EntitiesPart = EntitiesPart()
    """How names are found in the text."""

    @property
    def page_type(self) -> str:
        """A choice: if the page told checks from other questions, a program could answer just these with care."""
        return "choice"

    def right(self, asking: Asking) -> str | None:
        """The right answer for an item as it is shown; None if there is none."""
        if self.asks == "turns_shown":
            return str(len(asking.item.turns)) if asking.item.turns else None
        named = self._named(asking.item.focus[-1:])
        return named[-1] if named else None

    def options(self, asking: Asking) -> list[str]:
        """The options: the right answer among similar ones."""
        right = self.right(asking)
        if right is None:
            return []
        if self.asks == "turns_shown":
            least = max(1, int(right) - seeds.rank(asking.seed, "attention_options", asking.key) % MOST)
            return [str(n) for n in range(least, least + MOST)]
        others = [name for name in self._named(asking.item.turns) if comparable(name) != comparable(right)]
        chosen = [*others[: MOST - 1], right]
        return sorted(chosen, key=lambda name: seeds.rank(asking.seed, "attention_options", asking.key, name))

    def applies(self, asking: Asking) -> bool:
        """Whether the check has an answer and enough options, and is due for this item."""
        asked = seeds.rank(asking.seed, "attention", self.name, asking.key) % self.one_in == 0
        return asked and len(self.options(asking)) >= FEWEST

    def check(self, value: Any, asking: Asking) -> dict[str, Any]:
        """The chosen option and whether it is right; the page sends the number of the option, counted from 1."""
        options = self.options(asking)
        if _is_stored(value) and value["chosen"] in options:
            # The stored form; whether it is right is always decided here.
            chosen = str(value["chosen"])
        elif isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= len(options):
            chosen = options[value - 1]
        else:
            raise BadAnswer("Choose one of the options.")
        return {"chosen": chosen, "right": chosen == self.right(asking)}

    def code(self, value: dict[str, Any]) -> int:
        """1 for the right answer, else 0."""
        return int(value["right"])

    def words(self, value: dict[str, Any], asking: Asking) -> tuple[Line, ...]:
        """The chosen option, without whether it is right."""
        return (Line((str(value["chosen"]),)),)

    def requester_words(self, value: dict[str, Any], asking: Asking) -> tuple[Line, ...]:
        """The chosen option, and whether it is right."""
        return (Line((str(value["chosen"]),), why=("right" if value["right"] else "wrong",)),)

    def known_answer(self, asking: Asking) -> int | None:
        """The number of the right option."""
        right = self.right(asking)
        return None if right is None else self.options(asking).index(right) + 1

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """The number of an option."""
        return code_schema(range(1, len(self.options(asking)) + 1))

    def prompt(self, asking: Asking) -> str:
        """The options with their numbers."""
        options = [f"{number}: {option}" for number, option in enumerate(self.options(asking), start=1)]
        return compose_prompt(self.text, options, ONE_OPTION)

    def sample(self, asking: Asking, random: np.random.Generator) -> int:
        """Any of the options."""
        return int(random.integers(1, len(self.options(asking)) + 1))

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Choose one of the options."

    def view(self, asking: Asking) -> dict[str, Any]:
        """The options, without which one is right."""
        options = self.options(asking)
        points = [{"code": number, "name": option} for number, option in enumerate(options, start=1)]
        return super().view(asking) | {"points": points, "numbers": are_numbers(options)}

    def _named(self, turns: tuple[StoredTurn, ...]) -> list[str]:
        """The names in turns, in the order in which they appear."""
        names: dict[str, str] = {}
        for turn in turns:
            made = Turn(str(turn["speaker"]), str(turn["text"]), meta=dict(turn.get("meta", {})))
            for name in sorted(find_entities([made], self.entities), key=lambda n: _place(n, made.text)):
                # A name that is repeated counts at its last place.
                names.pop(comparable(name), None)
                names[comparable(name)] = name
        return list(names.values())


def _is_stored(value: Any) -> bool:
    """Whether an answer has the stored form, without any other field."""
    if not isinstance(value, dict) or not {"chosen"} <= value.keys() <= {"chosen", "right"}:
        return False
    return isinstance(value.get("right", False), bool)


def _place(name: str, text: str) -> int:
    """The last place of a name in a text; names that are not in the text come first, in their order."""
    return f" {comparable(text)} ".rfind(f" {comparable(name)} ")
