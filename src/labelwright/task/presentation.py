"""Presentation: the parts of an item that a rater sees under a condition, used for pages and for checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from labelwright.context import ContextRecipe, show, show_query
from labelwright.scales import Scale

StoredTurn = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item as the database holds it."""

    kind: str
    turns: Sequence[StoredTurn]
    target: int
    payload: Mapping[str, Any] = field(default_factory=dict)
    key: str = ""


@dataclass(frozen=True, slots=True)
class ItemParts:
    """The parts of an item that a rater sees, in order."""

    before: tuple[StoredTurn, ...] = ()
    focus: tuple[StoredTurn, ...] = ()
    """The exchange, or the turn that a passage or candidates answer; empty for a whole dialogue."""
    after: tuple[StoredTurn, ...] = ()
    passage: str = ""
    candidates: tuple[str, ...] = ()

    @property
    def turns(self) -> tuple[StoredTurn, ...]:
        """All turns on the page, in order."""
        return self.before + self.focus + self.after

    @property
    def text(self) -> str:
        """The text under judgment: the passage, or the target turn."""
        return self.passage or (str(self.focus[-1]["text"]) if self.focus else "")


@dataclass(frozen=True, slots=True)
class Asking:
    """What a question may use: the scales of the study, and the item as the rater sees it."""

    scales: Mapping[str, Scale]
    item: ItemParts = ItemParts()
    order: tuple[int, ...] = ()
    """The order of the candidates on this rater's page, as positions in the item; answers use the order of the item."""
    key: str = ""
    """The key of the item; it seeds random choices and is never on a page."""
    seed: int = 0


def item_parts(item: StoredItem, recipe: ContextRecipe) -> ItemParts:
    """The parts of an item that a context shows.

    >>> turns = [{"speaker": "user", "text": "Where?"}, {"speaker": "system", "text": "Here."}]
    >>> item_parts(StoredItem("exchange", turns, 1), ContextRecipe()).text
    'Here.'
    """
    if item.kind == "exchange":
        shown = show(item.turns, item.target, recipe)
        return ItemParts(shown.before, shown.exchange, shown.after)
    if item.kind == "dialogue":
        return ItemParts(before=tuple(item.turns))
    before = show_query(item.turns, item.target, recipe)
    passage = item.payload.get("passage", {})
    return ItemParts(
        before,
        (item.turns[item.target],),
        passage=str(passage.get("text", "")),
        candidates=tuple(str(candidate["text"]) for candidate in item.payload.get("candidates", ())),
    )
