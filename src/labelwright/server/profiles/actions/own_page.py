"""A rater's own page: open and submitted work, decisions, messages and earnings. Needs only the rater's link."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from labelwright.crowd import MemberState, PaidState, Pay
from labelwright.server.access.actions.links import address_of
from labelwright.server.access.actions.receipts import receipt_of
from labelwright.server.access.queries import Visitor
from labelwright.server.people.actions.addresses import get_address
from labelwright.server.people.actions.messages import get_board, get_thread
from labelwright.server.people.actions.qualification_result import ComparedAnswer, get_result
from labelwright.server.profiles import queries
from labelwright.server.profiles.actions.comparison import ComparedItem, compare_with_others
from labelwright.server.profiles.queries import NewestTask
from labelwright.server.store.models import Member, Message, Rater
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions import get_owed

MOST_DONE = 200
"""The newest submissions that the page lists."""


@dataclass(frozen=True, slots=True)
class OwnPool:
    """A pool that the rater is in."""

    name: str
    path: str
    """The address of its work."""
    state: str
    work: bool
    """Whether it has open places; whether one is for this rater, only an offer can say."""
    held: bool
    """Whether the rater has a task of it open."""
    is_qualification: bool
    qualified: bool | None
    score: float | None
    result: list[ComparedAnswer]
    """The rater's answers next to the reference answers, once the qualification is decided."""


@dataclass(frozen=True, slots=True)
class SubmittedWork:
    """One submitted task."""

    id: UUID
    receipt: str
    submitted_at: datetime
    state: str
    paid: str
    reason: str
    """Why, where something was decided against the work or its data."""
    dispute: str
    """What the rater answered to a rejection."""
    pay: Pay


@dataclass(frozen=True, slots=True)
class OwnPage:
    """Everything that the page shows."""

    link: str
    address: str | None
    pools: list[OwnPool]
    holds_work: bool
    replies_held: int
    """Replies in the newest task, for asking about one of them."""
    done: list[SubmittedWork]
    done_in_all: int
    owed: list[Pay]
    paid: list[Pay]
    thread: list[tuple[Message, list[ComparedItem]]]
    """Messages, oldest first; feedback with the rater's answers next to the others'."""
    board: list[Message]
    answers_stay: bool
    """Whether the answers stay when the rater's data are deleted, as the consent says."""


def get_own_page(visitor: Visitor) -> OwnPage:
    """The page of the rater behind a link."""
    rater = Rater.objects.select_related("person", "study").get(pk=visitor.rater)
    members = list(Member.objects.filter(rater=rater).select_related("pool").order_by("joined_at", "number"))
    done, in_all = _done(rater.pk)
    newest = queries.newest_task(rater.pk)
    consent = study_of(rater.consented_version_id or visitor.version).consent
    here = next(member.pool for member in members if member.pool_id == visitor.pool)
    return OwnPage(
        link=address_of(rater.study, here, rater),
        address=get_address(rater),
        pools=[_pool(rater, member, visitor.version, newest) for member in members],
        holds_work=newest is not None and newest.open,
        replies_held=newest.replies if newest else 0,
        done=done,
        done_in_all=in_all,
        owed=get_owed(visitor.study, rater.pk),
        paid=get_owed(visitor.study, rater.pk, PaidState.PAID),
        thread=[(message, _feedback(message)) for message in get_thread(rater.pk)],
        board=get_board(member.pool_id for member in members),
        answers_stay=consent.answers_on_deletion == "keep",
    )


def _pool(rater: Rater, member: Member, version: int, newest: NewestTask | None) -> OwnPool:
    part = study_of(version).pool_of(member.pool.name)
    decided = part.qualification is not None and member.qualified is not None
    return OwnPool(
        name=member.pool.name,
        path="/w/" + address_of(rater.study, member.pool, rater).rsplit("/", 1)[1],
        state=member.state,
        work=member.state == MemberState.ACTIVE and queries.has_open_places(member),
        held=newest is not None and newest.open and newest.pool == member.pool_id,
        is_qualification=part.qualification is not None,
        qualified=member.qualified,
        score=member.score,
        result=get_result(rater.study, member.pool.name, rater.pk) if decided else [],
    )


def _done(rater: int) -> tuple[list[SubmittedWork], int]:
    found = queries.submitted_work(rater, MOST_DONE)
    done = [
        SubmittedWork(
            work.public_id,
            receipt_of(work.public_id),
            work.submitted_at,
            work.state,
            work.paid,
            work.reason,
            work.dispute,
            study_of(work.version).pool_of(work.pool).pay,
        )
        for work in found
    ]
    return done, found[0].total if found else 0


def _feedback(message: Message) -> list[ComparedItem]:
    """The rater's own work that a message is about."""
    if message.kind != Message.Kind.FEEDBACK:
        return []
    wanted = {(entry.assignment_id, entry.item_id) for entry in message.messageitem_set.all()}
    shown = compare_with_others([assignment for assignment, _ in wanted if assignment is not None])
    return [compared for compared in shown if (compared.of.assignment, compared.of.item) in wanted]
