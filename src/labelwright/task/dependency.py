"""Dependency on an earlier answer: `when` a question is asked, or a label is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.task.names import Name

WORDS = {"yes": 1, "no": 0, True: 1, False: 0}
"""Words that a study file may use instead of a code."""


class When(BaseModel):
    """True if the answer to an earlier question is one of some options, or if there is an answer at all.

    >>> When.model_validate({"question": "fits", "is": "yes"}).holds({"fits": True})
    True
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Name
    """The name of the earlier question."""
    is_: Annotated[int | None, Field(alias="is")] = None
    """The code of an option that must be chosen, alone or among others; `yes` or `no` for a question of that type."""
    one_of: Annotated[tuple[int, ...], Field(min_length=1)] | None = None
    """Codes of options, at least one of which must be chosen."""
    answered: bool | None = None
    """Whether there must be an answer (true) or no answer (false)."""

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
            raise ValueError("give exactly one of `is`, `one_of` and `answered`")
        return self

    @property
    def codes(self) -> tuple[int, ...]:
        """The codes that are asked for; empty if any answer is enough."""
        return self.one_of or (() if self.is_ is None else (self.is_,))

    def holds(self, answers: Mapping[str, Any]) -> bool:
        """Whether it is true for the stored answers to one item; the page decides the same in the browser."""
        value = answers.get(self.question)
        if self.answered is not None:
            return (value is not None) == self.answered
        return not set(self.codes).isdisjoint(chosen_codes(value))

    def view(self) -> dict[str, Any]:
        """What the page needs to make the same decision."""
        return {"question": self.question, "codes": list(self.codes), "answered": self.answered}


def chosen_codes(value: Any) -> set[int]:
    """The codes in an answer with one option, with several options, or with an option and its explanation.

    >>> chosen_codes(True), chosen_codes([2, 3]), chosen_codes({"choice": 4}), chosen_codes("text")
    ({1}, {2, 3}, {4}, set())
    """
    if isinstance(value, dict):
        value = value.get("choice")
    values = value if isinstance(value, list) else [value]
    return {int(one) for one in values if isinstance(one, int)}


def _code(value: Any) -> Any:
    return WORDS.get(value, value) if isinstance(value, str | bool) else value
