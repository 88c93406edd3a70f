"""What the requester's page about one rater is given."""

from __future__ import annotations

from typing import Any

from labelwright.crowd import MemberState
from labelwright.server.access.actions.links import address_of
from labelwright.server.people.actions.addresses import get_address
from labelwright.server.people.actions.messages import LONGEST_BY_REQUESTER
from labelwright.server.people.actions.roster import ReadableNote
from labelwright.server.profiles.actions.comparison import ON_A_PAGE, ComparedItem
from labelwright.server.store.models import Member, Message, Rater, StudyRow

Context = dict[str, Any]


def rater(
    study: StudyRow,
    found: Rater,
    members: list[Member],
    notes: list[ReadableNote],
    thread: list[Message],
    work: tuple[list[ComparedItem], int],
    page: int,
) -> Context:
    """One rater."""
    shown, total = work
    answered = {message.answers_id for message in thread if message.answers_id}
    return {
        "rater": found,
        "address": get_address(found),
        "members": [_member(study, found, member) for member in members],
        "notes": notes,
        "thread": [_message(message, answered) for message in thread],
        "work": shown,
        "work_total": total,
        "longest": LONGEST_BY_REQUESTER,
        "earlier": f"?page={page - 1}#work" if page > 1 else None,
        "later": f"?page={page + 1}#work" if page * ON_A_PAGE < total else None,
    }


def _member(study: StudyRow, found: Rater, member: Member) -> Context:
    return {
        "pool": member.pool.name,
        "state": member.state,
        "joined_at": member.joined_at,
        "qualified": member.qualified,
        "score": None if member.score is None else f"{member.score:.2f}",
        "group": member.rater_group,
        "link": address_of(study, member.pool, found) if _has_link(found, member) else None,
        "others": [
            {"state": state, "verb": verb}
            for state, verb in (
                (MemberState.ACTIVE, "Reinstate"),
                (MemberState.PAUSED, "Pause"),
                (MemberState.EXCLUDED, "Exclude"),
            )
            if state != member.state
        ],
    }


def _has_link(found: Rater, member: Member) -> bool:
    return found.forgotten_at is None and member.state != MemberState.EXCLUDED


def _message(message: Message, answered: set[int]) -> Context:
    items = [entry.item for entry in message.messageitem_set.all()]
    return {
        "of": message,
        "who": message.author or "Rater",
        "by_rater": not message.author,
        "items": items,
        "to_answer": message.kind == Message.Kind.QUESTION and message.pk not in answered,
    }
