"""Reference: the right answer to a question, the reason, and the tolerance."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Reference(BaseModel):
    """The right answer to a question about an item; raters see it only as feedback.

    A bare value is an answer without a reason.

    >>> Reference.model_validate(3) == Reference(answer=3)
    True
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer: Any
    """In the form in which answers are stored: the code of a point, a text, a list of spans."""
    reason: Annotated[str, Field(max_length=1000)] = ""
    """Why it is right; shown in feedback and in worked examples."""
    tolerance: Annotated[float, Field(ge=0)] = 0
    """How far an answer may differ and still be right: of a code or a number the difference, of spans and sets a share."""

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, data: Any) -> Any:
        return data if isinstance(data, Reference | dict) and "answer" in dict(data) else {"answer": data}

    def met_by(self, answer: Any) -> bool:
        """Whether a stored answer is right."""
        return matches(answer, self.answer, self.tolerance)


def matches(answer: Any, right: Any, tolerance: float = 0) -> bool:
    """Whether a stored answer matches the right one.

    Numbers and codes may differ by the tolerance. For spans (by character) and for sets, the tolerance is the
    share that may differ (1 - Jaccard). Texts are compared without case and white space. In an answer with
    named parts, every part that the right answer names must match.

    >>> matches(4, 3), matches(4, 3, tolerance=1), matches(" Heat ", "heat")
    (False, True, True)
    >>> matches([[0, 8]], [[0, 10]], tolerance=0.2), matches(["a", "b"], ["a"], tolerance=0.4)
    (True, False)
    >>> matches([[0, 8, "fact"]], [[0, 10, "opinion"]], tolerance=0.2)
    False
    """
    if isinstance(right, Mapping):
        return isinstance(answer, Mapping) and all(
            key in answer and matches(answer[key], part, tolerance) for key, part in right.items()
        )
    if _is_number(right) and _is_number(answer):
        return bool(abs(answer - right) <= tolerance)
    if isinstance(right, str) and isinstance(answer, str):
        return _plain(answer) == _plain(right)
    if isinstance(right, list | tuple) and isinstance(answer, list | tuple):
        return _distance(_members(answer), _members(right)) <= tolerance
    return bool(answer == right)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def _members(values: Sequence[Any]) -> set[Any]:
    """The characters of spans, or the members of any other list."""
    members: set[Any] = set()
    for value in values:
        bounds = _bounds(value)
        if bounds:
            members |= {(character, *_kind(value)) for character in range(*bounds)}
        else:
            members.add(_plain(value) if isinstance(value, str) else repr(value))
    return members


def _bounds(value: Any) -> tuple[int, int] | None:
    """Start and end of a span in either notation; None for anything else."""
    if isinstance(value, Mapping) and {"start", "end"} <= value.keys():
        return int(value["start"]), int(value["end"])
    if (
        isinstance(value, list | tuple)
        and len(value) == 2 + len(_kind(value))
        and all(map(_is_number, value[:2]))
    ):
        return int(value[0]), int(value[1])
    return None


def _kind(value: Any) -> tuple[str, ...]:
    """The kind of a span, if it has one: the same characters with another kind are a different answer."""
    has_kind = isinstance(value, list | tuple) and len(value) == 3 and isinstance(value[2], str)
    return (value[2],) if has_kind else ()


def _distance(one: set[Any], other: set[Any]) -> float:
    joined = one | other
    return 1 - len(one & other) / len(joined) if joined else 0.0
