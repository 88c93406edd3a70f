"""Offer, save, submit, return, expire: all that happens to an assignment.

Anybody with a valid link may be offered work; anybody with the token of the newest visit may
save, submit and return it. Locks are taken in the order rater, assignment, place, rater_count,
offered; see `store.offers` and `store.submissions`.
"""

from __future__ import annotations

import enum
import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from turnwise.crowd import AssignmentState, order_conditions
from turnwise.crowd.states import STORED
from turnwise.server import metrics
from turnwise.server.actions.errors import (
    AlreadySubmitted,
    BadAnswers,
    NewerVisit,
    PlaceGone,
    StaleRevision,
    UnknownVisit,
    WorkEnded,
)
from turnwise.server.actions.links import Visitor
from turnwise.server.actions.receipts import receipt_of
from turnwise.server.store import offers, submissions
from turnwise.server.store.items import items_of
from turnwise.server.store.submissions import Held, SavedDraft
from turnwise.server.store.versions import study_of
from turnwise.study import Study
from turnwise.task import Asking, check_answers, check_draft


class NoWork(enum.StrEnum):
    """Why a rater is offered nothing."""

    CAP = "cap"
    NONE_LEFT = "none_left"
    PAUSED = "paused"
    EXCLUDED = "excluded"
    QUIZ = "quiz"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Offer:
    """A place held for a rater, and the token of this visit to it."""

    assignment: int
    token: str


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save came to."""

    revision: int
    saved_at: datetime


def offer(visitor: Visitor, now: datetime) -> Offer | NoWork:
    """The work that a rater holds, or the next one; one short transaction.

    A rater who comes back gets the same work, also after the lease ran out if the
    place is still free. Otherwise the condition with the fewest ratings offered, among
    those this rater may still do, gives the place.
    """
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        latest, conditions = offers.lock_and_look(visitor)
        if latest and _still_held(latest, visitor, now):
            until = _until(study_of(latest.version), visitor, now)
            offers.open_visit(latest.assignment, visit_hash=hash_token(token), now=now, until=until)
            return Offer(latest.assignment, token)
        offered = _offer_new(visitor, conditions, token, now)
    if isinstance(offered, Offer):
        metrics.OFFERS.inc()
    return offered


def save(token: str, answers: Any, save_id: str, expected: int, now: datetime) -> Saved:
    """Keeps half-finished answers as the next revision; a repeated save changes nothing.

    Raises NewerVisit, BadAnswers, WorkEnded, or StaleRevision with what is saved.
    """
    with transaction.atomic():
        held = _held(token)
        _check_writable(held)
        study = study_of(held.version)
        kept, problems = check_draft(study.design(held.condition), _askings(study, held), answers)
        if problems:
            raise BadAnswers(problems)
        if not submissions.save_draft(held, kept, save_id, expected, now):
            saved = submissions.draft(held.assignment)
            if saved is None or saved.save_id != save_id:
                raise StaleRevision(saved)
            return Saved(saved.revision, saved.saved_at)
    metrics.SAVES.inc()
    return Saved(expected + 1, now)


def submit(token: str, answers: Any, now: datetime) -> str:
    """The receipt of a submission; acknowledged only after commit, and once however often it is sent.

    After the lease ran out it is taken as long as the place is free; else the answers
    are kept and PlaceGone says so.
    """
    with transaction.atomic():
        held = _held(token)
        if held.state in STORED:
            return receipt_of(held.assignment)
        if held.state != AssignmentState.EXPIRED_ANSWERED:
            _check_writable(held)
        study = study_of(held.version)
        design, askings = study.design(held.condition), _askings(study, held)
        checked, problems = check_answers(design, askings, answers)
        if problems:
            raise BadAnswers(problems)
        stored = held.state == AssignmentState.OPEN or _taken_back(held)
        if stored:
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
            submissions.submit(held, rows, now, (now - held.offered_at).total_seconds())
        else:
            kept, _ = check_draft(design, askings, answers)
            submissions.keep_late_answers(held, kept, now)
    if not stored:
        raise PlaceGone
    metrics.SUBMISSIONS.inc()
    return receipt_of(held.assignment)


def return_work(token: str) -> None:
    """Gives a place back; what was saved is kept, and somebody else is offered the place."""
    with transaction.atomic():
        held = _held(token)
        if held.state == AssignmentState.RETURNED:
            return
        _check_writable(held)
        if held.state != AssignmentState.OPEN:
            raise WorkEnded
        offers.release([held.assignment], AssignmentState.RETURNED)


def expire_leases(now: datetime, limit: int = 500) -> int:
    """Offers the places of lapsed leases again; how many. Called by a periodic job, safe to run twice."""
    with transaction.atomic():
        lapsed = offers.lock_lapsed(now, limit)
        if lapsed:
            offers.release(lapsed, AssignmentState.EXPIRED)
    metrics.EXPIRIES.inc(len(lapsed))
    return len(lapsed)


def get_saved(token: str) -> tuple[Held, SavedDraft | None]:
    """What the server knows of a visit's work, for a page that was restored; locks nothing for long."""
    with transaction.atomic():
        held = _held(token)
        return held, submissions.draft(held.assignment)


