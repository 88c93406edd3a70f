"""What every quality rule must do."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from labelwright.registry import Registry


@dataclass(frozen=True, slots=True)
class Work:
    """What a rule may look at: one submitted assignment."""

    condition: str
    seconds: float
    codes: Mapping[str, int]
    """Codes by position and question, such as `0:useful`."""
    gold: Mapping[str, bool] = field(default_factory=dict)
    """Whether each answer to an item with known answers is right, by position and question."""
    attention: Mapping[str, bool] = field(default_factory=dict)
    """The same for attention checks."""


class Rule(BaseModel):
    """A finding on an assignment; it decides nothing by itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reason: ClassVar[str] = ""
    """The reason that `then: propose` fills in; raters read it, so it never tells which answers are known."""

    rule: str
    then: Literal["nothing", "review", "propose"] = "review"
    """What a flag does: nothing, send to review, or propose there that the data are left out. A person decides."""

    @classmethod
    def rule_name(cls) -> str:
        """The word used in the study file."""
        return str(cls.model_fields["rule"].annotation.__args__[0])  # type: ignore[union-attr]

    @property
    def version(self) -> str:
        """Changes with the rule's settings, so that an old flag is never taken for a new one."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:12]

    def find(self, work: Work) -> dict[str, Any] | None:
        """The evidence if the rule is broken, else None."""
        raise NotImplementedError

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """The evidence in words, for the requester."""
        return ", ".join(f"{name} {value}" for name, value in evidence.items())


RULES: Registry[type[Rule]] = Registry(
    "quality rule", "labelwright.rules", "a class with `@quality_rule`", package="labelwright.quality.rules"
)
RuleType = TypeVar("RuleType", bound=Rule)


def quality_rule(kind: type[RuleType]) -> type[RuleType]:
    """Registers a class of rules under the literal of its field `rule`, the word used in the study file."""
    if not (isinstance(kind, type) and issubclass(kind, Rule)):
        raise TypeError(f"@quality_rule is for subclasses of Rule, not for {kind!r:.80}")
    RULES.register(kind.rule_name(), kind, source=kind, module=kind.__module__)
    return kind
