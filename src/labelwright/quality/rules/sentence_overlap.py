"""Sentence overlap: no chosen sentence was chosen by anybody else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.settings import FROM_DISAGREEMENT
from labelwright.quality.rules.work import RuleNeed, Work, place_name


@quality_rule
class SentenceOverlap(Rule):
    """Flags work that shares no chosen sentence with any other rater of the same item.

    >>> from labelwright.quality.rules.work import AnswerContent, OtherRating
    >>> own, theirs = AnswerContent(chosen=frozenset({0}), offered=5), AnswerContent(chosen=frozenset({3}), offered=5)
    >>> others = {"0:chosen": [OtherRating(content=theirs)] * 2}
    >>> SentenceOverlap(rule="sentence_overlap").find(Work("C0", 60, {}, contents={"0:chosen": own}, other_ratings=others))
    {'answers': {'0:chosen': {'own': [0], 'theirs': [3], 'raters': 2}}}
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.CONTENTS, RuleNeed.OTHER_RATINGS})
    never_proposes: ClassVar[str] = FROM_DISAGREEMENT

    rule: Literal["sentence_overlap"]
    fewest_others: Annotated[int, Field(ge=1, le=20)] = 2
    """Nothing is flagged before this many other raters have answered."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """The chosen sentences, and all that the others chose."""
        answers = {}
        for place, content in (work.contents or {}).items():
            others = (work.other_ratings or {}).get(place, ())
            if not content.chosen or len(others) < self.fewest_others:
                continue
            theirs = frozenset[int]().union(*(other.content.chosen or () for other in others))
            if not content.chosen & theirs:
                own = sorted(content.chosen)
                answers[place] = {"own": own, "theirs": sorted(theirs), "raters": len(others)}
        return {"answers": answers} if answers else None

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """Which answers share nothing.

        >>> SentenceOverlap.tell({"answers": {"0:chosen": {"own": [0], "theirs": [3], "raters": 2}}})
        'chosen (item 1) has no sentence in common with 2 other raters'
        """
        return "; ".join(
            f"{place_name(place)} has no sentence in common with {found['raters']} other "
            f"{'rater' if found['raters'] == 1 else 'raters'}"
            for place, found in evidence["answers"].items()
        )
