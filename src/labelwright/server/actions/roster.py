"""The roster: who is in which pool, how they work, what was noted of them, and who is to be forgotten."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from labelwright.crowd import AssignmentState, DataUse, MemberState
from labelwright.crowd.states import STORED
from labelwright.server.actions.addresses import drop_person
from labelwright.server.actions.audit import forget_reasons, record
from labelwright.server.actions.errors import NotHere
from labelwright.server.actions.links import Visitor
from labelwright.server.actions.messages import LONGEST_BY_REQUESTER, BadMessage
from labelwright.server.actions.verdicts import decide
from labelwright.server.store import releases
from labelwright.server.store.models import (
    Answer,
    Assignment,
    Draft,
    Member,
    Message,
    Note,
    Pool,
    Rater,
    RaterSheet,
    Study,
    Visit,
)
from labelwright.server.store.rows import rows
from labelwright.server.store.secrets import seal, unseal
from labelwright.server.store.versions import study_of

ON_A_PAGE = 50
FORGOTTEN = "The person wanted their data deleted."


@dataclass(frozen=True, slots=True)
class OnRoster:
    """A rater in a pool, as the roster tells it."""

    pseudonym: str
    pool: str
    state: str
    qualified: bool | None
    score: float | None
    joined_at: datetime | None
    consented_at: datetime | None
    forgotten: bool
    submitted: int
    last_at: datetime | None
    flags: int
    notes: int
    unread: int
    shares_address: bool
    """Another rater of this study has the same address."""


@dataclass(frozen=True, slots=True)
class Roster:
    """A page of the roster."""

    entries: list[OnRoster]
    total: int
    pools: list[tuple[str, int]]
    """Every pool with the number of its members."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A note about a rater, readable."""

    id: int
    author: str
    text: str
    at: datetime


def get_roster(study: Study, pool: str | None, page: int) -> Roster:
    """Members of all pools, or of one, in the order in which they came."""
    values: dict[str, Any] = {
        "study": study.pk,
        "pool": pool,
        "limit": ON_A_PAGE,
        "offset": (page - 1) * ON_A_PAGE,
    }
    pools = rows(
        """SELECT p.name, (SELECT count(*) FROM member m WHERE m.pool_id = p.id) FROM pool p
           WHERE p.study_id = %(study)s ORDER BY p.id""",
        values,
    )
    # The page is chosen first, so that what is told of a rater is looked up for this page only.
    found = rows(
        """WITH page AS MATERIALIZED (
             SELECT m.*, p.name AS pool FROM member m JOIN pool p ON p.id = m.pool_id
             WHERE p.study_id = %(study)s AND (%(pool)s::text IS NULL OR p.name = %(pool)s)
             ORDER BY p.id, m.number LIMIT %(limit)s OFFSET %(offset)s)
           SELECT r.pseudonym, m.pool, m.state, m.qualified, m.score, m.joined_at, r.consented_at,
                  r.forgotten_at IS NOT NULL, w.submitted, w.last_at, w.flags,
                  (SELECT count(*) FROM note n WHERE n.rater_id = r.id),
                  (SELECT count(*) FROM message x WHERE x.rater_id = r.id AND x.author = '' AND x.read_at IS NULL),
                  EXISTS (SELECT 1 FROM rater o WHERE o.person_id = r.person_id AND o.study_id = r.study_id
                            AND o.id <> r.id)
           FROM page m JOIN rater r ON r.id = m.rater_id
           CROSS JOIN LATERAL (
             SELECT count(*) FILTER (WHERE a.submitted_at IS NOT NULL) AS submitted,
                    max(a.offered_at) AS last_at,
                    (SELECT count(*) FROM flag f WHERE f.assignment_id = ANY(array_agg(a.id))) AS flags
             FROM assignment a JOIN task t ON t.id = a.task_id
             WHERE a.rater_id = r.id AND t.pool_id = m.pool_id) w
           ORDER BY m.pool_id, m.number""",
        values,
    )
    total = sum(n for name, n in pools if pool in (None, name))
    return Roster([OnRoster(*row) for row in found], total, pools)


def get_rater(study: Study, pseudonym: str) -> Rater:
    """A rater of a study; raises NotHere."""
    found = (
        Rater.objects.select_related("person")
        .filter(study=study, pseudonym=pseudonym.replace("\x00", ""))
        .first()
    )
    if found is None:
        raise NotHere
    return found


def get_rater_of(visitor: Visitor) -> Rater:
    """The rater behind a link."""
    return Rater.objects.get(pk=visitor.rater)


def get_notes(rater: Rater) -> list[Noted]:
    """What was noted of a rater, newest first."""
    return [
        Noted(note.pk, note.author, unseal(note.text_sealed), note.at)
        for note in Note.objects.filter(rater=rater).order_by("-id")
    ]


def get_memberships(rater: Rater) -> list[Member]:
    """The pools that a rater is in, in the order in which they entered."""
    return list(Member.objects.filter(rater=rater).select_related("pool").order_by("joined_at", "number"))


