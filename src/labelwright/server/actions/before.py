"""What a rater is asked before tasks: about themselves, about the topic of a batch, and a quiz.

Anybody with a valid link answers for themselves. The rater's sheet is locked while a quiz is counted.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from labelwright.server.actions.assignment import NoWork
from labelwright.server.actions.errors import BadAnswers, NotHere
from labelwright.server.actions.links import Visitor
from labelwright.server.store.models import Rater, RaterSheet
from labelwright.server.store.rows import rows
from labelwright.server.store.versions import study_of
from labelwright.study import Study
from labelwright.task import QuizPart, Sheet, check_sheets

LONGEST_ID = 18
"""Digits of an id; longer ones are nobody's."""


class Part(enum.StrEnum):
    """A part that is asked apart from tasks."""

    DEMOGRAPHICS = "demographics"
    QUIZ = "quiz"
    FAMILIARITY = "familiarity"


@dataclass(frozen=True, slots=True)
class Due:
    """What a rater is asked next."""

    part: Part
    sheets: tuple[Sheet, ...]
    key: str = ""
    tries: int = 0
    """Tries of a quiz so far."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What answers came to; in a quiz, the reasons at the wrong ones by position and how many tries are left."""

    closed: bool = True
    passed: bool | None = None
    tries_left: int = 0
    reasons: Mapping[int, str] = field(default_factory=dict)


def get_due(visitor: Visitor) -> Due | NoWork | None:
    """What the rater is asked before the next task, if anything; no query where the study asks nothing.

    Nothing is offered to a rater who did not pass the quiz of a study that goes on only with those who did.
    """
    study = study_of(visitor.version)
    if not study.demographics and study.quiz is None:
        return None
    seen = _seen(visitor.rater, "")
    if study.demographics and Part.DEMOGRAPHICS not in seen:
        return Due(Part.DEMOGRAPHICS, study.asked_before(Part.DEMOGRAPHICS))
    if study.quiz is None:
        return None
    closed, passed, tries = seen.get(Part.QUIZ, (False, None, 0))
    if not closed:
        return Due(Part.QUIZ, study.asked_before(Part.QUIZ), tries=tries)
    return NoWork.QUIZ if passed is False and study.quiz.otherwise == "stop" else None


def get_batch_due(visitor: Visitor, assignment: int) -> Due | None:
    """The questions on the topic of a batch, if this rater holds a task of it and was not asked yet."""
    study = study_of(visitor.version)
    if not study.familiarity:
        return None
    batch = rows(
        "SELECT t.batch_id FROM assignment a JOIN task t ON t.id = a.task_id WHERE a.id = %s", [assignment]
    )[0][0]
    if _seen(visitor.rater, str(batch)):
        return None
    return Due(Part.FAMILIARITY, study.asked_before(Part.FAMILIARITY), key=str(batch))


@transaction.atomic
def answer(visitor: Visitor, part: Part, key: str, answers: Any, now: datetime) -> Outcome:
    """Stores the answers to a part; raises BadAnswers. Answered again it changes nothing, but for a quiz with tries left.

    Locks the rater, so that two tabs do not count as two tries at once.
    """
    study = study_of(visitor.version)
    _check_asked(visitor, study, part, key)
    Rater.objects.select_for_update(no_key=True).get(pk=visitor.rater)
    row = RaterSheet.objects.filter(rater=visitor.rater, part=part, key=key).first()
    if row is not None and row.closed:
        return Outcome(passed=row.passed)
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
    outcome = _marked(study.quiz, row) if part is Part.QUIZ and study.quiz else Outcome()
    row.closed, row.passed = outcome.closed, outcome.passed
    row.save()
    return outcome


def _marked(quiz: QuizPart, row: RaterSheet) -> Outcome:
    reasons = {
        position: question.right.reason
        for position, question in enumerate(quiz.questions)
        if not question.ask.meets(row.answers.get(question.ask.name), question.right)
    }
    row.right_share = 1 - len(reasons) / len(quiz.questions)
    passed = row.right_share >= quiz.right_share
    left = 0 if passed else max(0, quiz.tries - row.tries)
    return Outcome(closed=passed or left == 0, passed=passed, tries_left=left, reasons=reasons)


def _check_asked(visitor: Visitor, study: Study, part: Part, key: str) -> None:
    """Raises NotHere for what no page of this rater asks."""
    asked = {
        Part.DEMOGRAPHICS: bool(study.demographics) and not key,
        Part.QUIZ: study.quiz is not None and not key,
        Part.FAMILIARITY: bool(study.familiarity) and _works_in(visitor, key),
    }
    if visitor.withdrawn or not (visitor.consented and asked[part]):
        raise NotHere


def _works_in(visitor: Visitor, batch: str) -> bool:
    # Only as we write it: with noughts before it, it would be the same batch under many keys.
    if not batch.isascii() or not batch.isdecimal() or len(batch) > LONGEST_ID or batch != str(int(batch)):
        return False
    found = rows(
        """SELECT 1 FROM assignment a JOIN task t ON t.id = a.task_id
           WHERE a.rater_id = %s AND t.batch_id = %s LIMIT 1""",
        [visitor.rater, int(batch)],
    )
    return bool(found)


def _seen(rater: int, key: str) -> dict[str, tuple[bool, bool | None, int]]:
    """What was answered: by part, whether it is closed, whether it was passed, and after how many tries."""
    found = rows(
        "SELECT part, closed, passed, tries FROM rater_sheet WHERE rater_id = %s AND key = %s", [rater, key]
    )
    return {part: (closed, passed, tries) for part, closed, passed, tries in found}
