"""Span length: a marked part that takes up too much of the text, or nothing marked at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.settings import Share
from labelwright.quality.rules.work import RuleNeed, Work, place_name


@quality_rule
class SpanLength(Rule):
    """Flags work with one span that is longer than a share of the text.

    >>> from labelwright.quality.rules.work import AnswerContent
    >>> work = Work("C0", 60, {}, contents={"0:answer": AnswerContent(((0, 51),), 100)})
    >>> SpanLength(rule="span_length").find(work)
    {'long': {'0:answer': 0.51}, 'empty': [], 'at_most': 0.5}
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.CONTENTS})
    reason: ClassVar[str] = "The marked parts of the text are too long, or nothing was marked."

    rule: Literal["span_length"]
    share: Share = 0.5
    """The largest share of the text, in characters, that one span may have."""
    per_condition: dict[str, Share] = Field(default_factory=dict)
    """Other shares for single conditions, such as those in which the text is one sentence."""
    empty: bool = False
    """Whether an answer without any span is flagged too."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """The longest span of each answer that has one too long, and the answers without spans."""
        limit = self.per_condition.get(work.condition, self.share)
        long, empty = {}, []
        for place, content in (work.contents or {}).items():
            longest = max((end - start for start, end in content.ranges or ()), default=0)
            if longest > limit * content.length:
                long[place] = round(longest / content.length, 3)
            if self.empty and content.ranges is not None and not content.ranges:
                empty.append(place)
        return {"long": long, "empty": empty, "at_most": float(limit)} if long or empty else None

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """The share that each span takes up.

        >>> SpanLength.tell({"long": {"0:answer": 0.514}, "empty": ["1:answer"], "at_most": 0.5})
        'a span of 51% of the text in answer (item 1), expected at most 50%; nothing marked in answer (item 2)'
        """
        long = (
            f"a span of {share:.0%} of the text in {place_name(place)}, expected at most {evidence['at_most']:.0%}"
            for place, share in evidence["long"].items()
        )
        return "; ".join([*long, *(f"nothing marked in {place_name(place)}" for place in evidence["empty"])])
