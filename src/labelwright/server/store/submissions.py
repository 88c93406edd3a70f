"""The hot path, second half: saving and submitting. Locks are taken in the order assignment, place."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from labelwright.server.store.rows import rows, run


@dataclass(frozen=True, slots=True)
class Held:
    """The assignment behind a visit, locked."""

    assignment: int
    study: int
    version: int
    place: int
    rater: int
    state: str
    offered_at: datetime
    lease_until: datetime
    free_for: timedelta
    """How long the place was open to others between leases."""
    newest: bool
    """Whether this visit is the newest one."""
    condition: str
    task: int
    items: int


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """Answers as they were last saved."""

    revision: int
    save_id: str
    answers: dict[str, Any]
    saved_at: datetime


def lock_visit(visit_hash: bytes) -> Held | None:
    """The assignment behind a visit; other requests for it wait."""
    found = rows(
        """SELECT a.id, a.study_id, a.version_id, a.place_id, a.rater_id, a.state, a.offered_at,
                  a.lease_until, a.free_for, a.visit_hash = v.token_hash, t.condition, t.id, t.items
           FROM visit v JOIN assignment a ON a.id = v.assignment_id JOIN task t ON t.id = a.task_id
           WHERE v.token_hash = %s FOR NO KEY UPDATE OF a""",
        [visit_hash],
    )
    return Held(*found[0]) if found else None


def lock_rater(visit_hash: bytes) -> None:
    """Locks the rater behind a visit, before the visit itself: for what changes the rater's counts off the hot path."""
    rows(
        """SELECT 1 FROM rater WHERE id = (
             SELECT a.rater_id FROM visit v JOIN assignment a ON a.id = v.assignment_id WHERE v.token_hash = %s)
           FOR NO KEY UPDATE""",
        [visit_hash],
    )


def draft(assignment: int) -> SavedDraft | None:
    """What was last saved."""
    found = rows(
        "SELECT revision, save_id, answers::text, saved_at FROM draft WHERE assignment_id = %s", [assignment]
    )
    if not found:
        return None
    revision, save_id, answers, saved_at = found[0]
    return SavedDraft(revision, save_id, json.loads(answers), saved_at)


def save_draft(held: Held, answers: dict[str, Any], save_id: str, expected: int, now: datetime) -> bool:
    """Whether the answers became the next revision; not if another was saved since `expected`."""
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
                 ON CONFLICT (assignment_id) DO NOTHING"""
    else:
        sql = """UPDATE draft SET revision = revision + 1, save_id = %(save_id)s,
                   answers = %(answers)s, saved_at = %(now)s
                 WHERE assignment_id = %(assignment)s AND revision = %(expected)s"""
    return run(sql, values) == 1


def submit(held: Held, answers: list[dict[str, Any]], now: datetime, seconds: float) -> None:
    """All that a submission writes, in one statement."""
    run(
        """WITH filled AS (UPDATE place SET state = 'filled' WHERE id = %(place)s),
        done AS (
          UPDATE assignment SET state = 'submitted', submitted_at = %(now)s, seconds = %(seconds)s,
            paid_state = 'owed', data_use = 'used', unflagged = true
          WHERE id = %(assignment)s),
        counted AS (
          INSERT INTO rater_count (study_id, rater_id, scope, key, n, cap, last_rank)
          VALUES (%(study)s, %(rater)s, 'submitted', '', 1, NULL, -1)
          ON CONFLICT (rater_id, scope, key) DO UPDATE SET n = rater_count.n + 1)
        INSERT INTO answer (study_id, assignment_id, position, question, aspect, value, code)
        SELECT %(study)s, %(assignment)s, position, question, aspect, value, code
        FROM jsonb_to_recordset(%(answers)s::jsonb)
          AS r(position smallint, question text, aspect text, value jsonb, code integer)""",
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


def keep_late_answers(held: Held, answers: dict[str, Any], now: datetime) -> None:
    """Keeps answers whose place was taken by somebody else; a person decides on their pay."""
    run(
        """WITH late AS (UPDATE assignment SET state = 'expired_answered', submitted_at = %(now)s
                      WHERE id = %(assignment)s)
           INSERT INTO draft (assignment_id, study_id, revision, save_id, answers, saved_at)
           VALUES (%(assignment)s, %(study)s, 1, 'late', %(answers)s, %(now)s)
           ON CONFLICT (assignment_id) DO UPDATE
           SET revision = draft.revision + 1, save_id = 'late', answers = excluded.answers, saved_at = %(now)s""",
        {
            "assignment": held.assignment,
            "study": held.study,
            "answers": json.dumps(answers),
            "now": now,
        },
    )
