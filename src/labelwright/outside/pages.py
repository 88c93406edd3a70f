"""Identifies the task of a page. Pages do not name items or conditions, so their texts are looked up in the study."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from labelwright.corpus import Dialogue, make_items, turn_records
from labelwright.errors import LabelwrightError
from labelwright.outside.rater_browser import Page
from labelwright.simulate import KnownAnswers
from labelwright.study import Study
from labelwright.task import Asking, Sheet, StoredItem, TaskDesign


class UnknownPage(LabelwrightError):
    """A task that is not in the study, because the server has another version of it."""

    code: ClassVar[str] = "unknown_page"

    def __init__(self, what: str) -> None:
        super().__init__(what, do="Use the study file that is loaded on the server.")


@dataclass(frozen=True, slots=True)
class _Known:
    """An item as shown in one condition, with its texts without white space."""

    design: TaskDesign
    asking: Asking
    about: str
    """The judged turn, or the last one."""
    texts: tuple[str, ...]
    asked: frozenset[str]

    @property
    def length(self) -> int:
        return sum(map(len, self.texts))


class StudyPages:
    """Everything that the pages of a study can show, to identify the contents of a page.

    An item is found by its judged turn. If several conditions have all their texts on the page, the one
    that shows the most is used.
    """

    def __init__(self, study: Study, dialogues: Sequence[Dialogue]) -> None:
        self.study = study
        self._known: dict[str, list[_Known]] = {}
        conditions = list({(c.context, c.design): name for name, c in study.conditions.items()}.values())
        stored = {dialogue.key: turn_records(dialogue.turns) for dialogue in dialogues}
        for item in make_items(dialogues, study.items, study.seed):
            kept = StoredItem(item.kind, stored[item.dialogue], item.target, item.payload, item.key)
            for condition in conditions:
                known = _known(study.design(condition), study.asking(condition, kept))
                self._known.setdefault(known.about, []).append(known)

    def read(self, page: Page) -> tuple[TaskDesign, list[Asking]]:
        """The task design of a page, and the items that its questions are about."""
        found = [self._item(page, position) for position in sorted(page.texts)]
        if not found:
            raise UnknownPage("the page does not show an item.")
        return found[0].design, [known.asking for known in found]

    def before(self, page: Page) -> tuple[tuple[Sheet, ...], KnownAnswers]:
        """The questions of a page before tasks, and the correct answers of a quiz."""
        assert page.sheet is not None
        return self.study.asked_before(page.sheet["part"]), self.study.known_before(page.sheet["part"])

    def _item(self, page: Page, position: int) -> _Known:
        pieces = [_squeezed(piece) for piece in page.texts[position]]
        whole = "".join(pieces)
        target = _squeezed(page.targets.get(position, ""))
        by_turn = [
            known for piece in dict.fromkeys([target, *pieces]) for known in self._known.get(piece, [])
        ]
        # A turn that the page splits into pieces for highlighting is not found this way.
        shown = _on_page(by_turn, whole) or _on_page(itertools.chain(*self._known.values()), whole)
        if not shown:
            raise UnknownPage(f"item {position + 1} of the page is not in the study.")
        asked = {each.name for each in page.questions if each.position == position}
        return max(shown, key=lambda k: (k.about == target, _overlap(k.asked, asked), k.length))


def _known(design: TaskDesign, asking: Asking) -> _Known:
    parts = asking.item
    turns = [str(turn["text"]) for turn in parts.turns]
    # Candidates are shown among the questions, in an order that depends on the rater.
    texts = [*turns, *([parts.passage] if parts.passage else [])]
    return _Known(
        design,
        asking,
        _squeezed(str((parts.focus or parts.turns)[-1]["text"])),
        tuple(map(_squeezed, texts)),
        frozenset(question.name for question in design.questions if question.applies(asking)),
    )


def _on_page(known: Iterable[_Known], whole: str) -> list[_Known]:
    return [each for each in known if all(text in whole for text in each.texts)]


def _overlap(known: frozenset[str], asked: set[str]) -> int:
    """The number of known questions on the page, minus those that are missing."""
    return len(known & asked) - len(known - asked)


def _squeezed(text: str) -> str:
    """Text without white space, because pages wrap lines differently."""
    return "".join(text.split())
