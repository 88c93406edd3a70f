"""What an applicant reads of a qualification: their answers beside the reference, with the reason of each."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.crowd.qualification import CONDITION, Given
from labelwright.server.actions.answer_words import ToldLine, answer_in_words
from labelwright.server.actions.pools import get_pool
from labelwright.server.actions.qualification import Submitted, get_submitted
from labelwright.server.store.items import rater_number, stored_items
from labelwright.server.store.models import Study
from labelwright.server.store.versions import study_of
from labelwright.task import Asking
from labelwright.task.candidates import letters_of
from labelwright.task.questions import BadAnswer, Question


@dataclass(frozen=True, slots=True)
class Told:
    """One answer of an applicant beside the reference, as feedback."""

    item: str
    reply: str
    question: str
    own: list[ToldLine]
    """Nothing where it was left open."""
    reference: list[ToldLine]
    reason: str
    right: bool
    candidates: list[tuple[str, str]]
    """Letter and text of each, as this applicant saw them."""


def get_told(study: Study, pool_name: str, rater: int) -> list[Told]:
    """An applicant's answers beside the reference, with the reason of each; for the requester at any time."""
    file = study_of(study.versions.latest("n").pk)
    part = file.pools[pool_name].qualification
    assert part is not None
    questions = {question.name: question for question in file.designs[part.design].questions}
    work = list(get_submitted(get_pool(study, pool_name), file, part, rater))
    items, number = stored_items([one.item for one in work]), rater_number(rater)
    told = []
    for one in work:
        asking = study_of(one.version).asking_of(number, CONDITION + pool_name, items[one.item])
        told += [
            Told(
                item=answer.item,
                reply=one.reply,
                question=questions[answer.question].text,
                own=_own_words(one, answer, pool_name, asking),
                reference=_reference_words(questions[answer.question], answer, asking),
                reason=file.gold[answer.item][answer.question].reason,
                right=answer.right,
                candidates=letters_of(asking),
            )
            for answer in one.given
        ]
    return told


def _own_words(one: Submitted, given: Given, pool: str, asking: Asking) -> list[ToldLine]:
    """By the question as it was asked; a later version may have others."""
    asked = study_of(one.version).design(CONDITION + pool).questions
    question = next((each for each in asked if each.name == given.question), None)
    return answer_in_words(question, given.value, asking) if question else []


def _reference_words(question: Question, given: Given, asking: Asking) -> list[ToldLine]:
    try:
        stored = question.check(given.reference, asking)
    except BadAnswer:
        # The code of an option will do where a rater would explain the choice too.
        stored = given.reference
    return answer_in_words(question, stored, asking)
