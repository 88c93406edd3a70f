"""SQL of tallies: which answers count, how often each code was given, and pay that is owed for work."""

from __future__ import annotations

from dataclasses import dataclass

from labelwright.crowd import CountScope, PaidState, RaterKind
from labelwright.server.store.changes import note_change, note_changed_items, note_changed_work
from labelwright.server.store.rows import column, records, run


def tally(assignments: list[int], step: int = 1) -> None:
    """Adds the coded answers of the assignments to both tallies, or subtracts them, and notes the change.

    The view `counted_answer` says which of them count. The tally keeps the others under the reason why they
    do not; the tally by item keeps only those that count, and the same of models.
    """
    values = {"ids": assignments, "step": step}
    run(
        """INSERT INTO tally (study_id, version_id, rater_kind, condition, question, code, left_out, n)
           SELECT study_id, version_id, rater_kind, condition, question, code, left_out, %(step)s * count(*)
           FROM counted_answer WHERE assignment_id = ANY(%(ids)s) AND code IS NOT NULL
           GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
           ON CONFLICT (study_id, version_id, rater_kind, condition, question, code, left_out)
           DO UPDATE SET n = tally.n + excluded.n""",
        values,
    )
    run(
        """INSERT INTO item_tally (study_id, item_id, version_id, rater_kind, condition, question, code, n)
           SELECT study_id, item_id, version_id, rater_kind, condition, question, code, %(step)s * count(*)
           FROM counted_answer
           WHERE assignment_id = ANY(%(ids)s) AND code IS NOT NULL AND left_out IN ('', %(model)s)
           GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
           ON CONFLICT (study_id, item_id, condition, question, code, version_id, rater_kind)
           DO UPDATE SET n = item_tally.n + excluded.n""",
        {**values, "model": RaterKind.MODEL},
    )
    note_changed_items(assignments)
    note_changed_work(assignments)
    note_change(*column("SELECT DISTINCT study_id FROM assignment WHERE id = ANY(%s)", [assignments]))


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
           ON CONFLICT (batch_id, rater_id, study_id) DO UPDATE
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
           JOIN place l ON l.id = a.place_id JOIN pool p ON p.id = l.pool_id
           WHERE a.study_id = %(study)s AND a.paid_state = %(state)s
             AND (%(rater)s::bigint IS NULL OR a.rater_id = %(rater)s)
           GROUP BY 1, 2""",
        {"study": study, "rater": rater, "state": state},
    )
