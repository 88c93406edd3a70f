"""The reading pane: one block for each item, or one for all targets of a dialogue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from labelwright.server.rating.actions.task_page import ShownItem
from labelwright.server.web.verbatim import verbatim
from labelwright.task import Asking, ExampleItem, ItemParts
from labelwright.task.candidates import shown_candidates

Context = dict[str, Any]


def readings(items: Sequence[ShownItem], parts: Sequence[ItemParts], *, together: bool) -> list[Context]:
    """The blocks of the reading pane, in order."""
    if together and len(items) > 1:
        return [_one_reading(items, parts)]
    return [
        _reading(item, part, position) for position, (item, part) in enumerate(zip(items, parts, strict=True))
    ]


def _reading(item: ShownItem, parts: ItemParts, position: int) -> Context:
    *before_target, target = parts.focus or (None,)
    judged = _("Judge this reply") if item.item.kind == "exchange" else ""
    focus = [_turn(turn) for turn in before_target if turn] + (
        [_turn(target, position, judged)] if target else []
    )
    return {
        "position": position,
        "positions": str(position),
        "later": position > 0,
        "texts": _texts(item),
        "before_title": _("Earlier in the conversation") if parts.focus else _("The conversation"),
        "before": [_turn(turn) for turn in parts.before],
        "focus_title": _("The exchange") if item.item.kind == "exchange" else _("The question"),
        "focus": focus,
        "passage_title": _("Judge this passage"),
        "passage": verbatim(parts.passage),
        "candidates": [candidate.view for candidate in shown_candidates(Asking({}, parts, order=item.order))],
        "after": [_turn(turn) for turn in parts.after],
        "answered_questions": item.answered_questions,
    }


def _one_reading(items: Sequence[ShownItem], parts: Sequence[ItemParts]) -> Context:
    """A dialogue with several targets: each turn appears once, each target with its number."""
    first = items[0].item.target - len(parts[0].focus) + 1 - len(parts[0].before)
    last = items[-1].item.target + len(parts[-1].after)
    turns = items[0].item.turns[first : last + 1]
    positions = {item.item.target - first: position for position, item in enumerate(items)}
    return {
        "position": 0,
        "positions": " ".join(str(position) for position in positions.values()),
        "later": False,
        "texts": _texts(items[0]),
        "before_title": _("The conversation"),
        "before": [
            _turn(turn, positions.get(n), _("Judge reply {number}").format(number=positions.get(n, 0) + 1))
            if n in positions
            else _turn(turn)
            for n, turn in enumerate(turns)
        ],
        "answered_questions": [pair for item in items for pair in item.answered_questions],
    }


def _texts(item: ShownItem) -> list[Context]:
    return [{"title": _text_title(kind), "text": text} for kind, text in item.texts]


def _text_title(kind: str) -> str:
    titles = {
        "need": _("What the user is looking for"),
        "summary": _("Summary of the conversation so far"),
    }
    return titles.get(kind.split(":", maxsplit=1)[0], _("About the conversation so far"))


def _turn(turn: Mapping[str, Any], position: int | None = None, tag: str = "") -> Context:
    speakers = {"user": _("User"), "system": _("System")}
    return {
        "who": speakers.get(turn["speaker"], turn["speaker"]),
        "text": verbatim(turn["text"]),
        "position": position,
        "tag": tag,
    }


def example_readings(item: ExampleItem, position: int | str) -> list[Context]:
    """An example item, drawn like any other, but not as a step of a task."""
    blocks = readings([ShownItem(item.stored)], [item.parts], together=False)
    return [_placed(block, position) for block in blocks]


def _placed(block: dict[str, Any], position: int | str) -> Context:
    turns = {
        name: [
            turn | {"position": position} if turn["position"] is not None else turn for turn in block[name]
        ]
        for name in ("before", "focus", "after")
    }
    # Its questions show the candidates.
    return block | turns | {"position": position, "positions": "", "later": False, "candidates": []}
