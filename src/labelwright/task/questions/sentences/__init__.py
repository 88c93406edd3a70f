"""Sentences: choice of sentences from the text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from labelwright.corpus import split_sentences
from labelwright.scales import Point, Scale
from labelwright.task.presentation import Asking
from labelwright.task.questions.base import (
    AnswerPart,
    BadAnswer,
    Question,
    compose_prompt,
    count_range,
    question_type,
)
from labelwright.task.words import Line, quoted

if TYPE_CHECKING:
    import numpy as np

CHOSEN = Scale(points=(Point(code=0, name="Not chosen"), Point(code=1, name="Chosen")))


@question_type
class SentencesQuestion(Question):
    """Asks for sentences of the passage, or of the reply.

    All sentences are stored with the chosen ones, as half-open ranges of code points. Answers can then be
    read, and become items, even if the rules for splitting text change.
    """

    needs_item: ClassVar[bool] = True
    selects: ClassVar[bool] = True
    EXAMPLE_ITEM: ClassVar[str] = "query"
    EXAMPLES: ClassVar = (
        {
            "name": "answering",
            "type": "sentences",
            "text": "Which sentences answer the question?",
            "none": "None of them",
        },
        {
            "name": "best",
            "type": "sentences",
            "text": "Choose the two best sentences.",
            "min_sentences": 2,
            "max_sentences": 2,
        },
    )

    type: Literal["sentences"]
    min_sentences: Annotated[int, Field(ge=1, le=1000)] = 1
    """The number of sentences that a rater must choose, unless `none` is ticked."""
    max_sentences: Annotated[int, Field(ge=1, le=1000)] | None = None
    """The most sentences that a rater may choose. Default: all."""
    none: Annotated[str, Field(min_length=1, max_length=120)] | None = None
    """The label of the box for "no sentence"; without it, at least one must be chosen."""

    @model_validator(mode="after")
    def _order(self) -> SentencesQuestion:
        if self.max_sentences is not None and self.min_sentences > self.max_sentences:
            raise ValueError("min_sentences is more than max_sentences")
        return self

    def applies(self, asking: Asking) -> bool:
        """Only if there are enough sentences."""
        return len(_offsets(asking)) >= (1 if self.none else self.min_sentences)

    def check(self, value: Any, asking: Asking) -> dict[str, Any]:
        """All sentences, and the positions of the chosen ones in order.

        A page sends the sentences that it showed; a reference answer in a study file may leave them out.
        """
        if not isinstance(value, dict) or not {"chosen"} <= set(value) <= {"sentences", "chosen"}:
            raise BadAnswer("Choose sentences of the text.")
        sentences, chosen = _offsets(asking), value["chosen"]
        if not _same(value.get("sentences", sentences), sentences):
            raise BadAnswer("The sentences do not match the text. Reload the page.")
        if not isinstance(chosen, list) or not all(_is_index(one, len(sentences)) for one in chosen):
            raise BadAnswer("Choose sentences of the text.")
        if len(set(chosen)) < len(chosen):
            raise BadAnswer("A sentence is chosen twice.")
        if not chosen and self.none is None:
            raise BadAnswer("Choose at least one sentence.")
        if self.max_sentences is not None and len(chosen) > self.max_sentences:
            raise BadAnswer(
                "Choose at most {most} sentences. You chose {sentences}.",
                most=self.max_sentences,
                sentences=len(chosen),
            )
        return {"sentences": sentences, "chosen": sorted(chosen)}

    def check_complete(self, value: dict[str, Any]) -> None:
        """Enough sentences, unless none is chosen on purpose."""
        chosen = len(value["chosen"])
        if 0 < chosen < self.min_sentences:
            raise BadAnswer(
                "Choose at least {least} sentences. You chose {sentences}.",
                least=self.min_sentences,
                sentences=chosen,
            )

    def code(self, value: dict[str, Any]) -> None:
        """None: sentences are counted one by one."""
        return

    def parts(self, value: dict[str, Any]) -> dict[str, AnswerPart]:
        """`s0`, `s1` ...: each sentence with 1 if it is chosen and 0 if not."""
        chosen = set(value["chosen"])
        return {
            f"s{n}": AnswerPart(self.aspect, span, int(n in chosen))
            for n, span in enumerate(value["sentences"])
        }

    def answer_scales(self, scales: Mapping[str, Scale]) -> Mapping[str, Scale]:
        """What the code of a sentence means."""
        return {"*": CHOSEN}

    def selected(self, value: dict[str, Any]) -> tuple[tuple[int, int], ...]:
        """The chosen sentences."""
        bounds = [value["sentences"][place] for place in value["chosen"]]
        return tuple((start, end) for start, end in bounds)

    def chosen(self, value: dict[str, Any]) -> tuple[frozenset[int], int]:
        """The chosen sentences, and the number of all."""
        return frozenset(value["chosen"]), len(value["sentences"])

    def part_text(self, part: str) -> str:
        """The same for all sentences, because they have no names."""
        return "(all sentences)"

    def words(self, value: dict[str, Any], asking: Asking) -> tuple[Line, ...]:
        """The chosen sentences, or the label for none."""
        chosen = [asking.item.text[start:end] for start, end in self.selected(value)]
        if not chosen and self.none:
            return (Line((self.none,)),)
        return (Line(tuple(map(quoted, chosen))),)

    def answer_schema(self, asking: Asking) -> dict[str, Any]:
        """The positions of the chosen sentences, counted from 0; the sentences themselves may be repeated."""
        sentences = _offsets(asking)
        limits = {"minItems": self.min_sentences, "maxItems": self.max_sentences or len(sentences)}
        places = {"type": "integer", "minimum": 0, "maximum": len(sentences) - 1}
        some = {"type": "array", "items": places, "uniqueItems": True, **limits}
        chosen = {"anyOf": [some, {"type": "array", "maxItems": 0}]} if self.none else some
        return {
            "type": "object",
            "properties": {"chosen": chosen, "sentences": {"const": sentences}},
            "required": ["chosen"],
            "additionalProperties": False,
        }

    def prompt(self, asking: Asking) -> str:
        """The sentences with their positions, and how many to choose."""
        text = asking.item.text
        lines = [f"{place}: {text[start:end]}" for place, (start, end) in enumerate(_offsets(asking))]
        most = min(self.max_sentences or len(lines), len(lines))
        wanted = count_range(self.min_sentences, most)
        instruction = f'Answer with an object: "chosen" is a list of {wanted} numbers of sentences.'
        if self.none:
            instruction += f' An empty list means "{self.none}".'
        return compose_prompt(self.text, lines, instruction)

    def sample(self, asking: Asking, random: np.random.Generator) -> dict[str, Any]:
        """A valid number of sentences; sometimes none."""
        sentences = _offsets(asking)
        most = min(self.max_sentences or len(sentences), len(sentences))
        nothing = self.none is not None and (most < self.min_sentences or random.random() < 0.2)
        wanted = 0 if nothing else int(random.integers(self.min_sentences, most + 1))
        chosen = sorted(int(n) for n in random.choice(len(sentences), wanted, replace=False))
        return {"sentences": sentences, "chosen": chosen}

    def missing(self) -> str:
        """What to do, in one sentence."""
        if self.none is None:
            return "Choose at least one sentence."
        return "Choose at least one sentence, or say that there is none."

    def view(self, asking: Asking) -> dict[str, Any]:
        """The sentences with their offsets, the limits, and the label for none."""
        text = asking.item.text
        return super().view(asking) | {
            "sentences": [
                {"start": start, "end": end, "text": text[start:end]} for start, end in _offsets(asking)
            ],
            "min_sentences": self.min_sentences,
            "max_sentences": self.max_sentences,
            "none": self.none,
        }


def _offsets(asking: Asking) -> list[list[int]]:
    return [[sentence.start, sentence.end] for sentence in split_sentences(asking.item.text)]


def _same(given: Any, sentences: list[list[int]]) -> bool:
    """Whether both are equal in type too, because True == 1 and 1.0 == 1 in Python."""
    return bool(given == sentences) and all(type(offset) is int for span in given for offset in span)


def _is_index(value: Any, count: int) -> bool:
    return type(value) is int and 0 <= value < count


def chosen_sentences(value: Mapping[str, Any]) -> list[tuple[int, int]]:
    """The offsets of the chosen sentences of a stored answer, for measures and for items made of them.

    >>> chosen_sentences({"sentences": [[0, 4], [5, 9]], "chosen": [1]})
    [(5, 9)]
    """
    return [(value["sentences"][n][0], value["sentences"][n][1]) for n in value["chosen"]]
