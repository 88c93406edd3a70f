"""SQL of raters as lists show them: their lines are counted again from their work, and their agreement from the tallies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from labelwright.agreement import ChanceDistance
from labelwright.crowd import AssignmentState, CountScope, MemberState, PaidState, RaterKind
from labelwright.server.store.rows import counts, literal, records, run
from labelwright.server.tallies.queries.items import NOTHING

RECENT_TASKS = 8
"""Tasks whose times a line holds one by one."""


@dataclass(frozen=True, slots=True)
class KnownRater:
    """A rater, and the oldest rater of the same person, who is the rater themselves for most."""

    rater: int
    oldest: int


def known_raters(study: int, raters: Sequence[int]) -> list[KnownRater]:
    """The raters that are a person, with all others of the same persons. Raters without an address are persons each."""
    return records(
        KnownRater,
        f"""WITH person AS (
              SELECT DISTINCT r.person_id FROM rater r
              WHERE r.study_id = %(study)s AND r.id = ANY(%(raters)s) AND r.person_id IS NOT NULL)
            SELECT r.id AS rater, r.id AS oldest FROM rater r
            WHERE r.study_id = %(study)s AND r.id = ANY(%(raters)s) AND r.person_id IS NULL
              AND r.kind = {literal(RaterKind.PERSON)}
            UNION ALL
            SELECT r.id, min(r.id) OVER (PARTITION BY r.person_id) FROM rater r JOIN person USING (person_id)
            WHERE r.study_id = %(study)s AND r.kind = {literal(RaterKind.PERSON)}""",
        {"study": study, "raters": list(raters)},
    )


@dataclass(frozen=True, slots=True)
class OwedTasks:
    """Tasks that a person is owed pay for, by the version and pool that set it."""

    oldest: int
    version: int
    pool: str
    tasks: int


_KNOWN = """known AS (SELECT * FROM unnest(%(raters)s::bigint[], %(oldest)s::bigint[]) AS k(rater, oldest))"""


def _known(study: int, raters: Sequence[KnownRater]) -> dict[str, Any]:
    return {
        "study": study,
        "raters": [each.rater for each in raters],
        "oldest": [each.oldest for each in raters],
    }


def owed_tasks(study: int, raters: Sequence[KnownRater]) -> list[OwedTasks]:
    """The unpaid tasks of persons."""
    return records(
        OwedTasks,
        f"""WITH {_KNOWN}
            SELECT k.oldest, a.version_id AS version, p.name AS pool, count(*) AS tasks
            FROM known k JOIN assignment a ON a.rater_id = k.rater AND a.study_id = %(study)s
            JOIN place l ON l.id = a.place_id JOIN pool p ON p.id = l.pool_id
            WHERE a.paid_state = {literal(PaidState.OWED)} GROUP BY 1, 2, 3""",
        _known(study, raters),
    )


@dataclass(frozen=True, slots=True)
class AttentionCheck:
    """A question that is an attention check in a condition of a version."""

    version: int
    condition: str
    question: str


_STATE = f"""CASE WHEN m.gone THEN 'stopped'
     WHEN m.active = 0 AND m.paused = 0 THEN 'excluded'
     WHEN m.active = 0 THEN 'paused'
     WHEN m.consented_at IS NULL AND coalesce(w.tasks, 0) = 0 THEN 'invited'
     WHEN w.tasks > 0 AND (
       EXISTS (SELECT 1 FROM known k JOIN rater_count c ON c.rater_id = k.rater AND c.scope = {literal(CountScope.TASKS)}
               WHERE k.oldest = m.oldest AND c.n >= c.cap)
       OR NOT EXISTS (
         SELECT 1 FROM known k JOIN member b ON b.rater_id = k.rater AND b.state = {literal(MemberState.ACTIVE)}
         JOIN batch t ON t.version_id = %(newest)s
         WHERE k.oldest = m.oldest
           AND EXISTS (SELECT 1 FROM offered o WHERE o.batch_id = t.id AND o.pool_id = b.pool_id
                         AND o.rater_group = b.rater_group)
           AND NOT EXISTS (SELECT 1 FROM batch_work d WHERE d.batch_id = t.id AND d.rater_id = k.rater
                             AND d.completed_at IS NOT NULL)))
       THEN 'done'
     ELSE 'active' END"""
"""What a person's state is, by its stored name; whether they have a task open is looked up when a page is shown."""

