"""Identical answers: a rater gives task after task the same answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.work import RuleNeed, Work


@quality_rule
class IdenticalAnswers(Rule):
    """Flags a task if it and a number of tasks before it have the same answers.

    Attention checks and items with known answers do not count, because their answers differ for a reason.

    >>> same = Work("C0", 60, {"0:useful": 2})
    >>> IdenticalAnswers(rule="identical_answers", tasks=3).find(Work("C0", 60, {"0:useful": 2}, history=[same] * 3))
    {'tasks': 4, 'more_than': 3, 'answers': {'0:useful': 2}}
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.HISTORY})
    reason: ClassVar[str] = "Many tasks in a row were given exactly the same answers."

    rule: Literal["identical_answers"]
    tasks: Annotated[int, Field(ge=1, le=500)] = 20
    """Up to this many tasks in a row may have the same answers."""

    @property
    def history_tasks(self) -> int:
        """As many tasks as may be the same."""
        return self.tasks

    def find(self, work: Work) -> dict[str, Any] | None:
        """The number of tasks, and their answers."""
        answers = work.judged
        earlier = [each.judged for each in (work.history or ())[-self.tasks :]]
        if not answers or len(earlier) < self.tasks or any(each != answers for each in earlier):
            return None
        return {"tasks": self.tasks + 1, "more_than": self.tasks, "answers": answers}

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """How many tasks.

        >>> IdenticalAnswers.tell({"tasks": 21, "more_than": 20, "answers": {"0:useful": 2}})
        'the same answers to 21 tasks in a row or more; expected at most 20'
        """
        return f"the same answers to {evidence['tasks']} tasks in a row or more; expected at most {evidence['more_than']}"
