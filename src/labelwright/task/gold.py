"""Gold: reference answers to items whose right answer is known, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from labelwright.errors import listed
from labelwright.scales import Scale
from labelwright.task.design import TaskDesign
from labelwright.task.examples import wrong_answer
from labelwright.task.presentation import Asking
from labelwright.task.questions import Question
from labelwright.task.questions.base import Name
from labelwright.task.reference import Reference

ItemKey = Annotated[str, Field(min_length=1, max_length=220)]


Gold = dict[ItemKey, Annotated[dict[Name, Reference], Field(min_length=1)]]
"""Reference answers by the key of the item, then by the name of the question."""


def gold_problems(
    gold: Mapping[str, Mapping[str, Reference]],
    designs: Iterable[TaskDesign],
    scales: Mapping[str, Scale],
) -> Iterator[str]:
    """What is wrong with reference answers: a question that is not asked, or an answer that its question rejects.

    Where several designs have a question with the same name, one that accepts the answer is enough.
    """
    asked: dict[str, list[Question]] = {}
    for design in designs:
        for question in design.questions:
            asked.setdefault(question.name, []).append(question)
    for item, references in gold.items():
        for name, reference in references.items():
            if name not in asked:
                yield f'gold of "{item}" answers "{name}", which no design asks. Questions: {listed(sorted(asked))}'
            elif not any(_accepts(question, reference.answer, scales) for question in asked[name]):
                yield f'gold of "{item}": "{name}" rejects the answer {reference.answer!r}'


def _accepts(question: Question, answer: Any, scales: Mapping[str, Scale]) -> bool:
    # A question that needs the item is checked together with it, when the study is loaded.
    if question.needs_item or wrong_answer(question, Reference(answer=answer), Asking(scales)) is None:
        return True
    # The code of an option is enough where raters also explain their choice.
    return (
        isinstance(answer, int) and not isinstance(answer, bool) and answer in question.option_codes(scales)
    )


def misplaced_gold(
    gold: Mapping[str, Mapping[str, Reference]],
    askings: Mapping[str, Sequence[Asking]],
    designs: Iterable[TaskDesign],
) -> Iterator[str]:
    """What is wrong with reference answers to the items of a corpus: an impossible answer.

    `askings` holds each item as its conditions show it; one that accepts the answer is enough.
    """
    asked = [question for design in designs for question in design.questions if question.needs_item]
    for key, references in gold.items():
        for question in asked:
            reference = references.get(question.name)
            if reference is not None and all(
                wrong_answer(question, reference, each) for each in askings[key]
            ):
                yield f'gold of "{key}": "{question.name}" rejects the answer {reference.answer!r}'
