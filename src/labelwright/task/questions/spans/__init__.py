"""Spans: marked parts of the text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.scales import Point, Scale
from labelwright.task.presentation import Asking
from labelwright.task.questions.base import (
    AnswerPart,
    BadAnswer,
    Name,
    Question,
    compose_prompt,
    count_range,
    question_type,
)
from labelwright.task.words import Line, Phrase, Words, quoted

if TYPE_CHECKING:
    import numpy as np

Span = list[Any]
"""`[start, end]`, or `[start, end, kind]` if the question has kinds; half-open ranges of code points."""

FOUND = Scale(points=(Point(code=0, name="Nothing marked"), Point(code=1, name="Something marked")))

_WORD = re.compile(r"\S+")


class SpanKind(BaseModel):
    """A kind that a rater can give to a marked part."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    """Stored with the span."""
    label: Annotated[str, Field(min_length=1, max_length=60)]
    """The text that raters read."""


@question_type
class SpansQuestion(Question):
    """Asks raters to mark parts of the passage, or of the reply; parts do not overlap and are stored in order."""

    needs_item: ClassVar[bool] = True
    selects: ClassVar[bool] = True
    EXAMPLE_ITEM: ClassVar[str] = "query"
    EXAMPLES: ClassVar = (
        {
            "name": "snippets",
            "type": "spans",
            "text": "Mark every part of the passage that answers the question.",
            "none": "Nothing here answers it",
            "max_spans": 5,
        },
        {
            "name": "claims",
            "type": "spans",
            "text": "Mark two claims, and say whether each is a fact or an opinion.",
            "min_spans": 2,
            "max_spans": 4,
            "max_characters": 60,
            "unit": "character",
            "kinds": [{"name": "fact", "label": "Fact"}, {"name": "opinion", "label": "Opinion"}],
        },
    )

    type: Literal["spans"]
    min_spans: Annotated[int, Field(ge=1, le=100)] = 1
    """The number of parts that a rater must mark, unless `none` is ticked."""
    max_spans: Annotated[int, Field(ge=1, le=100)] = 20
    """The most parts that a rater may mark."""
    max_characters: Annotated[int, Field(ge=1)] | None = None
    """The largest length of a span; by default there is no limit."""
    none: Annotated[str, Field(min_length=1, max_length=120)] | None = None
    """The label of the box for "nothing to mark"; without it, at least one part must be marked."""
    kinds: Annotated[tuple[SpanKind, ...], Field(max_length=9)] = ()
    """The kinds that raters choose from for each marked part. Default: parts have no kind."""
    unit: Literal["word", "character"] = "word"
    """The unit that a selection on the page snaps to; answers are always in characters."""

    @model_validator(mode="after")
    def _consistent(self) -> SpansQuestion:
        if self.min_spans > self.max_spans:
            raise ValueError("min_spans is more than max_spans")
        names = [kind.name for kind in self.kinds]
        if len(set(names)) < len(names):
            raise ValueError("two kinds have the same name")
        return self

    def applies(self, asking: Asking) -> bool:
        """Only if there is enough text to mark."""
        letters = sum(not character.isspace() for character in asking.item.text)
        return letters >= (1 if self.none else self.min_spans)

    def check(self, value: Any, asking: Asking) -> list[Span]:
        """The spans in the order of the text; empty if there is nothing to mark."""
        if not isinstance(value, list):
            raise BadAnswer("Mark parts of the text.")
        if not value and self.none is None:
            raise BadAnswer("Mark at least one part of the text.")
        if len(value) > self.max_spans:
            raise BadAnswer(
                "Mark at most {most} parts. You marked {parts}.", most=self.max_spans, parts=len(value)
            )
        for span in value:
            self._check_shape(span)
        spans = sorted(list(span) for span in value)
        for number, span in enumerate(spans, start=1):
            self._check_place(span, number, asking.item.text)
        _check_apart(spans)
        return spans

    def _check_shape(self, span: Any) -> None:
        if not isinstance(span, list) or len(span) != (3 if self.kinds else 2):
            raise BadAnswer("A marked part could not be read. Mark it again.")
        if any(isinstance(offset, bool) or not isinstance(offset, int) for offset in span[:2]):
            raise BadAnswer("A marked part could not be read. Mark it again.")
        if self.kinds and span[2] not in [kind.name for kind in self.kinds]:
            raise BadAnswer("Choose a kind for each marked part.")

    def _check_place(self, span: Span, number: int, text: str) -> None:
        start, end = span[:2]
        if start < 0 or end > len(text):
            raise BadAnswer("Part {n} lies outside the text. Mark it again.", n=number)
        if start >= end or text[start:end].isspace():
            raise BadAnswer("Part {n} is empty. Remove it, or mark at least one word.", n=number)
        if self.max_characters is not None and end - start > self.max_characters:
            raise BadAnswer(
                "Part {n} is too long: mark at most {most} characters at a time.",
                n=number,
                most=self.max_characters,
            )

    def check_complete(self, value: list[Span]) -> None:
        """Enough spans, unless there is nothing to mark."""
        if value and len(value) < self.min_spans:
            raise BadAnswer(
                "Mark at least {least} parts. You marked {parts}.", least=self.min_spans, parts=len(value)
            )

    def code(self, value: list[Span]) -> None:
        """None: spans are compared by the characters that they cover."""
        return

    def parts(self, value: list[Span]) -> dict[str, AnswerPart]:
        """`found`: whether the rater marked anything, if marking nothing is allowed; agreement is measured on it too."""
        if self.none is None:
            return {}
        return {"found": AnswerPart(self.aspect, bool(value), int(bool(value)))}

    def answer_scales(self, scales: Mapping[str, Scale]) -> Mapping[str, Scale]:
        """What `found` means."""
        return {"found": FOUND} if self.none is not None else {}

    def part_text(self, part: str) -> str:
        """What `found` is about."""
        return "(anything marked)"

    def selected(self, value: list[Span]) -> tuple[tuple[int, int], ...]:
        """The spans, whatever their kind."""
        return tuple((int(span[0]), int(span[1])) for span in value)

    def selected_kinds(self, value: list[Span]) -> tuple[str, ...]:
        """The labels of the kinds."""
        labels = {kind.name: kind.label for kind in self.kinds}
        return tuple(labels.get(span[2], "") if len(span) > 2 else "" for span in value)

    def words(self, value: list[Span], asking: Asking) -> tuple[Line, ...]:
        """The text of the marked parts, each with its kind; or the label for nothing."""
        if not value and self.none:
            return (Line((self.none,)),)
        return (Line(tuple(self._piece(span, asking.item.text) for span in value)),)

    def _piece(self, span: Span, text: str) -> Words:
        start, end, *kind = span
        labels = [each.label for each in self.kinds if [each.name] == kind]
        if not labels:
            return quoted(text[start:end])
        return Phrase("{kind}: “{text}”", kind=labels[0], text=text[start:end])

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """A list of spans; that they do not overlap is left to the check."""
        length = len(asking.item.text)
        bounds: list[dict[str, Any]] = [
            {"type": "integer", "minimum": 0, "maximum": length - 1},
            {"type": "integer", "minimum": 1, "maximum": length},
        ]
        if self.kinds:
            bounds.append({"type": "string", "enum": [kind.name for kind in self.kinds]})
        span = {"type": "array", "prefixItems": bounds, "minItems": len(bounds), "maxItems": len(bounds)}
        some = {
            "type": "array",
            "items": span,
            "minItems": self.min_spans,
            "maxItems": self.max_spans,
            "uniqueItems": True,
        }
        return {"anyOf": [some, {"type": "array", "maxItems": 0}]} if self.none else some

    def prompt(self, asking: Asking) -> str:
        """The text word by word with the position of each word, the kinds, and how to write a span.

        Models count characters badly, so they are given the positions.
        """
        text = asking.item.text
        words = " ".join(f"{start}-{end}:{text[start:end]}" for start, end in self._markable(text))
        kinds = [f'kind "{kind.name}": {kind.label}' for kind in self.kinds]
        shape = "[start, end, kind]" if self.kinds else "[start, end]"
        instruction = (
            f"Answer with a list of {count_range(self.min_spans, self.max_spans)} parts that do not overlap, each "
            f"written as {shape}: the start of its first word and the end of its last word."
        )
        if self.max_characters:
            instruction += f" A part has at most {self.max_characters} characters."
        if self.none:
            instruction += f' An empty list means "{self.none}".'
        return compose_prompt(self.text, [f"the words with start and end: {words}", *kinds], instruction)

    def sample(self, asking: Asking, random: np.random.Generator) -> list[Span]:
        """A few parts of one or more words; sometimes nothing."""
        if self.none is not None and random.random() < 0.2:
            return []
        units = self._markable(asking.item.text)
        wanted = min(int(random.integers(self.min_spans, self.max_spans + 1)), self.min_spans + 3, len(units))
        places = sorted(int(place) for place in random.choice(len(units), wanted, replace=False))
        spans: list[Span] = []
        for place, following in zip(places, [*places[1:], len(units)], strict=True):
            start, end = units[place][0], units[int(random.integers(place, following))][1]
            if self.max_characters is not None and end - start > self.max_characters:
                end = min(units[place][1], start + self.max_characters)
            kind = [self.kinds[int(random.integers(len(self.kinds)))].name] if self.kinds else []
            spans.append([start, end, *kind])
        return spans

    def _markable(self, text: str) -> list[tuple[int, int]]:
        """Words, or single characters if the text has too few words."""
        words = [match.span() for match in _WORD.finditer(text) if match.group().strip()]
        if len(words) >= self.min_spans:
            return words
        return [(place, place + 1) for place, character in enumerate(text) if not character.isspace()]

    def missing(self) -> str:
        """What to do, in one sentence."""
        if self.none is None:
            return "Mark at least one part of the text."
        return "Mark at least one part of the text, or say that there is none."

    def view(self, asking: Asking) -> dict[str, Any]:
        """The limits, the kinds by name and label, and the label for nothing."""
        return super().view(asking) | {
            "min_spans": self.min_spans,
            "max_spans": self.max_spans,
            "max_characters": self.max_characters,
            "none": self.none,
            "kinds": [kind.model_dump() for kind in self.kinds],
            "unit": self.unit,
        }


def _check_apart(spans: Sequence[Span]) -> None:
    for number, (one, other) in enumerate(pairwise(spans), start=1):
        if other[0] < one[1]:
            raise BadAnswer(
                "Part {one} overlaps part {other}. Remove one of them, or mark less.",
                one=number,
                other=number + 1,
            )


def marked_spans(value: Sequence[Sequence[Any]], kind: str | None = None) -> list[tuple[int, int]]:
    """The spans of a stored answer in the form that measures use; only those of one kind if `kind` is given.

    >>> marked_spans([[0, 4, "fact"], [6, 9, "opinion"]], kind="fact")
    [(0, 4)]
    """
    return [(span[0], span[1]) for span in value if kind is None or span[2:] == [kind]]
