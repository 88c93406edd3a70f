"""SQL of results: progress, tallies and items."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from labelwright.crowd import AssignmentState, CountScope, DataUse, PaidState, PlaceState, RaterKind
from labelwright.server.store.models import Batch, Message, TaskItem
from labelwright.server.store.rows import counts, literal, record, records, value

NOTHING = "nothing"
"""The value of `then` of a flag that asks for no review."""


@dataclass(frozen=True, slots=True)
class StudyLine:
    """A study in the list of studies."""

    public_id: str
    name: str
    created_at: datetime
    version_id: int
    version: int
    wanted: int | None
    stored: int


def study_lines(user: int, *, every: bool) -> list[StudyLine]:
    """The studies of a user, or every study, with their progress; the newest first."""
    return records(
        StudyLine,
        """SELECT s.public_id, s.name, s.created_at, v.id AS version_id, v.n AS version, b.wanted,
                  (SELECT count(*) FROM place p
                   WHERE p.batch_id = ANY(b.ids) AND p.state = %(filled)s AND NOT p.gold) AS stored
           FROM study s
           JOIN LATERAL (SELECT id, n FROM study_version WHERE study_id = s.id ORDER BY n DESC LIMIT 1) v ON true
           JOIN LATERAL (SELECT sum(wanted)::bigint AS wanted, array_agg(id) AS ids FROM batch
                         WHERE version_id = v.id AND purpose = %(collect)s) b ON true
           WHERE s.deleted_at IS NULL AND (%(every)s OR s.owner_id = %(user)s
             OR s.id IN (SELECT study_id FROM teammate WHERE user_id = %(user)s))
           ORDER BY s.created_at DESC""",
        {"user": user, "every": every, "filled": PlaceState.FILLED, "collect": Batch.Purpose.COLLECT},
    )


def count_assignments_by_state(study: int) -> dict[str, int]:
    """The number of assignments in each state."""
    return counts("SELECT state, count(*) FROM assignment WHERE study_id = %s GROUP BY 1", [study])


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """Current activity in a study."""

    raters: int
    """Raters who have submitted something."""
    to_review: int
    unflagged: int
    unanswered: int
    """Questions from raters without an answer."""
    median_seconds: float | None
    without_gold: int
    """Raters who have met every gold item, so that no more could be shown when one was due."""


def study_counts(study: int, batches: Sequence[int]) -> StudyCounts:
    """The counts at the top of the overview; the median is that of the tallied work in the batches."""
    found = record(
        StudyCounts,
        """SELECT (SELECT count(*) FROM rater_count WHERE study_id = %(study)s AND scope = %(submitted)s) AS raters,
                  (SELECT count(DISTINCT assignment_id) FROM flag
                   WHERE study_id = %(study)s AND "then" <> %(nothing)s) AS to_review,
                  (SELECT count(*) FROM assignment WHERE study_id = %(study)s AND unflagged) AS unflagged,
                  (SELECT count(*) FROM message m WHERE m.study_id = %(study)s AND m.kind = %(question)s
                     AND NOT EXISTS (SELECT 1 FROM message a WHERE a.answers_id = m.id)) AS unanswered,
                  (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a.seconds)
                   FROM assignment a JOIN place p ON p.id = a.place_id
                   WHERE a.study_id = %(study)s AND p.batch_id = ANY(%(batches)s)
                     AND a.data_use = %(used)s AND NOT a.unflagged AND NOT p.gold) AS median_seconds,
                  (SELECT count(*) FROM rater_count m JOIN rater_count b USING (rater_id, n)
                   WHERE m.study_id = %(study)s AND m.scope = %(gold_missing)s AND b.scope = %(gold_blocks)s)
                    AS without_gold""",
        {
            "study": study,
            "batches": list(batches),
            "used": DataUse.USED,
            "submitted": CountScope.SUBMITTED,
            "gold_missing": CountScope.GOLD_MISSING,
            "gold_blocks": CountScope.GOLD_BLOCKS,
            "nothing": NOTHING,
            "question": Message.Kind.QUESTION,
        },
    )
    assert found is not None
    return found


def flagged_by_condition(study: int, batches: Sequence[int]) -> dict[str, int]:
    """The number of flagged assignments of each condition."""
    return counts(
        """SELECT p.condition, count(DISTINCT f.assignment_id) FROM flag f
           JOIN assignment a ON a.id = f.assignment_id JOIN place p ON p.id = a.place_id
           WHERE f.study_id = %s AND p.batch_id = ANY(%s) AND f."then" <> %s GROUP BY 1""",
        [study, list(batches), NOTHING],
    )


@dataclass(frozen=True, slots=True)
class ConditionWork:
    """The tallied work of a condition."""

    condition: str
    stored: int
    seconds: list[float]
    """Lower quartile, median, upper quartile."""


def work_by_condition(study: int, batches: Sequence[int]) -> dict[str, ConditionWork]:
    """The tallied work of each condition, without gold tasks."""
    found = records(
        ConditionWork,
        """SELECT p.condition, count(*) AS stored,
                  percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY a.seconds) AS seconds
           FROM assignment a JOIN place p ON p.id = a.place_id AND NOT p.gold
           WHERE a.study_id = %s AND p.batch_id = ANY(%s) AND a.data_use = %s AND NOT a.unflagged GROUP BY 1""",
        [study, list(batches), DataUse.USED],
    )
    return {work.condition: work for work in found}


@dataclass(frozen=True, slots=True)
class Period:
    """The first and the last submission."""

    first: datetime | None
    last: datetime | None


def period_of_work(batches: Sequence[int]) -> Period:
    """From the first to the last submission of batches."""
    found = record(
        Period,
        """SELECT min(a.submitted_at) AS first, max(a.submitted_at) AS last
           FROM assignment a JOIN place p ON p.id = a.place_id WHERE p.batch_id = ANY(%s)""",
        [list(batches)],
    )
    assert found is not None
    return found


@dataclass(frozen=True, slots=True)
class Step:
    """The submissions of one step of time."""

    until: datetime
    submissions: int


def submissions_over_time(batches: Sequence[int], first: datetime, step: timedelta) -> list[Step]:
    """Submissions with data in use, by steps of time; without gold tasks."""
    return records(
        Step,
        """SELECT date_bin(%(step)s, a.submitted_at, %(first)s) + %(step)s AS until, count(*) AS submissions
           FROM assignment a JOIN place p ON p.id = a.place_id AND NOT p.gold
           WHERE p.batch_id = ANY(%(batches)s) AND a.submitted_at IS NOT NULL AND a.data_use = %(used)s
           GROUP BY 1 ORDER BY 1""",
        {"step": step, "first": first, "batches": list(batches), "used": DataUse.USED},
    )


@dataclass(frozen=True, slots=True)
class TalliedCode:
    """How often a code was given to a question in a condition, in one version."""

    version: int
    condition: str
    question: str
    code: int
    n: int


def tally(study: int) -> list[TalliedCode]:
    """The answers of a study that count."""
    return records(
        TalliedCode,
        """SELECT version_id AS version, condition, question, code, n FROM tally
           WHERE study_id = %s AND left_out = '' AND n > 0""",
        [study],
    )


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many coded answers to a question do not count, by the reason."""

    version: int
    condition: str
    question: str
    reason: str
    n: int


