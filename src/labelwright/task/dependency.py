"""When: what another answer must be for a question to be asked, or for a label to be given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.task.names import Name

WORDS = {"yes": 1, "no": 0, True: 1, False: 0}
"""What stands for a code in the study file, besides the code itself."""


class When(BaseModel):
    """Holds where the answer to an earlier question is one of some options, or is there at all.

    >>> When.model_validate({"question": "fits", "is": "yes"}).holds({"fits": True})
    True
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Name
    is_: Annotated[int | None, Field(alias="is")] = None
    """The code of the option that must be chosen; among several choices, that must be one of them."""
    one_of: Annotated[tuple[int, ...], Field(min_length=1)] | None = None
    """Codes of which one must be chosen."""
    answered: bool | None = None
    """Whether there must be an answer; false: that there is none."""

    @model_validator(mode="before")
    @classmethod
    def _words_to_codes(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        found = dict(data)
        if "is" in found:
            found["is"] = _code(found["is"])
        if isinstance(found.get("one_of"), list | tuple):
            found["one_of"] = [_code(value) for value in found["one_of"]]
        return found

    @model_validator(mode="after")
    def _one_way(self) -> When:
        if sum(value is not None for value in (self.is_, self.one_of, self.answered)) != 1:
            raise ValueError("give one of `is`, `one_of` and `answered`")
        return self

    @property
    def codes(self) -> tuple[int, ...]:
        """The codes that are asked for; none where any answer will do."""
        return self.one_of or (() if self.is_ is None else (self.is_,))

    def holds(self, answers: Mapping[str, Any]) -> bool:
        """Whether it holds for the stored answers to one item; rater.js decides the same in the browser."""
        value = answers.get(self.question)
        if self.answered is not None:
            return (value is not None) == self.answered
        return not set(self.codes).isdisjoint(chosen_codes(value))

    def view(self) -> dict[str, Any]:
        """What the page needs to decide the same."""
        return {"question": self.question, "codes": list(self.codes), "answered": self.answered}


def chosen_codes(value: Any) -> set[int]:
    """The codes in an answer: of one option, of several, or of one with its explanation.

    >>> chosen_codes(True), chosen_codes([2, 3]), chosen_codes({"choice": 4}), chosen_codes("text")
    ({1}, {2, 3}, {4}, set())
    """
    if isinstance(value, dict):
        value = value.get("choice")
    values = value if isinstance(value, list) else [value]
    return {int(one) for one in values if isinstance(one, int)}


def _code(value: Any) -> Any:
    return WORDS.get(value, value) if isinstance(value, str | bool) else value