_LINES = f"""
    WITH {_KNOWN},
    paid AS (SELECT * FROM unnest(%(owed_to)s::bigint[], %(owed)s::text[]) AS o(oldest, owed)),
    checked AS (SELECT * FROM unnest(%(versions)s::bigint[], %(conditions)s::text[], %(questions)s::text[])
                  AS c(version, condition, question)),
    work AS (SELECT k.oldest, a.id, a.place_id, a.version_id, a.state, a.offered_at, a.submitted_at, a.seconds
             FROM known k JOIN assignment a ON a.rater_id = k.rater AND a.study_id = %(study)s),
    m AS (SELECT k.oldest, count(*) FILTER (WHERE b.state = {literal(MemberState.ACTIVE)}) AS active,
                 count(*) FILTER (WHERE b.state = {literal(MemberState.PAUSED)}) AS paused,
                 array_agg(DISTINCT p.name ORDER BY p.name) AS pools, min(r.consented_at) AS consented_at,
                 bool_and(r.forgotten_at IS NOT NULL
                          OR EXISTS (SELECT 1 FROM withdrawal x WHERE x.rater_id = r.id)) AS gone
          FROM known k JOIN rater r ON r.id = k.rater JOIN member b ON b.rater_id = k.rater
          JOIN pool p ON p.id = b.pool_id GROUP BY 1),
    w AS (SELECT oldest, count(*) FILTER (WHERE submitted_at IS NOT NULL) AS tasks,
                 percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FILTER (WHERE submitted_at IS NOT NULL) AS pace,
                 (array_agg(seconds ORDER BY submitted_at DESC, id DESC)
                    FILTER (WHERE submitted_at IS NOT NULL AND seconds IS NOT NULL))[1:{RECENT_TASKS}] AS recent,
                 max(greatest(offered_at, submitted_at)) AS seen
          FROM work GROUP BY 1),
    f AS (SELECT work.oldest, count(*) AS flags,
                 count(*) FILTER (WHERE work.state = {literal(AssignmentState.SUBMITTED)}) AS undecided
          FROM work JOIN flag ON flag.assignment_id = work.id WHERE flag."then" <> %(nothing)s GROUP BY 1),
    g AS (SELECT work.oldest, count(*) FILTER (WHERE r."right") AS good, count(*) AS answered
          FROM work JOIN gold_result r ON r.assignment_id = work.id GROUP BY 1),
    t AS (SELECT work.oldest, count(*) FILTER (WHERE x.code = 1) AS good, count(*) AS answered
          FROM work JOIN place p ON p.id = work.place_id
          JOIN checked c ON c.version = work.version_id AND c.condition = p.condition
          JOIN answer x ON x.assignment_id = work.id AND x.question = c.question
          WHERE work.submitted_at IS NOT NULL GROUP BY 1)
    INSERT INTO rater_line AS line (
      study_id, rater_id, name, state, pools, tasks, pace, recent, gold_right, gold_answered, attention_right,
      attention_answered, flags, undecided, owed, last_seen)
    SELECT %(study)s, m.oldest, r.pseudonym, {_STATE}, m.pools, coalesce(w.tasks, 0), w.pace,
           coalesce(w.recent, '{{}}'), coalesce(g.good, 0), coalesce(g.answered, 0), coalesce(t.good, 0),
           coalesce(t.answered, 0), coalesce(f.flags, 0), coalesce(f.undecided, 0), coalesce(paid.owed, '[]')::jsonb,
           greatest(w.seen, m.consented_at)
    FROM m JOIN rater r ON r.id = m.oldest
    LEFT JOIN w USING (oldest) LEFT JOIN f USING (oldest) LEFT JOIN g USING (oldest) LEFT JOIN t USING (oldest)
    LEFT JOIN paid USING (oldest) ORDER BY m.oldest
    ON CONFLICT (rater_id, study_id) DO UPDATE SET
      name = excluded.name, state = excluded.state, pools = excluded.pools, tasks = excluded.tasks,
      pace = excluded.pace, recent = excluded.recent, gold_right = excluded.gold_right,
      gold_answered = excluded.gold_answered, attention_right = excluded.attention_right,
      attention_answered = excluded.attention_answered, flags = excluded.flags, undecided = excluded.undecided,
      owed = excluded.owed, last_seen = excluded.last_seen"""


