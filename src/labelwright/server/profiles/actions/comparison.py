"""A rater's answers next to the others' on the same tasks. Others are counts, never people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from labelwright.server.profiles import queries
from labelwright.server.profiles.queries import SubmittedItem
from labelwright.server.store.items import stored_items
from labelwright.server.store.versions import study_of
from labelwright.server.web.answer_words import AnswerLine, answer_in_words
from labelwright.task import Asking
from labelwright.task.candidates import letters_of

ON_A_PAGE = 25
"""Tasks on one page."""

_Place = tuple[int, int, str]
"""Assignment, position of the item, and question."""


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """One answer of the rater, line by line, each with the others' answers."""

    question: str
    lines: list[AnswerLine]
    passed: bool | None
    """Whether an attention check was passed; shown to requesters only. None for other questions."""


@dataclass(frozen=True, slots=True)
class ComparedItem:
    """One item of a rater's submitted work with the rater's answers."""

    of: SubmittedItem
    candidates: list[tuple[str, str]]
    """Letter and text of each, as this rater saw them."""
    answers: list[OwnAnswer]


def get_work(raters: Sequence[int], page: int) -> tuple[list[ComparedItem], int]:
    """A page of the submitted work of a person's raters, newest first, and the number of submitted tasks."""
    ids = queries.submitted_page(raters, limit=ON_A_PAGE, offset=(page - 1) * ON_A_PAGE)
    return compare_with_others(ids, with_checks=True), queries.count_submitted(raters)


def get_late_work(raters: Sequence[int]) -> list[SubmittedItem]:
    """The late submissions of a person's raters whose pay nobody has decided, each with its first item."""
    found = queries.submitted_items(queries.undecided_late(raters))
    return list({each.assignment: each for each in reversed(found)}.values())


def compare_with_others(assignments: Sequence[int], *, with_checks: bool = False) -> list[ComparedItem]:
    """Each item of the given work with the rater's and the others' answers; the newest work first.

    Attention checks are for requesters only: the stored answer reveals whether they were passed.
    """
    found = queries.submitted_items(assignments)
    own, others = _own(assignments), _others(assignments)
    items = stored_items([row.item for row in found])
    compared = []
    for row in found:
        asking = study_of(row.version).asking_of(row.rater_number, row.condition, items[row.item])
        answers = _answers(row, asking, own, others, with_checks=with_checks)
        compared.append(ComparedItem(row, letters_of(asking), answers))
    return compared


def _answers(
    row: SubmittedItem,
    asking: Asking,
    own: dict[_Place, Any],
    others: dict[_Place, list[tuple[Any, int]]],
    *,
    with_checks: bool,
) -> list[OwnAnswer]:
    design = study_of(row.version).design(row.condition)
    asked = [q for q in design.questions if with_checks or q.name not in design.attention_checks]
    return [
        OwnAnswer(
            question.text,
            answer_in_words(question, own[place], asking, others.get(place, ())),
            question.code(own[place]) == 1 if question.name in design.attention_checks else None,
        )
        for question in asked
        if (place := (row.assignment, row.position, question.name)) in own
    ]


def _own(assignments: Sequence[int]) -> dict[_Place, Any]:
    return {
        (answer.assignment, answer.position, answer.question): answer.value
        for answer in queries.own_answers(assignments)
    }


def _others(assignments: Sequence[int]) -> dict[_Place, list[tuple[Any, int]]]:
    answers: dict[_Place, list[tuple[Any, int]]] = {}
    for answer in queries.others_answers(assignments):
        place = (answer.assignment, answer.position, answer.question)
        answers.setdefault(place, []).append((answer.value, answer.n))
    return answers
