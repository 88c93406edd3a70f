"""Answers in the words that raters know them by, in the language of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from labelwright.task import Asking, Phrase, Words
from labelwright.task.questions import Question


@dataclass(frozen=True, slots=True)
class ToldLine:
    """What was said about one thing: all of it, or one candidate by one criterion."""

    letter: str
    about: str
    said: list[str]
    why: list[str]
    others: list[tuple[str, int]] = field(default_factory=list)
    """What others said about the same and how often, the most frequent first."""


def answer_in_words(
    question: Question, value: Any, asking: Asking, others: Iterable[tuple[Any, int]] = ()
) -> list[ToldLine]:
    """A stored answer line by line; nothing where none was given.

    `others` are stored answers to the same question and how often each was given. They are told by the
    letters that this rater saw; own words are nobody else's, so they are not told.
    """
    if value is None:
        return []
    said_by_others = _counted(question, others, asking)
    return [
        ToldLine(
            line.letter,
            line.about,
            [_told(wording) for wording in line.said],
            [_told(wording) for wording in line.why],
            said_by_others.get(line.part, Counter()).most_common(),
        )
        for line in question.words(value, asking)
    ]


def _counted(
    question: Question, others: Iterable[tuple[Any, int]], asking: Asking
) -> dict[str, Counter[str]]:
    """How often each thing was said, by the part of the answer it was said of."""
    counts: dict[str, Counter[str]] = {}
    for value, n in others:
        for line in question.words(value, asking):
            if not line.private:
                counts.setdefault(line.part, Counter()).update({_told(one): n for one in line.said})
    return counts


def _told(wording: Words) -> str:
    return _(wording.sentence).format(**wording.values) if isinstance(wording, Phrase) else wording
