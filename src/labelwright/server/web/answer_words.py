"""Answers in the words that raters know, in the language of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from labelwright.task import Asking, Phrase, Words
from labelwright.task.questions import Question


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """An answer about one thing: the whole item, or one candidate by one criterion."""

    letter: str
    about: str
    said: list[str]
    why: list[str]
    others: list[tuple[str, int]] = field(default_factory=list)
    """Other raters' answers and how often each was given, the most frequent first."""

    @property
    def differs(self) -> bool:
        """Whether it is not the others' most frequent answer; of several parts, whether nobody else gave one of them.

        >>> AnswerLine("", "", ["No"], [], [("Yes", 3), ("No", 1)]).differs, AnswerLine("", "", ["No"], []).differs
        (True, False)
        """
        counts = dict(self.others)
        least = max(counts.values(), default=0) if len(self.said) == 1 else 1
        return bool(counts) and any(counts.get(one, 0) < least for one in self.said)


def answer_in_words(
    question: Question, value: Any, asking: Asking, others: Iterable[tuple[Any, int]] = ()
) -> list[AnswerLine]:
    """A stored answer line by line; no lines if there is no answer.

    `others` are stored answers to the same question and how often each was given. Candidates have the
    letters that this rater saw. Free text of other raters is left out.
    """
    if value is None:
        return []
    by_others = _counted(question, others, asking)
    return [
        AnswerLine(
            line.letter,
            line.about,
            [translated(wording) for wording in line.said],
            [translated(wording) for wording in line.why],
            by_others.get(line.part, Counter()).most_common(),
        )
        for line in question.words(value, asking)
    ]


def _counted(
    question: Question, others: Iterable[tuple[Any, int]], asking: Asking
) -> dict[str, Counter[str]]:
    """How often each answer was given, by the part of the question it belongs to."""
    counts: dict[str, Counter[str]] = {}
    for value, n in others:
        for line in question.words(value, asking):
            if not line.private:
                counts.setdefault(line.part, Counter()).update({translated(one): n for one in line.said})
    return counts


def translated(wording: Words) -> str:
    """Words in the language of the page."""
    return _(wording.sentence).format(**wording.values) if isinstance(wording, Phrase) else wording