def left_out(study: int) -> list[LeftOut]:
    """The tallied answers of a study that do not count."""
    return records(
        LeftOut,
        """SELECT version_id AS version, condition, question, left_out AS reason, sum(n)::bigint AS n FROM tally
           WHERE study_id = %s AND left_out <> '' GROUP BY 1, 2, 3, 4 HAVING sum(n) > 0""",
        [study],
    )


@dataclass(frozen=True, slots=True)
class TalliedCandidate:
    """How often a code was given to the candidate at a place of its item."""

    condition: str
    system: str | None
    place: int
    code: int
    n: int


def tally_by_system(
    study: int, places: Sequence[tuple[str, int]], versions: Sequence[int]
) -> list[TalliedCandidate]:
    """The tally of questions about candidates, by the systems of the candidates at their places."""
    return records(
        TalliedCandidate,
        """SELECT y.condition, i.payload -> 'candidates' -> q.place ->> 'system' AS system, q.place, y.code,
                  sum(y.n)::bigint AS n
           FROM unnest(%s::text[], %s::int[]) AS q(name, place)
           JOIN item_tally y ON y.question = q.name JOIN item i ON i.id = y.item_id
           WHERE y.study_id = %s AND y.version_id = ANY(%s) AND y.rater_kind = %s
           GROUP BY 1, 2, 3, 4 HAVING sum(y.n) > 0 ORDER BY 1, 2, 3, 4""",
        [
            [name for name, _ in places],
            [place for _, place in places],
            study,
            list(versions),
            RaterKind.PERSON,
        ],
    )


