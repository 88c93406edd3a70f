"""Context by amount: a number of turns before the exchange, with or without the next turn of the user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from labelwright.context.recipes import ContextRecipe

TurnT = TypeVar("TurnT")


@dataclass(frozen=True, slots=True)
class ShownTurns(Generic[TurnT]):
    """The parts of a dialogue that a rater sees, in order."""

    before: tuple[TurnT, ...]
    exchange: tuple[TurnT, TurnT]
    after: tuple[TurnT, ...]


def show(turns: Sequence[TurnT], target: int, recipe: ContextRecipe) -> ShownTurns[TurnT]:
    """The turns that are shown of a dialogue whose turn at `target` is judged.

    If the dialogue has fewer turns before the exchange than the recipe asks for, all of them are shown.

    >>> show("abcdef", 3, ContextRecipe(turns_before=1))
    ShownTurns(before=('b',), exchange=('c', 'd'), after=())
    """
    first = target - 1
    return ShownTurns(
        before=tuple(turns[_start(turns, first, recipe) : first]),
        exchange=(turns[first], turns[target]),
        after=tuple(turns[target + 1 : target + 2]) if recipe.next_turn else (),
    )


def show_query(turns: Sequence[TurnT], target: int, recipe: ContextRecipe) -> tuple[TurnT, ...]:
    """The turns that are shown before the question at `target`: earlier questions and answers of the topic."""
    return tuple(turns[_start(turns, target, recipe) : target])


def before_exchange(turns: Sequence[TurnT], target: int) -> Sequence[TurnT]:
    """The turns before the exchange; a need or a summary is made from these only."""
    return turns[: max(0, target - 1)]


def _start(turns: Sequence[Any], first: int, recipe: ContextRecipe) -> int:
    if recipe.topic:
        return 0
    if not recipe.exchanges_before:
        return max(0, first - recipe.turns_before)
    left = recipe.exchanges_before
    for position in range(first - 1, 0, -1):
        if _speaker(turns[position]) == "system" and _speaker(turns[position - 1]) == "user":
            left -= 1
            if left == 0:
                return position - 1
    return 0


def _speaker(turn: Any) -> str:
    """The speaker of a turn, in memory or as stored."""
    return str(turn["speaker"] if isinstance(turn, dict) else turn.speaker)
