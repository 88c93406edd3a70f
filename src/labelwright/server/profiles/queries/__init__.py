"""SQL of profiles: one rater's work, the others' answers to the same tasks, and data that are too old."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from labelwright.crowd import AssignmentState, BatchState, CountScope, DataUse, PlaceState, RaterKind
from labelwright.server.store.models import Mail, Member
from labelwright.server.store.rows import column, literal, record, records, run, value

OPEN = literal(AssignmentState.OPEN)
LATE = literal(AssignmentState.EXPIRED_ANSWERED)
WAITING = literal(Mail.State.WAITING)


@dataclass(frozen=True, slots=True)
class NewestTask:
    """The newest task of a rater."""

    open: bool
    replies: int
    pool: int


def newest_task(rater: int) -> NewestTask | None:
    """The newest task of a rater, if there is one."""
    return record(
        NewestTask,
        """SELECT a.state = %s AS open, t.items AS replies, p.pool_id AS pool
           FROM assignment a JOIN task t ON t.id = a.task_id JOIN place p ON p.id = a.place_id WHERE a.rater_id = %s ORDER BY a.id DESC LIMIT 1""",
        [AssignmentState.OPEN, rater],
    )


def has_open_places(member: Member) -> bool:
    """Whether a pool has an open place for the member's group."""
    return bool(
        column(
            f"""SELECT 1 FROM batch b JOIN offered o ON o.batch_id = b.id AND o.pool_id = %s AND o.rater_group = %s
               WHERE b.study_id = %s AND b.state = {literal(BatchState.OPEN)} AND EXISTS (
                 SELECT 1 FROM place p WHERE p.batch_id = o.batch_id AND p.pool_id = o.pool_id
                   AND p.rater_group = o.rater_group AND p.condition = o.condition
                   AND p.state = {literal(PlaceState.OPEN)})
               LIMIT 1""",
            [member.pool_id, member.rater_group, member.study_id],
        )
    )


@dataclass(frozen=True, slots=True)
class SubmittedRow:
    """One submitted task of a rater."""

    public_id: UUID
    submitted_at: datetime
    state: str
    paid: str
    reason: str
    """The reason of the newest verdict."""
    dispute: str
    """What the rater answered to a rejection."""
    version: int
    pool: str
    total: int
    """All submitted tasks of the rater."""


def submitted_work(rater: int, limit: int) -> list[SubmittedRow]:
    """The newest submitted tasks of a rater."""
    return records(
        SubmittedRow,
        """SELECT a.public_id, a.submitted_at, a.state, a.paid_state AS paid,
                  coalesce((SELECT v.reason FROM verdict v WHERE v.assignment_id = a.id
                            ORDER BY v.id DESC LIMIT 1), '') AS reason,
                  coalesce((SELECT d.text FROM dispute d WHERE d.assignment_id = a.id), '') AS dispute,
                  a.version_id AS version, p.name AS pool, count(*) OVER () AS total
           FROM assignment a JOIN place q ON q.id = a.place_id JOIN pool p ON p.id = q.pool_id
           WHERE a.rater_id = %s AND a.submitted_at IS NOT NULL ORDER BY a.submitted_at DESC LIMIT %s""",
        [rater, limit],
    )


def submitted_page(raters: Sequence[int], limit: int, offset: int) -> list[int]:
    """A page of the submitted assignments of a person's raters, newest first."""
    return column(
        """SELECT id FROM assignment WHERE rater_id = ANY(%s) AND submitted_at IS NOT NULL
           ORDER BY id DESC LIMIT %s OFFSET %s""",
        [list(raters), limit, offset],
    )


def count_submitted(raters: Sequence[int]) -> int:
    """How many tasks the raters of a person have submitted."""
    return int(
        value(
            "SELECT count(*) FROM assignment WHERE rater_id = ANY(%s) AND submitted_at IS NOT NULL",
            [list(raters)],
        )
    )


@dataclass(frozen=True, slots=True)
class SubmittedItem:
    """One item of a rater's submitted work."""

    assignment: int
    item: int
    key: str
    reply: str
    condition: str
    submitted_at: datetime
    seconds: float | None
    discussed: bool
    rules: list[str]
    """Those that flagged the work."""
    state: str
    data_use: str
    reason: str
    """The reason of the newest verdict, if there is one."""
    version: int
    position: int
    rater_number: int


