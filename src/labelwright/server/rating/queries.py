"""SQL of rating: the hot path's second half (saving and submitting), and what the rater's pages show.

Locks are taken in the order assignment, place.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from labelwright.crowd import AssignmentState, BatchState, CountScope, DataUse, PaidState, PlaceState
from labelwright.crowd.qualification import CONDITION
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.queries.visits import Held
from labelwright.server.store.rows import column, literal, record, records, run, value


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """Answers as they were last saved."""

    revision: int
    save_id: str
    answers_json: str
    saved_at: datetime

    @property
    def answers(self) -> dict[str, Any]:
        """The answers by position and question."""
        answers: dict[str, Any] = json.loads(self.answers_json)
        return answers


def find_draft(assignment: int) -> SavedDraft | None:
    """The draft of an assignment, if there is one."""
    return record(
        SavedDraft,
        """SELECT revision, save_id, answers::text AS answers_json, saved_at FROM draft
           WHERE assignment_id = %s""",
        [assignment],
    )


def save_draft(held: Held, answers: dict[str, Any], save_id: str, expected: int, now: datetime) -> bool:
    """Saves the answers as the next revision; returns False if another was saved since `expected`."""
    values = {
        "assignment": held.assignment,
        "study": held.study,
        "expected": expected,
        "save_id": save_id,
        "answers": json.dumps(answers),
        "now": now,
    }
    if expected == 0:
        sql = """INSERT INTO draft (assignment_id, study_id, revision, save_id, answers, saved_at)
                 VALUES (%(assignment)s, %(study)s, 1, %(save_id)s, %(answers)s, %(now)s)
                 ON CONFLICT (assignment_id, study_id) DO NOTHING"""
    else:
        sql = """UPDATE draft SET revision = revision + 1, save_id = %(save_id)s,
                   answers = %(answers)s, saved_at = %(now)s
                 WHERE assignment_id = %(assignment)s AND revision = %(expected)s"""
    return run(sql, values) == 1


_SUBMIT = f"""WITH filled AS (
          UPDATE place SET state = {literal(PlaceState.FILLED)} WHERE id = %(place)s AND study_id = %(study)s),
        done AS (
          UPDATE assignment SET state = {literal(AssignmentState.SUBMITTED)}, submitted_at = %(now)s,
            seconds = %(seconds)s, paid_state = {literal(PaidState.OWED)}, data_use = {literal(DataUse.USED)},
            unflagged = true
          WHERE id = %(assignment)s AND study_id = %(study)s),
        counted AS (
          INSERT INTO rater_count (study_id, rater_id, scope, key, n, cap, last_rank)
          VALUES (%(study)s, %(rater)s, {literal(CountScope.SUBMITTED)}, '', 1, NULL, -1)
          ON CONFLICT (rater_id, scope, key, study_id) DO UPDATE SET n = rater_count.n + 1)
        INSERT INTO answer (study_id, assignment_id, position, question, aspect, value, code)
        SELECT %(study)s, %(assignment)s, position, question, aspect, value, code
        FROM jsonb_to_recordset(%(answers)s::jsonb)
          AS r(position smallint, question text, aspect text, value jsonb, code integer)"""


def store_submission(held: Held, answers: list[dict[str, Any]], now: datetime, seconds: float) -> None:
    """Everything that a submission writes, in one statement."""
    run(
        _SUBMIT,
        {
            "place": held.place,
            "assignment": held.assignment,
            "study": held.study,
            "rater": held.rater,
            "now": now,
            "seconds": seconds,
            "answers": json.dumps(answers),
        },
    )


def store_typing(held: Held, facts: dict[str, Any]) -> None:
    """Stores how the texts of a submission were typed, if anything is known about it."""
    if facts:
        run(
            "INSERT INTO typing_record (assignment_id, study_id, facts) VALUES (%s, %s, %s)",
            [held.assignment, held.study, json.dumps(facts)],
        )


def keep_late_answers(held: Held, answers: dict[str, Any], now: datetime) -> None:
    """Keeps answers whose place somebody else has taken; a person decides on their pay."""
    run(
        f"""WITH late AS (UPDATE assignment SET state = {literal(AssignmentState.EXPIRED_ANSWERED)}, submitted_at = %(now)s
                      WHERE id = %(assignment)s)
           INSERT INTO draft (assignment_id, study_id, revision, save_id, answers, saved_at)
           VALUES (%(assignment)s, %(study)s, 1, 'late', %(answers)s, %(now)s)
           ON CONFLICT (assignment_id, study_id) DO UPDATE
           SET revision = draft.revision + 1, save_id = 'late', answers = excluded.answers, saved_at = %(now)s""",
        {
            "assignment": held.assignment,
            "study": held.study,
            "answers": json.dumps(answers),
            "now": now,
        },
    )


@dataclass(frozen=True, slots=True)
class TaskLine:
    """An item of an assignment's task; what belongs to the whole task is the same in every line."""

    version: int
    condition: str
    lease_until: datetime
    kind: str
    turns_json: str
    payload_json: str
    target: int
    item: int
    key: str
    rater_number: int
    discussed: bool
    revision: int | None
    answers_json: str | None
    tasks: int
    pool: str
    done: int


