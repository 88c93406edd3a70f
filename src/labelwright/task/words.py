"""Answers in plain words, as the rater who gave them would say them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, init=False)
class Phrase:
    """Words of ours; a constant with named values, so that it can be translated before they enter it.

    >>> str(Phrase("{letter} is better", letter="B"))
    'B is better'
    """

    sentence: str
    values: Mapping[str, object]

    def __init__(self, sentence: str, **values: object) -> None:
        object.__setattr__(self, "sentence", sentence)
        object.__setattr__(self, "values", values)

    def __str__(self) -> str:
        return self.sentence.format(**self.values)


Words: TypeAlias = str | Phrase
"""The words of the study file, of the corpus or of a rater; or ours."""


@dataclass(frozen=True, slots=True)
class Line:
    """What was said about one thing; an answer has as many lines as it judges things."""

    said: tuple[Words, ...]
    """Each of the things said: one for a choice, several for several choices or marked parts."""
    part: str = ""
    """By which lines of two answers to the same question are compared; as in `Question.parts`."""
    letter: str = ""
    """Of the candidate or the listed option that it is about, as this rater saw it."""
    about: str = ""
    """What it is about, where the question alone does not say: a criterion, a listed option."""
    why: tuple[Words, ...] = ()
    """The explanation: reasons that were ticked, and own words."""
    private: bool = False
    """Own words, which nobody else is told."""


def quoted(text: str) -> Phrase:
    """A piece of a text, or own words, as they stand.

    >>> str(quoted("In Alexandria."))
    '“In Alexandria.”'
    """
    return Phrase("“{text}”", text=text)
