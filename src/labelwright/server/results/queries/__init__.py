"""SQL of results: progress, tallies and items."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from labelwright.crowd import (
    AssignmentState,
    CountScope,
    DataUse,
    PaidState,
    RaterKind,
    StudyState,
)
from labelwright.server.access.queries import ROLE, SHOWN_STATE, VISIBLE
from labelwright.server.store.models import Batch, Message, TaskItem
from labelwright.server.store.queue import WORKERS_ALIVE
from labelwright.server.store.rows import column, counts, literal, record, records, value
from labelwright.server.tallies.queries.items import NOTHING
from labelwright.server.web.desk.tables import TableQuery, Total, bounded_total


def count_assignments_by_state(study: int) -> dict[str, int]:
    """The number of assignments in each state."""
    return counts("SELECT state, count(*) FROM assignment WHERE study_id = %s GROUP BY 1", [study])


@dataclass(frozen=True, slots=True)
class LateWork:
    """Tasks of a rater that were submitted after others had taken their places, and whose pay nobody has decided."""

    rater: str
    tasks: int


def undecided_late_work(study: int) -> list[LateWork]:
    """By rater, the oldest first. Reads every assignment, so only jobs call it."""
    return records(
        LateWork,
        """SELECT r.pseudonym AS rater, count(*) AS tasks FROM assignment a JOIN rater r ON r.id = a.rater_id
           WHERE a.study_id = %s AND a.state = %s AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.assignment_id = a.id)
           GROUP BY r.id, r.pseudonym ORDER BY min(a.id)""",
        [study, AssignmentState.EXPIRED_ANSWERED],
    )


@dataclass(frozen=True, slots=True)
class StudyCounts:
    """Current activity in a study."""

    raters: int
    """Raters who have submitted something."""
    to_review: int
    """Cases in the review queue."""
    unflagged: int
    unanswered: int
    """Questions from raters without an answer."""
    without_gold: int
    """Raters who have met every gold item, so that no more could be shown when one was due."""


def study_counts(study: int) -> StudyCounts:
    """The counts at the top of the overview."""
    found = record(
        StudyCounts,
        f"""SELECT (SELECT count(*) FROM rater_count c JOIN rater r ON r.id = c.rater_id AND r.kind = {literal(RaterKind.PERSON)}
                   WHERE c.study_id = %(study)s AND c.scope = %(submitted)s) AS raters,
                  (SELECT coalesce(sum(open), 0)::bigint FROM review_group
                   WHERE study_id = %(study)s AND open > 0) AS to_review,
                  (SELECT count(*) FROM assignment WHERE study_id = %(study)s AND unflagged) AS unflagged,
                  (SELECT count(*) FROM message m WHERE m.study_id = %(study)s AND m.kind = %(question)s
                     AND NOT EXISTS (SELECT 1 FROM message a WHERE a.answers_id = m.id)) AS unanswered,
                  (SELECT count(*) FROM rater_count m JOIN rater_count b USING (rater_id, n)
                   WHERE m.study_id = %(study)s AND m.scope = %(gold_missing)s AND b.scope = %(gold_blocks)s)
                    AS without_gold""",
        {
            "study": study,
            "submitted": CountScope.SUBMITTED,
            "gold_missing": CountScope.GOLD_MISSING,
            "gold_blocks": CountScope.GOLD_BLOCKS,
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


COUNTED_USES = (DataUse.USED,)
SUBMITTED_USES = (DataUse.USED, DataUse.LEFT_OUT)


def work_by_condition(
    study: int, batches: Sequence[int], uses: Sequence[DataUse] = COUNTED_USES
) -> dict[str, ConditionWork]:
    """The tallied work of each condition, without gold tasks."""
    found = records(
        ConditionWork,
        """SELECT p.condition, count(*) AS stored,
                  percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY a.seconds) AS seconds
           FROM assignment a JOIN place p ON p.id = a.place_id AND NOT p.gold
           WHERE a.study_id = %s AND p.batch_id = ANY(%s) AND a.data_use = ANY(%s) AND NOT a.unflagged GROUP BY 1""",
        [study, list(batches), list(uses)],
    )
    return {work.condition: work for work in found}


def median_seconds(
    study: int, batches: Sequence[int], uses: Sequence[DataUse] = COUNTED_USES
) -> float | None:
    """The median time of tallied work in batches, without gold tasks."""
    found: float | None = value(
        """SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a.seconds)
           FROM assignment a JOIN place p ON p.id = a.place_id
           WHERE a.study_id = %s AND p.batch_id = ANY(%s) AND a.data_use = ANY(%s) AND NOT a.unflagged
             AND NOT p.gold""",
        [study, list(batches), list(uses)],
    )
    return found


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


def count_raters(study: int) -> int:
    """The people in the pools of a study, whom the list of raters shows; raters with one address are one person."""
    return int(
        value(
            f"""SELECT count(DISTINCT coalesce(-r.person_id, r.id)) FROM rater r
               WHERE r.study_id = %s AND r.kind = {literal(RaterKind.PERSON)}
                 AND EXISTS (SELECT 1 FROM member m WHERE m.rater_id = r.id)""",
            [study],
        )
    )


def submissions_by_age(study: int, since: datetime, now: datetime) -> dict[int, int]:
    """Submissions since a time, by their age in whole days."""
    return counts(
        """SELECT floor(extract(epoch FROM %(now)s - submitted_at) / 86400)::int, count(*) FROM assignment
           WHERE study_id = %(study)s AND submitted_at > %(since)s AND submitted_at <= %(now)s GROUP BY 1""",
        {"study": study, "since": since, "now": now},
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


# Without their exclusion, these answers would be in the tally by item.
_WITH_EXCLUDED = f"""(
    SELECT study_id, item_id, version_id, rater_kind, condition, question, code, n FROM item_tally
    WHERE study_id = %(study)s
    UNION ALL
    SELECT study_id, item_id, version_id, rater_kind, condition, question, code, 1 FROM counted_answer
    WHERE study_id = %(study)s AND data_use = {literal(DataUse.LEFT_OUT)} AND role = {literal(TaskItem.Role.ITEM)}
      AND aspect <> '' AND code IS NOT NULL AND NOT unflagged)"""


def _item_tally(*, excluded_too: bool) -> str:
    """What statements count answers by item in: as they stand, or as they would without any exclusion."""
    return _WITH_EXCLUDED if excluded_too else "item_tally"


def tally_with_excluded(study: int) -> list[TalliedCode]:
    """The answers that would count if none had been excluded. Reads every tallied item, so only jobs call it."""
    return records(
        TalliedCode,
        f"""SELECT version_id AS version, condition, question, code, sum(n)::bigint AS n FROM {_WITH_EXCLUDED} y
            WHERE rater_kind = %(kind)s GROUP BY 1, 2, 3, 4 HAVING sum(n) > 0""",
        {"study": study, "kind": RaterKind.PERSON},
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
    study: int, places: Sequence[tuple[str, int]], versions: Sequence[int], *, excluded_too: bool = False
) -> list[TalliedCandidate]:
    """The tally of questions about candidates, by the systems of the candidates at their places."""
    return records(
        TalliedCandidate,
        f"""SELECT y.condition, i.payload -> 'candidates' -> q.place ->> 'system' AS system, q.place, y.code,
                   sum(y.n)::bigint AS n
            FROM unnest(%(names)s::text[], %(places)s::int[]) AS q(name, place)
            JOIN {_item_tally(excluded_too=excluded_too)} y ON y.question = q.name JOIN item i ON i.id = y.item_id
            WHERE y.study_id = %(study)s AND y.version_id = ANY(%(versions)s) AND y.rater_kind = %(kind)s
            GROUP BY 1, 2, 3, 4 HAVING sum(y.n) > 0 ORDER BY 1, 2, 3, 4""",
        _placed(study, places, versions),
    )


def _placed(study: int, names: Sequence[tuple[str, int | None]], versions: Sequence[int]) -> dict[str, Any]:
    return {
        "names": [name for name, _ in names],
        "places": [place for _, place in names],
        "study": study,
        "versions": list(versions),
        "kind": RaterKind.PERSON,
    }


@dataclass(frozen=True, slots=True)
class SystemCode:
    """How often a code was given to an item, or to the candidate at a place of it, of a system."""

    system: str
    item: int
    place: int | None
    code: int
    n: int


def codes_by_system(
    study: int,
    names: Sequence[tuple[str, int | None]],
    versions: Sequence[int],
    *,
    excluded_too: bool = False,
) -> list[SystemCode]:
    """The judgments of people under stored names by system; a name comes with the place of its candidate, if it has one."""
    return records(
        SystemCode,
        f"""SELECT s.system, y.item_id AS item, q.place, y.code, sum(y.n)::bigint AS n
            FROM unnest(%(names)s::text[], %(places)s::int[]) AS q(name, place)
            JOIN {_item_tally(excluded_too=excluded_too)} y ON y.question = q.name JOIN item i ON i.id = y.item_id
            CROSS JOIN LATERAL (SELECT CASE WHEN q.place IS NULL THEN nullif(i.system, '')
                                       ELSE i.payload -> 'candidates' -> q.place ->> 'system' END AS system) s
            WHERE y.study_id = %(study)s AND y.version_id = ANY(%(versions)s) AND y.rater_kind = %(kind)s
              AND s.system IS NOT NULL
            GROUP BY 1, 2, 3, 4 HAVING sum(y.n) > 0 ORDER BY 1, 2, 3, 4""",
        _placed(study, names, versions),
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


def item_codes(
    study: int, questions: Sequence[str], versions: Sequence[int], *, excluded_too: bool = False
) -> list[ItemCode]:
    """The tally by item of questions."""
    return records(
        ItemCode,
        f"""SELECT condition, item_id AS item, question, code, sum(n)::bigint AS n
            FROM {_item_tally(excluded_too=excluded_too)} y
            WHERE study_id = %(study)s AND question = ANY(%(questions)s) AND version_id = ANY(%(versions)s)
              AND rater_kind = %(kind)s
            GROUP BY 1, 2, 3, 4 HAVING sum(n) > 0""",
        {
            "study": study,
            "questions": list(questions),
            "versions": list(versions),
            "kind": RaterKind.PERSON,
        },
    )


@dataclass(frozen=True, slots=True)
class ExcludedWork:
    """How much work of a rater about an item was submitted in a condition, and how much of it was excluded."""

    condition: str
    item: int
    rater: int
    excluded: bool
    n: int


_COLLECTED_WORK = f"""FROM assignment s JOIN place p ON p.id = s.place_id AND p.study_id = s.study_id
    JOIN batch b ON b.id = p.batch_id AND b.purpose = {literal(Batch.Purpose.COLLECT)}
    JOIN rater r ON r.id = s.rater_id AND r.kind = {literal(RaterKind.PERSON)}
    WHERE s.study_id = %(study)s AND s.submitted_at IS NOT NULL AND NOT s.unflagged AND NOT p.gold
      AND s.data_use = ANY(%(uses)s)"""


def has_excluded_work(study: int) -> bool:
    """Whether any of the work that `work_by_exclusion` lists was excluded."""
    values = {"study": study, "uses": [DataUse.LEFT_OUT]}
    return bool(value(f"SELECT EXISTS (SELECT 1 {_COLLECTED_WORK})", values))


def work_by_exclusion(study: int) -> list[ExcludedWork]:
    """The submitted tasks of people, with the first item of each. Reads every submission, so only jobs call it."""
    return records(
        ExcludedWork,
        f"""SELECT p.condition, (SELECT min(x.item_id) FROM task_item x WHERE x.task_id = s.task_id) AS item,
                   s.rater_id AS rater, s.data_use = {literal(DataUse.LEFT_OUT)} AS excluded, count(*) AS n
            {_COLLECTED_WORK} GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4""",
        {"study": study, "uses": list(SUBMITTED_USES)},
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
    worker_away: bool


# The statement that every refresh of an open page costs.
_FIGURES_STATE = f"""
    SELECT f.started_at, f.computed_at, f.took_seconds, f.counted, f.release,
           f.at_work IS DISTINCT FROM (SELECT count(*) FROM assignment
                                       WHERE study_id = %(study)s AND state = {literal(AssignmentState.OPEN)})
             OR EXISTS (SELECT 1 FROM study_change WHERE study_id = %(study)s) AS changed,
           (SELECT coalesce(j.scheduled_at, (SELECT min(at) FROM procrastinate_events WHERE job_id = j.id))
            FROM procrastinate_jobs j WHERE j.queueing_lock = %(lock)s AND j.status = 'todo') AS waiting_since,
           EXISTS (SELECT 1 FROM procrastinate_jobs WHERE lock = %(lock)s AND status = 'doing') AS running,
           ({WORKERS_ALIVE}) = 0 AS worker_away
    FROM (SELECT 1) AS one LEFT JOIN study_figures f ON f.study_id = %(study)s"""


def figures_state(study: int, lock: str) -> FiguresState:
    """The state of the figures of a study, whose job has this lock; reads a few rows, however large the study is."""
    found = record(FiguresState, _FIGURES_STATE, {"study": study, "lock": lock})
    assert found is not None
    return found


# Everything that the list of studies shows: a row for each study of the user, and stored numbers. No work is read.
_STUDIES = f"""
    FROM (SELECT s.id, s.public_id, s.name, s.title, s.created_at, {SHOWN_STATE} AS state, f.computed_at,
                 coalesce(f.summary, '{{}}') AS summary, coalesce(u.id, 0) AS owner_id, {ROLE} AS role,
                 coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email, '') AS owner,
                 coalesce((f.summary->>'last_at')::timestamptz, s.created_at) AS last_at,
                 coalesce((f.summary->>'wanted')::bigint,
                          (SELECT sum(b.wanted) FROM batch b WHERE b.study_id = s.id
                             AND b.version_id = (SELECT max(v.id) FROM study_version v WHERE v.study_id = s.id)
                             AND b.purpose = '{Batch.Purpose.COLLECT}')::bigint, 0) AS wanted
          FROM study s LEFT JOIN study_figures f ON f.study_id = s.id LEFT JOIN user_account u ON u.id = s.owner_id
          WHERE {VISIBLE}) s"""
_WANTED_STUDIES = f"""{_STUDIES}
    WHERE CASE WHEN %(state)s::text IS NULL THEN s.state <> {literal(StudyState.ARCHIVED)} ELSE s.state = %(state)s END
      AND (%(owner)s::bigint IS NULL OR s.owner_id = %(owner)s)
      AND (%(pattern)s::text IS NULL OR s.title ILIKE %(pattern)s OR s.name ILIKE %(pattern)s
           OR s.owner ILIKE %(pattern)s)"""


@dataclass(frozen=True, slots=True)
class StudyLine:
    """A study in the list of studies."""

    public_id: str
    name: str
    title: str
    state: str
    """As pages show it."""
    owner: str
    role: str
    """That of the user who looks at the list."""
    last_at: datetime
    """The newest submission, or else when it was loaded."""
    wanted: int
    summary_json: str

    @property
    def summary(self) -> dict[str, Any]:
        """Its stored numbers; empty until they are computed."""
        stored: dict[str, Any] = json.loads(self.summary_json)
        return stored


_STUDY_LINE = "s.public_id, s.name, s.title, s.state, s.owner, s.role, s.last_at, s.wanted, s.summary::text AS summary_json"


def _wanted_studies(user: int, every: bool, wanted: TableQuery) -> dict[str, Any]:
    return {
        "user": user,
        "every": every,
        "state": wanted.chosen.get("state"),
        "owner": int(wanted.chosen["owner"]) if "owner" in wanted.chosen else None,
        "pattern": wanted.pattern,
    }


def study_lines(user: int, wanted: TableQuery, *, every: bool) -> list[StudyLine]:
    """A page of the studies of a user, or of all studies."""
    return records(
        StudyLine,
        f"SELECT {_STUDY_LINE} {_WANTED_STUDIES} {wanted.order_by}",
        _wanted_studies(user, every, wanted),
    )


def study_total(user: int, wanted: TableQuery, *, every: bool) -> Total:
    """How many studies match."""
    return bounded_total(_WANTED_STUDIES, _wanted_studies(user, every, wanted))


@dataclass(frozen=True, slots=True)
class StudyGroup:
    """The studies of one owner in one state."""

    state: str
    owner_id: int
    owner: str
    studies: int


def study_groups(user: int, *, every: bool) -> list[StudyGroup]:
    """How many studies each owner has in each state."""
    return records(
        StudyGroup,
        f"SELECT s.state, s.owner_id, s.owner, count(*) AS studies {_STUDIES} GROUP BY 1, 2, 3 ORDER BY 3",
        {"user": user, "every": every},
    )


def studies_with_needs(user: int, *, every: bool, limit: int) -> list[StudyLine]:
    """The studies in which somebody has to act, those with the most first."""
    acts = " + ".join(
        f"coalesce((s.summary->>'{name}')::bigint, 0)" for name in ("late_answers", "to_review", "unanswered")
    )
    missing = (
        "greatest(coalesce((s.summary->>'raters_needed')::bigint - (s.summary->>'raters')::bigint, 0), 0)"
    )
    acts += f" + CASE WHEN s.state = {literal(StudyState.OPEN)} THEN {missing} ELSE 0 END"
    return records(
        StudyLine,
        f"""SELECT {_STUDY_LINE} {_STUDIES} WHERE s.state <> {literal(StudyState.ARCHIVED)} AND {acts} > 0
            ORDER BY {acts} DESC LIMIT %(limit)s""",
        {"user": user, "every": every, "limit": limit},
    )


def lines_of(user: int, public_ids: Sequence[str], *, every: bool) -> list[StudyLine]:
    """The lines of these studies, as far as the user may see them."""
    return records(
        StudyLine,
        f"SELECT {_STUDY_LINE} {_STUDIES} WHERE s.public_id = ANY(%(ids)s) ORDER BY s.title",
        {"user": user, "every": every, "ids": list(public_ids)},
    )


def studies_with_old_figures(user: int, release: str, *, every: bool, limit: int) -> list[int]:
    """Some of the studies whose figures are out of date and for which no job is waiting or running."""
    return column(
        f"""SELECT s.id FROM study s LEFT JOIN study_figures f ON f.study_id = s.id
            WHERE {VISIBLE} AND (f.computed_at IS NULL OR f.release <> %(release)s
                                 OR EXISTS (SELECT 1 FROM study_change c WHERE c.study_id = s.id))
              AND NOT EXISTS (SELECT 1 FROM procrastinate_jobs j
                              WHERE j.lock = 'figures/' || s.id AND j.status IN ('todo', 'doing'))
            ORDER BY f.computed_at NULLS FIRST LIMIT %(limit)s""",
        {"user": user, "every": every, "release": release, "limit": limit},
    )
