"""Contradiction: answers to two questions about the same item that do not go together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.work import Work


@quality_rule
class Contradiction(Rule):
    """Flags work in which the answers to two questions contradict each other, by a table.

    >>> rule = Contradiction(rule="contradiction", questions=("success", "outcome"), allowed={5: [1, 2]})
    >>> rule.find(Work("C0", 60, {"0:success": 5, "0:outcome": 7, "1:success": 3, "1:outcome": 7}))
    {'items': [{'position': 0, 'success': 5, 'outcome': 7}], 'questions': ['success', 'outcome']}
    """

    reason: ClassVar[str] = "Two answers in this task contradict each other."

    rule: Literal["contradiction"]
    questions: tuple[str, str]
    """The names of the two questions."""
    allowed: Annotated[dict[int, tuple[int, ...]], Field(min_length=1)]
    """For codes of the first question, the codes of the second that go with them. Other codes go with everything."""

    def used_codes(self) -> Mapping[str, frozenset[int]]:
        """Both questions, and the codes of the table."""
        first, second = self.questions
        return {first: frozenset(self.allowed), second: frozenset().union(*self.allowed.values())}

    def find(self, work: Work) -> dict[str, Any] | None:
        """The items whose answers contradict each other."""
        first, second = self.questions
        items = []
        for place, code in work.codes.items():
            position, _, question = place.partition(":")
            other = work.codes.get(f"{position}:{second}")
            if question == first and other is not None and other not in self.allowed.get(code, (other,)):
                items.append({"position": int(position), first: code, second: other})
        return {"items": items, "questions": [first, second]} if items else None

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """The answers to both questions, item by item.

        >>> Contradiction.tell({"items": [{"position": 0, "a": 5, "b": 7}], "questions": ["a", "b"]})
        'item 1: answer 5 to a and answer 7 to b do not go together'
        """
        first, second = evidence["questions"]
        return "; ".join(
            f"item {item['position'] + 1}: answer {item[first]} to {first} and answer {item[second]} to {second} "
            "do not go together"
            for item in evidence["items"]
        )
