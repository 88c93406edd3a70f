"""Sentence count: too few or too many of the sentences chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.settings import Share
from labelwright.quality.rules.work import RuleNeed, Work, place_name


@quality_rule
class SentenceCount(Rule):
    """Flags work in which fewer sentences than a number, or more than a share of all, were chosen.

    >>> from labelwright.quality.rules.work import AnswerContent
    >>> work = Work("C0", 60, {}, contents={"0:chosen": AnswerContent(chosen=frozenset({0, 1, 2, 3}), offered=5)})
    >>> SentenceCount(rule="sentence_count").find(work)
    {'answers': {'0:chosen': [4, 5]}, 'at_least': 1, 'at_most': 0.75}
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.CONTENTS})
    reason: ClassVar[str] = "Too few or too many sentences were chosen."

    rule: Literal["sentence_count"]
    at_least: Annotated[int, Field(ge=0, le=100)] = 1
    """The fewest sentences that must be chosen."""
    share: Share = 0.75
    """The largest share of the sentences that may be chosen."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """The number of chosen sentences and of all, for each answer outside the limits."""
        answers = {
            place: [len(content.chosen), content.offered]
            for place, content in (work.contents or {}).items()
            if content.chosen is not None
            and not self.at_least <= len(content.chosen) <= self.share * content.offered
        }
        return {"answers": answers, "at_least": self.at_least, "at_most": self.share} if answers else None

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """The numbers.

        >>> SentenceCount.tell({"answers": {"0:chosen": [4, 5]}, "at_least": 1, "at_most": 0.75})
        '4 of 5 sentences in chosen (item 1); expected at least 1 and at most 75%'
        """
        numbers = "; ".join(
            f"{chosen} of {offered} sentences in {place_name(place)}"
            for place, (chosen, offered) in evidence["answers"].items()
        )
        return f"{numbers}; expected at least {evidence['at_least']} and at most {evidence['at_most']:.0%}"
