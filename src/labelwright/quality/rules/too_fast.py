"""Too fast: the task took less time than it takes to read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.work import Work

Seconds = Annotated[float, Field(gt=0)]


@quality_rule
class TooFast(Rule):
    """Flags work that took less than a number of seconds, which may differ by condition.

    >>> rule = TooFast(rule="too_fast", seconds=15, per_condition={"C0": 8})
    >>> rule.find(Work(condition="C3", seconds=9.2, codes={}))
    {'seconds': 9.2, 'at_least': 15.0}
    >>> rule.find(Work(condition="C0", seconds=9.2, codes={})) is None
    True
    """

    reason: ClassVar[str] = "The task was submitted faster than it can be read."

    rule: Literal["too_fast"]
    seconds: Seconds = 15
    """The least time for a task; faster work is flagged."""
    per_condition: dict[str, Seconds] = Field(default_factory=dict)
    """Other limits for single conditions. Short contexts take less time to read, so one limit for all would flag them more often."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """The time taken and the time expected."""
        limit = self.per_condition.get(work.condition, self.seconds)
        if work.seconds >= limit:
            return None
        return {"seconds": round(work.seconds, 1), "at_least": float(limit)}

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """The time taken and the time expected.

        >>> TooFast.tell({"seconds": 9.2, "at_least": 15.0})
        '9.2 s; expected at least 15 s'
        """
        return f"{evidence['seconds']:g} s; expected at least {evidence['at_least']:g} s"
