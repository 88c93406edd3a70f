"""Typing speed: a free text appeared faster than anybody types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.repeated_text import FROM_TEXT
from labelwright.quality.rules.work import RuleNeed, Work, place_name


@quality_rule
class TypingSpeed(Rule):
    """Flags work with a text that was not pasted and yet has more characters per second than anybody types.

    The study must have `record_typing: true`. Dictation and other aids put in whole words too, so a flag is only a
    reason to look.

    >>> from labelwright.quality.rules.work import AnswerContent, TypingFacts
    >>> text, typed = {"0:why": AnswerContent(text="x" * 200)}, {"0:why": TypingFacts(keys=3, seconds=2)}
    >>> TypingSpeed(rule="typing_speed").find(Work("C0", 60, {}, contents=text, typing=typed))
    {'answers': {'0:why': {'characters': 200, 'seconds': 2.0}}, 'at_most': 20.0}
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.CONTENTS, RuleNeed.TYPING})
    never_proposes: ClassVar[str] = FROM_TEXT

    rule: Literal["typing_speed"]
    per_second: Annotated[float, Field(gt=0, le=1000)] = 20
    """The most characters per second. Very fast typists reach about 15."""
    fewest_characters: Annotated[int, Field(ge=1, le=10_000)] = 40
    """Shorter texts are not looked at."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """The characters that were neither pasted nor there before, and the time of typing."""
        answers = {}
        for place, content in (work.contents or {}).items():
            facts = (work.typing or {}).get(place)
            if facts is None:
                continue
            characters = len(content.text or "") - facts.pasted - facts.before
            if characters >= self.fewest_characters and characters > self.per_second * facts.seconds:
                answers[place] = {"characters": characters, "seconds": round(float(facts.seconds), 1)}
        return {"answers": answers, "at_most": float(self.per_second)} if answers else None

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """Characters and seconds.

        >>> TypingSpeed.tell({"answers": {"0:why": {"characters": 200, "seconds": 2.0}}, "at_most": 20.0})
        '200 characters of why (item 1) were typed in 2 s; at most 20 a second are expected'
        """
        texts = "; ".join(
            f"{found['characters']} characters of {place_name(place)} were typed in {found['seconds']:g} s"
            for place, found in evidence["answers"].items()
        )
        return f"{texts}; at most {evidence['at_most']:g} a second are expected"
