"""Leases: offering a place, keeping it while the page is open, returning it, and expiring it.

Anybody with a valid link may be offered work; anybody with the token of the newest visit may keep and return
it. Locks are taken in the order rater, assignment, place, rater_count, offered.
"""

from __future__ import annotations

import enum
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import ClassVar

from django.db import IntegrityError, transaction

from labelwright.crowd import STORED, AssignmentState
from labelwright.server.access.actions.links import hash_token
from labelwright.server.access.actions.receipts import receipt_of
from labelwright.server.access.queries import Visitor
from labelwright.server.config import metrics
from labelwright.server.offering.actions.search import NoWork, find_obstacle, find_task
from labelwright.server.offering.queries import offers, releases, visits
from labelwright.server.offering.queries.visits import Held
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import RaterError
from labelwright.study import Study


class UnknownVisit(RaterError):
    """A visit token that is not ours."""

    code: ClassVar[str] = "unknown_visit"
    status: ClassVar[HTTPStatus] = HTTPStatus.NOT_FOUND

    def __init__(self) -> None:
        super().__init__("This page is no longer valid.", "Open your link again.")


class NewerVisit(RaterError):
    """The same work was opened again in another tab or on another device."""

    code: ClassVar[str] = "newer_visit"
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT

    def __init__(self) -> None:
        super().__init__(
            "Your answers so far are saved. This task is open in another tab, so this page is now read-only.",
            "Continue there, or reload this page to continue here.",
        )


class WorkEnded(RaterError):
    """The work was returned, so it accepts no answers."""

    code: ClassVar[str] = "work_ended"
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT

    def __init__(self) -> None:
        super().__init__(
            "Your latest answers were not saved, because this task is closed.",
            "Open your link to get another task.",
        )


class AlreadySubmitted(RaterError):
    """The work was submitted before, here or in another tab."""

    code: ClassVar[str] = "already_submitted"
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT

    def __init__(self, receipt: str) -> None:
        self.receipt = receipt
        super().__init__(
            "You have already submitted this task. Your receipt is {receipt}.",
            "Reload this page to continue.",
            receipt=receipt,
        )


@dataclass(frozen=True, slots=True)
class Offer:
    """A place held for a rater, and the token of this visit to it."""

    assignment: int
    token: str


class BeatState(enum.StrEnum):
    """The state of the work on an open page."""

    OPEN = "open"
    LATE = "late"
    """The time is up but the place is still free: the work can be submitted."""
    GONE = "gone"
    """The time is up and somebody else has the place."""
    READ_ONLY = "read_only"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Beat:
    """The answer to a heartbeat."""

    state: BeatState
    seconds_left: float


def offer(visitor: Visitor, now: datetime, slot: int = 0) -> Offer | NoWork:
    """The work that a rater holds in a slot, or the next one; one short transaction.

    A rater who comes back gets the same work, even after the lease ran out if the place is still free. Work
    that has been held for the longest allowed time can be continued, but its place is open to others.
    Otherwise the place comes from the condition with the fewest offers among those that this rater may do.
    """
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        situation = offers.lock_situation(visitor, slot)
        until = _resume(situation.latest, now) if situation.latest else None
        if situation.latest and until:
            assignment = situation.latest.assignment
            offers.open_visit(assignment, visit_hash=hash_token(token), now=now, until=until)
            return Offer(assignment, token)
        offered = _offer_new(visitor, situation, token, now, slot)
    if isinstance(offered, Offer):
        metrics.OFFERS.inc()
    return offered


def get_obstacle(visitor: Visitor, now: datetime) -> NoWork | None:
    """Why a rater would get no other task, for the page of those who stop; None if there may be one. Offers nothing.

    Nor is there an obstacle for a rater who still holds a task, which counts towards the caps.
    """
    with transaction.atomic():
        situation = offers.lock_situation(visitor)
        holds = situation.latest is not None and situation.latest.state == AssignmentState.OPEN
        return None if holds else find_obstacle(visitor, situation, now)


def heartbeat(token: str, now: datetime) -> Beat:
    """Extends the lease of an open page, within the pool's limit; returns the state of the work.

    After the lease ran out it says whether the place is still free. Changes nothing for an older visit.
    """
    with transaction.atomic():
        held = lock_held(token)
        if not held.newest:
            return Beat(BeatState.READ_ONLY, 0)
        if held.state == AssignmentState.EXPIRED:
            return Beat(BeatState.LATE if releases.is_free(held.place) else BeatState.GONE, 0)
        if held.state != AssignmentState.OPEN:
            return Beat(BeatState.ENDED, 0)
        until = extend_lease(held, study_of(held.version), now)
    return Beat(BeatState.OPEN, max(0.0, (until - now).total_seconds()))


