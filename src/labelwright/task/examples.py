"""Worked examples: an item with the right answer to each question, and the reason for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from labelwright.context import ContextRecipe
from labelwright.scales import Scale
from labelwright.task.presentation import Asking, ItemParts, StoredItem, item_parts
from labelwright.task.questions.base import BadAnswer, Name, Question
from labelwright.task.reference import Reference

MOST_TURNS = 200
_ALL = ContextRecipe(turns_before=MOST_TURNS, next_turn=True)


class ExampleTurn(BaseModel):
    """A turn written for an example."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    speaker: Annotated[str, Field(min_length=1, max_length=40)]
    """Who speaks, such as user or system."""
    text: Annotated[str, Field(min_length=1, max_length=5000)]
    """What they say."""


class ExampleItem(BaseModel):
    """An item written for an example; raters never judge it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["exchange", "dialogue", "query", "candidates"] = "exchange"
    """The kind of item, as under `items`."""
    turns: Annotated[tuple[ExampleTurn, ...], Field(min_length=1, max_length=MOST_TURNS)]
    """The turns of the conversation."""
    target: Annotated[int, Field(ge=0)] | None = None
    """The position of the turn that is judged or answered; by default the last one."""
    passage: Annotated[str, Field(max_length=20_000)] = ""
    """The passage, for items of kind `query`."""
    candidates: tuple[Annotated[str, Field(min_length=1, max_length=5000)], ...] = ()
    """The texts of the candidates, for items of kind `candidates`."""

    @model_validator(mode="after")
    def _fitting(self) -> ExampleItem:
        if self.at >= len(self.turns):
            raise ValueError(
                f"target is {self.target}, but there are only {len(self.turns)} turns, counted from 0"
            )
        if self.kind == "exchange" and self.at == 0:
            raise ValueError("an exchange needs a turn before the one that is judged")
        if (self.kind == "query") != bool(self.passage):
            raise ValueError("only items of kind: query have a passage, and they need one")
        if (self.kind == "candidates") != bool(self.candidates):
            raise ValueError("only items of kind: candidates have candidates, and they need some")
        return self

    @property
    def at(self) -> int:
        """The position of the target."""
        return len(self.turns) - 1 if self.target is None else self.target

    @property
    def stored(self) -> StoredItem:
        """The item as the database would hold it."""
        payload = {
            "passage": {"text": self.passage},
            "candidates": [{"text": text} for text in self.candidates],
        }
        return StoredItem(self.kind, [turn.model_dump() for turn in self.turns], self.at, payload)

    @property
    def parts(self) -> ItemParts:
        """The parts that a rater sees, which are all of them."""
        return item_parts(self.stored, _ALL)


class Example(BaseModel):
    """A worked example."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Annotated[str, Field(max_length=120)] = ""
    """A heading above the example."""
    item: ExampleItem
    """The item that raters see in it."""
    answers: Annotated[dict[Name, Reference], Field(min_length=1)]
    """The right answers by question, each with its reason; the other questions are not shown."""


def example_problems(
    examples: Iterable[Example], questions: Iterable[Question], scales: Mapping[str, Scale]
) -> Iterator[str]:
    """What is wrong with examples: a question that is not asked, or an answer that its question rejects."""
    asked = {question.name: question for question in questions}
    for number, example in enumerate(examples, start=1):
        asking = Asking(scales, example.item.parts)
        for name, reference in example.answers.items():
            if name not in asked:
                yield f'example {number} answers "{name}", which is not asked. Asked: {", ".join(asked)}'
            elif wrong := wrong_answer(asked[name], reference, asking):
                yield f'example {number}: "{name}" rejects {reference.answer!r}. {wrong}'


def wrong_answer(question: Question, reference: Reference, asking: Asking) -> str | None:
    """Why a question rejects a reference answer; None if it accepts the answer."""
    # A scale that is not defined is reported elsewhere.
    if any(name not in asking.scales for _, name in question.used_names("scales")):
        return None
    try:
        question.check_complete(question.check(reference.answer, asking))
    except BadAnswer as bad:
        return str(bad)
    return None
