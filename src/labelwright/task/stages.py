"""Stages: what raters chose in one stage becomes the items of the next."""

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
    """A stage whose items are made of answers to a question of an earlier one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str
    """The question whose answers choose: one that chooses parts of the text under judgment."""
    after: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    """The conditions in which it is asked; every one of the first stage when left out."""
    keep: Literal["any", "most", "one"] = "any"
    """What becomes an item: what any rater chose; what more than half of them chose; or what each one chose,
    for each of them an item of its own."""
    raters: Literal["any", "same", "other"] = "any"
    """Who judges it: anybody; only those who judged what it was chosen from (with `keep: one`, who chose it);
    or only others."""
    opens: Literal["together", "singly"] = "together"
    """When: once every item of the earlier stage has its ratings, or each item as soon as it has them."""
    tasks: TasksPart = TasksPart()
    """How the new items are gathered into tasks."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What one rater chose in an item; `by` names the work it was chosen in."""

    by: int
    spans: tuple[Span, ...]


def kept_spans(chosen: Sequence[Chosen], part: StagePart) -> dict[Span, int | None]:
    """The spans that become items, in the order of the text; by whom, where each rater's are apart.

    With `keep: one` the same span chosen by two raters is two items, so this takes one rater at a time.

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
    """The items that are made of an item's choices; each names its parent in the payload."""
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
    """What is wrong with stages; `of_condition` gives each condition's stage, `questions` what each condition asks."""
    if stages and None not in of_condition.values():
        yield "every condition is of a later stage, so nothing begins"
    for condition, stage in of_condition.items():
        if stage is not None and stage not in stages:
            yield f'condition "{condition}" is of stage "{stage}", which is not defined'
    for name, part in stages.items():
        if name not in of_condition.values():
            yield f'stage "{name}" has no condition'
        for condition in part.after or first_conditions(of_condition):
            if condition not in of_condition or of_condition[condition] == name:
                yield f'stage "{name}" comes after "{condition}", which is no condition before it'
                continue
            question = questions[condition].get(part.question)
            if question is None or not question.selects:
                yield f'stage "{name}": condition "{condition}" asks no question "{part.question}" that chooses parts of a text'


def first_conditions(of_condition: Mapping[str, str | None]) -> tuple[str, ...]:
    """The conditions of the first stage."""
    return tuple(name for name, stage in of_condition.items() if stage is None)
