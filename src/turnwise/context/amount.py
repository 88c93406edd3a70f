"""Context by amount: so many turns before the exchange, with or without the user's next turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

TurnT = TypeVar("TurnT")


class AmountRecipe(BaseModel):
    """How much of the dialogue is shown; the exchange itself always is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turns_before: Annotated[int, Field(ge=0, le=1000)] = 0
    next_turn: bool = False
    """Whether the turn after the target is shown, as usefulness needs and relevance must not."""


@dataclass(frozen=True, slots=True)
class Shown(Generic[TurnT]):
    """The parts of a dialogue that a rater sees, in order."""

    before: tuple[TurnT, ...]
    exchange: tuple[TurnT, TurnT]
    after: tuple[TurnT, ...]


def show(turns: Sequence[TurnT], target: int, recipe: AmountRecipe) -> Shown[TurnT]:
    """What is shown of a dialogue whose turn at `target` is judged.

    >>> show("abcdef", 3, AmountRecipe(turns_before=1))
    Shown(before=('b',), exchange=('c', 'd'), after=())
    """
    first = target - 1
    return Shown(
        before=tuple(turns[max(0, first - recipe.turns_before) : first]),
        exchange=(turns[first], turns[target]),
        after=tuple(turns[target + 1 : target + 2]) if recipe.next_turn else (),
    )
