"""Derived label: one label made from several answers by rules in the study file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from labelwright.task.dependency import When
from labelwright.task.names import Name

Code = Annotated[int, Field(ge=-(2**31), lt=2**31)]


class LabelRule(BaseModel):
    """The label of an item for which every part of `when` is true."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    when: Annotated[tuple[When, ...], Field(min_length=1, max_length=20)]
    """One condition on the answers, or a list of conditions that must all be true."""
    code: Code
    """The code of a point on the scale of the label."""

    @field_validator("when", mode="before")
    @classmethod
    def _as_list(cls, given: Any) -> Any:
        return [given] if isinstance(given, dict) else given


class DerivedLabel(BaseModel):
    """A label with its own scale and aspect, made from the answers to one item.

    >>> rules = [{"when": {"question": "recommends", "is": "no"}, "code": 0}]
    >>> label = DerivedLabel(name="relevance", scale="outcome", rules=rules, otherwise=1)
    >>> label.derive({"recommends": False}), label.derive({"recommends": True})
    (0, 1)
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    """The name under which the label is stored and exported."""
    scale: str
    """The name of the scale that its codes belong to."""
    aspect: str | None = None
    """The aspect that the label measures."""
    rules: Annotated[tuple[LabelRule, ...], Field(min_length=1, max_length=60)]
    """The first matching rule gives the label."""
    otherwise: Code | None = None
    """The label if no rule matches; by default there is no label then."""

    @property
    def codes(self) -> list[int]:
        """The codes that the label can have, in the order of the rules."""
        return [rule.code for rule in self.rules] + ([] if self.otherwise is None else [self.otherwise])

    def derive(self, answers: Mapping[str, Any]) -> int | None:
        """The code that follows from the stored answers to one item; None if there is no label."""
        for rule in self.rules:
            if all(when.holds(answers) for when in rule.when):
                return rule.code
        return self.otherwise
