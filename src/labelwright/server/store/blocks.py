"""Blocks of submissions for the periodic job: what to flag, and the tallies."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from labelwright.server.store.rows import rows, run


@dataclass(frozen=True, slots=True)
class Unflagged:
    """A submitted assignment that no rule has looked at."""

    assignment: int
    study: int
    version: int
    condition: str
    seconds: float
    codes: dict[str, int]


def lock_unflagged(limit: int) -> list[Unflagged]:
    """The next block, locked; what another worker holds is passed over."""
    found = rows(
        """WITH block AS MATERIALIZED (
             SELECT id, study_id, version_id, task_id, seconds FROM assignment
             WHERE unflagged ORDER BY id LIMIT %s FOR NO KEY UPDATE SKIP LOCKED)
           SELECT b.id, b.study_id, b.version_id, t.condition, b.seconds,
                  coalesce((SELECT jsonb_object_agg(a.position || ':' || a.question, a.code) FROM answer a
                            WHERE a.assignment_id = b.id AND a.code IS NOT NULL), '{}')::text
           FROM block b JOIN task t ON t.id = b.task_id ORDER BY b.id""",
        [limit],
    )
    return [
        Unflagged(assignment, study, version, condition, seconds, json.loads(codes))
        for assignment, study, version, condition, seconds, codes in found
    ]


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """An answer about an item whose right answer is known."""

    assignment: int
    position: int
    item: str
    question: str
    value: Any


def gold_answers(assignments: list[int]) -> list[GoldAnswer]:
    """The answers of the assignments to items with known answers."""
    found = rows(
        """SELECT a.assignment_id, a.position, i.key, a.question, a.value::text
           FROM answer a JOIN assignment s ON s.id = a.assignment_id
           JOIN task_item x ON x.task_id = s.task_id AND x.position = a.position AND x.role = 'gold'
           JOIN item i ON i.id = x.item_id
           WHERE a.assignment_id = ANY(%s) ORDER BY 1, 2, 4""",
        [assignments],
    )
    return [
        GoldAnswer(assignment, position, item, question, json.loads(value))
        for assignment, position, item, question, value in found
    ]


def tally(assignments: list[int], step: int = 1) -> None:
    """Adds the coded answers of the assignments to both tallies, or takes them away; only data that are used count.

    Items with known answers are left out: what raters say of them says something of raters.
    """
    values = {"ids": assignments, "step": step}
    run(
        """INSERT INTO tally (study_id, batch_id, condition, question, code, n)
           SELECT s.study_id, t.batch_id, t.condition, a.question, a.code, %(step)s * count(*)
           FROM answer a JOIN assignment s ON s.id = a.assignment_id JOIN task t ON t.id = s.task_id
           LEFT JOIN task_item i ON i.task_id = t.id AND i.position = a.position
           WHERE a.assignment_id = ANY(%(ids)s) AND a.code IS NOT NULL AND s.data_use = 'used' AND coalesce(i.role, 'item') <> 'gold'
           GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
           ON CONFLICT (study_id, batch_id, condition, question, code) DO UPDATE SET n = tally.n + excluded.n""",
        values,
    )
    run(
        """INSERT INTO item_tally (study_id, item_id, condition, question, code, n)
           SELECT s.study_id, i.item_id, t.condition, a.question, a.code, %(step)s * count(*)
           FROM answer a JOIN assignment s ON s.id = a.assignment_id JOIN task t ON t.id = s.task_id
           JOIN task_item i ON i.task_id = t.id AND i.position = a.position
           WHERE a.assignment_id = ANY(%(ids)s) AND a.code IS NOT NULL AND s.data_use = 'used' AND i.role <> 'gold'
           GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
           ON CONFLICT (study_id, item_id, condition, question, code)
           DO UPDATE SET n = item_tally.n + excluded.n""",
        values,
    )


def count_batch_work(assignments: list[int]) -> None:
    """Writes down how far each rater is with each batch, and when a batch was done whole.

    Whole is every task that a rater of the group can be offered of it, or as many as a cap allows.
    """
    run(
        """INSERT INTO batch_work AS w (study_id, batch_id, rater_id, done, first_offered_at, last_submitted_at)
           SELECT s.study_id, t.batch_id, s.rater_id, count(*), min(s.offered_at), max(s.submitted_at)
           FROM assignment s JOIN task t ON t.id = s.task_id WHERE s.id = ANY(%s)
           GROUP BY 1, 2, 3 ORDER BY 2, 3
           ON CONFLICT (batch_id, rater_id) DO UPDATE
           SET done = w.done + excluded.done,
               first_offered_at = least(w.first_offered_at, excluded.first_offered_at),
               last_submitted_at = greatest(w.last_submitted_at, excluded.last_submitted_at)""",
        [assignments],
    )
    run(
        """UPDATE batch_work w SET completed_at = w.last_submitted_at
           FROM batch b, assignment s JOIN task t ON t.id = s.task_id
           LEFT JOIN member m ON m.rater_id = s.rater_id AND m.pool_id = t.pool_id
           LEFT JOIN rater_count c ON c.rater_id = s.rater_id AND c.scope = 'batch' AND c.key = t.batch_id::text
           WHERE s.id = ANY(%s) AND w.rater_id = s.rater_id AND w.batch_id = t.batch_id AND b.id = t.batch_id
             AND w.completed_at IS NULL
             AND w.done >= least(coalesce((b.group_tasks->>coalesce(m.rater_group, ''))::int, b.tasks), c.cap)""",
        [assignments],
    )


def mark_flagged(assignments: list[int]) -> None:
    """Takes the assignments off the list; in the same transaction as their flags and tallies."""
    run("UPDATE assignment SET unflagged = false WHERE id = ANY(%s)", [assignments])