_SUBMITTED_ANSWERS = """FROM assignment s JOIN answer a ON a.assignment_id = s.id
                        WHERE s.study_id = %s AND s.submitted_at IS NOT NULL"""


def count_answers(study: int) -> int:
    """The number of submitted answers of a study."""
    return int(value("SELECT count(*) " + _SUBMITTED_ANSWERS, [study]))


def has_more_answers(study: int, than: int) -> bool:
    """Whether a study has more submitted answers than this; stops counting there."""
    sql = f"SELECT count(*) > %s FROM (SELECT 1 {_SUBMITTED_ANSWERS} LIMIT %s) counted"
    return bool(value(sql, [than, study, than + 1]))


@dataclass(frozen=True, slots=True)
class ItemCode:
    """How often a code was given to an item in a condition."""

    condition: str
    item: int
    question: str
    code: int
    n: int


def item_codes(study: int, questions: Sequence[str], versions: Sequence[int]) -> list[ItemCode]:
    """The tally by item of questions."""
    return records(
        ItemCode,
        """SELECT condition, item_id AS item, question, code, sum(n)::bigint AS n FROM item_tally
           WHERE study_id = %s AND question = ANY(%s) AND version_id = ANY(%s) AND rater_kind = %s
           GROUP BY 1, 2, 3, 4 HAVING sum(n) > 0""",
        [study, list(questions), list(versions), RaterKind.PERSON],
    )


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """A filter for items; every field is optional."""

    condition: str | None = None
    question: str | None = None
    code: int | None = None
    flagged: bool = False
    open: bool = False
    """Items that still need ratings."""
    page: int = 1


@dataclass(frozen=True, slots=True)
class ItemLine:
    """An item in a condition."""

    id: int
    key: str
    system: str
    condition: str
    stored: int
    wanted: int
    gold: bool
    flags: int
    codes_json: str

    @property
    def codes(self) -> list[tuple[str, int, int]]:
        """Question, code and how often it was given."""
        return [(question, code, n) for question, code, n in json.loads(self.codes_json)]


