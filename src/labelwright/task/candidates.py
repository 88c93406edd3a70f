"""Candidates as a rater sees them, with letters in the order of the page."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from string import ascii_uppercase
from typing import Any

from labelwright.task.presentation import Asking


@dataclass(frozen=True, slots=True)
class ShownCandidate:
    """A candidate on the page."""

    index: int
    """Its position in the item; answers are stored by it."""
    letter: str
    """Its letter on the page."""
    text: str

    @property
    def key(self) -> str:
        """Its name in stored answers."""
        return candidate_key(self.index)

    @property
    def view(self) -> dict[str, Any]:
        """What the page is given."""
        return asdict(self) | {"key": self.key}


def candidate_key(index: int) -> str:
    """The name of a candidate in stored answers and their parts.

    >>> candidate_key(0)
    'c0'
    """
    return f"c{index}"


def letters_of(asking: Asking) -> list[tuple[str, str]]:
    """Letter and text of each candidate, in the order of the page."""
    return [(shown.letter, shown.text) for shown in shown_candidates(asking)]


def shown_candidates(asking: Asking) -> list[ShownCandidate]:
    """The candidates in the order of the page; in the order of the item if the rater has no order.

    A letter that is also the name of a speaker is skipped.

    >>> from labelwright.task.presentation import ItemParts
    >>> asking = Asking({}, ItemParts(candidates=("Yes.", "No.")), order=(1, 0))
    >>> [(shown.letter, shown.key, shown.text) for shown in shown_candidates(asking)]
    [('A', 'c1', 'No.'), ('B', 'c0', 'Yes.')]
    >>> asking = Asking({}, ItemParts(before=({"speaker": "A", "text": "Hi"},), candidates=("Yes.", "No.")))
    >>> [shown.letter for shown in shown_candidates(asking)]
    ['B', 'C']
    """
    texts = asking.item.candidates
    order = asking.order or range(len(texts))
    speakers = {str(turn["speaker"]).upper() for turn in asking.item.turns}
    letters = [letter for letter in ascii_uppercase if letter not in speakers]
    return [
        ShownCandidate(index, letter, texts[index]) for letter, index in zip(letters, order, strict=False)
    ]
