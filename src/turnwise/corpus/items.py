"""Item: one thing to be judged. Here an exchange, whose system turn is the target."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from turnwise import seeds
from turnwise.corpus.dialogues import Dialogue


class ItemsPart(BaseModel):
    """Which items are made of the dialogues."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["exchange"] = "exchange"
    per_dialogue: Annotated[int, Field(ge=1)] | None = None
    """At most so many exchanges of one dialogue, drawn by seed; all of them when left out."""
    turns_before: Annotated[int, Field(ge=0)] = 0
    """Exchanges with fewer turns before them are left out, so that the longest context can be shown."""
    sample: Annotated[int, Field(ge=1)] | None = None
    """So many items in all, drawn by seed; all of them when left out."""


@dataclass(frozen=True, slots=True)
class Item:
    """An exchange of a dialogue; `target` is the position of its system turn."""

    key: str
    dialogue: str
    target: int
    system: str | None


def make_items(dialogues: Iterable[Dialogue], part: ItemsPart, seed: int) -> list[Item]:
    """The items of a corpus in the order of the dialogues; drawing is by seeded rank.

    A system turn that does not answer a user turn is no exchange and is left out.
    """
    items = [item for dialogue in dialogues for item in _drawn(_exchanges(dialogue, part), part, seed)]
    if part.sample is None:
        return items
    kept = set(sorted(items, key=lambda i: seeds.rank(seed, "sample", i.key))[: part.sample])
    return [item for item in items if item in kept]


def _exchanges(dialogue: Dialogue, part: ItemsPart) -> list[Item]:
    turns = dialogue.turns
    return [
        Item(f"{dialogue.key}#{target}", dialogue.key, target, turns[target].system)
        for target in range(1, len(turns))
        if turns[target].speaker == "system"
        and turns[target - 1].speaker == "user"
        and target - 1 >= part.turns_before
    ]


def _drawn(items: list[Item], part: ItemsPart, seed: int) -> list[Item]:
    if part.per_dialogue is None:
        return items
    drawn = sorted(items, key=lambda i: seeds.rank(seed, "per_dialogue", i.key))[: part.per_dialogue]
    return sorted(drawn, key=lambda i: i.target)