def submitted_items(assignments: Sequence[int]) -> list[SubmittedItem]:
    """The items of assignments; the newest work first."""
    return records(
        SubmittedItem,
        """SELECT s.id AS assignment, i.id AS item, i.key,
                  coalesce(i.payload -> 'passage' ->> 'text', d.turns -> i.target ->> 'text') AS reply,
                  t.condition, s.submitted_at, s.seconds, i.discussed_at IS NOT NULL AS discussed,
                  ARRAY(SELECT f.rule FROM flag f WHERE f.assignment_id = s.id ORDER BY 1)::text[] AS rules,
                  s.state, s.data_use,
                  coalesce((SELECT v.reason FROM verdict v WHERE v.assignment_id = s.id
                            ORDER BY v.id DESC LIMIT 1), '') AS reason,
                  s.version_id AS version, x.position,
                  (SELECT min(m.number) FROM member m WHERE m.rater_id = s.rater_id) AS rater_number
           FROM assignment s JOIN task t ON t.id = s.task_id JOIN task_item x ON x.task_id = t.id
           JOIN item i ON i.id = x.item_id JOIN dialogue d ON d.id = i.dialogue_id
           WHERE s.id = ANY(%s) ORDER BY s.id DESC, x.position""",
        [list(assignments)],
    )


def undecided_late(raters: Sequence[int]) -> list[int]:
    """The late submissions of a person's raters whose pay nobody has decided."""
    return column(
        f"""SELECT a.id FROM assignment a WHERE a.rater_id = ANY(%s) AND a.state = {LATE}
              AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.assignment_id = a.id) ORDER BY a.id""",
        [list(raters)],
    )


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer to a question about an item of an assignment, and how often it was given."""

    assignment: int
    position: int
    question: str
    value_json: str
    n: int = 1

    @property
    def value(self) -> Any:
        """The stored answer."""
        return json.loads(self.value_json)


def own_answers(assignments: Sequence[int]) -> list[GivenAnswer]:
    """The answers of the assignments themselves."""
    return records(
        GivenAnswer,
        """SELECT assignment_id AS assignment, position, question, value::text AS value_json
           FROM answer WHERE assignment_id = ANY(%s)""",
        [list(assignments)],
    )


@dataclass(frozen=True, slots=True)
class _SameTask:
    assignment: int
    task: int


def _same_tasks(assignments: Sequence[int]) -> list[_SameTask]:
    """The tasks that ask what these assignments asked; each may show other gold items, at other positions."""
    return records(
        _SameTask,
        """SELECT s.id AS assignment, coalesce(t.base_id, t.id) AS task
           FROM assignment s JOIN task t ON t.id = s.task_id WHERE s.id = ANY(%(ids)s)
           UNION SELECT s.id, b.id FROM assignment s JOIN task t ON t.id = s.task_id AND t.study_id = s.study_id
           JOIN task b ON b.base_id = coalesce(t.base_id, t.id) AND b.study_id = s.study_id
           WHERE s.id = ANY(%(ids)s)""",
        {"ids": list(assignments)},
    )


def others_answers(assignments: Sequence[int]) -> list[GivenAnswer]:
    """The others' different answers about the same tasks, and how often each was given; only people's data in use.

    Judgments inside an answer (`question.part`) are part of its value, so they are not read again.
    """
    same = _same_tasks(assignments)
    return records(
        GivenAnswer,
        # The list of tasks is given twice: as a constant, it lets the database find their answers by index.
        """SELECT s.id AS assignment, coalesce(x.position, o.position) AS position, o.question,
                  o.value::text AS value_json, count(*) AS n
           FROM unnest(%(assignments)s::bigint[], %(tasks)s::bigint[]) AS same(assignment, task)
           JOIN assignment s ON s.id = same.assignment
           JOIN counted_answer o ON o.task_id = same.task AND o.rater_id <> s.rater_id
           LEFT JOIN task_item x ON x.task_id = s.task_id AND x.item_id = o.item_id
           WHERE o.task_id = ANY(%(tasks)s::bigint[]) AND o.data_use = %(used)s AND o.rater_kind = %(person)s
             AND o.question NOT LIKE '%%.%%' AND (x.position IS NOT NULL OR o.item_id IS NULL)
           GROUP BY 1, 2, 3, o.value ORDER BY o.value""",
        {
            "assignments": [each.assignment for each in same],
            "tasks": [each.task for each in same],
            "used": DataUse.USED,
            "person": RaterKind.PERSON,
        },
    )


@dataclass(frozen=True, slots=True)
class GoldAnswers:
    """How a rater answered gold items."""

    right: int
    answered: int
    all_met: bool
    """Whether gold was due and the rater had met every gold item."""


def gold_answers(rater: int) -> GoldAnswers:
    """A rater's results on gold items."""
    found = record(
        GoldAnswers,
        """SELECT count(*) FILTER (WHERE g."right") AS right, count(*) AS answered,
                  EXISTS (SELECT 1 FROM rater_count m JOIN rater_count b USING (rater_id, n)
                          WHERE m.rater_id = %(rater)s AND m.scope = %(missing)s AND b.scope = %(blocks)s) AS all_met
           FROM gold_result g JOIN assignment a ON a.id = g.assignment_id WHERE a.rater_id = %(rater)s""",
        {"rater": rater, "missing": CountScope.GOLD_MISSING, "blocks": CountScope.GOLD_BLOCKS},
    )
    assert found is not None
    return found


