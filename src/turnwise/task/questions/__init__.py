"""Question types, found by the name used in the study file; each is a small package of its own."""

from __future__ import annotations

import inspect
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from turnwise.task.questions.attention import AttentionQuestion
from turnwise.task.questions.base import BadAnswer, Question, Sides
from turnwise.task.questions.choice import ChoiceQuestion
from turnwise.task.questions.choices import ChoicesQuestion
from turnwise.task.questions.confidence import ConfidenceQuestion
from turnwise.task.questions.grid import GridQuestion
from turnwise.task.questions.number import NumberQuestion
from turnwise.task.questions.preference import PreferenceQuestion
from turnwise.task.questions.ranking import RankingQuestion
from turnwise.task.questions.scale import ScaleQuestion
from turnwise.task.questions.sentences import SentencesQuestion
from turnwise.task.questions.spans import SpansQuestion
from turnwise.task.questions.text import TextQuestion
from turnwise.task.questions.yes_no import YesNoQuestion

OURS: tuple[type[Question], ...] = (
    ChoiceQuestion,
    ScaleQuestion,
    ChoicesQuestion,
    YesNoQuestion,
    NumberQuestion,
    TextQuestion,
    ConfidenceQuestion,
    GridQuestion,
    PreferenceQuestion,
    RankingQuestion,
    SpansQuestion,
    SentencesQuestion,
    AttentionQuestion,
)


def _question_types() -> tuple[type[Question], ...]:
    others = tuple(point.load() for point in entry_points(group="turnwise.questions"))
    return (*OURS, *others)


QUESTION_TYPES: dict[str, type[Question]] = {kind.type_name(): kind for kind in _question_types()}


def folder_of(name: str) -> Path:
    """Where the template and the script of a type stand: beside its model, also in another package."""
    return Path(inspect.getfile(QUESTION_TYPES[name])).parent


if TYPE_CHECKING:
    AnyQuestion = Question
else:
    AnyQuestion = Annotated[Union[tuple(QUESTION_TYPES.values())], Field(discriminator="type")]

__all__ = ["QUESTION_TYPES", "AnyQuestion", "BadAnswer", "Question", "Sides", "folder_of"]
