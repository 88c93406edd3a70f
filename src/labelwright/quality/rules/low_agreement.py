"""Low agreement: a rater agrees far less with the others than the pool does, beyond chance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.settings import FROM_DISAGREEMENT
from labelwright.quality.rules.work import RuleNeed, Work


@quality_rule
class LowAgreement(Rule):
    """Flags the work of a rater whose agreement with the others is below that of the pool, with its whole interval.

    >>> from labelwright.quality.rules.work import RaterFigures
    >>> figures = RaterFigures(0.12, 0.02, 0.24, 40, pool_agreement=0.6)
    >>> LowAgreement(rule="low_agreement").find(Work("C0", 60, {}, rater=figures))
    {'agreement': 0.12, 'low': 0.02, 'high': 0.24, 'items': 40, 'pool': 0.6, 'below': 0.15}
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.RATER})
    never_proposes: ClassVar[str] = FROM_DISAGREEMENT

    rule: Literal["low_agreement"]
    below: Annotated[float, Field(ge=0, le=1)] = 0.15
    """How far the upper end of the rater's interval must be below the agreement of the pool."""
    fewest_items: Annotated[int, Field(ge=8, le=1000)] = 10
    """The fewest items that the rater must share with others."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """The agreement of the rater with its interval, and that of the pool."""
        figures = work.rater
        if (
            figures is None
            or figures.agreement is None
            or figures.high is None
            or figures.pool_agreement is None
            or figures.items < self.fewest_items
            or figures.high >= figures.pool_agreement - self.below
        ):
            return None
        return {
            "agreement": round(figures.agreement, 3),
            "low": None if figures.low is None else round(figures.low, 3),
            "high": round(figures.high, 3),
            "items": figures.items,
            "pool": round(figures.pool_agreement, 3),
            "below": float(self.below),
        }

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """Both figures.

        >>> LowAgreement.tell({"agreement": 0.12, "low": 0.02, "high": 0.24, "items": 40, "pool": 0.6, "below": 0.15})
        'agreement with the others of 0.12, at most 0.24, over 40 items; 0.60 in the pool'
        """
        return (
            f"agreement with the others of {evidence['agreement']:.2f}, at most {evidence['high']:.2f}, over "
            f"{evidence['items']} items; {evidence['pool']:.2f} in the pool"
        )