def delete_visits(study: int, before: datetime, limit: int) -> int:
    """Deletes visits to work that is not open any more; returns how many."""
    return run(
        f"""DELETE FROM visit WHERE token_hash IN (
              SELECT v.token_hash FROM visit v JOIN assignment a ON a.id = v.assignment_id
              WHERE v.study_id = %s AND v.opened_at < %s AND a.state <> {OPEN} LIMIT %s)""",
        [study, before, limit],
    )


def delete_drafts(study: int, before: datetime, limit: int) -> int:
    """Deletes drafts of work that is not open any more; returns how many.

    Late answers are stored as drafts. They stay until somebody has decided on their pay.
    """
    return run(
        f"""DELETE FROM draft WHERE assignment_id IN (
              SELECT d.assignment_id FROM draft d JOIN assignment a ON a.id = d.assignment_id
              WHERE d.study_id = %s AND d.saved_at < %s AND a.state <> {OPEN}
                AND (a.state <> {LATE} OR EXISTS (SELECT 1 FROM verdict v WHERE v.assignment_id = a.id))
              LIMIT %s)""",
        [study, before, limit],
    )


def delete_mails(study: int, before: datetime, limit: int) -> int:
    """Deletes mails that are not waiting to be sent; returns how many."""
    return run(
        f"""DELETE FROM mail WHERE id IN (
              SELECT id FROM mail WHERE study_id = %s AND made_at < %s AND state <> {WAITING} LIMIT %s)""",
        [study, before, limit],
    )


def delete_waiting(study: int, before: datetime, limit: int) -> int:
    """Deletes addresses that people left when all tasks were taken; returns how many."""
    return run(
        """DELETE FROM waiting_address WHERE id IN (
             SELECT id FROM waiting_address WHERE study_id = %s AND given_at < %s LIMIT %s)""",
        [study, before, limit],
    )


def delete_log(study: int, before: datetime, limit: int) -> int:
    """Deletes lines of the audit log; returns how many."""
    return run(
        "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE study_id = %s AND at < %s LIMIT %s)",
        [study, before, limit],
    )


def inactive_raters(study: int, agreed: int | None, before: datetime, limit: int) -> list[int]:
    """Raters who agreed to this version (None: have not agreed yet) and have done nothing since; at most `limit`."""
    return column(
        """SELECT r.id FROM rater r
           WHERE r.study_id = %(study)s AND r.forgotten_at IS NULL AND r.kind = %(person)s
             AND r.consented_version_id IS NOT DISTINCT FROM %(agreed)s
             AND (r.consented_at IS NULL OR r.consented_at < %(before)s)
             AND NOT EXISTS (SELECT 1 FROM member m WHERE m.rater_id = r.id AND m.joined_at >= %(before)s)
             AND NOT EXISTS (SELECT 1 FROM message m WHERE m.rater_id = r.id AND m.pool_id IS NULL
                                                       AND m.sent_at >= %(before)s)
             AND NOT EXISTS (SELECT 1 FROM assignment a WHERE a.rater_id = r.id
                             AND (a.offered_at >= %(before)s OR a.submitted_at >= %(before)s))
           ORDER BY r.id LIMIT %(limit)s""",
        {"study": study, "agreed": agreed, "before": before, "limit": limit, "person": RaterKind.PERSON},
    )
