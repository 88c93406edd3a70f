"""What every question type must do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from turnwise.errors import TurnwiseError
from turnwise.task.showing import Asking

if TYPE_CHECKING:
    import numpy as np

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class BadAnswer(TurnwiseError):
    """An answer that its question does not take; the message is read by a rater, in the study's language.

    Values stand in braces and are given by name, so that the sentence can be translated before they enter it.

    >>> str(BadAnswer("Write at most {most} words.", most=3))
    'Write at most 3 words.'
    """

    code: ClassVar[str] = "bad_answer"

    def __init__(self, sentence: str, **values: object) -> None:
        super().__init__(sentence.format(**values))
        self.sentence = sentence
        self.values = values


@dataclass(frozen=True, slots=True)
class Part:
    """One judgment inside an answer that holds several, such as a cell of a grid."""

    aspect: str | None
    value: Any
    code: int | None


class Question(BaseModel):
    """One thing asked of a rater."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    needs_item: ClassVar[bool] = False
    """Whether the item is needed to check or to show it; else `Asking` may come without one."""

    name: Name
    type: str
    text: Annotated[str, Field(min_length=1, max_length=300)]
    aspect: str | None = None
    """The aspect that the answer measures; such an answer is a judgment."""
    aim: Annotated[str, Field(max_length=1000)] = ""
    """Why it is asked; raters never see it."""
    required: bool = True

    @classmethod
    def type_name(cls) -> str:
        """The word used in the study file."""
        return str(cls.model_fields["type"].annotation.__args__[0])  # type: ignore[union-attr]

    def applies(self, asking: Asking) -> bool:
        """Whether the question has an answer for this item; it is left out where it has none."""
        return True

    def check(self, value: Any, asking: Asking) -> Any:
        """The answer as it is stored; raises BadAnswer. Called only with a value that is given."""
        raise NotImplementedError

    def check_complete(self, value: Any) -> None:
        """Raises BadAnswer for what may be saved half-way but not submitted."""

    def is_empty(self, value: Any) -> bool:
        """Whether the value stands for "not answered"."""
        return value is None

    def code(self, value: Any) -> int | None:
        """What is counted of a stored answer, or None where nothing is."""
        raise NotImplementedError

    def parts(self, value: Any) -> Mapping[str, Part]:
        """The judgments inside a stored answer, by name; each is stored and counted as `question.name`."""
        return {}

    def sample(self, asking: Asking, random: np.random.Generator) -> Any:
        """Some answer that would be accepted: for simulated raters and for tests."""
        raise NotImplementedError

    def missing(self) -> str:
        """What a rater reads when a required answer is missing."""
        raise NotImplementedError

    def view(self, asking: Asking) -> dict[str, Any]:
        """What a rater's page may know of the question, and nothing else."""
        return {
            "name": self.name,
            "type": self.type,
            "text": self.text,
            "required": self.required,
            "missing": self.missing(),
        }
