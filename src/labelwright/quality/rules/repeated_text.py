"""Repeated text: several raters wrote the same words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.work import RuleNeed, Work, place_name

FROM_TEXT = "nobody can know from a text who wrote it"
_WORD = re.compile(r"\w+")


@quality_rule
class RepeatedText(Rule):
    """Flags work with a text that other raters of the study wrote too, whatever its spelling and punctuation.

    >>> from labelwright.quality.rules.work import AnswerContent
    >>> text = {"0:why": AnswerContent(text="The answer is clear and helps the user.")}
    >>> RepeatedText(rule="repeated_text").find(Work("C0", 60, {}, contents=text, text_uses={"0:why": 2}))
    {'answers': {'0:why': 2}}
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.CONTENTS, RuleNeed.TEXT_USES})
    never_proposes: ClassVar[str] = FROM_TEXT

    rule: Literal["repeated_text"]
    fewest_words: Annotated[int, Field(ge=1, le=1000)] = 6
    """Shorter texts may be the same by chance."""
    raters: Annotated[int, Field(ge=1, le=100)] = 1
    """The fewest other raters who wrote the same."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """How many others wrote each text."""
        contents = work.contents or {}
        answers = {
            place: uses
            for place, uses in (work.text_uses or {}).items()
            if uses >= self.raters
            and place in contents
            and len((contents[place].text or "").split()) >= self.fewest_words
        }
        return {"answers": answers} if answers else None

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """How many others wrote each text.

        >>> RepeatedText.tell({"answers": {"0:why": 2}})
        'the text of why (item 1) was also written by 2 other raters'
        """
        return "; ".join(
            f"the text of {place_name(place)} was also written by {uses} other {'rater' if uses == 1 else 'raters'}"
            for place, uses in evidence["answers"].items()
        )


def text_print(text: str) -> str:
    """A short fingerprint of the words of a text, without case and punctuation.

    >>> text_print("Clear, and helpful!") == text_print("clear and helpful")
    True
    """
    return hashlib.sha256(" ".join(_WORD.findall(text.casefold())).encode()).hexdigest()[:32]
