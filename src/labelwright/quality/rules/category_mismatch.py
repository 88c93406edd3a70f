"""Category mismatch: an answer that does not go with the automatic category of the dialogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.work import RuleNeed, Work


@quality_rule
class CategoryMismatch(Rule):
    """Flags work with an answer that does not go with the category of the dialogue, by a table.

    The category is made by a program, which can be wrong: so this rule never proposes a verdict.

    >>> rule = CategoryMismatch(rule="category_mismatch", question="outcome", allowed={"TaskComplete": [1, 2]})
    >>> rule.find(Work("C0", 60, {"0:outcome": 7}, categories={0: "TaskComplete"}))
    {'items': [{'position': 0, 'category': 'TaskComplete', 'code': 7, 'answer': 'answer 7'}], 'question': 'outcome'}
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.CATEGORIES})
    never_proposes: ClassVar[str] = (
        "disagreement with an automatic category alone is no ground against anyone"
    )

    rule: Literal["category_mismatch"]
    question: str
    """The name of the question."""
    allowed: Annotated[dict[str, tuple[int, ...]], Field(min_length=1)]
    """For each category, the codes that go with it. Other categories go with everything."""

    def used_codes(self) -> Mapping[str, frozenset[int]]:
        """The question, and the codes of the table."""
        return {self.question: frozenset().union(*self.allowed.values())}

    def find(self, work: Work) -> dict[str, Any] | None:
        """The items whose answer does not go with the category."""
        items = []
        for position, category in sorted((work.categories or {}).items()):
            code = work.codes.get(f"{position}:{self.question}")
            if code is not None and code not in self.allowed.get(category, (code,)):
                answer = work.answer_name(self.question, code)
                items.append({"position": position, "category": category, "code": code, "answer": answer})
        return {"items": items, "question": self.question} if items else None

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """The answer and the category, item by item.

        >>> item = {"position": 0, "category": "TaskComplete", "code": 7, "answer": "“Failed”"}
        >>> CategoryMismatch.tell({"items": [item], "question": "outcome"})
        'item 1: “Failed” (outcome) does not go with the automatic category TaskComplete'
        """
        return "; ".join(
            f"item {item['position'] + 1}: {item['answer']} ({evidence['question']}) does not go with the automatic "
            f"category {item['category']}"
            for item in evidence["items"]
        )
