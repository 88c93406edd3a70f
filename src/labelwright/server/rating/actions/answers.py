"""Saving and submitting answers.

Anybody with the token of the newest visit may save and submit. Locks are taken in the order rater,
assignment, place, rater_count, offered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from labelwright.crowd import STORED, AssignmentState
from labelwright.quality.typing_facts import read_typing
from labelwright.server.access.actions.links import hash_token
from labelwright.server.access.actions.receipts import receipt_of
from labelwright.server.config import metrics
from labelwright.server.offering.actions.leases import check_writable, extend_lease, lock_held, take_back
from labelwright.server.offering.queries import visits
from labelwright.server.offering.queries.visits import Held
from labelwright.server.rating import queries
from labelwright.server.rating.actions.consent import get_typing_consent
from labelwright.server.rating.queries import SavedDraft
from labelwright.server.store.items import items_of
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import RaterError
from labelwright.study import Study
from labelwright.task import Asking, Problem, check_answers, check_draft


class BadAnswers(RaterError):
    """Answers that the task does not accept; nothing was stored."""

    code: ClassVar[str] = "bad_answers"
    status: ClassVar[HTTPStatus] = HTTPStatus.UNPROCESSABLE_ENTITY

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = problems
        super().__init__(
            "Your answers are kept on this page.",
            "Questions to check before you submit: {number}.",
            number=len(problems),
        )

    def facts(self) -> dict[str, Any]:
        """Each problem at its question, in the language of the page."""
        return {
            "problems": [
                {
                    "position": problem.position,
                    "question": problem.question,
                    "message": _(problem.sentence).format(**problem.values),
                }
                for problem in self.problems
            ]
        }


class StaleRevision(RaterError):
    """Other answers were saved since the page was loaded."""

    code: ClassVar[str] = "stale_revision"
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT

    def __init__(self, saved: SavedDraft | None) -> None:
        self.saved = saved
        super().__init__("Newer answers were saved on another page. This page shows them now.")

    def facts(self) -> dict[str, Any]:
        """The newer answers."""
        return {"revision": self.saved.revision, "answers": self.saved.answers} if self.saved else {}


class PlaceGone(RaterError):
    """The lease ran out and somebody else has the place."""

    code: ClassVar[str] = "place_gone"
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT

    def __init__(self) -> None:
        super().__init__(
            "Your answers are kept. Your time ran out and this task went to someone else; "
            "we will check whether we can pay you for it."
        )


@dataclass(frozen=True, slots=True)
class Saved:
    """The result of a save."""

    revision: int
    saved_at: datetime


def save(token: str, answers: Any, save_id: str, expected: int, now: datetime) -> Saved:
    """Keeps unfinished answers as the next revision; a repeated save changes nothing.

    Raises NewerVisit, BadAnswers, WorkEnded, or StaleRevision with the newer answers.
    """
    with transaction.atomic():
        held = lock_held(token)
        check_writable(held)
        study = study_of(held.version)
        kept, problems = check_draft(study.design(held.condition), _askings(study, held), answers)
        if problems:
            raise BadAnswers(problems)
        if not queries.save_draft(held, kept, save_id, expected, now):
            saved = queries.find_draft(held.assignment)
            if saved is None or saved.save_id != save_id:
                raise StaleRevision(saved)
            return Saved(saved.revision, saved.saved_at)
        extend_lease(held, study, now)
    metrics.SAVES.inc()
    return Saved(expected + 1, now)


def submit(token: str, answers: Any, now: datetime, typing: Any = None) -> str:
    """The receipt of a submission; returned only after the commit. Sent again, it is stored once.

    `typing` says how free text was typed; it is stored only if the rater agreed to that.

    After the lease ran out, work is accepted as long as its place is free; otherwise the answers
    are kept and PlaceGone is raised.
    """
    # Late work changes the rater's counts, so it locks the rater first, as an offer does.
    stored = _submit(token, answers, now, typing, late=False)
    if stored is None:
        stored = _submit(token, answers, now, typing, late=True)
    assert stored is not None
    metrics.SUBMISSIONS.inc()
    return receipt_of(stored)


def get_saved(token: str) -> tuple[Held, SavedDraft | None]:
    """The state and draft of a visit's work, for a page that the browser restored; locks nothing for long."""
    with transaction.atomic():
        held = lock_held(token)
        return held, queries.find_draft(held.assignment)


def _submit(token: str, answers: Any, now: datetime, typing: Any, *, late: bool) -> UUID | None:
    """The submitted assignment; None if it must be submitted again as late work."""
    with transaction.atomic():
        if late:
            visits.lock_rater(hash_token(token))
        held = lock_held(token)
        if held.state in STORED:
            return held.public_id
        if held.state != AssignmentState.EXPIRED_ANSWERED:
            check_writable(held)
        if held.state == AssignmentState.EXPIRED and not late:
            return None
        stored = _store(held, answers, now, typing)
    # Raised after the commit, which keeps the answers.
    if not stored:
        raise PlaceGone
    return held.public_id


def _store(held: Held, answers: Any, now: datetime, typing: Any) -> bool:
    """Stores the answers as a submission, or keeps them as late ones; returns whether they were submitted."""
    study = study_of(held.version)
    design, askings = study.design(held.condition), _askings(study, held)
    checked, problems = check_answers(design, askings, answers)
    if problems:
        raise BadAnswers(problems)
    if held.state != AssignmentState.OPEN and not _taken_back(held):
        kept, _problems = check_draft(design, askings, answers)
        queries.keep_late_answers(held, kept, now)
        return False
    rows = [
        {
            "position": answer.position,
            "question": answer.question,
            "aspect": answer.aspect or "",
            "value": answer.value,
            "code": answer.code,
        }
        for answer in checked
    ]
    # The clock may have been set back since the offer; then the time is unknown, and no time is the nearest guess.
    seconds = max(0.0, (now - held.offered_at).total_seconds())
    queries.store_submission(held, rows, max(now, held.offered_at), seconds)
    if typing and get_typing_consent(held.rater, held.version):
        facts = read_typing(typing, {f"{answer.position}:{answer.question}" for answer in checked})
        queries.store_typing(held, facts)
    return True


def _taken_back(held: Held) -> bool:
    return held.state == AssignmentState.EXPIRED and take_back(held.assignment, held.place)


def _askings(study: Study, held: Held) -> list[Asking]:
    """What the questions depend on; the items are read only if a question needs them."""
    if not study.design(held.condition).needs_item:
        return [Asking(study.scales)] * held.items
    return [study.asking(held.condition, item) for item in items_of(held.task)]
