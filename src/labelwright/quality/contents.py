"""Contents: stored answers as the plain values that quality rules look at."""

from __future__ import annotations

from typing import Any

from labelwright.quality.rules import AnswerContent
from labelwright.task.questions import Question


def content_of(question: Question, value: Any, length: int) -> AnswerContent | None:
    """What a rater marked, chose or wrote; None if the question asks for nothing of the kind.

    `length` is the number of characters of the text under judgment.
    """
    chosen = question.chosen(value)
    if chosen is not None:
        return AnswerContent(chosen=chosen[0], offered=chosen[1])
    if question.selects:
        return AnswerContent(ranges=question.selected(value), length=length)
    text = question.written(value)
    return AnswerContent(text=text) if text else None