def add_note(study: Study, rater: Rater, who: str, text: str, now: datetime) -> None:
    """Writes something down about a rater, for requesters only."""
    told = text.replace("\x00", "").strip()
    if not told or len(told) > LONGEST_BY_REQUESTER:
        raise BadMessage(f"a note has 1 to {LONGEST_BY_REQUESTER:,} characters.")
    Note.objects.create(study=study, rater=rater, author=who, text_sealed=seal(told), at=now)


def delete_note(study: Study, rater: Rater, note: int) -> None:
    """Takes a note away for good."""
    Note.objects.filter(study=study, rater=rater, pk=note).delete()


@transaction.atomic
def set_member_state(
    study: Study, pool: Pool, rater: Rater, state: MemberState, who: str, reason: str, now: datetime
) -> None:
    """Pauses, excludes or takes back a rater in a pool.

    A paused rater may finish what is open; of an excluded one it goes to somebody else. What was
    submitted stays, and is owed. Locks the rater first, as an offer does: after this, no offer is made.
    """
    Rater.objects.select_for_update(no_key=True).get(pk=rater.pk)
    member = Member.objects.filter(pool=pool, rater=rater).first()
    if member is None:
        raise NotHere
    if member.state == state:
        return
    Member.objects.filter(pool=pool, rater=rater).update(state=state)
    if state == MemberState.EXCLUDED:
        _release_open(rater, pool)
    told = {"pool": pool.name, "state": str(state), "reason": reason.replace("\x00", "").strip()[:500]}
    record(study.pk, who, "member_state", rater.pseudonym, now, before={"state": member.state}, after=told)


@transaction.atomic
def forget(study: Study, rater: Rater, who: str, now: datetime) -> None:
    """Deletes what is personal of a rater: address, messages, notes, and the link.

    The answers stay under the pseudonym, or go too, as the consent said that the rater agreed to.
    Work that was submitted stays counted for pay. Locks the rater first, as an offer does.
    """
    locked = Rater.objects.select_for_update(no_key=True).get(pk=rater.pk)
    if locked.forgotten_at is not None:
        return
    agreed = locked.consented_version_id or study.versions.latest("n").pk
    policy = study_of(agreed).consent.answers_on_deletion
    _release_open(locked, None)
    # A page that is still open is as dead as the link that it was opened by.
    Visit.objects.filter(assignment__rater=locked).delete()
    notes, _ = Note.objects.filter(rater=locked).delete()
    # What all may read at an item is the requester's own words; it stays there, tied to nobody.
    pool = Member.objects.filter(rater=locked).order_by("joined_at").values_list("pool", flat=True).first()
    Message.objects.filter(rater=locked, shown=True).update(rater=None, pool=pool, answers=None)
    messages = Message.objects.filter(rater=locked).count()
    Message.objects.filter(rater=locked).delete()
    # What they told about themselves.
    RaterSheet.objects.filter(rater=locked).delete()
    person = locked.person_id
    locked.person = None
    # The old link dies with its nonce.
    locked.nonce = secrets.token_urlsafe(12)
    locked.forgotten_at = now
    locked.save(update_fields=["person", "nonce", "forgotten_at"])
    drop_person(person)
    Member.objects.filter(rater=locked).update(state=MemberState.EXCLUDED)
    answers = _delete_answers(locked, who, now) if policy == "delete" else 0
    forget_reasons(study.pk, locked.pseudonym)
    told = {"answers": policy, "answers_deleted": answers, "messages": messages, "notes": notes}
    record(study.pk, who, "forget", locked.pseudonym, now, after=told)


def _release_open(rater: Rater, pool: Pool | None) -> None:
    held = Assignment.objects.select_for_update(no_key=True, of=("self",)).filter(
        rater=rater, state=AssignmentState.OPEN
    )
    if pool is not None:
        held = held.filter(task__pool=pool)
    ids = list(held.values_list("pk", flat=True))
    if ids:
        releases.release(ids, AssignmentState.RETURNED)
    # Work whose time ran out could still be taken up again while its place is free.
    lapsed = Assignment.objects.filter(rater=rater, state=AssignmentState.EXPIRED)
    if pool is not None:
        lapsed = lapsed.filter(task__pool=pool)
    lapsed.update(state=AssignmentState.RETURNED)


def _delete_answers(rater: Rater, who: str, now: datetime) -> int:
    """Deletes every answer of a rater; how many there were.

    Their data are left out first, so that they leave the tallies and their places are offered to others.
    """
    used = Assignment.objects.filter(rater=rater, state__in=STORED, data_use=DataUse.USED).order_by("id")
    for assignment in list(used.values_list("pk", flat=True)):
        decide(assignment, pay=None, data_use=DataUse.LEFT_OUT, reason=FORGOTTEN, author=who, now=now)
    Draft.objects.filter(assignment__rater=rater).delete()
    return Answer.objects.filter(assignment__rater=rater).delete()[0]
