"""Spans: texts in which several raters marked parts, as input of a report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from labelwright.agreement import cut_spans
from labelwright.agreement.spans import Spans


@dataclass(frozen=True)
class MarkedText:
    """One text with what each of its raters marked. The columns have one entry per rater, or are empty."""

    text: str
    marks: tuple[Spans, ...]
    """Half-open character offsets."""
    seconds: tuple[float | None, ...] = ()
    cents: tuple[int | None, ...] = ()
    """What each rater was paid."""
    confidence: tuple[float | None, ...] = ()
    whole: str = ""
    """If the text is a part of another one: the key of that text in the reference."""


@dataclass(frozen=True)
class SpanSet:
    """The marked texts of one condition."""

    name: str
    texts: Mapping[str, MarkedText]
    raters: int | None = None
    """How many people marked them; None if it is not known."""

    def references(self, experts: SpanSet) -> tuple[list[str], list[list[Spans]]]:
        """The texts that experts marked too, and the experts' marks in each, cut to it if it is a part of their text."""
        keys: list[str] = []
        found: list[list[Spans]] = []
        for key, text in self.texts.items():
            whole = experts.texts.get(text.whole or key)
            if whole is None:
                continue
            keys.append(key)
            if text.whole:
                parts: list[Spans] = [cut_spans(spans, whole.text, text.text) or [] for spans in whole.marks]
                found.append(parts)
            else:
                found.append(list(whole.marks))
        return keys, found
