"""Pasted text: most of a free text was pasted, not typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from labelwright.quality.rules.base import Rule, quality_rule
from labelwright.quality.rules.repeated_text import FROM_TEXT
from labelwright.quality.rules.settings import Share
from labelwright.quality.rules.work import RuleNeed, Work, place_name


@quality_rule
class PastedText(Rule):
    """Flags work with a text of which at least a share was pasted. The study must have `record_typing: true`.

    >>> from labelwright.quality.rules.work import AnswerContent, TypingFacts
    >>> text, typed = {"0:why": AnswerContent(text="x" * 120)}, {"0:why": TypingFacts(keys=4, pastes=1, pasted=118)}
    >>> PastedText(rule="pasted_text").find(Work("C0", 60, {}, contents=text, typing=typed))
    {'answers': {'0:why': {'pasted': 118, 'characters': 120, 'pastes': 1}}, 'share': 0.5}
    """

    needs: ClassVar[frozenset[RuleNeed]] = frozenset({RuleNeed.CONTENTS, RuleNeed.TYPING})
    never_proposes: ClassVar[str] = FROM_TEXT

    rule: Literal["pasted_text"]
    share: Share = 0.5
    """The share of the characters from which a text counts as pasted."""
    fewest_characters: Annotated[int, Field(ge=1, le=10_000)] = 40
    """Shorter texts are not looked at: people paste names and titles."""

    def find(self, work: Work) -> dict[str, Any] | None:
        """The pasted characters and all of them, for each text."""
        answers = {}
        for place, content in (work.contents or {}).items():
            facts, characters = (work.typing or {}).get(place), len(content.text or "")
            if (
                facts is not None
                and characters >= self.fewest_characters
                and facts.pasted >= self.share * characters
            ):
                answers[place] = {"pasted": facts.pasted, "characters": characters, "pastes": facts.pastes}
        return {"answers": answers, "share": float(self.share)} if answers else None

    @classmethod
    def tell(cls, evidence: Mapping[str, Any]) -> str:
        """How much was pasted.

        >>> PastedText.tell({"answers": {"0:why": {"pasted": 118, "characters": 120, "pastes": 1}}, "share": 0.5})
        '118 characters were pasted into why (item 1), which has 120'
        """
        return "; ".join(
            f"{found['pasted']} characters were pasted into {place_name(place)}, which has {found['characters']}"
            for place, found in evidence["answers"].items()
        )
