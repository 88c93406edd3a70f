"""Known answers: attention checks and gold items that were answered wrongly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.settings import Share
from labelwright.quality.rules.work import Work, place_name


class _KnownAnswers(Rule):
    """What both rules have in common."""

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """The share of right answers, and which answers are wrong.

        >>> AttentionFailed.tell({"wrong": ["0:look", "2:look"], "right_share": 0.333, "at_least": 1.0})
        '33% right; expected at least 100%. Wrong: look (item 1), look (item 3)'
        """
        places = ", ".join(map(place_name, evidence["wrong"]))
        return f"{evidence['right_share']:.0%} right; expected at least {evidence['at_least']:.0%}. Wrong: {places}"


@quality_rule
class AttentionFailed(_KnownAnswers):
    """Flags work whose attention checks are right less often than expected; work without attention checks is never flagged.

    >>> rule = AttentionFailed(rule="attention_failed")
    >>> rule.find(Work("C0", 60, {}, attention={"0:look": False, "1:look": True}))
    {'wrong': ['0:look'], 'right_share': 0.5, 'at_least': 1.0}
    """

    reason: ClassVar[str] = "Attention checks in this task were answered wrongly."

    rule: Literal["attention_failed"]
    right_share: Share = 1
    """The share of attention checks that must be right."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """The wrong answers and the share of right ones."""
        return _evidence(work.attention, self.right_share)


@quality_rule
class GoldFailed(_KnownAnswers):
    """Flags work whose answers to gold items are right less often than expected.

    >>> GoldFailed(rule="gold_failed", right_share=0.5).find(Work("C0", 60, {}, gold={"0:useful": True})) is None
    True
    """

    reason: ClassVar[str] = "Several answers in this task do not follow the instructions."

    rule: Literal["gold_failed"]
    right_share: Share = 0.7
    """The share of answers to gold items that must be right."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """The wrong answers and the share of right ones."""
        return _evidence(work.gold, self.right_share)


def _evidence(answers: Mapping[str, bool], wanted: float) -> dict[str, Any] | None:
    if not answers:
        return None
    share = sum(answers.values()) / len(answers)
    if share >= wanted:
        return None
    wrong = [place for place, right in answers.items() if not right]
    return {"wrong": wrong, "right_share": round(share, 3), "at_least": float(wanted)}
