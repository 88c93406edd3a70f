"""Explanations: why a rater chose an option, as predefined reasons and as free text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.task.free_text import CHARACTERS, check_text, check_words
from labelwright.task.names import Name
from labelwright.task.questions.base import BadAnswer
from labelwright.task.words import Words, quoted

if TYPE_CHECKING:
    import numpy as np

Need: TypeAlias = Literal["none", "optional", "required"]
Explanation: TypeAlias = dict[str, Any]
"""As stored: `{"reasons": ["generic"], "words": "..."}`; empty fields are left out."""


class Reason(BaseModel):
    """A predefined reason that can be ticked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    code: Name
    """What is stored."""
    text: Annotated[str, Field(min_length=1, max_length=300)]
    """What a rater reads."""


class OptionExplanation(BaseModel):
    """The explanation that a rater who chose an option is asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    need: Need = "optional"
    """Whether raters who chose the option must explain it (`required`), can (`optional`) or cannot (`none`)."""
    reasons: Annotated[tuple[Reason, ...], Field(max_length=12)] = ()
    """Predefined reasons that raters can tick instead of writing."""
    own_words: bool = True
    """Whether free text may be added to the reasons, or replace them."""

    @model_validator(mode="after")
    def _answerable(self) -> OptionExplanation:
        codes = [reason.code for reason in self.reasons]
        if len(set(codes)) < len(codes):
            raise ValueError("two reasons have the same code")
        if self.need == "required" and not self.reasons and not self.own_words:
            raise ValueError("an explanation is required, but neither reasons nor own words are allowed")
        return self


class Explanations(BaseModel):
    """The options that ask for an explanation, by code."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    options: Annotated[dict[int, OptionExplanation], Field(min_length=1, max_length=60)]
    """The options that ask for an explanation, by their codes."""
    min_words: Annotated[int, Field(ge=1, le=1000)] = 3
    """The fewest words of free text."""
    max_words: Annotated[int, Field(ge=1, le=3000)] = 30
    """The most words of free text."""

    @model_validator(mode="after")
    def _order(self) -> Explanations:
        if self.min_words > self.max_words:
            raise ValueError("min_words is more than max_words")
        return self

    def unknown(self, codes: Iterable[int]) -> list[int]:
        """The codes that ask for an explanation but are not among the options."""
        return sorted(set(self.options) - set(codes))

    def need(self, code: int) -> Need:
        """Whether an option asks for an explanation."""
        return self.options[code].need if code in self.options else "none"

    def check(self, code: int, value: Any) -> Explanation:
        """The explanation of an option as it is stored, empty if there is none; raises BadAnswer.

        It may be incomplete; `check_complete` says whether it can be submitted.
        """
        if value is None:
            return {}
        if not isinstance(value, dict) or set(value) - {"reasons", "words"}:
            raise BadAnswer("The explanation could not be read.")
        asked = self.options.get(code, OptionExplanation(need="none"))
        found = {
            "reasons": _check_reasons(value.get("reasons"), asked),
            "words": check_text(value["words"]) if value.get("words") is not None else "",
        }
        kept = {name: given for name, given in found.items() if given}
        if kept and asked.need == "none":
            raise BadAnswer("This option does not need an explanation.")
        if "words" in kept and not asked.own_words:
            raise BadAnswer("Choose one of the reasons.")
        return kept

    def check_complete(self, code: int, explanation: Mapping[str, Any]) -> None:
        """Raises BadAnswer if a required explanation is missing, or its text is too short or too long."""
        if self.need(code) == "required" and not explanation:
            raise self._missing(self.options[code])
        if explanation.get("words"):
            check_words(explanation["words"], self.min_words, self.max_words)

    def _missing(self, asked: OptionExplanation) -> BadAnswer:
        limits = {"least": self.min_words, "most": self.max_words}
        if not asked.reasons:
            return BadAnswer("Say why in {least} to {most} words.", **limits)
        if not asked.own_words:
            return BadAnswer("Tick at least one reason.")
        return BadAnswer("Tick a reason, or say why in {least} to {most} words.", **limits)

    def words(self, code: int, explanation: Mapping[str, Any]) -> tuple[Words, ...]:
        """The texts of the ticked reasons, and the free text."""
        asked = self.options.get(code)
        ticked = explanation.get("reasons", ())
        reasons = [reason.text for reason in (asked.reasons if asked else ()) if reason.code in ticked]
        return (*reasons, *([quoted(explanation["words"])] if explanation.get("words") else []))

    def answer_schema(self, code: int) -> dict[str, Any] | None:
        """The JSON Schema of the explanation of an option; None if the option takes none."""
        asked = self.options.get(code)
        if asked is None or asked.need == "none":
            return None
        fields: dict[str, Any] = {}
        if asked.reasons:
            reasons = [reason.code for reason in asked.reasons]
            items = {"type": "string", "enum": reasons}
            fields["reasons"] = {
                "type": "array",
                "items": items,
                "minItems": 1,
                "maxItems": len(reasons),
                "uniqueItems": True,
            }
        if asked.own_words:
            about = f"{self.min_words} to {self.max_words} words"
            fields["words"] = {
                "type": "string",
                "minLength": 1,
                "maxLength": CHARACTERS,
                "description": about,
            }
        least = {"minProperties": 1} if asked.need == "required" else {}
        return {"type": "object", "properties": fields, "additionalProperties": False} | least

    def prompt(self, code: int) -> str:
        """How a language model explains an option; empty if the option takes no explanation."""
        asked = self.options.get(code)
        if asked is None or asked.need == "none":
            return ""
        ways = []
        if asked.reasons:
            listed = "; ".join(f'"{reason.code}" for "{reason.text}"' for reason in asked.reasons)
            ways.append(f'"reasons" with any of {listed}')
        if asked.own_words:
            ways.append(f'"words" with {self.min_words} to {self.max_words} words of your own')
        needs = "needs" if asked.need == "required" else "may have"
        return f'{needs} an "explanation": {" or ".join(ways)}'

    def sample(self, code: int, random: np.random.Generator) -> Explanation:
        """A random valid explanation; empty if none is asked for."""
        asked = self.options.get(code)
        if asked is None or asked.need == "none" or (asked.need == "optional" and random.random() < 0.5):
            return {}
        ticked = [reason.code for reason in asked.reasons if random.random() < 0.5]
        found: Explanation = {"reasons": ticked} if ticked else {}
        if asked.own_words and (not ticked or random.random() < 0.5):
            words = int(random.integers(self.min_words, self.max_words + 1))
            found["words"] = " ".join(f"word{n}" for n in range(words))
        return found or ({"reasons": [asked.reasons[0].code]} if asked.reasons else {})

    def view(self, code: int) -> dict[str, Any] | None:
        """What the page is given for an option; None if the option asks for no explanation."""
        asked = self.options.get(code)
        if asked is None or asked.need == "none":
            return None
        return {
            "need": asked.need,
            "reasons": [{"code": reason.code, "text": reason.text} for reason in asked.reasons],
            "own_words": asked.own_words,
            "min_words": self.min_words,
            "max_words": self.max_words,
            "characters": CHARACTERS,
        }


def _check_reasons(value: Any, asked: OptionExplanation) -> list[str]:
    """The ticked reasons in the order of the study file."""
    if value is None:
        return []
    codes = [reason.code for reason in asked.reasons]
    if not isinstance(value, list) or len(value) > len(codes) or any(code not in codes for code in value):
        raise BadAnswer("Choose from the reasons.")
    if any(value.count(code) > 1 for code in value):
        raise BadAnswer("A reason is ticked twice.")
    return [code for code in codes if code in value]
