"""Question types, found by the name used in the study file; each is a small package of its own."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from turnwise.task.questions.base import BadAnswer, Question
from turnwise.task.questions.scale import ScaleQuestion
from turnwise.task.questions.sentences import SentencesQuestion
from turnwise.task.questions.spans import SpansQuestion
from turnwise.task.questions.text import TextQuestion


def _question_types() -> tuple[type[Question], ...]:
    others = tuple(point.load() for point in entry_points(group="turnwise.questions"))
    return (ScaleQuestion, TextQuestion, SpansQuestion, SentencesQuestion, *others)


QUESTION_TYPES: dict[str, type[Question]] = {kind.type_name(): kind for kind in _question_types()}

if TYPE_CHECKING:
    AnyQuestion = Question
else:
    AnyQuestion = Annotated[Union[tuple(QUESTION_TYPES.values())], Field(discriminator="type")]

__all__ = ["QUESTION_TYPES", "AnyQuestion", "BadAnswer", "Question"]