def _offer_new(
    visitor: Visitor, conditions: list[offers.OpenCondition], token: str, now: datetime
) -> Offer | NoWork:
    if not conditions:
        return NoWork.NONE_LEFT
    study = study_of(conditions[0].version)
    cap = study.pool_of(visitor.pool_name).caps.tasks
    if cap is not None and conditions[0].tasks >= cap:
        return NoWork.CAP
    found = _find(conditions, study.seed, visitor)
    if found is None:
        return NoWork.NONE_LEFT
    condition, place = found
    assignment = offers.lease_place(
        visitor,
        place,
        condition,
        visit_hash=hash_token(token),
        now=now,
        until=_until(study, visitor, now),
        cap=cap,
    )
    return Offer(assignment, token)


def _find(
    conditions: list[offers.OpenCondition], seed: int, visitor: Visitor
) -> tuple[offers.OpenCondition, offers.FoundPlace] | None:
    named = {condition.name: condition for condition in conditions}
    order = order_conditions(
        {name: condition.offered for name, condition in named.items()},
        {name: condition.mine for name, condition in named.items()},
        seed,
        visitor.rater,
    )
    for name in order:
        for behind in (True, False):
            place = offers.find_place(visitor, named[name], behind=behind)
            if place:
                return named[name], place
    return None


def _still_held(latest: offers.Latest, visitor: Visitor, now: datetime) -> bool:
    """Whether the rater's newest work is theirs to go on with; lapsed work is, if its place is free."""
    if latest.state == AssignmentState.EXPIRED and _counted_again(latest.assignment, latest.place):
        offers.reopen(latest.assignment, _until(study_of(latest.version), visitor, now))
        return True
    return latest.state == AssignmentState.OPEN


def _taken_back(held: Held) -> bool:
    return held.state == AssignmentState.EXPIRED and _counted_again(held.assignment, held.place)


def _counted_again(assignment: int, place: int) -> bool:
    """Whether a lapsed assignment has its place again; not if others or the rater's own cap stand in the way."""
    try:
        with transaction.atomic():
            if not offers.take_back(place):
                return False
            offers.count([assignment], 1)
            return True
    except IntegrityError:
        return False


def _held(token: str) -> Held:
    held = submissions.lock_visit(hash_token(token))
    if held is None:
        raise UnknownVisit
    return held


def _check_writable(held: Held) -> None:
    if held.state in STORED:
        raise AlreadySubmitted(receipt_of(held.assignment))
    if held.state not in (AssignmentState.OPEN, AssignmentState.EXPIRED):
        raise WorkEnded
    if not held.newest:
        raise NewerVisit


def _askings(study: Study, held: Held) -> list[Asking]:
    """What the questions lean on; the items are read only where a question needs them."""
    if not study.design(held.condition).needs_item:
        return [Asking(study.scales)] * held.items
    return [study.asking(held.condition, item) for item in items_of(held.task)]


def _until(study: Study, visitor: Visitor, now: datetime) -> datetime:
    return now + timedelta(minutes=study.pool_of(visitor.pool_name).lease_minutes)


def hash_token(token: str) -> bytes:
    """What is stored of a visit token."""
    return hashlib.sha256(token.encode()).digest()
