"""Contents: what raters marked, chose or wrote, read from stored answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from labelwright.quality import AnswerContent, content_of
from labelwright.server.flagging.queries import work as queries
from labelwright.server.flagging.queries.blocks import WorkToFlag
from labelwright.server.flagging.queries.work import StoredAnswer
from labelwright.server.store.items import stored_items
from labelwright.server.store.versions import study_of
from labelwright.task.questions import Question

Lengths = Mapping[tuple[int, int], int]
"""The number of characters of the judged text, by assignment and position."""


@lru_cache(maxsize=1024)
def questions_of(version: int, condition: str) -> Mapping[str, Question]:
    """The questions of a condition by name, including those about the task as a whole."""
    design = study_of(version).design(condition)
    return {question.name: question for question in (*design.questions, *design.feedback)}


@lru_cache(maxsize=1024)
def option_names(version: int, condition: str) -> Mapping[str, Mapping[int, str]]:
    """The names of the codes of each question of a condition."""
    scales = study_of(version).scales
    found = {
        name: question.answer_scales(scales).get("")
        for name, question in questions_of(version, condition).items()
    }
    return {
        name: {point.code: point.name for point in scale.points} for name, scale in found.items() if scale
    }


def content_names(block: Sequence[WorkToFlag]) -> list[str]:
    """The questions whose answers may have content."""
    names = {name for work in block for name in questions_of(work.version, work.condition)}
    return sorted(names)


def text_lengths(block: Sequence[WorkToFlag]) -> Lengths:
    """The lengths of the texts in which raters mark parts; no query if nothing can be marked."""
    marking = [
        work
        for work in block
        if any(question.selects for question in questions_of(work.version, work.condition).values())
    ]
    if not marking:
        return {}
    places = queries.work_items([work.assignment for work in marking])
    items = stored_items(sorted({place.item for place in places}))
    by_id = {work.assignment: work for work in marking}
    lengths = {}
    for place in places:
        work = by_id[place.assignment]
        asking = study_of(work.version).asking(work.condition, items[place.item])
        lengths[place.assignment, place.position] = len(asking.item.text)
    return lengths


def read_content(work: WorkToFlag, answer: StoredAnswer, length: int) -> AnswerContent | None:
    """The content of an answer to a question of the work's design, given by its rater or another."""
    question = questions_of(work.version, work.condition).get(answer.question)
    value = answer.value
    return content_of(question, value, length) if question is not None and value is not None else None
