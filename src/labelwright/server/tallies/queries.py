"""SQL of tallies: which answers count, how often each code was given, and pay that is owed for work."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.crowd import CountScope, DataUse, PaidState
from labelwright.server.store.models import TaskItem
from labelwright.server.store.rows import records, run


def tally(assignments: list[int], step: int = 1) -> None:
    """Adds the coded answers of the assignments to both tallies, or subtracts them; only data in use count.

    Gold items are left out: answers to them say something about raters, not about the items.
    """
    values = {
        "ids": assignments,
        "step": step,
        "used": DataUse.USED,
        "gold": TaskItem.Role.GOLD,
        "item": TaskItem.Role.ITEM,
    }
    run(
        """INSERT INTO tally (study_id, batch_id, condition, question, code, n)
           SELECT s.study_id, t.batch_id, t.condition, a.question, a.code, %(step)s * count(*)
           FROM answer a JOIN assignment s ON s.id = a.assignment_id JOIN task t ON t.id = s.task_id
           LEFT JOIN task_item i ON i.task_id = t.id AND i.position = a.position
           WHERE a.assignment_id = ANY(%(ids)s) AND a.code IS NOT NULL AND s.data_use = %(used)s
             AND coalesce(i.role, %(item)s) <> %(gold)s
             -- A question about a gold task as a whole has no item.
             AND NOT (SELECT p.gold FROM place p WHERE p.id = s.place_id)
           GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
           ON CONFLICT (study_id, batch_id, condition, question, code) DO UPDATE SET n = tally.n + excluded.n""",
        values,
    )
    run(
        """INSERT INTO item_tally (study_id, item_id, condition, question, code, n)
           SELECT s.study_id, i.item_id, t.condition, a.question, a.code, %(step)s * count(*)
           FROM answer a JOIN assignment s ON s.id = a.assignment_id JOIN task t ON t.id = s.task_id
           JOIN task_item i ON i.task_id = t.id AND i.position = a.position
           WHERE a.assignment_id = ANY(%(ids)s) AND a.code IS NOT NULL AND s.data_use = %(used)s AND i.role <> %(gold)s
           GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
           ON CONFLICT (study_id, item_id, condition, question, code)
           DO UPDATE SET n = item_tally.n + excluded.n""",
        values,
    )


def count_batch_work(assignments: list[int]) -> None:
    """Counts each rater's submitted tasks of each batch, and records when a rater completed it.

    A batch is complete with every task of it that a rater of the group can be offered, or as many as a cap allows.
    Gold tasks count for the cap only.
    """
    run(
        """INSERT INTO batch_work AS w (study_id, batch_id, rater_id, done, gold, first_offered_at, last_submitted_at)
           SELECT s.study_id, p.batch_id, s.rater_id, count(*), count(*) FILTER (WHERE p.gold), min(s.offered_at),
                  max(s.submitted_at)
           FROM assignment s JOIN place p ON p.id = s.place_id WHERE s.id = ANY(%s)
           GROUP BY 1, 2, 3 ORDER BY 2, 3
           ON CONFLICT (batch_id, rater_id) DO UPDATE
           SET done = w.done + excluded.done, gold = w.gold + excluded.gold,
               first_offered_at = least(w.first_offered_at, excluded.first_offered_at),
               last_submitted_at = greatest(w.last_submitted_at, excluded.last_submitted_at)""",
        [assignments],
    )
    run(
        """UPDATE batch_work w SET completed_at = w.last_submitted_at
           FROM batch b, assignment s JOIN place p ON p.id = s.place_id
           LEFT JOIN member m ON m.rater_id = s.rater_id AND m.pool_id = p.pool_id
           LEFT JOIN rater_count c ON c.rater_id = s.rater_id AND c.scope = %s AND c.key = p.batch_id::text
           WHERE s.id = ANY(%s) AND w.rater_id = s.rater_id AND w.batch_id = p.batch_id AND b.id = p.batch_id
             AND w.completed_at IS NULL
             AND (w.done >= c.cap
                  OR w.done - w.gold >= coalesce((b.group_tasks->>coalesce(m.rater_group, ''))::int, b.tasks))""",
        [CountScope.BATCH, assignments],
    )


@dataclass(frozen=True, slots=True)
class OwedWork:
    """How many assignments of a pool have a paid state, by the version that sets their pay."""

    version: int
    pool: str
    assignments: int


def work_by_pay(study: int, rater: int | None, state: PaidState) -> list[OwedWork]:
    """The work of a study, or of one rater in it, that is owed or paid."""
    return records(
        OwedWork,
        """SELECT a.version_id AS version, p.name AS pool, count(*) AS assignments FROM assignment a
           JOIN task t ON t.id = a.task_id JOIN pool p ON p.id = t.pool_id
           WHERE a.study_id = %(study)s AND a.paid_state = %(state)s
             AND (%(rater)s::bigint IS NULL OR a.rater_id = %(rater)s)
           GROUP BY 1, 2""",
        {"study": study, "rater": rater, "state": state},
    )
