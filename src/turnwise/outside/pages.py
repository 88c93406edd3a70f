"""Which task a page shows. A page names neither item nor condition, so its texts are looked up in the study."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from turnwise.corpus import Dialogue, make_items, tell
from turnwise.errors import TurnwiseError
from turnwise.outside.client import Page
from turnwise.study import Study
from turnwise.task import Asking, ItemParts, StoredItem, TaskDesign, item_parts


class UnknownPage(TurnwiseError):
    """A task that the study does not hold: the server has another version of it."""

    code: ClassVar[str] = "unknown_page"

    def __init__(self, what: str) -> None:
        super().__init__(what, do="Give the study file that the server has loaded.")


@dataclass(frozen=True, slots=True)
class _Known:
    """An item as some condition shows it, by its texts without white space."""

    parts: ItemParts
    texts: tuple[str, ...]

    @property
    def length(self) -> int:
        return sum(map(len, self.texts))


class StudyPages:
    """All that the pages of a study can show, to tell which of it a page shows.

    An item is found by the turn it is about; of the conditions in which all its texts stand on the
    page, the one that shows most is taken.
    """

    def __init__(self, study: Study, dialogues: Sequence[Dialogue]) -> None:
        self.study = study
        self._known: dict[str, list[_Known]] = {}
        recipes = list(dict.fromkeys(condition.context for condition in study.conditions.values()))
        stored = {dialogue.key: tell(dialogue.turns) for dialogue in dialogues}
        for item in make_items(dialogues, study.items, study.seed):
            kept = StoredItem(item.kind, stored[item.dialogue], item.target, item.payload)
            for parts in (item_parts(kept, recipe) for recipe in recipes):
                known = _Known(parts, tuple(map(_squeezed, _texts(parts))))
                self._known.setdefault(_squeezed(_about(parts)), []).append(known)

    def read(self, page: Page) -> tuple[TaskDesign, list[Asking]]:
        """The task design of a page, and what its questions are asked about."""
        positions = sorted({asked.position for asked in page.questions} | set(page.texts))
        return self._design(page), [Asking(self.study.scales, self._parts(page, p)) for p in positions]

    def _design(self, page: Page) -> TaskDesign:
        asked = {(question.name, question.type) for question in page.questions}
        for design in self.study.designs.values():
            if asked <= {(question.name, question.type) for question in design.questions}:
                return design
        raise UnknownPage(f"no task design asks {', '.join(sorted(name for name, _ in asked))}.")

    def _parts(self, page: Page, position: int) -> ItemParts:
        pieces = [_squeezed(piece) for piece in page.texts.get(position, [])]
        whole = "".join(pieces)
        by_turn = [known for piece in dict.fromkeys(pieces) for known in self._known.get(piece, [])]
        # A turn that the page shows in several pieces, to be marked, is not found that way.
        shown = _on_page(by_turn, whole) or _on_page(itertools.chain(*self._known.values()), whole)
        if not shown:
            raise UnknownPage(f"item {position + 1} of the page is no item of the study.")
        return max(shown, key=lambda known: known.length).parts


def _on_page(known: Iterable[_Known], whole: str) -> list[_Known]:
    return [each for each in known if all(text in whole for text in each.texts)]


def _about(parts: ItemParts) -> str:
    """The turn by which an item is looked up: the one under judgment, or the last one."""
    return str((parts.focus or parts.turns)[-1]["text"])


def _texts(parts: ItemParts) -> list[str]:
    turns = [str(turn["text"]) for turn in parts.turns]
    return [*turns, *([parts.passage] if parts.passage else []), *parts.candidates]


def _squeezed(text: str) -> str:
    """Without white space, which pages break anew."""
    return "".join(text.split())
