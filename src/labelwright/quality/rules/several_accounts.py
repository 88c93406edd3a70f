"""Several accounts: raters whose answers are the same, as if one person or one source gave them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.work import RuleNeed, Work

SAME_SOURCE = "same_source"
"""The finding about raters who agree with each other far more than people who work alone."""


@quality_rule
class SeveralAccounts(Rule):
    """Flags the work of raters who form a group that answers as one.

    >>> from labelwright.quality.rules.work import RaterFigures
    >>> group = {"accounts": ["amber-finch", "blue-heron"], "shared": 40, "agreed": 40, "expected": 0.7}
    >>> figures = RaterFigures(findings={"same_source": group})
    >>> SeveralAccounts(rule="several_accounts").find(Work("C0", 60, {}, rater=figures)) == group
    True
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.RATER})
    never_proposes: ClassVar[str] = "two people who agree may both be right"

    rule: Literal["several_accounts"]
    accounts: Annotated[int, Field(ge=2, le=100)] = 2
    """The fewest accounts of a group, this one included."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """The accounts of the group, and on how many items the rater agrees with the nearest of them."""
        found = work.rater.findings.get(SAME_SOURCE) if work.rater else None
        return dict(found) if found and len(found["accounts"]) >= self.accounts else None

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """The accounts.

        >>> SeveralAccounts.tell({"accounts": ["amber-finch", "blue-heron"], "shared": 40, "agreed": 40, "expected": 0.7})
        'amber-finch, blue-heron answer as one: the same answer on 40 of 40 shared items, where at most 70% are expected'
        """
        return (
            f"{', '.join(evidence['accounts'])} answer as one: the same answer on {evidence['agreed']} of "
            f"{evidence['shared']} shared items, where at most {evidence['expected']:.0%} are expected"
        )