def return_work(token: str) -> int:
    """Releases a place to other raters and keeps the draft; returns how many returns the rater has left.

    Returning is always allowed, even for expired work: a rater who does not want to finish it would
    otherwise get no other task.
    """
    with transaction.atomic():
        visits.lock_rater(hash_token(token))
        held = lock_held(token)
        cap = study_of(held.version).pool_for(held.condition).caps.returns
        if held.state == AssignmentState.RETURNED:
            return max(0, cap - releases.returns_of(held.rater))
        check_writable(held)
        if held.state == AssignmentState.OPEN:
            releases.release([held.assignment], AssignmentState.RETURNED)
        else:
            releases.give_up(held.assignment)
        return max(0, cap - _count_return(held, cap))


def expire_leases(now: datetime, limit: int = 500) -> int:
    """Releases the places of lapsed leases; returns how many. Called by a periodic job, safe to run twice."""
    with transaction.atomic():
        lapsed = releases.lock_lapsed(now, limit)
        if lapsed:
            releases.release(lapsed, AssignmentState.EXPIRED)
    metrics.EXPIRIES.inc(len(lapsed))
    return len(lapsed)


def lock_held(token: str) -> Held:
    """The work behind a visit token, locked until the transaction ends; raises UnknownVisit."""
    held = visits.lock_visit(hash_token(token))
    if held is None:
        raise UnknownVisit
    return held


def check_writable(held: Held) -> None:
    """Raises unless answers can still be written by this visit."""
    if held.state in STORED:
        raise AlreadySubmitted(receipt_of(held.public_id))
    if held.state not in (AssignmentState.OPEN, AssignmentState.EXPIRED):
        raise WorkEnded
    if not held.newest:
        raise NewerVisit


def extend_lease(held: Held, study: Study, now: datetime) -> datetime:
    """The end of the lease after a sign of life; written only if it moves by a minute or a tenth of the lease."""
    if held.state != AssignmentState.OPEN:
        return held.lease_until
    pool = study.pool_for(held.condition)
    until = pool.lease_end(now, held.offered_at, held.free_for)
    least = min(timedelta(minutes=1), timedelta(minutes=pool.lease_minutes) / 10)
    if until - held.lease_until < least:
        return held.lease_until
    releases.extend(held.assignment, until)
    return until


def take_back(assignment: int, place: int) -> bool:
    """Whether a lapsed assignment has its place again; not if another rater or the rater's own cap prevents it."""
    try:
        with transaction.atomic():
            if not releases.take_back(place):
                return False
            releases.count([assignment], 1)
            return True
    except IntegrityError:
        return False


def _offer_new(
    visitor: Visitor, situation: offers.Situation, token: str, now: datetime, slot: int
) -> Offer | NoWork:
    found = find_task(visitor, situation, now)
    if isinstance(found, NoWork):
        return found
    until = found.study.pool_of(visitor.pool_name).lease_end(now, now, timedelta())
    assignment = offers.lease_place(
        visitor, found.take, visit_hash=hash_token(token), now=now, until=until, slot=slot
    )
    return Offer(assignment, token)


def _resume(latest: offers.Latest, now: datetime) -> datetime | None:
    """The end of the lease of the rater's newest work if they may continue it, otherwise None.

    Lapsed work can be continued if its place is free. If the place was held for the longest allowed time, the
    lease stays lapsed: the rater may continue and submit, unless somebody else is offered the place first.
    """
    if latest.state not in (AssignmentState.OPEN, AssignmentState.EXPIRED):
        return None
    # The pool of the work, not of the link: a rater in two pools may come back by either.
    pool = study_of(latest.version).pool_for(latest.condition)
    if latest.state == AssignmentState.OPEN:
        return pool.lease_end(now, latest.offered_at, latest.free_for)
    free_for = latest.free_for + max(timedelta(), now - latest.lease_until)
    until = pool.lease_end(now, latest.offered_at, free_for)
    if until <= now:
        # Checked without a lock, because an offer to another rater would skip a locked place.
        possible = releases.is_free(latest.place) and releases.could_count(latest.assignment)
        return latest.lease_until if possible else None
    if not take_back(latest.assignment, latest.place):
        return None
    releases.reopen(latest.assignment, until, free_for)
    return until


def _count_return(held: Held, cap: int) -> int:
    try:
        with transaction.atomic():
            return releases.count_return(held.study, held.rater, cap)
    except IntegrityError:
        # A new version lowered the cap below the number of returns, or the work expired before the cap was
        # reached; it stays reached.
        return cap
