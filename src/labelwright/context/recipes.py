"""Recipe: a named description of the context that raters see with an item."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.context.makers import MAKERS

_SHORT = re.compile(r"^C(\d{1,3})$")


class ContextRecipe(BaseModel):
    """A number of turns, kinds of text made from the dialogue, or both; the exchange itself is always shown.

    `C3` is short for three turns before the exchange.

    >>> ContextRecipe.model_validate("C3").turns_before
    3
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    turns_before: Annotated[int, Field(ge=0, le=1000)] = 0
    """The number of turns before the exchange that raters see."""
    exchanges_before: Annotated[int, Field(ge=0, le=500)] = 0
    """The same in exchanges: a user turn, the system turn that answers it, and any turns between."""
    next_turn: bool = False
    """Whether the turn after the target is shown, as usefulness needs and relevance must not."""
    topic: bool = False
    """For query items: the earlier questions and answers of the topic."""
    need: Literal["heuristic", "llm"] | None = None
    """The user's information need, as a sentence."""
    summary: Literal["extractive", "llm"] | None = None
    """A summary of the dialogue before the exchange."""
    others: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Kinds of text from other packages, by name."""

    @model_validator(mode="before")
    @classmethod
    def _from_short(cls, data: Any) -> Any:
        if not isinstance(data, str):
            return data
        match = _SHORT.match(data)
        if match is None:
            raise ValueError(
                f'there is no context "{data}": write C0, C3 ..., or a name defined under `contexts`'
            )
        return {"turns_before": int(match[1])}

    @model_validator(mode="after")
    def _one_count(self) -> ContextRecipe:
        if sum(map(bool, (self.turns_before, self.exchanges_before, self.topic))) > 1:
            raise ValueError("a context uses only one of turns_before, exchanges_before and topic")
        for name in self.others:
            MAKERS.check_name(name)
        return self

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of text to make, such as `need:llm`, in the order in which they are shown."""
        made = [f"need:{self.need}"] if self.need else []
        made += [f"summary:{self.summary}"] if self.summary else []
        return (*made, *self.others)

    @property
    def asked_kinds(self) -> tuple[str, ...]:
        """The kinds that need a language model."""
        return tuple(kind for kind in self.kinds if kind.endswith(":llm"))

    @property
    def in_words(self) -> str:
        """What raters see besides the exchange.

        >>> ContextRecipe(turns_before=3, summary="llm", next_turn=True).in_words
        '3 earlier turns, a summary, the next turn'
        """
        counted = {
            "earlier turn": self.turns_before,
            "earlier exchange": self.exchanges_before,
        }
        shown = [f"{n} {what}{'' if n == 1 else 's'}" for what, n in counted.items() if n]
        shown += ["the topic so far"] if self.topic else []
        shown += ["the user’s need"] if self.need else []
        shown += ["a summary"] if self.summary else []
        shown += self.others
        return ", ".join([*(shown or ["no earlier turns"]), *(["the next turn"] if self.next_turn else [])])

    @property
    def longest(self) -> int:
        """The number of turns needed before the exchange to show all of this context."""
        return max(self.turns_before, 2 * self.exchanges_before)


AmountRecipe = ContextRecipe
"""Another name of the recipe, for contexts by amount."""
