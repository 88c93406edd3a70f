"""What every quality rule must do."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.quality.rules.work import FROM_OTHERS, RuleNeed, Work
from labelwright.registry import Registry

Then = Literal["nothing", "review", "propose"]
"""What a flag does."""
MILDEST_FIRST: tuple[Then, ...] = ("nothing", "review", "propose")


class Rule(BaseModel):
    """A reason to doubt an assignment. A rule only flags; a person decides."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    needs: ClassVar[frozenset[RuleNeed]] = frozenset()
    """What `find` looks at besides the assignment itself. A rule that declares nothing is given nothing more."""
    reason: ClassVar[str] = ""
    """The reason that `then: propose` fills in. Raters read it, so it never says which answers are known."""
    never_proposes: ClassVar[str] = ""
    """Why a flag of this rule cannot propose a verdict; empty if it can."""

    rule: str
    """The name of the rule."""
    then: Then = "review"
    """What a flag does: nothing, send the work to review, or also propose there to exclude the data."""
    then_by_platform: dict[str, Then] = Field(default_factory=dict)
    """The same for raters of single platforms, because what is a fair ground differs between them."""
    then_by_condition: dict[str, Then] = Field(default_factory=dict)
    """The same for single conditions. Where a platform is named too, the milder of both applies."""

    @model_validator(mode="after")
    def _may_propose(self) -> Rule:
        effects = {self.then, *self.then_by_platform.values(), *self.then_by_condition.values()}
        if self.never_proposes and "propose" in effects:
            raise ValueError(
                f'rule "{self.rule}" cannot propose a verdict, because {self.never_proposes}; '
                "use `review`, so that a person looks at the work"
            )
        return self

    @classmethod
    def rule_name(cls) -> str:
        """The word used in the study file."""
        return str(cls.model_fields["rule"].annotation.__args__[0])  # type: ignore[union-attr]

    @property
    def version(self) -> str:
        """A hash that changes with the rule's settings, so that an old flag is never taken for a new one."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:12]

    @property
    def history_tasks(self) -> int:
        """How many of the rater's latest tasks a rule that needs their history is given."""
        return 50

    @property
    def runs_again(self) -> bool:
        """Whether the rule looks at what others do, so that its finding can change after the submission."""
        return bool(self.needs & FROM_OTHERS)

    def effect(self, platform: str, condition: str) -> Then:
        """What a flag on work of this platform and condition does.

        >>> Rule(rule="r", then="propose", then_by_platform={"prolific": "review"}).effect("prolific", "C0")
        'review'
        """
        special = [
            by[name]
            for by, name in ((self.then_by_platform, platform), (self.then_by_condition, condition))
            if name in by
        ]
        return min(special or [self.then], key=MILDEST_FIRST.index)

    def used_codes(self) -> Mapping[str, frozenset[int]]:
        """The questions that the settings name, each with the codes that they name; checked in the study file."""
        return {}

    def find(self, work: Work) -> dict[str, Any] | None:
        """The evidence, as JSON with every value that the finding rests on, if the work breaks the rule; or None."""
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
