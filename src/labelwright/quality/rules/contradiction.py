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
    {'items': [{'position': 0, 'codes': [5, 7], 'answers': ['answer 5', 'answer 7']}], 'questions': ['success', 'outcome']}
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
                answers = [work.answer_name(first, code), work.answer_name(second, other)]
                items.append({"position": int(position), "codes": [code, other], "answers": answers})
        return {"items": items, "questions": [first, second]} if items else None

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """The answers to both questions, item by item.

        >>> item = {"position": 0, "codes": [5, 7], "answers": ["“Successful”", "“Failed”"]}
        >>> Contradiction.tell({"items": [item], "questions": ["success", "outcome"]})
        'item 1: “Successful” (success) and “Failed” (outcome) do not go together'
        """
        first, second = evidence["questions"]
        return "; ".join(
            f"item {item['position'] + 1}: {item['answers'][0]} ({first}) and {item['answers'][1]} ({second}) "
            "do not go together"
            for item in evidence["items"]
        )
