"""The questionnaire before tasks: about the rater, about the topic of a batch, and a quiz.

Anybody with a valid link answers for themselves. The rater is locked while a quiz is scored.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from labelwright.server.access.queries import Visitor
from labelwright.server.offering.actions.search import NoWork
from labelwright.server.rating import queries
from labelwright.server.rating.actions.answers import BadAnswers
from labelwright.server.store.models import Rater, RaterSheet
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import NotFound
from labelwright.study import Study
from labelwright.task import QuizPart, Sheet, check_sheets

LONGEST_ID = 18
"""Digits of an id; there are no longer ones."""


class SheetPart(enum.StrEnum):
    """A part of the questionnaire."""

    DEMOGRAPHICS = "demographics"
    QUIZ = "quiz"
    FAMILIARITY = "familiarity"


@dataclass(frozen=True, slots=True)
class Due:
    """What a rater is asked next."""

    part: SheetPart
    sheets: tuple[Sheet, ...]
    key: str = ""
    tries: int = 0
    """Tries of a quiz so far."""


@dataclass(frozen=True, slots=True)
class SheetOutcome:
    """The result of answers; in a quiz, the reasons at the wrong ones by position and how many tries are left."""

    closed: bool = True
    passed: bool | None = None
    tries_left: int = 0
    reasons: Mapping[int, str] = field(default_factory=dict)


def get_due(visitor: Visitor) -> Due | NoWork | None:
    """What the rater is asked before the next task, if anything; no query if the study asks nothing.

    A rater who failed the quiz gets no work if the study continues only with raters who passed.
    """
    study = study_of(visitor.version)
    if not study.demographics and study.quiz is None:
        return None
    answered = queries.answered_sheets(visitor.rater, "")
    if study.demographics and SheetPart.DEMOGRAPHICS not in answered:
        return Due(SheetPart.DEMOGRAPHICS, study.asked_before(SheetPart.DEMOGRAPHICS))
    if study.quiz is None:
        return None
    quiz = answered.get(SheetPart.QUIZ)
    if quiz is None or not quiz.closed:
        return Due(SheetPart.QUIZ, study.asked_before(SheetPart.QUIZ), tries=quiz.tries if quiz else 0)
    return NoWork.QUIZ if quiz.passed is False and study.quiz.otherwise == "stop" else None


def get_batch_due(visitor: Visitor, assignment: int) -> Due | None:
    """The questions about the topic of a batch, if this rater holds a task of it and was not asked yet."""
    study = study_of(visitor.version)
    if not study.familiarity:
        return None
    batch = str(queries.batch_of(assignment))
    if queries.answered_sheets(visitor.rater, batch):
        return None
    return Due(SheetPart.FAMILIARITY, study.asked_before(SheetPart.FAMILIARITY), key=batch)


@transaction.atomic
def answer(visitor: Visitor, part: SheetPart, key: str, answers: Any, now: datetime) -> SheetOutcome:
    """Stores the answers to a part; raises BadAnswers. A second answer changes nothing, except in a quiz with tries left.

    Locks the rater, so that two tabs do not count as two tries at once.
    """
    study = study_of(visitor.version)
    _check_asked(visitor, study, part, key)
    Rater.objects.select_for_update(no_key=True).get(pk=visitor.rater)
    row = RaterSheet.objects.filter(rater=visitor.rater, part=part, key=key).first()
    if row is not None and row.closed:
        return SheetOutcome(passed=row.passed)
    checked, problems = check_sheets(study.asked_before(part), answers)
    if problems:
        raise BadAnswers(problems)
    row = row or RaterSheet(
        study_id=visitor.study,
        version_id=visitor.version,
        rater_id=visitor.rater,
        part=part,
        key=key,
        tries=0,
    )
    row.answers = {given.question: given.value for given in checked}
    row.answered_at, row.tries = now, row.tries + 1
    outcome = _score(study.quiz, row) if part is SheetPart.QUIZ and study.quiz else SheetOutcome()
    row.closed, row.passed = outcome.closed, outcome.passed
    row.save()
    return outcome


def _score(quiz: QuizPart, row: RaterSheet) -> SheetOutcome:
    reasons = {
        position: question.right.reason
        for position, question in enumerate(quiz.questions)
        if not question.ask.meets(row.answers.get(question.ask.name), question.right)
    }
    row.right_share = 1 - len(reasons) / len(quiz.questions)
    passed = row.right_share >= quiz.right_share
    left = 0 if passed else max(0, quiz.tries - row.tries)
    return SheetOutcome(closed=passed or left == 0, passed=passed, tries_left=left, reasons=reasons)


def _check_asked(visitor: Visitor, study: Study, part: SheetPart, key: str) -> None:
    """Raises NotFound for a part that no page of this rater asks."""
    asked = {
        SheetPart.DEMOGRAPHICS: bool(study.demographics) and not key,
        SheetPart.QUIZ: study.quiz is not None and not key,
        SheetPart.FAMILIARITY: bool(study.familiarity) and _works_in(visitor, key),
    }
    if visitor.withdrawn or not (visitor.consented and asked[part]):
        raise NotFound


def _works_in(visitor: Visitor, batch: str) -> bool:
    # Only in the form in which we write it: with leading zeros, the same batch would have many keys.
    if not batch.isascii() or not batch.isdecimal() or len(batch) > LONGEST_ID or batch != str(int(batch)):
        return False
    return queries.works_in_batch(visitor.rater, int(batch))
