"""SQL of the facts around the ratings of a study: what was imported, offered, submitted, flagged, excluded and kept.

Tasks are those of people in the main work: without qualifications, and without tasks that are shown only as gold.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from labelwright.crowd import STORED, DataUse, PaidState, RaterKind
from labelwright.server.store.models import Batch, TaskItem
from labelwright.server.store.rows import column, counts, literal, record, records, value

_STORED = f"({', '.join(literal(state) for state in STORED)})"
_PERSON, _LEFT_OUT = literal(RaterKind.PERSON), literal(DataUse.LEFT_OUT)
_USED = literal(DataUse.USED)
_TASKS = f"""FROM assignment a JOIN place p ON p.id = a.place_id AND p.study_id = a.study_id
  JOIN batch b ON b.id = p.batch_id AND b.purpose = {literal(Batch.Purpose.COLLECT)}
  JOIN rater r ON r.id = a.rater_id AND r.kind = {_PERSON}
  WHERE a.study_id = %(study)s AND NOT p.gold"""


@dataclass(frozen=True, slots=True)
class ItemFlow:
    """How many items reached each step."""

    dialogues: int
    items: int
    asked: int
    """Items in tasks of the main work."""
    rated: int
    kept: int
    """Items with a judgment that counts."""


def item_flow(study: int) -> ItemFlow:
    """The items of a study, from imported to kept."""
    found = record(
        ItemFlow,
        f"""SELECT (SELECT count(*) FROM dialogue WHERE study_id = %(study)s) AS dialogues, count(*) AS items,
                   count(t.item_id) AS asked, count(a.item_id) AS rated, count(*) FILTER (WHERE a.kept) AS kept
            FROM item i
            LEFT JOIN (SELECT DISTINCT x.item_id FROM task_item x JOIN place p ON p.task_id = x.task_id
                         AND p.study_id = x.study_id AND NOT p.gold
                       JOIN batch b ON b.id = p.batch_id AND b.purpose = {literal(Batch.Purpose.COLLECT)}
                       WHERE x.study_id = %(study)s AND x.role = {literal(TaskItem.Role.ITEM)}) t ON t.item_id = i.id
            LEFT JOIN (SELECT item_id, bool_or(left_out = '') AS kept FROM counted_answer
                       WHERE study_id = %(study)s AND role = {literal(TaskItem.Role.ITEM)} AND rater_kind = {_PERSON} AND aspect <> ''
                       GROUP BY 1) a ON a.item_id = i.id
            WHERE i.study_id = %(study)s""",
        {"study": study},
    )
    assert found is not None
    return found


@dataclass(frozen=True, slots=True)
class TaskCount:
    """Tasks of a condition in one state."""

    condition: str
    state: str
    data_use: str
    n: int


def count_tasks(study: int) -> list[TaskCount]:
    """The tasks that were offered, by condition, state and use of their data."""
    return records(
        TaskCount,
        f"SELECT p.condition, a.state, a.data_use, count(*) AS n {_TASKS} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
        {"study": study},
    )


@dataclass(frozen=True, slots=True)
class ExcludedTasks:
    """Submitted tasks whose data are excluded for the same reasons."""

    rules: list[str]
    """The rules that flagged them; empty if none did."""
    withdrawn: bool
    """Whether the rater asked for it on leaving, or had their data deleted."""
    n: int


def excluded_tasks(study: int) -> list[ExcludedTasks]:
    """Excluded tasks by the rules that flagged them."""
    return records(
        ExcludedTasks,
        f"""SELECT rules, withdrawn, count(*) AS n FROM (
              SELECT ARRAY(SELECT DISTINCT f.rule FROM flag f
                           WHERE f.study_id = a.study_id AND f.assignment_id = a.id ORDER BY 1)::text[] AS rules,
                     r.forgotten_at IS NOT NULL OR EXISTS (
                       SELECT 1 FROM withdrawal w WHERE w.study_id = a.study_id AND w.rater_id = a.rater_id
                         AND w.data_use = {_LEFT_OUT}) AS withdrawn
              {_TASKS} AND a.state IN {_STORED} AND a.data_use = {_LEFT_OUT}) excluded
            GROUP BY 1, 2 ORDER BY n DESC, 1""",
        {"study": study},
    )


@dataclass(frozen=True, slots=True)
class FlaggedTasks:
    """Tasks of a condition that a rule flagged."""

    rule: str
    condition: str
    flagged: int
    excluded: int


def count_flags(study: int) -> list[FlaggedTasks]:
    """Flagged tasks by rule and condition, with those whose data a person excluded."""
    return records(
        FlaggedTasks,
        f"""SELECT f.rule, p.condition, count(DISTINCT a.id) AS flagged,
                   count(DISTINCT a.id) FILTER (WHERE a.data_use = {_LEFT_OUT}) AS excluded
            {_TASKS.replace("WHERE", "JOIN flag f ON f.assignment_id = a.id AND f.study_id = a.study_id WHERE", 1)}
            GROUP BY 1, 2 ORDER BY 1, 2""",
        {"study": study},
    )


def count_verdicts(study: int) -> dict[tuple[str, str], int]:
    """Tasks with a verdict, by their state and the use of their data."""
    found = records(
        TaskCount,
        f"""SELECT '' AS condition, a.state, a.data_use, count(*) AS n {_TASKS}
            AND EXISTS (SELECT 1 FROM verdict v WHERE v.assignment_id = a.id AND v.study_id = a.study_id)
            GROUP BY 2, 3""",
        {"study": study},
    )
    return {(each.state, each.data_use): each.n for each in found}


def count_undecided(study: int) -> int:
    """Flagged tasks that wait for a verdict."""
    return int(
        value(
            f"""SELECT count(*) {_TASKS} AND a.state IN {_STORED}
                AND EXISTS (SELECT 1 FROM flag f WHERE f.assignment_id = a.id AND f.study_id = a.study_id
                              AND f."then" <> 'nothing')
                AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.assignment_id = a.id AND v.study_id = a.study_id)""",
            {"study": study},
        )
    )


@dataclass(frozen=True, slots=True)
class RaterFlow:
    """How many people reached each step."""

    joined: int
    consented: int
    admitted: int
    """Members of the main pool."""
    began: int
    worked: int
    kept: int


def rater_flow(study: int, pool: str) -> RaterFlow:
    """The raters of a study, from joined to kept."""
    found = record(
        RaterFlow,
        f"""SELECT count(*) AS joined, count(*) FILTER (WHERE consented_at IS NOT NULL OR began) AS consented,
                   count(*) FILTER (WHERE (consented_at IS NOT NULL OR began) AND (admitted OR began)) AS admitted,
                   count(*) FILTER (WHERE began) AS began, count(*) FILTER (WHERE worked) AS worked,
                   count(*) FILTER (WHERE kept) AS kept
            FROM (SELECT r.consented_at, w.rater_id IS NOT NULL AS began, coalesce(w.worked, false) AS worked,
                         coalesce(w.kept, false) AS kept,
                         EXISTS (SELECT 1 FROM member m JOIN pool l ON l.id = m.pool_id AND l.name = %(pool)s
                                 WHERE m.rater_id = r.id AND m.study_id = r.study_id) AS admitted
                  FROM rater r LEFT JOIN (
                    SELECT a.rater_id, bool_or(a.state IN {_STORED}) AS worked,
                           bool_or(a.state IN {_STORED} AND a.data_use = {_USED}) AS kept
                    {_TASKS} GROUP BY 1) w ON w.rater_id = r.id
                  WHERE r.study_id = %(study)s AND r.kind = {_PERSON}) people""",
        {"study": study, "pool": pool},
    )
    assert found is not None
    return found


def demographic_sheets(study: int) -> list[dict[str, Any]]:
    """What each rater who submitted work said about themselves, in an order that tells nothing."""
    found = column(
        f"""SELECT s.answers::text FROM rater_sheet s
            WHERE s.study_id = %(study)s AND s.part = 'demographics' AND s.rater_id IN (
              SELECT a.rater_id {_TASKS} AND a.state IN {_STORED})
            ORDER BY 1""",
        {"study": study},
    )
    return [json.loads(each) for each in found]


@dataclass(frozen=True, slots=True)
class EarnedWork:
    """Paid or owed work of one rater under one version."""

    rater: int
    version: int
    pool: str
    tasks: int
    seconds: float


def earned_work(study: int) -> list[EarnedWork]:
    """Work that is paid or owed, with its measured time."""
    return records(
        EarnedWork,
        f"""SELECT a.rater_id AS rater, a.version_id AS version, l.name AS pool, count(*) AS tasks,
                   coalesce(sum(a.seconds), 0)::float8 AS seconds
            FROM assignment a JOIN place p ON p.id = a.place_id AND p.study_id = a.study_id
            JOIN pool l ON l.id = p.pool_id
            WHERE a.study_id = %s AND a.paid_state IN ({literal(PaidState.OWED)}, {literal(PaidState.PAID)})
            GROUP BY 1, 2, 3 ORDER BY 1, 2, 3""",
        [study],
    )


def gold_share(study: int) -> float | None:
    """The share of answers to gold items that were right; None without any."""
    found = value('SELECT avg("right"::int)::float8 FROM gold_result WHERE study_id = %s', [study])
    return None if found is None else float(found)


def judgments_by_version(study: int) -> dict[int, int]:
    """Judgments that count, by the number of the version they were given under."""
    return counts(
        """SELECT v.n, sum(t.n)::int FROM tally t JOIN study_version v ON v.id = t.version_id
           WHERE t.study_id = %s AND t.left_out = '' GROUP BY 1""",
        [study],
    )


@dataclass(frozen=True, slots=True)
class JudgedGroup:
    """A question whose answers count, with the conditions and systems that they are about."""

    question: str
    aspect: str
    conditions: list[str]
    systems: list[str]


def judged_groups(study: int) -> list[JudgedGroup]:
    """The questions with answers that count; judgments of single candidates have the systems of all candidates."""
    return records(
        JudgedGroup,
        """WITH rated AS (SELECT DISTINCT question, aspect, condition, item_id FROM counted_answer
                          WHERE study_id = %(study)s AND left_out = '' AND code IS NOT NULL),
                shown AS (SELECT i.id, i.system AS name FROM item i WHERE i.study_id = %(study)s AND i.kind <> 'candidates'
                          UNION ALL SELECT i.id, c ->> 'system' FROM item i, jsonb_array_elements(i.payload -> 'candidates') c
                          WHERE i.study_id = %(study)s AND i.kind = 'candidates')
           SELECT r.question, r.aspect, array_agg(DISTINCT r.condition)::text[] AS conditions,
                  coalesce(array_agg(DISTINCT s.name) FILTER (WHERE s.name <> ''), ARRAY[]::text[])::text[] AS systems
           FROM rated r LEFT JOIN shown s ON s.id = r.item_id GROUP BY 1, 2 ORDER BY 1, 2""",
        {"study": study},
    )


@dataclass(frozen=True, slots=True)
class CountedSizes:
    """The sizes of the sample that counts."""

    items: int
    raters: int
    ratings: int


def counted_sizes(study: int) -> CountedSizes:
    """Items, raters and submitted tasks with judgments that count."""
    found = record(
        CountedSizes,
        """SELECT count(DISTINCT item_id) AS items, count(DISTINCT rater_id) AS raters,
                  count(DISTINCT assignment_id) AS ratings
           FROM counted_answer WHERE study_id = %s AND left_out = '' AND code IS NOT NULL""",
        [study],
    )
    assert found is not None
    return found


def data_basis(study: int) -> dict[str, int]:
    """Numbers that change with the data of a study: they tell whether a report is older than its data."""
    found = counts(
        """SELECT 'version', coalesce(max(n), 0) FROM study_version WHERE study_id = %(study)s
           UNION ALL SELECT 'judgments', coalesce(sum(n), 0)::bigint FROM tally
             WHERE study_id = %(study)s AND left_out = ''
           UNION ALL SELECT 'left_out', coalesce(sum(n), 0)::bigint FROM tally
             WHERE study_id = %(study)s AND left_out <> ''
           UNION ALL SELECT 'verdict', coalesce(max(id), 0) FROM verdict WHERE study_id = %(study)s
           UNION ALL SELECT 'theme_mark', count(*) FROM theme_mark WHERE study_id = %(study)s""",
        {"study": study},
    )
    return {str(name): int(n) for name, n in found.items()}


def wanted_tasks(study: int, conditions: Sequence[str]) -> int:
    """The number of tasks wanted in these conditions by the newest version."""
    return int(
        value(
            f"""SELECT coalesce(sum((b.condition_wanted ->> c)::int), 0) FROM batch b, unnest(%s::text[]) AS c
                WHERE b.study_id = %s AND b.purpose = {literal(Batch.Purpose.COLLECT)} AND b.version_id = (
                  SELECT id FROM study_version WHERE study_id = %s ORDER BY n DESC LIMIT 1)""",
            [list(conditions), study, study],
        )
    )
