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

from labelwright.crowd import AssignmentState
from labelwright.crowd.states import STORED
from labelwright.server import metrics
from labelwright.server.actions.errors import (
    AlreadySubmitted,
    BadAnswers,
    NewerVisit,
    PlaceGone,
    StaleRevision,
    UnknownVisit,
    WorkEnded,
)
from labelwright.server.actions.links import Visitor
from labelwright.server.actions.offering import NoWork, seek
from labelwright.server.actions.receipts import receipt_of
from labelwright.server.store import offers, releases, submissions
from labelwright.server.store.items import items_of
from labelwright.server.store.submissions import Held, SavedDraft
from labelwright.server.store.versions import study_of
from labelwright.study import Study
from labelwright.task import Asking, check_answers, check_draft

__all__ = [
    "Beat",
    "BeatState",
    "NoWork",
    "Offer",
    "Saved",
    "expire_leases",
    "get_saved",
    "hash_token",
    "heartbeat",
    "offer",
    "return_work",
    "save",
    "submit",
]


@dataclass(frozen=True, slots=True)
class Offer:
    """A place held for a rater, and the token of this visit to it."""

    assignment: int
    token: str


class BeatState(enum.StrEnum):
    """How the work of an open page stands."""

    OPEN = "open"
    LATE = "late"
    """The time is up and the place still free: it may be submitted."""
    GONE = "gone"
    """The time is up and the place is somebody else's."""
    READ_ONLY = "read_only"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Beat:
    """What a heartbeat is told."""

    state: BeatState
    seconds_left: float


@dataclass(frozen=True, slots=True)
class Saved:
    """What a save came to."""

    revision: int
    saved_at: datetime


def offer(visitor: Visitor, now: datetime) -> Offer | NoWork:
    """The work that a rater holds, or the next one; one short transaction.

    A rater who comes back gets the same work, also after the lease ran out if the
    place is still free; who has held it as long as anybody may goes on without holding it. Otherwise the condition with the fewest ratings offered, among
    those this rater may still do, gives the place.
    """
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        look = offers.lock_and_look(visitor)
        until = _come_back(look.latest, now) if look.latest else None
        if look.latest and until:
            offers.open_visit(look.latest.assignment, visit_hash=hash_token(token), now=now, until=until)
            return Offer(look.latest.assignment, token)
        offered = _offer_new(visitor, look, token, now)
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
        _extend(held, study, now)
    metrics.SAVES.inc()
    return Saved(expected + 1, now)


def heartbeat(token: str, now: datetime) -> Beat:
    """A page is still open: its lease goes on, within the pool's limit; how the work stands.

    After the lease ran out it says whether the place is still free. Changes nothing for an older visit.
    """
    with transaction.atomic():
        held = _held(token)
        if not held.newest:
            return Beat(BeatState.READ_ONLY, 0)
        if held.state == AssignmentState.EXPIRED:
            return Beat(BeatState.LATE if releases.is_free(held.place) else BeatState.GONE, 0)
        if held.state != AssignmentState.OPEN:
            return Beat(BeatState.ENDED, 0)
        until = _extend(held, study_of(held.version), now)
    return Beat(BeatState.OPEN, max(0.0, (until - now).total_seconds()))


def submit(token: str, answers: Any, now: datetime) -> str:
    """The receipt of a submission; acknowledged only after commit, and once however often it is sent.

    After the lease ran out it is taken as long as the place is free; else the answers
    are kept and PlaceGone says so.
    """
    # Late work changes the rater's counts, so it locks the rater first, as an offer does.
    stored = _submit(token, answers, now, late=False)
    if stored is None:
        stored = _submit(token, answers, now, late=True)
    assert stored is not None
    metrics.SUBMISSIONS.inc()
    return receipt_of(stored)


def _submit(token: str, answers: Any, now: datetime, *, late: bool) -> int | None:
    """The assignment that was handed in; None where it must be tried again as late work."""
    with transaction.atomic():
        if late:
            submissions.lock_rater(hash_token(token))
        held = _held(token)
        if held.state in STORED:
            return held.assignment
        if held.state != AssignmentState.EXPIRED_ANSWERED:
            _check_writable(held)
        if held.state == AssignmentState.EXPIRED and not late:
            return None
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
    return held.assignment


