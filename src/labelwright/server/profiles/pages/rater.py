"""What the requester's page about one rater is given."""

from __future__ import annotations

import math
from typing import Any

from labelwright.agreement import Estimate
from labelwright.crowd import MemberState
from labelwright.server.access.actions.links import address_of
from labelwright.server.people.actions.addresses import get_address
from labelwright.server.people.actions.messages import LONGEST_BY_REQUESTER
from labelwright.server.people.actions.roster import ReadableNote
from labelwright.server.profiles.actions.comparison import ON_A_PAGE, ComparedItem
from labelwright.server.profiles.actions.evidence import RaterFindings
from labelwright.server.profiles.pages.raters import row
from labelwright.server.profiles.pages.task_times import draw_times
from labelwright.server.profiles.queries.raters import ListedRater, VerdictGroup
from labelwright.server.store.models import Member, Message, Rater, StudyRow
from labelwright.server.tallies.actions.comparison import FEWEST_ITEMS, TaskBlock
from labelwright.server.web.desk.rule_names import rule_name
from labelwright.server.web.desk.times import clock
from labelwright.server.web.money import amounts

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
        "members": [_member(study, member.rater, member) for member in members],
        "joined_at": min((member.joined_at for member in members if member.joined_at), default=None),
        "notes": notes,
        "thread": [_message(message, answered) for message in thread],
        "work": [
            {
                "of": each.of,
                "answers": each.answers,
                "candidates": each.candidates,
                "flags": _rules(each.of.rules),
            }
            for each in shown
        ],
        "work_total": total,
        "longest": LONGEST_BY_REQUESTER,
        "earlier": f"?page={page - 1}#work" if page > 1 else None,
        "later": f"?page={page + 1}#work" if page * ON_A_PAGE < total else None,
    }


def evidence(found: RaterFindings) -> Context:
    """A person's work: figures, times, trend, verdicts and pay."""
    line, compared = found.line, found.everybody.comparison
    return {
        "line": line,
        "row": row(line, found.limits) if line else None,
        "cap": found.cap,
        "pool_pace": clock(found.everybody.pace) if found.everybody.pace else "",
        "compared": compared,
        "reference": compared.agreement if compared else None,
        "fewest": FEWEST_ITEMS,
        "gold": found.gold,
        "drawing": draw_times(found.times, found.limits.seconds),
        "times": [
            {"n": n, "at": task.submitted_at, "seconds": task.seconds, "rules": _rules(task.rules)}
            for n, task in enumerate(found.times, start=1)
        ],
        "flagged_times": any(task.rules for task in found.times),
        "trend": [_block(block) for block in found.trend],
        "severity": _severity(found.severity),
        "rule_flags": [{"of": each, "rule": rule_name(each.rule)} for each in found.flags],
        "verdicts": [_verdict(group) for group in found.verdicts],
        "waiting": sum(group.tasks for group in found.verdicts if group.flagged),
        "paid": amounts(found.paid),
        "owed": amounts(found.owed),
        "paid_tasks": found.paid_tasks,
        "owed_tasks": found.owed_tasks,
        "pay_tasks": found.paid_tasks + found.owed_tasks,
        "verbs": _verbs(line),
    }


def _verbs(line: ListedRater | None) -> list[tuple[str, str]]:
    """What can be done to the person in all pools, by the names of the actions."""
    if line is None or line.forgotten:
        return []
    if line.state in ("paused", "excluded"):
        return [("reinstate", "Reinstate")]
    return [("pause", "Pause"), ("exclude", "Exclude")]


def _rules(names: list[str]) -> str:
    return ", ".join(rule_name(name) for name in names)


def _block(block: TaskBlock) -> Context:
    limits, value = block.agreement.interval, block.agreement.value
    known = not math.isnan(value)
    return {
        "tasks": f"{block.first} to {block.last}",
        "value": value if known else None,
        "low": limits.low if limits else value,
        "high": limits.high if limits else value,
    }


def _severity(found: Estimate | None) -> Context | None:
    """How much stricter or milder than others somebody answers, with its interval; None if that is unknown."""
    if found is None or math.isnan(found.value):
        return None
    limits = f"[{_points(found.interval.low)}, {_points(found.interval.high)}]" if found.interval else ""
    return {"points": _points(found.value), "limits": limits}


def _points(value: float) -> str:
    """A difference in points of a scale.

    >>> _points(-0.42), _points(0.3)
    ('−0.42', '+0.30')
    """
    return f"{value:+.2f}".replace("-", "−")


def _verdict(group: VerdictGroup) -> Context:
    """Tasks with one verdict in words."""
    pay, use = ("Pay" if group.paid else "No pay"), ("use data" if group.used else "exclude data")
    return {
        "of": group,
        "verdict": "Waiting for review" if group.flagged else f"{pay}, {use}",
        "reason": group.reason or ("flagged" if group.flagged else "" if group.decided else "no flag"),
    }


def _member(study: StudyRow, found: Rater, member: Member) -> Context:
    return {
        "pool": member.pool.name,
        "name": member.rater.pseudonym,
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
        "name": message.rater.pseudonym if message.rater else "",
        "who": message.author or (message.rater.pseudonym if message.rater else ""),
        "by_rater": not message.author,
        "items": items,
        "to_answer": message.kind == Message.Kind.QUESTION and message.pk not in answered,
    }
