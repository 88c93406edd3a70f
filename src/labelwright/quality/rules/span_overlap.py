"""Span overlap: marked parts that lie outside what other raters marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.settings import FROM_DISAGREEMENT
from labelwright.quality.rules.work import OtherRating, Ranges, RuleNeed, Work, place_name


@quality_rule
class SpanOverlap(Rule):
    """Flags work whose spans share no character with the parts that a number of other raters marked together.

    With `others: 2` these are the intersections of two other raters. An answer without spans is never flagged, and no
    answer is flagged before this many others have answered.

    >>> from labelwright.quality.rules.work import AnswerContent
    >>> here, there = AnswerContent(((0, 10),), 100), AnswerContent(((50, 60),), 100)
    >>> rule = SpanOverlap(rule="span_overlap", others=1)
    >>> rule.find(Work("C0", 60, {}, contents={"0:a": here}, other_ratings={"0:a": [OtherRating(content=there)]}))
    {'outside': {'0:a': {'own': [[0, 10]], 'theirs': [[50, 60]], 'raters': 1}}, 'others': 1}
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.CONTENTS, RuleNeed.OTHER_RATINGS})
    never_proposes: ClassVar[str] = FROM_DISAGREEMENT

    rule: Literal["span_overlap"]
    others: Annotated[int, Field(ge=1, le=20)] = 2
    """The number of other raters who marked the same characters."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """The spans that lie outside, and the parts that the others marked together."""
        outside = {}
        for place, content in (work.contents or {}).items():
            others = (work.other_ratings or {}).get(place, ())
            if not content.ranges or len(others) < self.others:
                continue
            theirs = marked_together(others, self.others)
            if not _overlap(content.ranges, theirs):
                own, parts = [list(span) for span in content.ranges], [list(part) for part in theirs]
                outside[place] = {"own": own, "theirs": parts, "raters": len(others)}
        return {"outside": outside, "others": self.others} if outside else None

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """Which answers share nothing.

        >>> SpanOverlap.tell({"outside": {"0:a": {"own": [], "theirs": [], "raters": 3}}, "others": 2})
        'a (item 1) shares no character with what at least 2 of 3 other raters marked'
        """
        return "; ".join(
            f"{place_name(place)} shares no character with what at least {evidence['others']} of {found['raters']} other "
            f"{'rater' if found['raters'] == 1 else 'raters'} marked"
            for place, found in evidence["outside"].items()
        )


def marked_together(others: Sequence[OtherRating], at_least: int) -> Ranges:
    """The parts of the text that at least this many raters marked.

    >>> from labelwright.quality.rules.work import AnswerContent
    >>> three = [OtherRating(content=AnswerContent((span,), 50)) for span in ((0, 10), (5, 20), (18, 30))]
    >>> marked_together(three, 2)
    ((5, 10), (18, 20))
    """
    steps: Counter[int] = Counter()
    for other in others:
        # Spans of one rater that overlap count once.
        for start, end in _joined(other.content.ranges or ()):
            steps[start] += 1
            steps[end] -= 1
    parts, depth, begin = [], 0, 0
    for offset in sorted(steps):
        before, depth = depth, depth + steps[offset]
        if before < at_least <= depth:
            begin = offset
        elif depth < at_least <= before:
            parts.append((begin, offset))
    return tuple(parts)


def _joined(ranges: Ranges) -> Ranges:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def _overlap(one: Ranges, two: Ranges) -> bool:
    return any(start < other_end and other < end for start, end in one for other, other_end in two)
