"""Answers in plain words, as the rater who gave them would say them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, init=False)
class Phrase:
    """A constant sentence with named values, translated before the values are filled in.

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
"""Text of the study file, the corpus or a rater; or a phrase of ours, which is translated."""


@dataclass(frozen=True, slots=True)
class Line:
    """What an answer says about one thing; an answer has a line for each thing that it judges."""

    said: tuple[Words, ...]
    """One entry for a choice, several for several choices or marked parts."""
    part: str = ""
    """The name by which lines of two answers to a question are compared; as in `Question.parts`."""
    letter: str = ""
    """The letter of the candidate or listed option, as this rater saw it."""
    about: str = ""
    """What the line is about if the question does not say so: a criterion or a listed option."""
    why: tuple[Words, ...] = ()
    """The explanation: ticked reasons and free text."""
    private: bool = False
    """Whether it is free text, which other raters must not see."""


def quoted(text: str) -> Phrase:
    """A quotation from a text.

    >>> str(quoted("In Alexandria."))
    '“In Alexandria.”'
    """
    return Phrase("“{text}”", text=text)
