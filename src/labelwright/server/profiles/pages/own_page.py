"""Template context of the rater's own page: allow-listed values, without conditions, items or other people."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from labelwright.crowd import AssignmentState, MemberState, PaidState
from labelwright.server.people.actions.messages import LONGEST_BY_RATER
from labelwright.server.profiles.actions.comparison import ComparedItem
from labelwright.server.profiles.actions.own_page import OwnPage, OwnPool, SubmittedWork
from labelwright.server.store.models import Message
from labelwright.server.web.money import amounts, money
from labelwright.study import Study

Context = dict[str, Any]


def own_page(
    study: Study,
    found: OwnPage,
    token: str,
    about: str = "",
    error: str = "",
    text: str = "",
    address_error: str = "",
    answer_error: str = "",
) -> Context:
    """The whole page."""
    return {
        "title": study.title,
        "home": f"/w/{token}",
        "link": found.link,
        "address": found.address or "",
        "address_error": address_error,
        "answer_error": answer_error,
        "pools": [_pool(pool) for pool in found.pools],
        "done": [_done(done) for done in found.done],
        "done_in_all": found.done_in_all,
        "owed": amounts(found.owed),
        "paid": amounts(found.paid),
        "messages": [_message(message, feedback) for message, feedback in found.thread],
        "board": [{"text": message.text, "at": message.sent_at} for message in found.board],
        "about": _about(found, about),
        "error": error,
        "text": text,
        "longest": LONGEST_BY_RATER,
        "answers_stay": found.answers_stay,
    }


def _pool(pool: OwnPool) -> Context:
    return {
        "title": _("Qualification") if pool.is_qualification else _("Study"),
        "path": pool.path,
        "paused": pool.state == MemberState.PAUSED,
        "excluded": pool.state == MemberState.EXCLUDED,
        "work": pool.work,
        "held": pool.held,
        "is_qualification": pool.is_qualification,
        "qualified": pool.qualified,
        "right": sum(line.right for line in pool.result),
        "result": pool.result,
    }


def _done(done: SubmittedWork) -> Context:
    states = {
        AssignmentState.APPROVED: (_("Accepted"), "good"),
        AssignmentState.REJECTED: (_("Not accepted"), "bad"),
        AssignmentState.EXPIRED_ANSWERED: (_("Late; we will check it"), "warn"),
    }
    word, mark = states.get(AssignmentState(done.state), (_("Received"), ""))
    paid = {PaidState.PAID: _("paid"), PaidState.OWED: _("owed")}.get(PaidState(done.paid), "–")
    return {
        "receipt": done.receipt,
        "at": done.submitted_at,
        "word": word,
        "mark": mark,
        "reason": done.reason,
        "id": done.id,
        "dispute": done.dispute,
        "may_answer": done.state == AssignmentState.REJECTED and not done.dispute,
        "pay": f"{money(done.pay.cents, done.pay.currency)} {paid}" if done.pay.cents else "–",
    }


def _message(message: Message, feedback: list[ComparedItem]) -> Context:
    return {
        "mine": not message.author,
        "who": _("You") if not message.author else _("The study team"),
        "question": message.kind == Message.Kind.QUESTION,
        "text": message.text,
        "at": message.sent_at,
        "new": bool(message.author) and message.read_at is None,
        "feedback": [
            {"reply": each.of.reply, "candidates": each.candidates, "answers": each.answers}
            for each in feedback
        ],
    }


def _about(found: OwnPage, chosen: str) -> list[Context]:
    """The topics of a message: nothing in particular, or a reply of the newest task."""
    options = [{"value": "", "name": _("Nothing in particular"), "chosen": not chosen}]
    many = found.replies_held > 1
    for position in range(found.replies_held):
        one = _("Your open task") if found.holds_work else _("Your last task")
        name = f"{one}: {position + 1}" if many else one
        options.append({"value": str(position), "name": name, "chosen": chosen == str(position)})
    return options