# The ratings that are no longer wanted of an older version do not count as open.
_MATCHING = """
      FROM (SELECT x.item_id, p.condition, count(*) FILTER (WHERE p.state = %(filled)s) AS stored,
                   count(*) AS wanted, bool_and(x.role = %(gold)s) AS gold
            FROM batch b JOIN place p ON p.batch_id = b.id AND NOT p.gold JOIN task_item x ON x.task_id = p.task_id
            WHERE b.study_id = %(study)s AND b.purpose = %(collect)s
              AND p.state <> %(closed)s AND (b.version_id = %(version)s OR p.state = %(filled)s)
              AND (%(condition)s::text IS NULL OR p.condition = %(condition)s)
            GROUP BY 1, 2) t JOIN item i ON i.id = t.item_id
      WHERE (%(code)s::int IS NULL OR EXISTS (
          SELECT 1 FROM item_tally y WHERE y.study_id = %(study)s AND y.item_id = i.id AND y.condition = t.condition
            AND y.question = %(question)s AND y.code = %(code)s AND y.rater_kind = %(person)s AND y.n > 0))
        AND (NOT %(flagged)s OR EXISTS (
          SELECT 1 FROM task_item o JOIN assignment s ON s.task_id = o.task_id JOIN place p ON p.id = s.place_id
          JOIN flag f ON f.assignment_id = s.id
          WHERE o.item_id = t.item_id AND p.condition = t.condition AND f."then" <> %(nothing)s))
        AND (NOT %(open)s OR t.stored < t.wanted)"""


def item_lines(study: int, version: int, wanted: ItemFilter, limit: int) -> tuple[list[ItemLine], int]:
    """A page of the matching items, and the number of all matching items.

    Ratings of all versions count; `version` is the newest, whose open places are still wanted.
    """
    values = {
        "study": study,
        "version": version,
        "condition": wanted.condition,
        "question": wanted.question,
        "code": wanted.code,
        "flagged": wanted.flagged,
        "open": wanted.open,
        "limit": limit,
        "offset": (wanted.page - 1) * limit,
        "nothing": NOTHING,
        "filled": PlaceState.FILLED,
        "closed": PlaceState.CLOSED,
        "gold": TaskItem.Role.GOLD,
        "collect": Batch.Purpose.COLLECT,
        "person": RaterKind.PERSON,
    }
    total = int(value("SELECT count(*) " + _MATCHING, values))
    # The page is chosen first, so that figures are looked up for the items on this page only.
    found = records(
        ItemLine,
        """WITH page AS MATERIALIZED (
             SELECT t.condition, t.stored, t.wanted, t.gold, i.id, i.key, i.system """
        + _MATCHING
        + """ ORDER BY i.key, t.condition LIMIT %(limit)s OFFSET %(offset)s)
           SELECT p.id, p.key, p.system, p.condition, p.stored, p.wanted, p.gold,
                  (SELECT count(*) FROM task_item o JOIN assignment s ON s.task_id = o.task_id
                   JOIN place q ON q.id = s.place_id AND q.condition = p.condition
                   JOIN flag f ON f.assignment_id = s.id WHERE o.item_id = p.id) AS flags,
                  coalesce((SELECT json_agg(json_build_array(question, code, n)) FROM (
                     SELECT question, code, sum(n) AS n FROM item_tally y
                     WHERE y.study_id = %(study)s AND y.item_id = p.id AND y.condition = p.condition
                       AND y.rater_kind = %(person)s
                     GROUP BY 1, 2 HAVING sum(n) > 0) given)::text, '[]') AS codes_json
           FROM page p ORDER BY p.key, p.condition""",
        values,
    )
    return found, total


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """An answer about an item."""

    condition: str
    rater: str
    assignment: int
    seconds: float | None
    at: datetime
    version: int
    question: str
    value_json: str
    code: int | None
    left_out: str
    """Why it does not count; empty if it does."""
    flags: str

    @property
    def value(self) -> Any:
        """The stored answer."""
        return json.loads(self.value_json)


def item_answers(study: int, item: int) -> list[ItemAnswer]:
    """Every answer about an item."""
    return records(
        ItemAnswer,
        """SELECT a.condition, r.pseudonym AS rater, a.assignment_id AS assignment, a.seconds,
                  a.submitted_at AS at, a.version_id AS version, a.question, a.value::text AS value_json, a.code,
                  a.left_out,
                  coalesce((SELECT string_agg(f.rule, ', ' ORDER BY f.rule) FROM flag f
                            WHERE f.assignment_id = a.assignment_id), '') AS flags
           FROM counted_answer a JOIN rater r ON r.id = a.rater_id
           WHERE a.item_id = %s AND a.study_id = %s
           ORDER BY a.condition, a.submitted_at, a.assignment_id, a.question""",
        [item, study],
    )