def store_lines(
    study: int,
    newest: int,
    raters: Sequence[KnownRater],
    checks: Sequence[AttentionCheck],
    owed: Mapping[int, Sequence[tuple[int, str]]],
) -> None:
    """Counts the lines of persons again. `owed` holds cents and currency by the oldest rater of each."""
    run(
        _LINES,
        _known(study, raters)
        | {
            "newest": newest,
            "nothing": NOTHING,
            "owed_to": list(owed),
            "owed": [json.dumps(list(sums)) for sums in owed.values()],
            "versions": [check.version for check in checks],
            "conditions": [check.condition for check in checks],
            "questions": [check.question for check in checks],
        },
    )


def delete_joined(study: int, raters: Sequence[int]) -> None:
    """Deletes the lines of raters who are counted under an older one, or were taken out of every pool."""
    run(
        """DELETE FROM rater_line l USING rater r
           WHERE l.study_id = %(study)s AND l.rater_id = ANY(%(raters)s) AND r.id = l.rater_id
             AND (EXISTS (SELECT 1 FROM rater o WHERE o.person_id = r.person_id AND o.study_id = %(study)s
                            AND o.id < r.id)
                  OR NOT EXISTS (SELECT 1 FROM member m WHERE m.rater_id = r.id))""",
        {"study": study, "raters": list(raters)},
    )


@dataclass(frozen=True, slots=True)
class ComparedQuestion:
    """The judgments on which raters are compared."""

    names: Sequence[str]
    """As they are stored."""
    versions: Sequence[int]
    conditions: Sequence[str]
    codes: Sequence[int]
    """The labels, in the order of the scale if it has one."""


def code_totals(study: int, asked: ComparedQuestion) -> dict[int, int]:
    """How often each code was given, of the ratings that can be compared with another of the same item."""
    found = counts(
        f"""SELECT code, sum(n)::bigint FROM (
              SELECT code, sum(n) AS n, sum(sum(n)) OVER (PARTITION BY item_id, condition, question) AS ratings
              FROM item_tally
              WHERE study_id = %(study)s AND question = ANY(%(names)s) AND version_id = ANY(%(versions)s)
                AND condition = ANY(%(conditions)s) AND code = ANY(%(codes)s)
                AND rater_kind = {literal(RaterKind.PERSON)}
              GROUP BY item_id, condition, question, code HAVING sum(n) > 0) given
            WHERE ratings > 1 GROUP BY 1""",
        _asked(study, asked),
    )
    return {code: found.get(code, 0) for code in asked.codes}


_APART = f"""distance AS (SELECT * FROM unnest(%(own)s::int[], %(other)s::int[], %(apart)s::float8[]) AS d(own, other, apart)),
    compared AS (
      SELECT a.rater_id, a.assignment_id, a.item_id, o.apart FROM counted_answer a
      CROSS JOIN LATERAL (
        SELECT sum(y.n * d.apart) / (sum(y.n) - 1) AS apart
        FROM item_tally y JOIN distance d ON d.own = a.code AND d.other = y.code
        WHERE y.study_id = %(study)s AND y.item_id = a.item_id AND y.condition = a.condition
          AND y.question = a.question AND y.version_id = ANY(%(versions)s)
          AND y.rater_kind = {literal(RaterKind.PERSON)}
        HAVING sum(y.n) > 1) o
      WHERE a.study_id = %(study)s AND a.left_out = '' AND NOT a.unflagged AND a.question = ANY(%(names)s)
        AND a.version_id = ANY(%(versions)s) AND a.condition = ANY(%(conditions)s) AND a.code = ANY(%(codes)s)"""
"""The mean distance of each judgment to the others of the same item: one's own is at distance 0 and counts for nothing."""


def _asked(study: int, asked: ComparedQuestion, chance: ChanceDistance | None = None) -> dict[str, Any]:
    between = chance.between if chance else {}
    return {
        "study": study,
        "names": list(asked.names),
        "versions": list(asked.versions),
        "conditions": list(asked.conditions),
        "codes": list(asked.codes),
        "own": [own for own, _ in between],
        "other": [other for _, other in between],
        "apart": list(between.values()),
    }


@dataclass(frozen=True, slots=True)
class RaterDistances:
    """How far a person's answers are from the others', item by item."""

    oldest: int
    apart: list[float]


