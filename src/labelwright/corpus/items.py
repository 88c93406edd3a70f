"""Item: one thing to judge. An exchange, a whole dialogue, a query with a passage, or candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright import seeds
from labelwright.corpus._patterns import found_in
from labelwright.corpus.cues import Cue
from labelwright.corpus.dialogues import Dialogue, Turn
from labelwright.corpus.passages import NoPassageTexts, Passage, PassagesPart, select_passages


class ItemsPart(BaseModel):
    """How items are made from dialogues."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["exchange", "dialogue", "query", "candidates"] = "exchange"
    """What raters judge: `exchange` (one reply of the system), `dialogue` (a whole one), `query` (a question with a passage) or `candidates` (several replies to the same turn)."""
    per_dialogue: Annotated[int, Field(ge=1)] | None = None
    """The maximum number of exchanges per dialogue, drawn by seed. Default: all."""
    turns_before: Annotated[int, Field(ge=0)] = 0
    """Leave out exchanges with fewer previous turns, so that the longest context can be shown."""
    exchanges_before: Annotated[int, Field(ge=0)] = 0
    """The same, counted in exchanges (a user turn and the system turn that answers it)."""
    target: Cue | None = None
    """A condition on the system turn, such as `field: mentions` for "has a recommendation"."""
    passages: PassagesPart | None = None
    """For query items: which passages of each query are judged."""
    sample: Annotated[int, Field(ge=1)] | None = None
    """The total number of items, drawn by seed. Default: all."""

    @model_validator(mode="after")
    def _fitting(self) -> ItemsPart:
        if self.kind != "query" and self.passages is not None:
            raise ValueError("`passages` needs `kind: query`")
        return self


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to judge; `target` is the position of the turn that is judged."""

    key: str
    dialogue: str
    target: int
    """The system turn of an exchange, the user turn of a query, or the last turn of a dialogue."""
    system: str | None
    kind: str = "exchange"
    category: str | None = None
    payload: dict[str, Any] = field(default_factory=dict, compare=False)
    """Data that are not part of the dialogue: the passage of a query, the candidates, or the design weight."""


def make_items(dialogues: Iterable[Dialogue], part: ItemsPart, seed: int) -> list[Item]:
    """The items of a corpus in dialogue order. Samples are drawn by seeded rank.

    A system turn that does not follow a user turn is not an exchange and is left out. An item has the design
    weight of its dialogue, as `weight` in its payload unless it is 1.
    """
    make = _KINDS[part.kind]
    items = [
        _weighted(item, dialogue.weight)
        for dialogue in dialogues
        for item in _drawn(make(dialogue, part, seed), part, seed)
    ]
    if part.sample is None:
        return items
    drawn = sorted(items, key=lambda i: seeds.rank(seed, "sample", i.key))[: part.sample]
    kept = {item.key for item in drawn}
    return [item for item in items if item.key in kept]


def _weighted(item: Item, weight: float) -> Item:
    return item if weight == 1 else replace(item, payload={**item.payload, "weight": weight})


def _exchanges(dialogue: Dialogue, part: ItemsPart, _seed: int) -> list[Item]:
    turns = dialogue.turns
    replies = [
        position
        for position in range(1, len(turns))
        if turns[position].speaker == "system" and turns[position - 1].speaker == "user"
    ]
    return [
        Item(
            f"{dialogue.key}#{target}",
            dialogue.key,
            target,
            turns[target].system,
            category=dialogue.meta.get("category"),
        )
        for exchanges, target in enumerate(replies)
        if target - 1 >= part.turns_before
        and exchanges >= part.exchanges_before
        and (part.target is None or shows(turns[target], part.target))
    ]


def _whole(dialogue: Dialogue, part: ItemsPart, _seed: int) -> list[Item]:
    systems = {turn.system for turn in dialogue.turns if turn.system}
    if not dialogue.turns or len(dialogue.turns) < part.turns_before:
        return []
    return [
        Item(
            dialogue.key,
            dialogue.key,
            len(dialogue.turns) - 1,
            systems.pop() if len(systems) == 1 else None,
            "dialogue",
            dialogue.meta.get("category"),
        )
    ]


def _queries(dialogue: Dialogue, part: ItemsPart, seed: int) -> list[Item]:
    items = []
    for position, turn in enumerate(dialogue.turns):
        judged = turn.meta.get("passages", ())
        if turn.speaker != "user" or not judged or position < part.turns_before:
            continue
        query = str(turn.meta.get("turn_id", f"{dialogue.key}#{position}"))
        chosen = select_passages(query, judged, part.passages or PassagesPart(), seed)
        _check_texts(query, chosen)
        items += [
            Item(
                f"{query}--{passage['id']}", dialogue.key, position, None, "query", None, {"passage": passage}
            )
            for passage in chosen
        ]
    return items


def _check_texts(query: str, passages: Iterable[Passage]) -> None:
    """Raises NoPassageTexts for a passage without a text, because raters would have nothing to judge."""
    for passage in passages:
        if not str(passage.get("text") or "").strip():
            raise NoPassageTexts(
                f'the passage "{passage["id"]}" of the query "{query}" has no text.',
                do="Add its text to the passages of the corpus, or remove its line from the judgments.",
            )


def _candidates(dialogue: Dialogue, part: ItemsPart, _seed: int) -> list[Item]:
    candidates = dialogue.candidates
    if not candidates or len(dialogue.turns) < part.turns_before:
        return []
    last = len(dialogue.turns) - 1
    return [Item(dialogue.key, dialogue.key, last, None, "candidates", None, {"candidates": candidates})]


_KINDS: dict[str, Callable[[Dialogue, ItemsPart, int], list[Item]]] = {
    "exchange": _exchanges,
    "dialogue": _whole,
    "query": _queries,
    "candidates": _candidates,
}


def _drawn(items: list[Item], part: ItemsPart, seed: int) -> list[Item]:
    if part.per_dialogue is None:
        return items
    drawn = sorted(items, key=lambda i: seeds.rank(seed, "per_dialogue", i.key))[: part.per_dialogue]
    kept = {item.key for item in drawn}
    return [item for item in items if item.key in kept]


def shows(turn: Turn, cue: Cue) -> bool:
    """Whether a turn in memory matches a cue; gives the same result as `Cue.fits` in an engine."""
    if cue.speaker is not None and turn.speaker != cue.speaker:
        return False
    seen = cue.seen(turn.text, turn.meta)
    if cue.pattern is not None:
        return found_in(cue.pattern, seen)
    if cue.cues:
        return cue.contains_one(seen)
    return cue.field is None or bool(seen)
