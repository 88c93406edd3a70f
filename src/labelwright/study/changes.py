"""The changes between two versions of a study: which parts keep its tasks, and which make tasks new."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import shorten
from typing import Any

from labelwright.study.content import all_conditions, asked_content, has_same_codes, scales_of
from labelwright.study.model import Study
from labelwright.task import TaskDesign, TasksPart
from labelwright.task.questions import Question

LONGEST_TEXT = 100
"""Characters of a question that a phrase quotes."""


@dataclass(frozen=True, slots=True)
class Renewed:
    """A condition whose tasks become new."""

    condition: str
    reasons: tuple[str, ...]
    """What changed, as phrases: 'the text of question "How useful is the reply?" changed'."""
    reworded: bool
    """Whether only wording changed, so that the requester can declare that the meaning is the same."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The difference between two versions of a study."""

    kept: tuple[str, ...]
    """Changed parts that keep every task and rating, as phrases."""
    renewed: tuple[Renewed, ...]
    added: tuple[str, ...]
    """New conditions."""
    removed: tuple[str, ...]

    def renewal(self, condition: str) -> Renewed | None:
        """Why the tasks of a condition become new; None if they do not."""
        return next((each for each in self.renewed if each.condition == condition), None)


def compare(old: Study, new: Study) -> Changes:
    """What changed from one version of a study to the next. Items are compared when a study is loaded."""
    before, after = all_conditions(old), all_conditions(new)
    both = [name for name in after if name in before]
    renewed = [name for name in both if asked_content(old, name) != asked_content(new, name)]
    return Changes(
        kept=tuple(_kept(old, new)),
        renewed=tuple(
            Renewed(name, tuple(_reasons(old, new, name)), has_same_codes(old, new, name)) for name in renewed
        ),
        added=tuple(name for name in after if name not in before),
        removed=tuple(name for name in before if name not in after),
    )


_PARTS = {
    "title": "the title",
    "language": "the language",
    "seed": "the seed",
    "corpus": "the corpus",
    "items": "the choice of items",
    "aspects": "the aspects",
    "stages": "the stages",
    "redundancy": "the number of ratings per item",
    "assignment": "the assignment rules",
    "sets": "the item sets",
    "batches": "the calendar",
    "quality": "the quality rules",
    "record_typing": "the recording of typing",
    "review": "the review",
    "consent": "the consent form",
    "retention": "the retention of data",
    "content_warning": "the content warning",
    "demographics": "the demographics questions",
    "familiarity": "the familiarity questions",
    "quiz": "the quiz",
    "debriefing": "the debriefing",
    "gold": "the reference answers",
    "plan": "the analysis plan",
}
_DESIGN = ("title", "purpose", "scenario", "lead", "instructions", "examples", "guidelines", "minutes")
_POOL = {"raters": "the number of raters", "pay": "the pay", "caps": "the caps", "groups": "the groups"}


def _kept(old: Study, new: Study) -> Iterator[str]:
    """Changed parts outside the content of tasks."""
    for field, noun in _PARTS.items():
        if getattr(old, field) != getattr(new, field):
            yield f"{noun} changed"
    yield from _kept_tasks(old.tasks, new.tasks)
    for name in _in_both(old.designs, new.designs):
        for field in _DESIGN:
            if getattr(old.designs[name], field) != getattr(new.designs[name], field):
                yield f'the {field} of design "{name}" changed'
    for name in _in_both(old.conditions, new.conditions):
        first, second = old.conditions[name], new.conditions[name]
        if first.instructions != second.instructions:
            yield f'the instructions of condition "{name}" changed'
        if first.redundancy != second.redundancy:
            yield f'the number of ratings in condition "{name}" changed'
    yield from _kept_pools(old, new)


def _kept_tasks(old: TasksPart, new: TasksPart) -> Iterator[str]:
    if not old.groups_like(new):
        yield "the grouping of items into tasks changed"
    if old.gold_one_in != new.gold_one_in:
        yield "how often raters meet gold changed"


def _kept_pools(old: Study, new: Study) -> Iterator[str]:
    for name in _in_both(old.pools, new.pools):
        first, second = old.pools[name], new.pools[name]
        named = [noun for field, noun in _POOL.items() if getattr(first, field) != getattr(second, field)]
        for noun in named or (["the settings"] if first != second else []):
            yield f'{noun} of pool "{name}" changed'


def _reasons(old: Study, new: Study, condition: str) -> Iterator[str]:
    """What makes the tasks of a condition new."""
    first, second = old.condition(condition), new.condition(condition)
    if first.context != second.context:
        yield "shows other text"
    elif any(old.context.recipe(kind) != new.context.recipe(kind) for kind in first.context.kinds):
        yield "its generated texts have another recipe"
    if first.stage != second.stage:
        yield "belongs to another stage"
    designs = old.design(condition), new.design(condition)
    if designs[0].display != designs[1].display:
        yield "displays texts differently"
    yield from _asked_reasons(*designs)
    for scale in sorted(scales_of(designs[0]) & scales_of(designs[1])):
        if old.scales[scale] != new.scales[scale]:
            yield f'scale "{scale}" changed'


def _asked_reasons(old: TaskDesign, new: TaskDesign) -> Iterator[str]:
    before = {question.name: question for question in (*old.questions, *old.feedback)}
    after = {question.name: question for question in (*new.questions, *new.feedback)}
    for name, question in after.items():
        if name not in before:
            yield f"{_named(question)} is new"
            continue
        fields = [
            field
            for field in type(question).model_fields
            if field != "aim" and getattr(before[name], field, None) != getattr(question, field)
        ]
        if fields == ["text"]:
            yield f"the text of {_named(question)} changed"
        elif fields:
            yield f"{_named(question)} changed"
    for name, question in before.items():
        if name not in after:
            yield f"{_named(question)} was removed"
    if list(before) != list(after) and set(before) == set(after):
        yield "the questions have another order"
    if old.labels != new.labels:
        yield "the derived labels changed"


def _named(question: Question) -> str:
    """A question by its text, as raters read it; its name is known only to the author of the file."""
    return f'question "{shorten(question.text, LONGEST_TEXT, placeholder=" …")}"'


def _in_both(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterable[str]:
    return (name for name in new if name in old)
