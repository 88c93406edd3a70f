"""Question types, found by the name used in the study file; each is a small package of its own."""

from __future__ import annotations

import inspect
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from labelwright.task.questions.attention import AttentionQuestion
from labelwright.task.questions.base import BadAnswer, Question, Sides
from labelwright.task.questions.choice import ChoiceQuestion
from labelwright.task.questions.choices import ChoicesQuestion
from labelwright.task.questions.confidence import ConfidenceQuestion
from labelwright.task.questions.grid import GridQuestion
from labelwright.task.questions.number import NumberQuestion
from labelwright.task.questions.preference import PreferenceQuestion
from labelwright.task.questions.ranking import RankingQuestion
from labelwright.task.questions.scale import ScaleQuestion
from labelwright.task.questions.sentences import SentencesQuestion
from labelwright.task.questions.spans import SpansQuestion
from labelwright.task.questions.text import TextQuestion
from labelwright.task.questions.yes_no import YesNoQuestion

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
    others = tuple(point.load() for point in entry_points(group="labelwright.questions"))
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
