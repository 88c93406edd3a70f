"""SQL of flagging: blocks of work to check, their flags, and marks to check work again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from labelwright.crowd import AssignmentState
from labelwright.server.store.rows import column, literal, records, run


@dataclass(frozen=True, slots=True)
class WorkToFlag:
    """A submitted assignment as rules begin with it."""

    assignment: int
    study: int
    version: int
    rater: int
    pool: str
    condition: str
    seconds: float
    codes_json: str

    @property
    def codes(self) -> dict[str, int]:
        """Codes by position and question, such as `0:useful`."""
        codes: dict[str, int] = json.loads(self.codes_json)
        return codes


_WORK = """SELECT b.id AS assignment, b.study_id AS study, b.version_id AS version, b.rater_id AS rater, l.name AS pool,
         t.condition, b.seconds,
         coalesce((SELECT jsonb_object_agg(a.position || ':' || a.question, a.code) FROM answer a
                   WHERE a.assignment_id = b.id AND a.code IS NOT NULL), '{}')::text AS codes_json
  FROM block b JOIN task t ON t.id = b.task_id JOIN place p ON p.id = b.place_id JOIN pool l ON l.id = p.pool_id
  ORDER BY b.id"""


def lock_unflagged(limit: int) -> list[WorkToFlag]:
    """The next block that no rule has checked yet, locked; what another worker holds is skipped."""
    return records(
        WorkToFlag,
        f"""WITH block AS MATERIALIZED (
             SELECT id, study_id, version_id, task_id, place_id, rater_id, seconds FROM assignment
             WHERE unflagged ORDER BY id LIMIT %s FOR NO KEY UPDATE SKIP LOCKED)
           {_WORK}""",
        [limit],
    )


def mark_flagged(assignments: list[int]) -> None:
    """Takes the assignments off the list; in the same transaction as their flags and tallies."""
    run("UPDATE assignment SET unflagged = false WHERE id = ANY(%s)", [assignments])


def take_marks(limit: int) -> list[int]:
    """Deletes the next marks and returns their assignments, one for each mark; those of another worker are skipped."""
    return column(
        """WITH next AS (SELECT id FROM rule_mark ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED)
           DELETE FROM rule_mark m USING next n WHERE m.id = n.id RETURNING m.assignment_id""",
        [limit],
    )


def lock_undecided(assignments: Sequence[int]) -> list[WorkToFlag]:
    """Those of the assignments on which nobody has decided, locked until the end of the transaction."""
    return records(
        WorkToFlag,
        f"""WITH block AS MATERIALIZED (
             SELECT id, study_id, version_id, task_id, place_id, rater_id, seconds FROM assignment s
             WHERE id = ANY(%s) AND state = {literal(AssignmentState.SUBMITTED)}
               AND NOT EXISTS (SELECT 1 FROM verdict v WHERE v.assignment_id = s.id)
             ORDER BY id FOR NO KEY UPDATE)
           {_WORK}""",
        [list(assignments)],
    )


def add_marks(study: int, assignments: Sequence[int]) -> None:
    """Has the rules that look at others run again on assignments of a study."""
    run(
        "INSERT INTO rule_mark (study_id, assignment_id) SELECT %s, unnest(%s::bigint[])",
        [study, sorted(assignments)],
    )


def mark_condition(study: int, condition: str) -> None:
    """The same for all undecided work of a condition; for conditions with little work."""
    run(
        f"""INSERT INTO rule_mark (study_id, assignment_id)
           SELECT s.study_id, s.id FROM assignment s JOIN task t ON t.id = s.task_id
           WHERE s.study_id = %s AND s.submitted_at IS NOT NULL
             AND s.state = {literal(AssignmentState.SUBMITTED)} AND t.condition = %s ORDER BY s.id""",
        [study, condition],
    )


def mark_raters(study: int, raters: Sequence[int]) -> None:
    """The same for all undecided work of raters."""
    run(
        f"""INSERT INTO rule_mark (study_id, assignment_id)
           SELECT s.study_id, s.id FROM assignment s
           WHERE s.rater_id = ANY(%(raters)s) AND s.study_id = %(study)s
             AND s.state = {literal(AssignmentState.SUBMITTED)} ORDER BY s.id""",
        {"study": study, "raters": list(raters)},
    )


@dataclass(frozen=True, slots=True)
class FoundFlag:
    """A rule's finding on an assignment."""

    study: int
    assignment: int
    rule: str
    version: str
    effect: str
    evidence: dict[str, Any]


def store_flags(found: Sequence[FoundFlag], now: Any) -> list[int]:
    """Stores flags, or the new evidence of flags that are there; returns the assignments whose flags changed."""
    rows = [
        {
            "study": flag.study,
            "assignment": flag.assignment,
            "rule": flag.rule,
            "version": flag.version,
            "effect": flag.effect,
            "evidence": flag.evidence,
        }
        for flag in found
    ]
    return column(
        """INSERT INTO flag (study_id, assignment_id, rule, rule_version, "then", evidence, found_at)
           SELECT study, assignment, rule, version, effect, evidence, %(now)s
           FROM jsonb_to_recordset(%(flags)s::jsonb)
             AS r(study bigint, assignment bigint, rule text, version text, effect text, evidence jsonb)
           ORDER BY assignment, rule, version
           ON CONFLICT (assignment_id, rule, rule_version, study_id) DO UPDATE
           SET evidence = excluded.evidence, "then" = excluded."then", found_at = excluded.found_at
           WHERE flag.evidence IS DISTINCT FROM excluded.evidence OR flag."then" <> excluded."then"
           RETURNING assignment_id""",
        {"flags": json.dumps(rows), "now": now},
    )


def withdraw_flags(assignments: Sequence[int], rules: Sequence[str], found: Sequence[FoundFlag]) -> list[int]:
    """Deletes the flags of rules, given by version, that no longer hold; returns their assignments."""
    return column(
        """DELETE FROM flag f WHERE f.assignment_id = ANY(%(assignments)s) AND f.rule_version = ANY(%(rules)s)
             AND NOT EXISTS (SELECT 1 FROM unnest(%(held)s::bigint[], %(by)s::text[]) AS h(assignment, version)
                             WHERE h.assignment = f.assignment_id AND h.version = f.rule_version)
           RETURNING f.assignment_id""",
        {
            "assignments": list(assignments),
            "rules": list(rules),
            "held": [flag.assignment for flag in found],
            "by": [flag.version for flag in found],
        },
    )
