"""SQL of results: progress, tallies, single ratings and items."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from labelwright.crowd import CountScope, DataUse, PlaceState
from labelwright.server.store.models import Batch, Message, TaskItem
from labelwright.server.store.rows import counts, record, records, value

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
           WHERE s.owner_id = %(user)s OR %(every)s ORDER BY s.created_at DESC""",
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


def study_counts(study: int) -> StudyCounts:
    """The counts at the top of the overview."""
    found = record(
        StudyCounts,
        """SELECT (SELECT count(*) FROM rater_count WHERE study_id = %(study)s AND scope = %(submitted)s) AS raters,
                  (SELECT count(DISTINCT assignment_id) FROM flag
                   WHERE study_id = %(study)s AND "then" <> %(nothing)s) AS to_review,
                  (SELECT count(*) FROM assignment WHERE study_id = %(study)s AND unflagged) AS unflagged,
                  (SELECT count(*) FROM message m WHERE m.study_id = %(study)s AND m.kind = %(question)s
                     AND NOT EXISTS (SELECT 1 FROM message a WHERE a.answers_id = m.id)) AS unanswered,
                  (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) FROM assignment
                   WHERE study_id = %(study)s) AS median_seconds,
                  (SELECT count(*) FROM rater_count m JOIN rater_count b USING (rater_id, n)
                   WHERE m.study_id = %(study)s AND m.scope = %(gold_missing)s AND b.scope = %(gold_blocks)s)
                    AS without_gold""",
        {
            "study": study,
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
        """SELECT t.condition, count(DISTINCT f.assignment_id) FROM flag f
           JOIN assignment a ON a.id = f.assignment_id JOIN task t ON t.id = a.task_id
           WHERE f.study_id = %s AND t.batch_id = ANY(%s) AND f."then" <> %s GROUP BY 1""",
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
        """SELECT t.condition, count(*) AS stored,
                  percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY a.seconds) AS seconds
           FROM assignment a JOIN place t ON t.id = a.place_id AND NOT t.gold
           WHERE a.study_id = %s AND t.batch_id = ANY(%s) AND a.data_use = %s AND NOT a.unflagged GROUP BY 1""",
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
           FROM assignment a JOIN task t ON t.id = a.task_id WHERE t.batch_id = ANY(%s)""",
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
           FROM assignment a JOIN place t ON t.id = a.place_id AND NOT t.gold
           WHERE t.batch_id = ANY(%(batches)s) AND a.submitted_at IS NOT NULL AND a.data_use = %(used)s
           GROUP BY 1 ORDER BY 1""",
        {"step": step, "first": first, "batches": list(batches), "used": DataUse.USED},
    )


@dataclass(frozen=True, slots=True)
class TalliedCode:
    """How often a code was given to a question in a condition."""

    condition: str
    question: str
    code: int
    n: int


def tally(batches: Sequence[int]) -> list[TalliedCode]:
    """The tally of batches."""
    return records(
        TalliedCode,
        """SELECT condition, question, code, sum(n)::bigint AS n FROM tally WHERE batch_id = ANY(%s)
           GROUP BY 1, 2, 3 HAVING sum(n) > 0""",
        [list(batches)],
    )


@dataclass(frozen=True, slots=True)
class TalliedCandidate:
    """How often a code was given to the candidate at a place of its item."""

    condition: str
    system: str | None
    place: int
    code: int
    n: int


def tally_by_system(places: Sequence[tuple[str, int]], batches: Sequence[int]) -> list[TalliedCandidate]:
    """The tally of questions about candidates, by the systems of the candidates at their places."""
    return records(
        TalliedCandidate,
        """SELECT y.condition, i.payload -> 'candidates' -> q.place ->> 'system' AS system, q.place, y.code,
                  sum(y.n)::bigint AS n
           FROM unnest(%s::text[], %s::int[]) AS q(name, place)
           JOIN item_tally y ON y.question = q.name JOIN item i ON i.id = y.item_id
           WHERE (y.item_id, y.condition) IN (
             SELECT x.item_id, t.condition FROM task t JOIN task_item x ON x.task_id = t.id WHERE t.batch_id = ANY(%s))
           GROUP BY 1, 2, 3, 4 HAVING sum(y.n) > 0 ORDER BY 1, 2, 3, 4""",
        [[name for name, _ in places], [place for _, place in places], list(batches)],
    )


@dataclass(frozen=True, slots=True)
class LabelState:
    """Changes whenever the labels of a study do: labels are added, or removed by a verdict or a deletion."""

    tallied: int
    verdicts: int
    deletions: int


def label_state(batches: Sequence[int]) -> LabelState | None:
    """The state of the labels of batches, which all belong to one study."""
    return record(
        LabelState,
        """SELECT (SELECT coalesce(sum(n), 0)::bigint FROM tally WHERE batch_id = ANY(%(batches)s)) AS tallied,
                  (SELECT count(*) FROM verdict v WHERE v.study_id = b.study_id) AS verdicts,
                  (SELECT count(*) FROM rater r
                   WHERE r.study_id = b.study_id AND r.forgotten_at IS NOT NULL) AS deletions
           FROM batch b WHERE b.id = ANY(%(batches)s) LIMIT 1""",
        {"batches": list(batches)},
    )


@dataclass(frozen=True, slots=True)
class ItemCode:
    """How often a code was given to an item in a condition."""

    condition: str
    item: int
    question: str
    code: int
    n: int


def item_codes(questions: Sequence[str], batches: Sequence[int]) -> list[ItemCode]:
    """The tally by item of questions."""
    return records(
        ItemCode,
        """SELECT i.condition, i.item_id AS item, i.question, i.code, i.n FROM item_tally i
           WHERE i.question = ANY(%s) AND (i.item_id, i.condition) IN (
             SELECT x.item_id, t.condition FROM task t JOIN task_item x ON x.task_id = t.id WHERE t.batch_id = ANY(%s))""",
        [list(questions), list(batches)],
    )


@dataclass(frozen=True, slots=True)
class SingleRating:
    """One code that one rater gave to one item."""

    condition: str
    item: int
    question: str
    code: int


def single_ratings(
    questions: Sequence[str], codes: Sequence[int], batches: Sequence[int], limit: int
) -> list[SingleRating]:
    """Tallied ratings of items in the order of submission, without gold; only data in use."""
    return records(
        SingleRating,
        """SELECT t.condition, x.item_id AS item, a.question, a.code
           FROM task t JOIN task_item x ON x.task_id = t.id
           JOIN assignment s ON s.task_id = t.id
           JOIN answer a ON a.assignment_id = s.id AND a.position = x.position
           WHERE t.batch_id = ANY(%s) AND a.question = ANY(%s) AND a.code = ANY(%s) AND NOT s.unflagged
             AND s.data_use = %s AND x.role <> %s
           ORDER BY s.submitted_at LIMIT %s""",
        [list(batches), list(questions), list(codes), DataUse.USED, TaskItem.Role.GOLD, limit],
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
    flags: int
    codes_json: str

    @property
    def codes(self) -> list[tuple[str, int, int]]:
        """Question, code and how often it was given."""
        return [(question, code, n) for question, code, n in json.loads(self.codes_json)]


_MATCHING = """
      FROM task t JOIN task_item x ON x.task_id = t.id AND x.role = %(item)s JOIN item i ON i.id = x.item_id
      WHERE t.version_id = %(version)s AND t.base_id IS NULL
        AND (%(condition)s::text IS NULL OR t.condition = %(condition)s)
        AND (%(code)s::int IS NULL OR EXISTS (
          SELECT 1 FROM item_tally y WHERE y.study_id = t.study_id AND y.item_id = i.id AND y.condition = t.condition
            AND y.question = %(question)s AND y.code = %(code)s))
        AND (NOT %(flagged)s OR EXISTS (
          SELECT 1 FROM task o JOIN assignment s ON s.task_id = o.id JOIN flag f ON f.assignment_id = s.id
          WHERE (o.id = t.id OR o.base_id = t.id) AND f."then" <> %(nothing)s))
        AND (NOT %(open)s OR EXISTS (SELECT 1 FROM place p WHERE p.task_id = t.id AND p.state <> %(filled)s))"""


def item_lines(version: int, wanted: ItemFilter, limit: int) -> tuple[list[ItemLine], int]:
    """A page of the matching items, and the number of all matching items."""
    values = {
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
        "item": TaskItem.Role.ITEM,
    }
    total = int(value("SELECT count(*) " + _MATCHING, values))
    # The page is chosen first, so that figures are looked up for the items on this page only.
    found = records(
        ItemLine,
        """WITH page AS MATERIALIZED (
             SELECT t.id AS task, t.study_id AS study, t.condition, i.id, i.key, i.system """
        + _MATCHING
        + """ ORDER BY i.key, t.condition LIMIT %(limit)s OFFSET %(offset)s)
           SELECT p.id, p.key, p.system, p.condition,
                  (SELECT count(*) FROM place x WHERE x.task_id = p.task AND x.state = %(filled)s) AS stored,
                  (SELECT count(*) FROM place x WHERE x.task_id = p.task) AS wanted,
                  (SELECT count(*) FROM task o JOIN assignment s ON s.task_id = o.id JOIN flag f ON f.assignment_id = s.id
                   WHERE o.id = p.task OR o.base_id = p.task) AS flags,
                  coalesce((SELECT json_agg(json_build_array(question, code, n)) FROM item_tally y
                   WHERE y.study_id = p.study AND y.item_id = p.id AND y.condition = p.condition)::text, '[]')
                    AS codes_json
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
    flags: str

    @property
    def value(self) -> Any:
        """The stored answer."""
        return json.loads(self.value_json)


def item_answers(study: int, item: int) -> list[ItemAnswer]:
    """Every answer about an item."""
    return records(
        ItemAnswer,
        """SELECT t.condition, r.pseudonym AS rater, s.id AS assignment, s.seconds, s.submitted_at AS at,
                  s.version_id AS version, a.question, a.value::text AS value_json, a.code,
                  coalesce((SELECT string_agg(f.rule, ', ' ORDER BY f.rule) FROM flag f
                            WHERE f.assignment_id = s.id), '') AS flags
           FROM task_item x JOIN task t ON t.id = x.task_id JOIN assignment s ON s.task_id = t.id
           JOIN answer a ON a.assignment_id = s.id AND a.position = x.position JOIN rater r ON r.id = s.rater_id
           WHERE x.item_id = %s AND t.study_id = %s ORDER BY t.condition, s.submitted_at, s.id, a.question""",
        [item, study],
    )
