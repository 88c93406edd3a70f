"""SQL of verdicts: what a verdict does to the cases of its work, and what a decision on many cases leads to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from labelwright.crowd import PaidState
from labelwright.server.review.queries.queue import CASE_ORDER, DECIDED, OPEN
from labelwright.server.store.models import CaseKind
from labelwright.server.store.rows import literal, record, records, run

SECOND = literal(CaseKind.SECOND)


@dataclass(frozen=True, slots=True)
class SettledCase:
    """A case that a verdict has just decided."""

    id: int
    group: int
    kind: str
    condition: str
    rules: list[str]
    weight: int
    decide_by: datetime | None


def settle_cases(
    assignment: int, decision: UUID, choice: str, before: dict[str, Any], author: str, now: datetime
) -> list[SettledCase]:
    """Marks the open cases of work as decided, except a second opinion, which is no verdict."""
    return records(
        SettledCase,
        f"""UPDATE review_case SET state = {DECIDED}, decided_by = %(author)s, decided_at = %(now)s,
                   decision = %(decision)s, choice = %(choice)s, before = %(before)s::jsonb, claimed_by = '',
                   claimed_until = NULL
            WHERE assignment_id = %(work)s AND state = {OPEN} AND kind <> {SECOND}
            RETURNING id, group_id AS "group", kind, condition, rules, weight, decide_by""",
        {
            "work": assignment, "decision": decision, "choice": choice, "before": json.dumps(before), "author": author,
            "now": now,
        },
    )  # fmt: skip


def settle_opinion(case: int, decision: UUID, choice: str, reason: str, author: str, now: datetime) -> int:
    """Records a second opinion; returns the number of cases that were open, 0 or 1."""
    return run(
        f"""UPDATE review_case SET state = {DECIDED}, decided_by = %(author)s, decided_at = %(now)s,
                   decision = %(decision)s, choice = %(choice)s, reason = %(reason)s, claimed_by = '',
                   claimed_until = NULL
            WHERE id = %(case)s AND state = {OPEN} AND kind = {SECOND} AND away_from <> %(author)s""",
        {
            "case": case,
            "decision": decision,
            "choice": choice,
            "reason": reason,
            "author": author,
            "now": now,
        },
    )


def lock_case(study: int, case: int) -> tuple[str, str, datetime | None] | None:
    """The state of a case, who holds it and until when; locked until the transaction ends."""
    found = record(
        _Holding,
        """SELECT state, claimed_by AS holder, claimed_until AS until FROM review_case
           WHERE study_id = %s AND id = %s FOR NO KEY UPDATE""",
        [study, case],
    )
    return (found.state, found.holder, found.until) if found else None


@dataclass(frozen=True, slots=True)
class _Holding:
    state: str
    holder: str
    until: datetime | None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A decided case that is to be opened again."""

    id: int
    study: int
    group: int
    assignment: int
    kind: str
    before_json: str
    message: int | None

    @property
    def before(self) -> dict[str, Any]:
        """The states of the assignment before the verdict."""
        states: dict[str, Any] = json.loads(self.before_json)
        return states


def cases_of_decision(study: int, decision: UUID) -> list[TakenBack]:
    """The cases that were decided in one step, in the order in which their work is locked."""
    return records(
        TakenBack,
        f"""SELECT id, study_id AS study, group_id AS "group", assignment_id AS assignment, kind,
                   before::text AS before_json, message_id AS message
            FROM review_case WHERE decision = %s AND study_id = %s AND state = {DECIDED}
            ORDER BY assignment_id""",
        [decision, study],
    )


def reopen_case(case: int, author: str, until: datetime) -> None:
    """Opens a decided case again; the reviewer who took the verdict back holds it."""
    run(
        f"""UPDATE review_case SET state = {OPEN}, decided_by = '', decided_at = NULL, decision = NULL, choice = '',
                   reason = '', before = '{{}}', message_id = NULL, claimed_by = %s, claimed_until = %s
            WHERE id = %s""",
        [author, until, case],
    )


def delete_opened(assignment: int, kinds: Sequence[str]) -> None:
    """Deletes the open cases that a verdict led to, when it is taken back."""
    run(
        f"DELETE FROM review_case WHERE assignment_id = %s AND kind = ANY(%s) AND state = {OPEN}",
        [assignment, list(kinds)],
    )


def leave_to_others(case: int, who: str) -> int:
    """Puts a case back into the queue for every reviewer but this one; returns 0 if another one holds it."""
    return run(
        f"""UPDATE review_case SET away_from = %s, claimed_by = '', claimed_until = NULL
            WHERE id = %s AND state = {OPEN} AND claimed_by IN ('', %s) AND away_from = ''""",
        [who, case, who],
    )


@dataclass(frozen=True, slots=True)
class GroupedCase:
    """An open case of a group, with what a decision on it leads to."""

    id: int
    assignment: int
    item: int
    item_key: str
    items: int
    condition: str
    submitted_at: datetime
    seconds: float | None
    rules: list[str]
    version: int
    pool: str
    answers: int
    gold: bool
    paid: bool
    """Whether it is paid already, whatever is decided."""
    held_by: str
    codes_json: str

    @property
    def codes(self) -> dict[str, int]:
        """The codes of its answers, by question."""
        codes: dict[str, int] = json.loads(self.codes_json)
        return codes


def grouped_cases(group: int, who: str, now: datetime, most: int) -> list[GroupedCase]:
    """The open cases of a group, in the order of the queue, without those that this reviewer must not decide."""
    return records(
        GroupedCase,
        f"""SELECT c.id, c.assignment_id AS assignment, i.id AS item, i.key AS item_key, k.items, c.condition,
                   s.submitted_at, s.seconds, c.rules, s.version_id AS version, l.name AS pool, p.gold,
                   s.paid_state = {literal(PaidState.PAID)} AS paid, a.answers, a.codes::text AS codes_json,
                   CASE WHEN c.claimed_until > %(now)s AND c.claimed_by <> %(who)s THEN c.claimed_by ELSE '' END AS held_by
            FROM review_case c JOIN assignment s ON s.id = c.assignment_id JOIN place p ON p.id = s.place_id
            JOIN pool l ON l.id = p.pool_id JOIN task k ON k.id = s.task_id
            CROSS JOIN LATERAL (SELECT item_id FROM task_item x WHERE x.task_id = s.task_id ORDER BY position LIMIT 1) x
            JOIN item i ON i.id = x.item_id
            CROSS JOIN LATERAL (
              SELECT count(*) AS answers, coalesce(jsonb_object_agg(question, code) FILTER (WHERE code IS NOT NULL), '{{}}')
                       AS codes
              FROM answer WHERE assignment_id = s.id) a
            WHERE c.group_id = %(group)s AND c.state = {OPEN} AND c.away_from <> %(who)s
            ORDER BY {CASE_ORDER} LIMIT %(most)s""",
        {"group": group, "who": who, "now": now, "most": most},
    )
