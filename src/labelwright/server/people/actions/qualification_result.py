"""The result of a qualification: an applicant's answers next to the reference answers, with reasons."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.crowd.qualification import CONDITION, Given
from labelwright.server.people.actions.pools import get_pool
from labelwright.server.people.actions.qualification import QualifyingWork, get_submitted
from labelwright.server.store.items import rater_number, stored_items
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.web.answer_words import AnswerLine, answer_in_words
from labelwright.task import Asking
from labelwright.task.candidates import letters_of
from labelwright.task.questions import BadAnswer, Question


@dataclass(frozen=True, slots=True)
class ComparedAnswer:
    """One answer of an applicant and the reference answer."""

    item: str
    reply: str
    question: str
    own: list[AnswerLine]
    """Empty if the question was not answered."""
    reference: list[AnswerLine]
    reason: str
    right: bool
    candidates: list[tuple[str, str]]
    """Letter and text of each, as this applicant saw them."""


def get_result(study: StudyRow, pool_name: str, rater: int) -> list[ComparedAnswer]:
    """An applicant's answers next to the reference answers; requesters may look at any time."""
    file = study_of(study.versions.latest("n").pk)
    part = file.pools[pool_name].qualification
    assert part is not None
    questions = {question.name: question for question in file.designs[part.design].questions}
    work = get_submitted(get_pool(study, pool_name), file, part, rater)
    items, number = stored_items([one.item for one in work]), rater_number(rater)
    compared = []
    for one in work:
        asking = study_of(one.version).asking_of(number, CONDITION + pool_name, items[one.item])
        compared += [
            ComparedAnswer(
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
    return compared


def _own_words(one: QualifyingWork, given: Given, pool: str, asking: Asking) -> list[AnswerLine]:
    """In the words of the question as it was asked; a later version may word it differently."""
    asked = study_of(one.version).design(CONDITION + pool).questions
    question = next((each for each in asked if each.name == given.question), None)
    return answer_in_words(question, given.value, asking) if question else []


def _reference_words(question: Question, given: Given, asking: Asking) -> list[AnswerLine]:
    try:
        stored = question.check(given.reference, asking)
    except BadAnswer:
        # A reference may be the code of an option although raters also explain their choice.
        stored = given.reference
    return answer_in_words(question, stored, asking)
