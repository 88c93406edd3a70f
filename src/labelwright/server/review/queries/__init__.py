"""SQL of review: blocks of submissions for the flagging job, and flagged work."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from labelwright.server.store.models import TaskItem
from labelwright.server.store.rows import records, run


@dataclass(frozen=True, slots=True)
class Unflagged:
    """A submitted assignment that no rule has checked yet."""

    assignment: int
    study: int
    version: int
    condition: str
    seconds: float
    codes_json: str

    @property
    def codes(self) -> dict[str, int]:
        """Codes by position and question, such as `0:useful`."""
        codes: dict[str, int] = json.loads(self.codes_json)
        return codes


def lock_unflagged(limit: int) -> list[Unflagged]:
    """The next block, locked; what another worker holds is skipped."""
    return records(
        Unflagged,
        """WITH block AS MATERIALIZED (
             SELECT id, study_id, version_id, task_id, seconds FROM assignment
             WHERE unflagged ORDER BY id LIMIT %s FOR NO KEY UPDATE SKIP LOCKED)
           SELECT b.id AS assignment, b.study_id AS study, b.version_id AS version, t.condition, b.seconds,
                  coalesce((SELECT jsonb_object_agg(a.position || ':' || a.question, a.code) FROM answer a
                            WHERE a.assignment_id = b.id AND a.code IS NOT NULL), '{}')::text AS codes_json
           FROM block b JOIN task t ON t.id = b.task_id ORDER BY b.id""",
        [limit],
    )


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """An answer about a gold item."""

    assignment: int
    position: int
    item: str
    question: str
    value_json: str

    @property
    def value(self) -> Any:
        """The stored answer."""
        return json.loads(self.value_json)


def gold_answers(assignments: list[int]) -> list[GoldAnswer]:
    """The answers of the assignments about gold items."""
    return records(
        GoldAnswer,
        """SELECT a.assignment_id AS assignment, a.position, i.key AS item, a.question, a.value::text AS value_json
           FROM answer a JOIN assignment s ON s.id = a.assignment_id
           JOIN task_item x ON x.task_id = s.task_id AND x.position = a.position AND x.role = %s
           JOIN item i ON i.id = x.item_id
           WHERE a.assignment_id = ANY(%s) ORDER BY 1, 2, 4""",
        [TaskItem.Role.GOLD, assignments],
    )


def mark_flagged(assignments: list[int]) -> None:
    """Takes the assignments off the list; in the same transaction as their flags and tallies."""
    run("UPDATE assignment SET unflagged = false WHERE id = ANY(%s)", [assignments])
