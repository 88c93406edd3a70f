"""Question types by the name used in the study file; each is a small package."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated

from labelwright.registry import Tagged
from labelwright.task.questions.base import (
    QUESTION_TYPES,
    AnswerColumn,
    BadAnswer,
    Confidence,
    NameUse,
    Question,
    Sides,
    compose_prompt,
    question_type,
)

AnyQuestion = Annotated[Question, Tagged(QUESTION_TYPES, "type")]
"""A question as a study file holds it: of the class that its type is registered for."""


def folder_of(name: str) -> Path:
    """The folder with the template and the script of a type: that of its model, also in another package."""
    return Path(inspect.getfile(QUESTION_TYPES[name])).parent


__all__ = [
    "QUESTION_TYPES",
    "AnswerColumn",
    "AnyQuestion",
    "BadAnswer",
    "Confidence",
    "NameUse",
    "Question",
    "Sides",
    "compose_prompt",
    "folder_of",
    "question_type",
]
