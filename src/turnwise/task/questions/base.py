"""What every question type must do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from turnwise.errors import TurnwiseError
from turnwise.scales import Scale

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Scales = Mapping[str, Scale]


class BadAnswer(TurnwiseError):
    """An answer that its question does not take; the message is read by a rater."""

    code: ClassVar[str] = "bad_answer"


class Question(BaseModel):
    """One thing asked of a rater."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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

    def check(self, value: Any, scales: Scales) -> Any:
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

    def missing(self) -> str:
        """What a rater reads when a required answer is missing."""
        raise NotImplementedError

    def view(self, scales: Scales) -> dict[str, Any]:
        """What a rater's page may know of the question, and nothing else."""
        return {"name": self.name, "type": self.type, "text": self.text, "required": self.required}
