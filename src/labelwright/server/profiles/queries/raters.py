"""SQL of the list of raters, and of the figures on one rater's page. Lists read stored lines; a page reads one rater's work."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from labelwright.crowd import AssignmentState, DataUse, PaidState, Pay
from labelwright.server.store.models import Pool
from labelwright.server.store.rows import column, counts, literal, record, records
from labelwright.server.tallies.queries.items import NOTHING
from labelwright.server.web.desk.tables import TableQuery, Total, bounded_total

MOST_COUNTED = 10_000
"""Raters that a list counts, before it says that there are more."""
OPEN = literal(AssignmentState.OPEN)
SHOWN_STATE = "CASE WHEN t.rater_id = ANY(%(busy)s) AND t.state IN ('active', 'invited', 'done') THEN 'at_work' ELSE t.state END"
"""The state that a page shows. Tasks are opened too often to be counted each time, so they are looked up."""
_OTHERS = "FROM rater o JOIN rater r ON r.id = t.rater_id WHERE o.person_id = r.person_id AND o.study_id = t.study_id"
"""All raters of the person of a line `t` who gave an address."""


@dataclass(frozen=True, slots=True)
class ListedRater:
    """A person who rates, as a list shows them."""

    rater: int
    """The oldest of their raters."""
    name: str
    state: str
    pools: list[str]
    tasks: int
    pace: float | None
    recent: list[float]
    """Times of the last tasks, the newest first."""
    gold_right: int
    gold_answered: int
    attention_right: int
    attention_answered: int
    flags: int
    undecided: int
    owed_json: str
    last_seen: datetime | None
    agreement: float | None
    agreement_low: float | None
    agreement_high: float | None
    agreement_items: int
    forgotten: bool
    other_names: list[str]
    """The names of their other raters, who gave the same address."""
    unread: int

    @property
    def owed(self) -> list[Pay]:
        """What they are owed, by currency."""
        return [Pay(cents=cents, currency=currency) for cents, currency in json.loads(self.owed_json)]


def raters_at_work(study: int) -> list[int]:
    """The people with an open task, each by the oldest of their raters."""
    return column(
        f"""SELECT DISTINCT coalesce((SELECT min(o.id) FROM rater o
                                      WHERE o.person_id = r.person_id AND o.study_id = r.study_id), r.id)
            FROM assignment a JOIN rater r ON r.id = a.rater_id
            WHERE a.study_id = %s AND a.state = {OPEN}""",
        [study],
    )


_MATCHING = f"""FROM rater_line t WHERE t.study_id = %(study)s
    AND (%(pool)s::text IS NULL OR %(pool)s = ANY(t.pools))
    AND (%(state)s::text IS NULL OR {SHOWN_STATE} = %(state)s)
    AND (%(pattern)s::text IS NULL OR t.name ILIKE %(pattern)s OR t.rater_id IN (
      SELECT (SELECT min(h.id) FROM rater h WHERE h.person_id = o.person_id AND h.study_id = o.study_id)
      FROM rater o WHERE o.study_id = %(study)s AND o.person_id IS NOT NULL AND o.pseudonym ILIKE %(pattern)s))"""


def _wanted(study: int, wanted: TableQuery, busy: Sequence[int]) -> dict[str, Any]:
    return {
        "study": study,
        "pool": wanted.chosen.get("pool"),
        "state": wanted.chosen.get("state"),
        "pattern": wanted.pattern,
        "busy": list(busy),
    }


def count_raters(study: int, wanted: TableQuery, busy: Sequence[int]) -> Total:
    """How many raters match."""
    return bounded_total(_MATCHING, _wanted(study, wanted, busy), MOST_COUNTED)


def count_states(study: int, busy: Sequence[int]) -> dict[str, int]:
    """How many raters are in each state, of the first ones that a list counts."""
    return counts(
        f"""SELECT state, count(*) FROM (SELECT {SHOWN_STATE} AS state FROM rater_line t WHERE t.study_id = %(study)s
                                         LIMIT {MOST_COUNTED}) shown GROUP BY 1""",
        {"study": study, "busy": list(busy)},
    )


def pool_names(study: int) -> list[str]:
    """The pools of a study, in the order in which it was given them."""
    return list(Pool.objects.filter(study=study).order_by("pk").values_list("name", flat=True))


_COLUMNS = f"""t.rater_id AS rater, t.name, {SHOWN_STATE} AS state, t.pools, t.tasks, t.pace, t.recent, t.gold_right,
    t.gold_answered, t.attention_right, t.attention_answered, t.flags, t.undecided, t.owed::text AS owed_json,
    t.last_seen, t.agreement, t.agreement_low, t.agreement_high, t.agreement_items,
    EXISTS (SELECT 1 FROM rater r WHERE r.id = t.rater_id AND r.forgotten_at IS NOT NULL) AS forgotten,
    ARRAY(SELECT o.pseudonym {_OTHERS} AND o.id <> t.rater_id ORDER BY o.id)::text[] AS other_names,
    (SELECT count(*) FROM message x WHERE x.author = '' AND x.read_at IS NULL AND x.rater_id IN (
       SELECT t.rater_id UNION ALL SELECT o.id {_OTHERS} AND o.id <> t.rater_id)) AS unread"""


def listed_raters(study: int, wanted: TableQuery, busy: Sequence[int]) -> list[ListedRater]:
    """A page of the list."""
    # The page is chosen first, so that what is not stored is looked up for the raters on this page only.
    return records(
        ListedRater,
        f"""WITH page AS MATERIALIZED (SELECT t.* {_MATCHING} {wanted.order_by}),
                 placed AS (SELECT page.*, row_number() OVER () AS place FROM page)
            SELECT {_COLUMNS} FROM placed t ORDER BY t.place""",
        _wanted(study, wanted, busy),
    )


def raters_named(study: int, names: Sequence[str], busy: Sequence[int]) -> list[ListedRater]:
    """The lines with these names, in a fixed order."""
    return records(
        ListedRater,
        f"""SELECT {_COLUMNS} FROM rater_line t
            WHERE t.study_id = %(study)s AND t.name = ANY(%(names)s) ORDER BY t.rater_id""",
        {"study": study, "names": list(names), "busy": list(busy)},
    )


def line_of(rater: int, busy: Sequence[int]) -> ListedRater | None:
    """The line of one rater; None until the job has counted it."""
    return record(
        ListedRater,
        f"SELECT {_COLUMNS} FROM rater_line t WHERE t.rater_id = %(rater)s",
        {"rater": rater, "busy": list(busy)},
    )


def is_being_counted(study: int) -> bool:
    """Whether a job has yet to count raters who changed."""
    return bool(column("SELECT 1 FROM rater_change WHERE study_id = %s LIMIT 1", [study]))


@dataclass(frozen=True, slots=True)
class TaskTime:
    """The time that a rater took for a task, and the rules that flagged it."""

    public_id: UUID
    submitted_at: datetime
    seconds: float
    rules: list[str]


def task_times(raters: Sequence[int], limit: int) -> list[TaskTime]:
    """The newest submitted tasks of a person, the oldest of them first."""
    found = records(
        TaskTime,
        """SELECT a.public_id, a.submitted_at, a.seconds,
                  ARRAY(SELECT f.rule FROM flag f WHERE f.assignment_id = a.id AND f."then" <> %s ORDER BY 1)::text[]
                    AS rules
           FROM assignment a WHERE a.rater_id = ANY(%s) AND a.submitted_at IS NOT NULL AND a.seconds IS NOT NULL
           ORDER BY a.submitted_at DESC, a.id DESC LIMIT %s""",
        [NOTHING, list(raters), limit],
    )
    return found[::-1]


@dataclass(frozen=True, slots=True)
class RuleFlags:
    """How often one rule flagged the work of a person."""

    rule: str
    tasks: int
    undecided: int
    excluded: int
    """Tasks whose data were excluded since."""
    last_at: datetime


def flags_by_rule(raters: Sequence[int]) -> list[RuleFlags]:
    """The flags on the work of a person that ask for a review, by rule."""
    return records(
        RuleFlags,
        f"""SELECT f.rule, count(DISTINCT a.id) AS tasks,
                   count(DISTINCT a.id) FILTER (WHERE a.state = {literal(AssignmentState.SUBMITTED)}) AS undecided,
                   count(DISTINCT a.id) FILTER (WHERE a.data_use = {literal(DataUse.LEFT_OUT)}) AS excluded,
                   max(f.found_at) AS last_at
            FROM assignment a JOIN flag f ON f.assignment_id = a.id AND f."then" <> %s
            WHERE a.rater_id = ANY(%s) GROUP BY 1 ORDER BY 2 DESC, 1""",
        [NOTHING, list(raters)],
    )


@dataclass(frozen=True, slots=True)
class VerdictGroup:
    """Tasks of a rater with the same verdict, or without one."""

    tasks: int
    decided: bool
    flagged: bool
    """Whether a rule asks for a review of these tasks, which nobody has decided on."""
    paid: bool
    used: bool
    reason: str
    author: str
    first_at: datetime | None
    last_at: datetime | None


def verdict_groups(raters: Sequence[int]) -> list[VerdictGroup]:
    """The submitted tasks of a person by what was decided on them, the newest decision first."""
    return records(
        VerdictGroup,
        """SELECT count(*) AS tasks, decided, flagged, paid, used, reason, author, min(at) AS first_at, max(at) AS last_at
           FROM (SELECT v.id IS NOT NULL AS decided, a.paid_state <> %(unpaid)s AS paid, a.data_use = %(used)s AS used,
                        v.id IS NULL AND EXISTS (SELECT 1 FROM flag f
                          WHERE f.assignment_id = a.id AND f."then" <> %(nothing)s) AS flagged,
                        coalesce(v.reason, '') AS reason, coalesce(v.author, '') AS author, v.at
                 FROM assignment a LEFT JOIN LATERAL (
                   SELECT * FROM verdict v WHERE v.assignment_id = a.id ORDER BY v.id DESC LIMIT 1) v ON true
                 WHERE a.rater_id = ANY(%(raters)s) AND a.submitted_at IS NOT NULL) decision
           GROUP BY 2, 3, 4, 5, 6, 7 ORDER BY decided DESC, max(at) DESC NULLS LAST, flagged""",
        {"raters": list(raters), "unpaid": PaidState.NONE, "used": DataUse.USED, "nothing": NOTHING},
    )


def count_paid_states(raters: Sequence[int]) -> dict[str, int]:
    """How many submitted tasks of a person are owed, paid or neither."""
    return counts(
        """SELECT paid_state, count(*) FROM assignment WHERE rater_id = ANY(%s) AND submitted_at IS NOT NULL
           GROUP BY 1""",
        [list(raters)],
    )
