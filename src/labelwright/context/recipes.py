"""Recipe: what a rater is shown besides the item, under a name in the study file."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.context.makers import MAKERS

_SHORT = re.compile(r"^C(\d{1,3})$")


class ContextRecipe(BaseModel):
    """An amount of the dialogue, kinds of text made from it, or both; the exchange itself is always shown.

    `C3` alone stands for three turns before the exchange.

    >>> ContextRecipe.model_validate("C3").turns_before
    3
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    turns_before: Annotated[int, Field(ge=0, le=1000)] = 0
    exchanges_before: Annotated[int, Field(ge=0, le=500)] = 0
    """The same counted in exchanges: a user turn with the system turn that answers it, and what lies between."""
    next_turn: bool = False
    """Whether the turn after the target is shown, as usefulness needs and relevance must not."""
    topic: bool = False
    """For query items: the earlier questions and answers of the topic."""
    need: Literal["heuristic", "llm"] | None = None
    """The user's information need, as a sentence."""
    summary: Literal["extractive", "llm"] | None = None
    """What was said before the exchange, in short."""
    others: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    """Kinds of text that other packages make, by their names."""

    @model_validator(mode="before")
    @classmethod
    def _from_short(cls, data: Any) -> Any:
        if not isinstance(data, str):
            return data
        match = _SHORT.match(data)
        if match is None:
            raise ValueError(
                f'there is no context "{data}": write C0, C3 ..., or a name that stands under contexts'
            )
        return {"turns_before": int(match[1])}

    @model_validator(mode="after")
    def _one_count(self) -> ContextRecipe:
        if sum(map(bool, (self.turns_before, self.exchanges_before, self.topic))) > 1:
            raise ValueError("a context counts turns_before, exchanges_before or topic, only one of them")
        for name in self.others:
            MAKERS.check_name(name)
        return self

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of text that have to be made, such as `need:llm`, in the order they are shown."""
        made = [f"need:{self.need}"] if self.need else []
        made += [f"summary:{self.summary}"] if self.summary else []
        return (*made, *self.others)

    @property
    def asked_kinds(self) -> tuple[str, ...]:
        """Those of them that a language model is asked for."""
        return tuple(kind for kind in self.kinds if kind.endswith(":llm"))

    @property
    def longest(self) -> int:
        """Turns that must stand before the exchange for all of this context to be shown."""
        return max(self.turns_before, 2 * self.exchanges_before)


AmountRecipe = ContextRecipe
"""The recipe under its first name, when it could only give an amount."""
