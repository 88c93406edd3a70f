"""SQL of the review queue: marked work becomes cases, cases form groups, and reviewers claim cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from labelwright.crowd import AssignmentState, RaterKind
from labelwright.server.store.models import CaseKind, CaseState
from labelwright.server.store.rows import column, literal, record, records, run, value

OPEN, DECIDED, CLOSED = (literal(state) for state in (CaseState.OPEN, CaseState.DECIDED, CaseState.CLOSED))
FIRST = literal(CaseKind.FIRST)
GROUP_ORDER = "g.decide_by NULLS LAST, g.weight DESC, g.id"
"""The order of the queue: what is decided without us first, then the weight of doubt."""
CASE_ORDER = "c.decide_by NULLS LAST, c.weight DESC, c.id"
PROPOSED_WEIGHT = 2
"""A flag that proposes a verdict weighs as much as two that do not."""


@dataclass(frozen=True, slots=True)
class MarkedWork:
    """Submitted work that may belong into the queue."""

    assignment: int
    rater: int
    name: str
    """The pseudonym of the rater."""
    version: int
    condition: str
    group: str
    task: str
    """What identifies the task, whatever database it is stored in."""
    undecided: bool
    disputed: bool
    """Whether the rater has answered the rejection that applies."""
    decide_by: datetime | None
    rules: list[str]
    """Those with flags that ask for a review, the weightiest first."""
    weight: int

    @property
    def drawn_as(self) -> str:
        """Its name in seeded draws."""
        return f"{self.name} {self.task}"


def lock_work(study: int, assignments: Sequence[int]) -> list[MarkedWork]:
    """Marked work. Its verdict cannot change until the transaction ends."""
    return records(
        MarkedWork,
        f"""WITH work AS MATERIALIZED (
              SELECT id, study_id, rater_id, version_id, place_id, task_id, state, decide_by FROM assignment
              WHERE study_id = %(study)s AND id = ANY(%(work)s) AND submitted_at IS NOT NULL AND NOT unflagged
              ORDER BY id FOR SHARE)
            SELECT s.id AS assignment, s.rater_id AS rater, r.pseudonym AS name, s.version_id AS version, p.condition,
                   p.rater_group AS "group", k.content AS task,
                   s.state = {literal(AssignmentState.SUBMITTED)} AS undecided,
                   s.state = {literal(AssignmentState.REJECTED)} AND EXISTS (
                     SELECT 1 FROM dispute d WHERE d.assignment_id = s.id) AS disputed,
                   s.decide_by, f.rules, f.weight
            FROM work s JOIN rater r ON r.id = s.rater_id AND r.kind = {literal(RaterKind.PERSON)}
            JOIN place p ON p.id = s.place_id JOIN task k ON k.id = s.task_id
            CROSS JOIN LATERAL (
              SELECT coalesce(array_agg(rule ORDER BY weight DESC, first), '{{}}')::text[] AS rules,
                     coalesce(sum(weight), 0)::int AS weight
              FROM (SELECT rule, min(id) AS first,
                           max(CASE "then" WHEN 'propose' THEN {PROPOSED_WEIGHT} ELSE 1 END) AS weight
                    FROM flag WHERE assignment_id = s.id AND "then" <> 'nothing' GROUP BY rule) rule) f
            ORDER BY s.id""",
        {"study": study, "work": list(assignments)},
    )


def groups_of(assignments: Sequence[int]) -> list[int]:
    """The groups that hold the cases of assignments."""
    return column(
        "SELECT DISTINCT group_id FROM review_case WHERE assignment_id = ANY(%s)", [list(assignments)]
    )


@dataclass(frozen=True, slots=True)
class NewCase:
    """A case to open."""

    assignment: int
    rater: int
    kind: str
    condition: str
    rules: Sequence[str]
    weight: int
    decide_by: datetime | None
    away_from: str = ""

    @property
    def rule(self) -> str:
        """The rule under which it stands in the queue."""
        return self.rules[0] if self.rules else ""


_NEW = """new AS (SELECT * FROM unnest(
  %(assignments)s::bigint[], %(raters)s::bigint[], %(kinds)s::text[], %(group_rules)s::text[], %(conditions)s::text[],
  %(rules)s::text[], %(weights)s::int[], %(decide_by)s::timestamptz[], %(away)s::text[])
  AS n(assignment, rater, kind, rule, condition, rules, weight, decide_by, away))"""


def open_cases(study: int, cases: Sequence[NewCase]) -> list[int]:
    """Opens cases, or brings open ones up to date; returns their groups, which must be counted again.

    A case that a person has decided stays decided.
    """
    values = {
        "study": study,
        "assignments": [case.assignment for case in cases],
        "raters": [case.rater for case in cases],
        "kinds": [case.kind for case in cases],
        "group_rules": [case.rule for case in cases],
        "conditions": [case.condition for case in cases],
        # Names of rules hold no comma.
        "rules": [",".join(case.rules) for case in cases],
        "weights": [case.weight for case in cases],
        "decide_by": [case.decide_by for case in cases],
        "away": [case.away_from for case in cases],
    }
    run(
        f"""WITH {_NEW}
            INSERT INTO review_group (study_id, rater_id, kind, rule, open, weight)
            SELECT DISTINCT %(study)s, rater, kind, rule, 0, 0 FROM new ORDER BY rater, kind, rule
            ON CONFLICT (rater_id, kind, rule, study_id) DO NOTHING""",
        values,
    )
    return column(
        f"""WITH {_NEW}
            INSERT INTO review_case AS c (
              study_id, group_id, assignment_id, kind, state, condition, rules, weight, decide_by, away_from, claimed_by,
              decided_by, choice, reason, before)
            SELECT %(study)s, g.id, n.assignment, n.kind, {OPEN}, n.condition,
                   coalesce(string_to_array(nullif(n.rules, ''), ','), '{{}}'), n.weight, n.decide_by, n.away, '', '', '',
                   '', '{{}}'
            FROM new n JOIN review_group g ON g.study_id = %(study)s AND g.rater_id = n.rater AND g.kind = n.kind
              AND g.rule = n.rule ORDER BY n.assignment
            ON CONFLICT (assignment_id, kind, study_id) DO UPDATE SET
              group_id = excluded.group_id, rules = excluded.rules, weight = excluded.weight,
              decide_by = excluded.decide_by,
              state = CASE c.state WHEN {DECIDED} THEN {DECIDED} ELSE {OPEN} END
            RETURNING group_id""",
        values,
    )


def close_cases(assignments: Sequence[int], kinds: Sequence[str]) -> None:
    """Closes open cases on which nobody has to decide any more."""
    run(
        f"""UPDATE review_case SET state = {CLOSED}, claimed_by = '', claimed_until = NULL
            WHERE assignment_id = ANY(%s) AND kind = ANY(%s) AND state = {OPEN}""",
        [list(assignments), list(kinds)],
    )


def count_groups(groups: Sequence[int]) -> None:
    """Counts the open cases of groups again. Locks the groups first, so that no count is lost."""
    ids = sorted(set(groups))
    if not ids:
        return
    run("SELECT 1 FROM review_group WHERE id = ANY(%s) ORDER BY id FOR NO KEY UPDATE", [ids])
    run(
        f"""UPDATE review_group g SET open = n.open, weight = n.weight, decide_by = n.decide_by
            FROM unnest(%s::bigint[]) AS each(id) CROSS JOIN LATERAL (
              SELECT count(*) AS open, coalesce(sum(weight), 0) AS weight, min(decide_by) AS decide_by
              FROM review_case c WHERE c.group_id = each.id AND c.state = {OPEN}) n
            WHERE g.id = each.id""",
        [ids],
    )


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """Which part of the queue a reviewer works on; every field is optional."""

    kind: str = ""
    rule: str | None = None
    """The rule of the group; empty for work without flags."""
    condition: str = ""
    rater: str = ""
    group: int | None = None


def _wanted(study: int, who: str, wanted: QueueFilter, now: datetime) -> tuple[str, str, dict[str, Any]]:
    """Clauses on groups and on cases, and their values."""
    of_groups = {
        "g.kind = %(kind)s": bool(wanted.kind),
        "g.rule = %(rule)s": wanted.rule is not None,
        "g.id = %(group)s": wanted.group is not None,
        "g.rater_id = (SELECT id FROM rater WHERE study_id = %(study)s AND pseudonym = %(rater)s)": bool(
            wanted.rater
        ),
    }
    of_cases = {"c.condition = %(condition)s": bool(wanted.condition)}
    values = {
        "study": study, "who": who, "now": now, "kind": wanted.kind, "rule": wanted.rule, "group": wanted.group,
        "rater": wanted.rater, "condition": wanted.condition,
    }  # fmt: skip
    groups = ["g.study_id = %(study)s", "g.open > 0", *(c for c, applies in of_groups.items() if applies)]
    cases = [f"c.state = {OPEN}", *(clause for clause, applies in of_cases.items() if applies)]
    return " AND ".join(groups), " AND ".join(cases), values


FREE = "(c.claimed_until IS NULL OR c.claimed_until <= %(now)s)"


def held_case(study: int, who: str, wanted: QueueFilter, skipped: Sequence[int], now: datetime) -> int | None:
    """The first case that a reviewer holds."""
    groups, cases, values = _wanted(study, who, wanted, now)
    found: int | None = value(
        f"""SELECT c.id FROM review_case c JOIN review_group g ON g.id = c.group_id
            WHERE c.study_id = %(study)s AND c.claimed_by = %(who)s AND c.claimed_until > %(now)s AND {cases}
              AND {groups} AND c.id <> ALL(%(skipped)s) ORDER BY {GROUP_ORDER}, {CASE_ORDER} LIMIT 1""",
        values | {"skipped": list(skipped)},
    )
    return found


def free_case(study: int, who: str, wanted: QueueFilter, skipped: Sequence[int], now: datetime) -> int | None:
    """The first case of the queue that nobody holds and that this reviewer may decide.

    Groups are read in order until one has such a case, so the cost does not grow with the queue.
    """
    groups, cases, values = _wanted(study, who, wanted, now)
    found: int | None = value(
        f"""SELECT first.id FROM review_group g CROSS JOIN LATERAL (
              SELECT c.id FROM review_case c
              WHERE c.group_id = g.id AND {cases} AND {FREE} AND c.away_from <> %(who)s AND c.id <> ALL(%(skipped)s)
              ORDER BY {CASE_ORDER} LIMIT 1) first
            WHERE {groups} ORDER BY {GROUP_ORDER} LIMIT 1""",
        values | {"skipped": list(skipped)},
    )
    return found


def claim(study: int, case: int, who: str, now: datetime, until: datetime) -> bool:
    """Takes a case of a study, unless another reviewer holds it or it is decided; renews one's own claim.

    The row itself is the lease: of two reviewers at once, the second one waits for the first and then finds it taken.
    """
    return bool(
        run(
            f"""UPDATE review_case c SET claimed_by = %(who)s, claimed_until = %(until)s
                WHERE c.study_id = %(study)s AND c.id = %(case)s AND c.state = {OPEN} AND c.away_from <> %(who)s
                  AND ({FREE} OR c.claimed_by = %(who)s)""",
            {"study": study, "case": case, "who": who, "now": now, "until": until},
        )
    )


def release(study: int, who: str, case: int) -> None:
    """Gives a claimed case back to the queue."""
    run(
        """UPDATE review_case SET claimed_by = '', claimed_until = NULL
           WHERE study_id = %s AND claimed_by = %s AND id = %s""",
        [study, who, case],
    )


@dataclass(frozen=True, slots=True)
class QueuedGroup:
    """Open cases of one rater under one rule."""

    id: int
    rater: str
    kind: str
    rule: str
    open: int
    weight: int
    decide_by: datetime | None


def queued_groups(study: int, wanted: QueueFilter, now: datetime, limit: int) -> list[QueuedGroup]:
    """The first groups of the queue. With a condition, those that have a case in it; their numbers are of all cases."""
    groups, cases, values = _wanted(study, "", wanted, now)
    in_condition = f"AND EXISTS (SELECT 1 FROM review_case c WHERE c.group_id = g.id AND {cases})"
    return records(
        QueuedGroup,
        f"""SELECT g.id, r.pseudonym AS rater, g.kind, g.rule, g.open, g.weight, g.decide_by
            FROM review_group g JOIN rater r ON r.id = g.rater_id
            WHERE {groups} {in_condition if wanted.condition else ""} ORDER BY {GROUP_ORDER} LIMIT %(limit)s""",
        values | {"limit": limit},
    )


@dataclass(frozen=True, slots=True)
class QueuedCase:
    """An open case, as the queue lists it."""

    id: int
    group: int
    item: str
    items: int
    condition: str
    rules: list[str]
    decide_by: datetime | None
    held_by: str
    """The reviewer who holds it; empty if nobody does."""


def queued_cases(groups: Sequence[int], now: datetime, most: int) -> list[QueuedCase]:
    """The first open cases of each group."""
    return records(
        QueuedCase,
        f"""SELECT c.id, c.group_id AS "group", i.key AS item, i.items, c.condition, c.rules, c.decide_by,
                   CASE WHEN c.claimed_until > %(now)s THEN c.claimed_by ELSE '' END AS held_by
            FROM unnest(%(groups)s::bigint[]) AS g(id) CROSS JOIN LATERAL (
              SELECT * FROM review_case c WHERE c.group_id = g.id AND c.state = {OPEN}
              ORDER BY {CASE_ORDER} LIMIT %(most)s) c
            JOIN assignment s ON s.id = c.assignment_id CROSS JOIN LATERAL (
              SELECT (array_agg(i.key ORDER BY x.position))[1] AS key, count(*) AS items FROM task_item x JOIN item i ON i.id = x.item_id
              WHERE x.task_id = s.task_id) i
            ORDER BY array_position(%(groups)s::bigint[], c.group_id), {CASE_ORDER}""",
        {"groups": list(groups), "now": now, "most": most},
    )


@dataclass(frozen=True, slots=True)
class RuleCount:
    """The open cases of a study under one rule."""

    kind: str
    rule: str
    open: int
    groups: int


def open_by_rule(study: int) -> list[RuleCount]:
    """The open cases of a study by rule, from an index that holds only groups with open cases."""
    return records(
        RuleCount,
        """SELECT kind, rule, sum(open)::bigint AS open, count(*) AS groups FROM review_group
           WHERE study_id = %s AND open > 0 GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2""",
        [study],
    )


@dataclass(frozen=True, slots=True)
class DecidedCase:
    """A case that a reviewer has decided."""

    id: int
    decision: str
    rater: str
    item: str
    condition: str
    choice: str
    decided_at: datetime
    together: int
    """The number of cases that were decided in the same step."""


def decided_last(study: int, who: str, most: int) -> list[DecidedCase]:
    """The newest decisions of a reviewer, one line for each step."""
    return records(
        DecidedCase,
        f"""WITH newest AS (
              SELECT * FROM review_case WHERE study_id = %(study)s AND decided_by = %(who)s AND state = {DECIDED}
              ORDER BY decided_at DESC LIMIT %(read)s)
            SELECT min(n.id) AS id, n.decision::text AS decision, min(r.pseudonym) AS rater,
                   (array_agg(i.key ORDER BY n.id, x.position))[1] AS item,
                   min(n.condition) AS condition, min(n.choice) AS choice, n.decided_at,
                   (SELECT count(*) FROM review_case t WHERE t.decision = n.decision) AS together
            FROM newest n JOIN assignment s ON s.id = n.assignment_id JOIN rater r ON r.id = s.rater_id
            JOIN task_item x ON x.task_id = s.task_id JOIN item i ON i.id = x.item_id
            WHERE n.decision IS NOT NULL GROUP BY n.decision, n.decided_at ORDER BY n.decided_at DESC LIMIT %(most)s""",
        {"study": study, "who": who, "read": most * 20, "most": most},
    )


def decided_since(study: int, who: str, since: datetime) -> int:
    """How many cases a reviewer has decided since a time."""
    return int(
        value(
            f"""SELECT count(*) FROM review_case
                WHERE study_id = %s AND decided_by = %s AND decided_at >= %s AND state = {DECIDED}""",
            [study, who, since],
        )
    )


@dataclass(frozen=True, slots=True)
class OpinionPair:
    """How often two reviewers of the same work chose what."""

    first: str
    second: str
    n: int


def opinion_pairs(study: int, most: int) -> list[OpinionPair]:
    """What first and second reviewers chose, in the newest second opinions."""
    return records(
        OpinionPair,
        f"""SELECT first, second, count(*) AS n FROM (
              SELECT f.choice AS first, s.choice AS second FROM review_case s
              JOIN review_case f ON f.assignment_id = s.assignment_id AND f.kind = {FIRST}
              WHERE s.study_id = %s AND s.kind = {literal(CaseKind.SECOND)} AND s.state = {DECIDED}
                AND f.choice <> '' ORDER BY s.decided_at DESC LIMIT %s) pair GROUP BY 1, 2 ORDER BY 1, 2""",
        [study, most],
    )


@dataclass(frozen=True, slots=True)
class StoredCase:
    """A case with the work that it is about."""

    id: int
    study: int
    group: int
    assignment: int
    kind: str
    state: str
    condition: str
    rules: list[str]
    rule: str
    rater: str
    rater_id: int
    version: int
    task: int
    submitted_at: datetime
    seconds: float | None
    decide_by: datetime | None
    away_from: str
    claimed_by: str
    claimed_until: datetime | None
    first_by: str
    """Who decided first, if this is a second opinion or a difference."""
    first_choice: str


def case_by_id(study: int, case: int) -> StoredCase | None:
    """A case of a study."""
    return record(
        StoredCase,
        f"""SELECT c.id, c.study_id AS study, c.group_id AS "group", c.assignment_id AS assignment, c.kind, c.state,
                   c.condition, c.rules, g.rule, r.pseudonym AS rater, r.id AS rater_id, s.version_id AS version,
                   s.task_id AS task, s.submitted_at, s.seconds, c.decide_by, c.away_from, c.claimed_by,
                   c.claimed_until, coalesce(f.decided_by, '') AS first_by, coalesce(f.choice, '') AS first_choice
            FROM review_case c JOIN review_group g ON g.id = c.group_id JOIN assignment s ON s.id = c.assignment_id
            JOIN rater r ON r.id = s.rater_id
            LEFT JOIN review_case f ON f.assignment_id = c.assignment_id AND f.kind = {FIRST} AND f.id <> c.id
            WHERE c.study_id = %s AND c.id = %s""",
        [study, case],
    )
