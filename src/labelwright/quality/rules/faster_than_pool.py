"""Faster than the pool: the task took a small share of the time that it takes others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.settings import Share
from labelwright.quality.rules.work import RuleNeed, Work


@quality_rule
class FasterThanPool(Rule):
    """Flags work that took less than a share of the median time of all tasks in its condition.

    >>> from labelwright.quality.rules.work import PoolPace
    >>> FasterThanPool(rule="faster_than_pool").find(Work("C0", 11, {}, pool=PoolPace(400, 60.2)))
    {'seconds': 11, 'median_seconds': 60.2, 'at_least': 18.1, 'tasks': 400}
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.POOL})
    reason: ClassVar[str] = "The task was submitted much faster than other people can do it."

    rule: Literal["faster_than_pool"]
    share: Share = 0.3
    """The share of the median time that work must have taken."""
    fewest_tasks: Annotated[int, Field(ge=5, le=1000)] = 20
    """Nothing is flagged before the condition has this many submitted tasks."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """The time taken, the median of the condition, and the time expected."""
        pool = work.pool
        if pool is None or pool.tasks < self.fewest_tasks:
            return None
        limit = self.share * pool.median_seconds
        if work.seconds >= limit:
            return None
        return {
            "seconds": round(work.seconds, 1),
            "median_seconds": round(pool.median_seconds, 1),
            "at_least": round(limit, 1),
            "tasks": pool.tasks,
        }

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """The time taken, and the median.

        >>> FasterThanPool.tell({"seconds": 11, "median_seconds": 60.2, "at_least": 18.1, "tasks": 400})
        '11 s, where half of 400 tasks took over 60.2 s; expected at least 18.1 s'
        """
        return (
            f"{evidence['seconds']:g} s, where half of {evidence['tasks']:,} tasks took over "
            f"{evidence['median_seconds']:g} s; expected at least {evidence['at_least']:g} s"
        )
