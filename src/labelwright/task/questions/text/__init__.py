"""Free text, with a limit on the number of words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from labelwright.task.free_text import CHARACTERS, check_text, check_words
from labelwright.task.presentation import Asking
from labelwright.task.questions.base import Question, compose_prompt, count_range, question_type
from labelwright.task.words import Line

if TYPE_CHECKING:
    import numpy as np


@question_type
class TextQuestion(Question):
    """Asks for free text, which is stored as written, without white space at the ends."""

    free_text: ClassVar[bool] = True
    EXAMPLES: ClassVar = (
        {"name": "why", "type": "text", "text": "Why?", "min_words": 2, "max_words": 30},
        {"name": "comment", "type": "text", "text": "Comment", "required": False, "max_words": 100},
    )

    type: Literal["text"]
    min_words: Annotated[int, Field(ge=0, le=1000)] = 0
    """The fewest words that are accepted."""
    max_words: Annotated[int, Field(ge=1, le=3000)] = 200
    """The most words that are accepted."""
    placeholder: Annotated[str, Field(max_length=120)] = ""
    """A hint inside the empty field."""

    @model_validator(mode="after")
    def _order(self) -> TextQuestion:
        if self.min_words > self.max_words:
            raise ValueError("min_words is more than max_words")
        return self

    def check(self, value: Any, asking: Asking) -> str:
        """The text without white space at its ends."""
        return check_text(value)

    def check_complete(self, value: str) -> None:
        """The word limits."""
        check_words(value, self.min_words, self.max_words)

    def is_empty(self, value: Any) -> bool:
        """Whether the text is only white space."""
        return value is None or (isinstance(value, str) and not value.strip())

    def code(self, value: str) -> None:
        """None: free text is not counted."""
        return

    def written(self, value: str) -> str:
        """The whole text."""
        return value

    def words(self, value: str, asking: Asking) -> tuple[Line, ...]:
        """The text itself, which other raters must not see."""
        return (Line((value,), private=True),)

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """A text that is not empty."""
        about = f"{count_range(max(1, self.min_words), self.max_words)} words"
        return {"type": "string", "minLength": 1, "maxLength": CHARACTERS, "description": about}

    def prompt(self, asking: Asking) -> str:
        """The limits."""
        words = count_range(max(1, self.min_words), self.max_words)
        return compose_prompt(self.text, [], f"Answer with a text of {words} words.")

    def sample(self, asking: Asking, random: np.random.Generator) -> str:
        """A text with a valid number of words."""
        words = int(random.integers(max(1, self.min_words), self.max_words + 1))
        return " ".join(f"word{n}" for n in range(words))

    def missing(self) -> str:
        """What to do, in one sentence."""
        return "Write a few words."

    def view(self, asking: Asking) -> dict[str, Any]:
        """The limits and the placeholder of the field."""
        return super().view(asking) | {
            "min_words": self.min_words,
            "max_words": self.max_words,
            "placeholder": self.placeholder,
        }