def task_lines(assignment: int) -> list[TaskLine]:
    """The items of an assignment's task in their order, with its draft and the rater's progress; no lock."""
    return records(
        TaskLine,
        f"""SELECT a.version_id AS version, t.condition, a.lease_until, i.kind, d.turns::text AS turns_json,
                  i.payload::text AS payload_json, i.target, i.id AS item, i.key,
                  (SELECT min(m.number) FROM member m WHERE m.rater_id = a.rater_id) AS rater_number,
                  i.discussed_at IS NOT NULL AS discussed, f.revision, f.answers::text AS answers_json, b.tasks,
                  p.name AS pool,
                  coalesce((SELECT n - (a.state = {literal(AssignmentState.OPEN)})::int FROM rater_count c
                            WHERE c.rater_id = a.rater_id AND c.scope = {literal(CountScope.BATCH)}
                              AND c.key = b.id::text), 0) AS done
           FROM assignment a JOIN place t ON t.id = a.place_id AND t.study_id = a.study_id
           JOIN batch b ON b.id = t.batch_id
           JOIN pool p ON p.id = t.pool_id
           JOIN task_item x ON x.task_id = a.task_id JOIN item i ON i.id = x.item_id
           JOIN dialogue d ON d.id = i.dialogue_id LEFT JOIN draft f ON f.assignment_id = a.id
           WHERE a.id = %s ORDER BY x.position""",
        [assignment],
    )


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """How much a rater has done in a pool."""

    done: int
    newest: UUID | None
    """The public id of the newest submitted assignment."""
    tasks: int
    """Tasks of the first open batch."""


def rater_progress(visitor: Visitor) -> RaterProgress:
    """The progress of a rater; tasks of a qualification do not count as work in a pool that it leads to."""
    found = record(
        RaterProgress,
        """SELECT greatest(0, coalesce((SELECT n FROM rater_count c
                    WHERE c.rater_id = %(rater)s AND c.scope = %(submitted)s AND c.key = ''), 0)
                  - coalesce((SELECT sum(n) FROM rater_count c
                    WHERE c.rater_id = %(rater)s AND c.scope = %(by_condition)s AND c.key LIKE %(qualification)s
                      AND c.key <> %(condition)s), 0))::bigint AS done,
                  (SELECT public_id FROM assignment
                   WHERE rater_id = %(rater)s AND study_id = %(study)s AND submitted_at IS NOT NULL
                   ORDER BY id DESC LIMIT 1) AS newest,
                  coalesce((SELECT b.tasks FROM batch b WHERE b.study_id = %(study)s AND b.state = %(open)s
                              AND EXISTS (SELECT 1 FROM offered o
                                          WHERE o.batch_id = b.id AND o.pool_id = %(pool)s)
                            ORDER BY b.number LIMIT 1), 0) AS tasks""",
        {
            "rater": visitor.rater,
            "study": visitor.study,
            "pool": visitor.pool,
            "submitted": CountScope.SUBMITTED,
            "by_condition": CountScope.CONDITION,
            "qualification": CONDITION + "%",
            "condition": CONDITION + visitor.pool_name,
            "open": BatchState.OPEN,
        },
    )
    assert found is not None
    return found


def batch_of(assignment: int) -> int:
    """The batch of an assignment."""
    return int(
        value(
            "SELECT p.batch_id FROM assignment a JOIN place p ON p.id = a.place_id WHERE a.id = %s",
            [assignment],
        )
    )


def works_in_batch(rater: int, batch: int) -> bool:
    """Whether a rater has or had work of a batch."""
    return bool(
        column(
            """SELECT 1 FROM assignment a JOIN place p ON p.id = a.place_id
               WHERE a.rater_id = %s AND p.batch_id = %s LIMIT 1""",
            [rater, batch],
        )
    )


@dataclass(frozen=True, slots=True)
class AnsweredSheet:
    """A part of the questionnaire that a rater has answered."""

    part: str
    closed: bool
    passed: bool | None
    tries: int


def answered_sheets(rater: int, key: str) -> dict[str, AnsweredSheet]:
    """The parts that a rater has answered, by name."""
    found = records(
        AnsweredSheet,
        "SELECT part, closed, passed, tries FROM rater_sheet WHERE rater_id = %s AND key = %s",
        [rater, key],
    )
    return {sheet.part: sheet for sheet in found}
