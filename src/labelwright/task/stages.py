"""Stages: the parts of texts that raters choose in one stage become the items of the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from labelwright.corpus import Item
from labelwright.task.grouping import TasksPart
from labelwright.task.questions import Question

Span = tuple[int, int]


class StagePart(BaseModel):
    """A stage whose items are made from the answers to a question of an earlier stage."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    """The question whose answers become items; it must be one that selects parts of the text."""
    after: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    """The conditions in which it is asked; by default all conditions of the first stage."""
    keep: Literal["any", "most", "one"] = "any"
    """Which parts become items: those that any rater chose, those that more than half of the raters chose, or
    those of each rater separately."""
    raters: Literal["any", "same", "other"] = "any"
    """Who judges the new items: anybody; only raters who judged the original item (with `keep: one`, the rater
    who chose the part); or only other raters."""
    opens: Literal["together", "singly"] = "together"
    """When the stage opens: once every item of the earlier stage has its ratings, or item by item."""
    tasks: TasksPart = TasksPart()
    """How the new items are grouped into tasks."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The parts of an item that one rater chose; `by` is the assignment."""

    by: int
    spans: tuple[Span, ...]


def kept_spans(chosen: Sequence[Chosen], part: StagePart) -> dict[Span, int | None]:
    """The spans that become items, in the order of the text, each with its assignment for `keep: one`.

    With `keep: one` a span that two raters chose becomes two items, so call this with one rater at a time.

    >>> votes = [Chosen(1, ((0, 4), (5, 9))), Chosen(2, ((5, 9),)), Chosen(3, ((5, 9), (10, 12)))]
    >>> list(kept_spans(votes, StagePart(question="q", keep="most")))
    [(5, 9)]
    >>> list(kept_spans(votes, StagePart(question="q", keep="any")))
    [(0, 4), (5, 9), (10, 12)]
    """
    votes = Counter(span for choice in chosen for span in set(choice.spans))
    least = len(chosen) // 2 + 1 if part.keep == "most" else 1
    by = chosen[0].by if part.keep == "one" and len(chosen) == 1 else None
    return {span: by for span, n in sorted(votes.items()) if n >= least}


def stage_items(parent: Item, text: str, chosen: Sequence[Chosen], part: StagePart) -> list[Item]:
    """The items made from the parts that raters chose in an item; the payload of each names that item."""
    votes = [[choice] for choice in chosen] if part.keep == "one" else [list(chosen)]
    return [
        Item(
            f"{parent.key}/{start}-{end}" + (f"@{by}" if by is not None else ""),
            parent.dialogue,
            parent.target,
            parent.system,
            "query",
            parent.category,
            {
                "passage": {"id": f"{start}-{end}", "text": text[start:end]},
                "parent": parent.key,
                "span": [start, end],
                "chosen_in": by,
                **({"weight": parent.payload["weight"]} if "weight" in parent.payload else {}),
            },
        )
        for each in votes
        for (start, end), by in kept_spans(each, part).items()
    ]


def stage_problems(
    stages: Mapping[str, StagePart],
    of_condition: Mapping[str, str | None],
    questions: Mapping[str, Mapping[str, Question]],
) -> Iterator[str]:
    """What is wrong with stages; `of_condition` is the stage, `questions` the questions of each condition."""
    if stages and None not in of_condition.values():
        yield "every condition belongs to a later stage, so no work can begin"
    for condition, stage in of_condition.items():
        if stage is not None and stage not in stages:
            yield f'condition "{condition}" belongs to stage "{stage}", which is not defined'
    for name, part in stages.items():
        if name not in of_condition.values():
            yield f'stage "{name}" has no condition'
        for condition in part.after or first_conditions(of_condition):
            if condition not in of_condition or of_condition[condition] == name:
                yield f'stage "{name}" comes after "{condition}", which is not a condition of an earlier stage'
                continue
            question = questions[condition].get(part.question)
            if question is None or not question.selects:
                yield f'stage "{name}": condition "{condition}" has no question "{part.question}" that selects parts of a text'


def first_conditions(of_condition: Mapping[str, str | None]) -> tuple[str, ...]:
    """The conditions of the first stage."""
    return tuple(name for name, stage in of_condition.items() if stage is None)
