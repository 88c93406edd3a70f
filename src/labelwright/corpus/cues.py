"""Cue: a condition on the text or metadata of a turn."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.corpus._patterns import Pattern, found_in, whole_word_pattern
from labelwright.corpus.normalisation import normalise

if TYPE_CHECKING:
    from labelwright.tables import Table

Text = Annotated[str, Field(min_length=1, max_length=500)]


def meta_text(value: Any) -> str:
    """A metadata value as rules see it: strings unchanged, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


class Cue(BaseModel):
    """What to look for in a turn: one of several texts, a pattern, or a field with a value.

    Text is compared in normalised form. Metadata fields are compared as they are.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    speaker: str | None = None
    """Only turns of this speaker. Default: all turns."""
    cues: tuple[Text, ...] = ()
    """The turn must contain one of these."""
    whole_words: bool = False
    """Match cues only as whole words, so that "result" does not match "results"."""
    pattern: Pattern | None = None
    """An RE2 pattern that must match somewhere in the turn."""
    field: str | None = None
    """A metadata field to look at instead of the text. Without cues or a pattern, the field must have a value."""

    @model_validator(mode="after")
    def _one_kind(self) -> Cue:
        if self.cues and self.pattern:
            raise ValueError("a rule cannot have both `cues` and `pattern`")
        if self.whole_words and not self.cues:
            raise ValueError("`whole_words` needs `cues`")
        return self

    @property
    def is_empty(self) -> bool:
        """Whether every turn would match."""
        return not (self.cues or self.pattern or self.field or self.speaker)

    def seen(self, text: str, meta: Mapping[str, Any]) -> str:
        """The text of a turn in memory that the cue is compared with."""
        return normalise(text) if self.field is None else meta_text(meta.get(self.field, ""))

    def contains_one(self, seen: str) -> bool:
        """Whether a text in memory contains one of the cues."""
        if not self.whole_words:
            return any(cue in seen for cue in self._compared())
        return any(found_in(whole_word_pattern(cue), seen) for cue in self._compared())

    def fits(self, turns: Table) -> Any:
        """A condition on a turns table: whether each turn matches the cue. Null counts as no match.

        Missing values are not replaced first, because that would take as long as the search itself.
        """
        found = self._found(turns)
        return found if self.speaker is None else (turns.speaker == self.speaker) & found

    def _found(self, turns: Table) -> Any:
        if self.field is None and not self.cues and self.pattern is None:
            return turns.position.notnull()
        seen = turns.normal if self.field is None else turns.meta.get(self.field, "")
        if self.pattern is not None:
            return seen.re_search(self.pattern)
        if not self.cues:
            return seen != ""
        return reduce(or_, (self._contains(seen, cue) for cue in self._compared()))

    def _compared(self) -> list[str]:
        return [normalise(cue) if self.field is None else cue for cue in self.cues]

    def _contains(self, seen: Any, cue: str) -> Any:
        return seen.re_search(whole_word_pattern(cue)) if self.whole_words else seen.contains(cue)
