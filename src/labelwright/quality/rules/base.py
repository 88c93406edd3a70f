"""What every quality rule must do."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from labelwright.registry import Registry


class RuleNeed(enum.StrEnum):
    """Data about a rater or an item that must be queried separately, so a rule has to ask for it."""

    HISTORY = "history"
    """The rater's earlier work in the study."""
    OTHER_RATINGS = "other_ratings"
    """What other raters answered about the same items."""


@dataclass(frozen=True, slots=True)
class Work:
    """What a rule may look at: one submitted assignment, and what the rule declares that it needs."""

    condition: str
    seconds: float
    codes: Mapping[str, int]
    """Codes by position and question, such as `0:useful`."""
    gold: Mapping[str, bool] = field(default_factory=dict)
    """Whether each answer to an item with known answers is right, by position and question."""
    attention: Mapping[str, bool] = field(default_factory=dict)
    """The same for attention checks."""
    history: Sequence[Work] | None = None
    """The rater's earlier work, the oldest first; None if it was not loaded."""
    other_ratings: Mapping[str, Sequence[int]] | None = None
    """The codes that other raters gave, by the same position and question; None if they were not loaded."""

    def only(self, needs: Collection[RuleNeed]) -> Work:
        """The same work without anything that is not needed."""
        return replace(
            self,
            history=self.history if RuleNeed.HISTORY in needs else None,
            other_ratings=self.other_ratings if RuleNeed.OTHER_RATINGS in needs else None,
        )

    def holds(self, needs: Collection[RuleNeed]) -> bool:
        """Whether everything that is needed was loaded."""
        return all(getattr(self, need.value) is not None for need in needs)


class Rule(BaseModel):
    """A reason to doubt an assignment. A rule only flags; a person decides."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    needs: ClassVar[frozenset[RuleNeed]] = frozenset()
    """What `find` looks at besides the assignment itself. A rule that declares nothing is given nothing more."""
    reason: ClassVar[str] = ""
    """The reason that `then: propose` fills in. Raters read it, so it never says which answers are known."""

    rule: str
    """The name of the rule."""
    then: Literal["nothing", "review", "propose"] = "review"
    """What a flag does: nothing, send the work to review, or also propose there to exclude the data."""

    @classmethod
    def rule_name(cls) -> str:
        """The word used in the study file."""
        return str(cls.model_fields["rule"].annotation.__args__[0])  # type: ignore[union-attr]

    @property
    def version(self) -> str:
        """A hash that changes with the rule's settings, so that an old flag is never taken for a new one."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:12]

    def find(self, work: Work) -> dict[str, Any] | None:
        """The evidence, as JSON, if the work breaks the rule; None if it does not."""
        raise NotImplementedError

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """The evidence in words, for the requester."""
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in evidence.items())


RULES: Registry[type[Rule]] = Registry(
    "quality rule", "labelwright.rules", "a class with `@quality_rule`", package="labelwright.quality.rules"
)
"""Every quality rule by name, including those of installed packages."""
RuleType = TypeVar("RuleType", bound=Rule)


def quality_rule(kind: type[RuleType]) -> type[RuleType]:
    """Registers a class of rules under the literal of its field `rule`, the word used in the study file."""
    if not (isinstance(kind, type) and issubclass(kind, Rule)):
        raise TypeError(f"@quality_rule is for subclasses of Rule, not for {kind!r:.80}")
    RULES.register(kind.rule_name(), kind, source=kind, module=kind.__module__)
    return kind