def return_work(token: str) -> int:
    """Gives a place back; what was saved is kept, and somebody else is offered the place.

    How often the rater may still give work back and be offered more. Giving back is never refused,
    also not of work whose time ran out: without it, who does not want to finish it would be shown no other.
    """
    with transaction.atomic():
        submissions.lock_rater(hash_token(token))
        held = _held(token)
        cap = study_of(held.version).pool_for(held.condition).caps.returns
        if held.state != AssignmentState.RETURNED:
            _check_writable(held)
            if held.state == AssignmentState.OPEN:
                releases.release([held.assignment], AssignmentState.RETURNED)
            else:
                releases.give_up(held.assignment)
            return max(0, cap - _counted_return(held, cap))
        return max(0, cap - releases.returns_of(held.rater))


def _counted_return(held: Held, cap: int) -> int:
    try:
        with transaction.atomic():
            return releases.count_return(held.study, held.rater, cap)
    except IntegrityError:
        # A new version lowered the cap below what was given back, or the work ran out before the cap was
        # reached; it stays reached.
        return cap


def expire_leases(now: datetime, limit: int = 500) -> int:
    """Offers the places of lapsed leases again; how many. Called by a periodic job, safe to run twice."""
    with transaction.atomic():
        lapsed = releases.lock_lapsed(now, limit)
        if lapsed:
            releases.release(lapsed, AssignmentState.EXPIRED)
    metrics.EXPIRIES.inc(len(lapsed))
    return len(lapsed)


def get_saved(token: str) -> tuple[Held, SavedDraft | None]:
    """What the server knows of a visit's work, for a page that was restored; locks nothing for long."""
    with transaction.atomic():
        held = _held(token)
        return held, submissions.draft(held.assignment)


def _offer_new(visitor: Visitor, look: offers.Look, token: str, now: datetime) -> Offer | NoWork:
    found = seek(visitor, look, now)
    if isinstance(found, NoWork):
        return found
    until = found.study.pool_of(visitor.pool_name).lease_end(now, now, timedelta())
    assignment = offers.lease_place(visitor, found.take, visit_hash=hash_token(token), now=now, until=until)
    return Offer(assignment, token)


def _come_back(latest: offers.Latest, now: datetime) -> datetime | None:
    """The end of the lease of the rater's newest work, if it is theirs to go on with; lapsed work is, if its place is free.

    Where the place was held as long as it can be, the lease stays lapsed: the rater may go on and submit,
    and so may anybody else who is offered the place first.
    """
    if latest.state not in (AssignmentState.OPEN, AssignmentState.EXPIRED):
        return None
    # Of the work and not of the link: a rater in two pools may come back by either.
    pool = study_of(latest.version).pool_for(latest.condition)
    if latest.state == AssignmentState.OPEN:
        return pool.lease_end(now, latest.offered_at, latest.free_for)
    free_for = latest.free_for + max(timedelta(), now - latest.lease_until)
    until = pool.lease_end(now, latest.offered_at, free_for)
    if until <= now:
        # Looked at without a lock, which an offer to another rater would pass over.
        could = releases.is_free(latest.place) and releases.could_count(latest.assignment)
        return latest.lease_until if could else None
    if not _counted_again(latest.assignment, latest.place):
        return None
    releases.reopen(latest.assignment, until, free_for)
    return until


def _taken_back(held: Held) -> bool:
    return held.state == AssignmentState.EXPIRED and _counted_again(held.assignment, held.place)


def _counted_again(assignment: int, place: int) -> bool:
    """Whether a lapsed assignment has its place again; not if others or the rater's own cap stand in the way."""
    try:
        with transaction.atomic():
            if not releases.take_back(place):
                return False
            releases.count([assignment], 1)
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


def _extend(held: Held, study: Study, now: datetime) -> datetime:
    """The end of a lease after a sign of life; written only where it moves by a minute or a tenth of the lease."""
    if held.state != AssignmentState.OPEN:
        return held.lease_until
    pool = study.pool_for(held.condition)
    until = pool.lease_end(now, held.offered_at, held.free_for)
    least = min(timedelta(minutes=1), timedelta(minutes=pool.lease_minutes) / 10)
    if until - held.lease_until < least:
        return held.lease_until
    releases.extend(held.assignment, until)
    return until


def hash_token(token: str) -> bytes:
    """What is stored of a visit token."""
    return hashlib.sha256(token.encode()).digest()