@dataclass(frozen=True, slots=True)
class VersionWork:
    """The submissions that raters of a pool made under a version."""

    version: int
    pool: str
    submitted: int
    counted: int
    """Those whose tasks are part of the newest version and whose data are used."""
    payable: int
    """Those that are owed or paid."""


def work_by_version(study: int, newest: int) -> list[VersionWork]:
    """The submissions of a study by the version that they were made under."""
    return records(
        VersionWork,
        """SELECT s.version_id AS version, q.name AS pool, count(*) AS submitted,
                  count(*) FILTER (WHERE b.version_id = %(newest)s AND b.purpose = %(collect)s
                                     AND s.data_use = %(used)s AND NOT p.gold) AS counted,
                  count(*) FILTER (WHERE s.paid_state <> %(unpaid)s) AS payable
           FROM assignment s JOIN place p ON p.id = s.place_id JOIN batch b ON b.id = p.batch_id
           JOIN pool q ON q.id = p.pool_id
           WHERE s.study_id = %(study)s AND s.submitted_at IS NOT NULL GROUP BY 1, 2""",
        {
            "study": study,
            "newest": newest,
            "collect": Batch.Purpose.COLLECT,
            "used": DataUse.USED,
            "unpaid": PaidState.NONE,
        },
    )


@dataclass(frozen=True, slots=True)
class VersionCode:
    """How often a code was given to an item under a version."""

    version: int
    condition: str
    item: int
    question: str
    code: int
    n: int


def codes_by_version(study: int) -> list[VersionCode]:
    """The answers of people that count, by item and by the version under which they were given."""
    return records(
        VersionCode,
        """SELECT version_id AS version, condition, item_id AS item, question, code, n FROM item_tally
           WHERE study_id = %s AND rater_kind = %s AND n > 0 ORDER BY 1, 2, 3, 4, 5""",
        [study, RaterKind.PERSON],
    )


@dataclass(frozen=True, slots=True)
class FiguresState:
    """How new the stored figures of a study are, and whether newer ones are on their way."""

    started_at: datetime | None
    computed_at: datetime | None
    took_seconds: float | None
    counted: int | None
    release: str | None
    changed: bool
    """Whether the study has changed since they were computed."""
    waiting_since: datetime | None
    """Since when a job that computes them could have begun, or when it may begin; None if no job is waiting."""
    running: bool


# The statement that every refresh of an open page costs.
_FIGURES_STATE = f"""
    SELECT f.started_at, f.computed_at, f.took_seconds, f.counted, f.release,
           f.at_work IS DISTINCT FROM (SELECT count(*) FROM assignment
                                       WHERE study_id = %(study)s AND state = {literal(AssignmentState.OPEN)})
             OR EXISTS (SELECT 1 FROM study_change WHERE study_id = %(study)s) AS changed,
           (SELECT coalesce(j.scheduled_at, (SELECT min(at) FROM procrastinate_events WHERE job_id = j.id))
            FROM procrastinate_jobs j WHERE j.queueing_lock = %(lock)s AND j.status = 'todo') AS waiting_since,
           EXISTS (SELECT 1 FROM procrastinate_jobs WHERE lock = %(lock)s AND status = 'doing') AS running
    FROM (SELECT 1) AS one LEFT JOIN study_figures f ON f.study_id = %(study)s"""


def figures_state(study: int, lock: str) -> FiguresState:
    """The state of the figures of a study, whose job has this lock; reads a few rows, however large the study is."""
    found = record(FiguresState, _FIGURES_STATE, {"study": study, "lock": lock})
    assert found is not None
    return found