def rater_distances(
    study: int, asked: ComparedQuestion, chance: ChanceDistance, fewest: int
) -> list[RaterDistances]:
    """The distances of all persons who share at least so many items with others; reads every such answer, for jobs only.

    Several judgments about one item, such as one for each candidate, are averaged.
    """
    return records(
        RaterDistances,
        f"""WITH {_APART}),
            known AS (SELECT id, CASE WHEN person_id IS NULL THEN id
                                      ELSE min(id) OVER (PARTITION BY person_id) END AS oldest
                      FROM rater WHERE study_id = %(study)s)
            SELECT oldest, array_agg(apart ORDER BY item_id) AS apart
            FROM (SELECT k.oldest, c.item_id, avg(c.apart) AS apart
                  FROM compared c JOIN known k ON k.id = c.rater_id GROUP BY 1, 2) item
            GROUP BY 1 HAVING count(*) >= %(fewest)s""",
        _asked(study, asked, chance) | {"fewest": fewest},
    )


@dataclass(frozen=True, slots=True)
class TaskDistance:
    """How far a task's answers about one item are from the others'."""

    assignment: int
    apart: float


def task_distances(
    study: int, asked: ComparedQuestion, chance: ChanceDistance, raters: Sequence[int]
) -> list[TaskDistance]:
    """The distances of some raters, task by task in the order in which they began."""
    return records(
        TaskDistance,
        f"""WITH {_APART} AND a.rater_id = ANY(%(raters)s))
            SELECT assignment_id AS assignment, avg(apart) AS apart FROM compared
            GROUP BY assignment_id, item_id ORDER BY assignment_id, item_id""",
        _asked(study, asked, chance) | {"raters": list(raters)},
    )


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """The agreement of a person with the others."""

    oldest: int
    value: float
    low: float | None
    high: float | None
    items: int


def store_agreement(study: int, found: Sequence[RaterAgreement]) -> None:
    """Stores the agreement of persons; the others have none. Writes only the lines that change."""
    run(
        """UPDATE rater_line l SET agreement = v.value, agreement_low = v.low, agreement_high = v.high,
                  agreement_items = coalesce(v.items, 0)
           FROM rater_line o LEFT JOIN unnest(%(raters)s::bigint[], %(values)s::float8[], %(lows)s::float8[],
                                              %(highs)s::float8[], %(items)s::int[])
                  AS v(rater, value, low, high, items) ON v.rater = o.rater_id
           WHERE o.study_id = %(study)s AND l.study_id = o.study_id AND l.rater_id = o.rater_id
             AND (l.agreement, l.agreement_low, l.agreement_high, l.agreement_items)
                 IS DISTINCT FROM (v.value, v.low, v.high, coalesce(v.items, 0))""",
        {
            "study": study,
            "raters": [each.oldest for each in found],
            "values": [each.value for each in found],
            "lows": [each.low for each in found],
            "highs": [each.high for each in found],
            "items": [each.items for each in found],
        },
    )


def task_severities(study: int, asked: ComparedQuestion, raters: Sequence[int]) -> list[TaskDistance]:
    """How far the answers of some raters lie above those of the others about the same items, in points of the scale.

    Negative for raters who are stricter than others. The codes are in the order of the scale.
    """
    return records(
        TaskDistance,
        f"""WITH point AS (SELECT code, n FROM unnest(%(codes)s::int[]) WITH ORDINALITY AS p(code, n))
            SELECT a.assignment_id AS assignment, avg(own.n - (o.total - own.n) / (o.ratings - 1))::float8 AS apart
            FROM counted_answer a JOIN point own ON own.code = a.code CROSS JOIN LATERAL (
              SELECT sum(y.n * p.n) AS total, sum(y.n) AS ratings FROM item_tally y JOIN point p ON p.code = y.code
              WHERE y.study_id = %(study)s AND y.item_id = a.item_id AND y.condition = a.condition
                AND y.question = a.question AND y.version_id = ANY(%(versions)s)
                AND y.rater_kind = {literal(RaterKind.PERSON)}
              HAVING sum(y.n) > 1) o
            WHERE a.study_id = %(study)s AND a.rater_id = ANY(%(raters)s) AND a.left_out = '' AND NOT a.unflagged
              AND a.question = ANY(%(names)s) AND a.version_id = ANY(%(versions)s)
              AND a.condition = ANY(%(conditions)s) AND a.code = ANY(%(codes)s)
            GROUP BY a.assignment_id, a.item_id ORDER BY a.assignment_id, a.item_id""",
        _asked(study, asked) | {"raters": list(raters)},
    )
