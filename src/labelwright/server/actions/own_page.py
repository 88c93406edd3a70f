"""A rater's own page: open work, done work, what was decided, messages and earnings. By the rater's link alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import MemberState, PaidState, Pay
from labelwright.server.actions.addresses import get_address
from labelwright.server.actions.beside import Beside, get_beside
from labelwright.server.actions.links import Visitor, address_of
from labelwright.server.actions.messages import get_board, get_thread
from labelwright.server.actions.overview import owed
from labelwright.server.actions.qualification_told import Told, get_told
from labelwright.server.actions.receipts import receipt_of
from labelwright.server.store.models import Member, Message, Rater, Study
from labelwright.server.store.rows import rows
from labelwright.server.store.versions import study_of

MOST_DONE = 200
"""The newest submissions that the page lists."""


@dataclass(frozen=True, slots=True)
class OwnPool:
    """A pool that the rater is in."""

    name: str
    path: str
    """Where its work is."""
    state: str
    work: bool
    """Whether there are replies that somebody could be offered."""
    held: bool
    """Whether the rater has a task of it open."""
    is_qualification: bool
    qualified: bool | None
    score: float | None
    told: list[Told]
    """The rater's answers beside the reference, once it is decided."""


@dataclass(frozen=True, slots=True)
class Done:
    """A piece of submitted work."""

    receipt: str
    submitted_at: datetime
    state: str
    paid: str
    reason: str
    """Why, where something was decided against the work or its data."""
    pay: Pay


@dataclass(frozen=True, slots=True)
class Own:
    """All that the page shows."""

    link: str
    address: str | None
    pools: list[OwnPool]
    holds_work: bool
    replies_held: int
    """Replies in the newest task, for asking about one of them."""
    done: list[Done]
    done_in_all: int
    owed: list[Pay]
    paid: list[Pay]
    thread: list[tuple[Message, list[Beside]]]
    """Messages, oldest first; feedback with the rater's answers beside the others'."""
    board: list[Message]
    answers_stay: bool
    """What the rater was told becomes of the answers when their data are deleted."""


def get_own(visitor: Visitor) -> Own:
    """The page of the rater behind a link."""
    rater = Rater.objects.select_related("person", "study").get(pk=visitor.rater)
    members = list(Member.objects.filter(rater=rater).select_related("pool").order_by("joined_at", "number"))
    done, in_all = _done(rater.pk)
    newest = _newest(rater.pk)
    consent = study_of(rater.consented_version_id or visitor.version).consent
    here = next(member.pool for member in members if member.pool_id == visitor.pool)
    return Own(
        link=address_of(rater.study, here, rater),
        address=get_address(rater),
        pools=[_pool(rater, member, visitor.version, newest) for member in members],
        holds_work=newest is not None and newest.open,
        replies_held=newest.replies if newest else 0,
        done=done,
        done_in_all=in_all,
        owed=owed(visitor.study, rater.pk),
        paid=owed(visitor.study, rater.pk, PaidState.PAID),
        thread=[(message, _feedback(message)) for message in get_thread(rater.pk)],
        board=get_board(member.pool_id for member in members),
        answers_stay=consent.answers_on_deletion == "keep",
    )


def get_unread(rater: int) -> int:
    """How many messages to this rater were not opened yet."""
    return Message.objects.filter(rater_id=rater, read_at=None).exclude(author="").count()


def get_study_row(visitor: Visitor) -> Study:
    """The study that the rater is in."""
    return Study.objects.get(pk=visitor.study)


@dataclass(frozen=True, slots=True)
class _Newest:
    """The newest task of a rater."""

    open: bool
    replies: int
    pool: int


def _pool(rater: Rater, member: Member, version: int, newest: _Newest | None) -> OwnPool:
    part = study_of(version).pool_of(member.pool.name)
    decided = part.qualification is not None and member.qualified is not None
    return OwnPool(
        name=member.pool.name,
        path="/w/" + address_of(rater.study, member.pool, rater).rsplit("/", 1)[1],
        state=member.state,
        work=member.state == MemberState.ACTIVE and _has_work(member),
        held=newest is not None and newest.open and newest.pool == member.pool_id,
        is_qualification=part.qualification is not None,
        qualified=member.qualified,
        score=member.score,
        told=get_told(rater.study, member.pool.name, rater.pk) if decided else [],
    )


def _has_work(member: Member) -> bool:
    """Whether a place of the pool is open; whether it is one for this rater, the offer itself finds out."""
    return bool(
        rows(
            """SELECT 1 FROM batch b JOIN offered o ON o.batch_id = b.id AND o.pool_id = %s AND o.rater_group = %s
               WHERE b.study_id = %s AND b.state = 'open' AND EXISTS (
                 SELECT 1 FROM place p WHERE p.batch_id = o.batch_id AND p.pool_id = o.pool_id
                   AND p.rater_group = o.rater_group AND p.condition = o.condition AND p.state = 'open')
               LIMIT 1""",
            [member.pool_id, member.rater_group, member.study_id],
        )
    )


def _newest(rater: int) -> _Newest | None:
    found = rows(
        """SELECT a.state = 'open', t.items, t.pool_id FROM assignment a JOIN task t ON t.id = a.task_id
           WHERE a.rater_id = %s ORDER BY a.id DESC LIMIT 1""",
        [rater],
    )
    return _Newest(*found[0]) if found else None


def _done(rater: int) -> tuple[list[Done], int]:
    found = rows(
        """SELECT a.id, a.submitted_at, a.state, a.paid_state,
                  coalesce((SELECT v.reason FROM verdict v WHERE v.assignment_id = a.id ORDER BY v.id DESC LIMIT 1), ''),
                  a.version_id, p.name, count(*) OVER ()
           FROM assignment a JOIN task t ON t.id = a.task_id JOIN pool p ON p.id = t.pool_id
           WHERE a.rater_id = %s AND a.submitted_at IS NOT NULL ORDER BY a.submitted_at DESC LIMIT %s""",
        [rater, MOST_DONE],
    )
    done = [
        Done(receipt_of(assignment), at, state, paid, reason, study_of(version).pool_of(pool).pay)
        for assignment, at, state, paid, reason, version, pool, _ in found
    ]
    return done, found[0][-1] if found else 0


def _feedback(message: Message) -> list[Beside]:
    """The rater's own work that a message is about."""
    if message.kind != Message.Kind.FEEDBACK:
        return []
    wanted = {(entry.assignment_id, entry.item_id) for entry in message.messageitem_set.all()}
    shown = get_beside([assignment for assignment, _ in wanted if assignment is not None])
    return [beside for beside in shown if (beside.assignment, beside.item) in wanted]
