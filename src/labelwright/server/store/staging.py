"""What a stage is made of: items with all their ratings, and what raters chose in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from labelwright.server.store.rows import rows, run


@dataclass(frozen=True, slots=True)
class Parent:
    """An item of the earlier stage."""

    id: int
    key: str
    kind: str
    dialogue: int
    dialogue_key: str
    turns: list[dict[str, Any]]
    target: int
    system: str
    payload: dict[str, Any]
    full: bool
    """Whether it has all the ratings that are wanted."""
    used: bool
    """Whether items were made of it before."""


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to the question that chooses."""

    item: int
    assignment: int
    condition: str
    value: Any


def parents(version: int, after: Sequence[str], stage: Sequence[str]) -> list[Parent]:
    """The items of the conditions before a stage; items with known answers are left out."""
    found = rows(
        """WITH given AS (
             SELECT x.item_id, bool_and(p.state = 'filled') AS is_full
             FROM task t JOIN task_item x ON x.task_id = t.id AND x.role = 'item' JOIN place p ON p.task_id = t.id
             WHERE t.version_id = %(version)s AND t.condition = ANY(%(after)s) GROUP BY 1)
           SELECT i.id, i.key, i.kind, d.id, d.key, d.turns::text, i.target, i.system, i.payload::text, g.is_full,
                  EXISTS (SELECT 1 FROM item c JOIN task_item x ON x.item_id = c.id JOIN task t ON t.id = x.task_id
                          WHERE c.study_id = i.study_id AND c.payload->>'parent' = i.key
                            AND t.version_id = %(version)s AND t.condition = ANY(%(stage)s))
           FROM given g JOIN item i ON i.id = g.item_id JOIN dialogue d ON d.id = i.dialogue_id ORDER BY i.id""",
        {"version": version, "after": list(after), "stage": list(stage)},
    )
    return [
        Parent(
            id,
            key,
            kind,
            dialogue,
            dialogue_key,
            json.loads(turns),
            target,
            system,
            json.loads(payload),
            full,
            used,
        )
        for id, key, kind, dialogue, dialogue_key, turns, target, system, payload, full, used in found  # noqa: A001
    ]


def choices(version: int, after: Sequence[str], question: str, items: Sequence[int]) -> list[Choice]:
    """What was chosen in items, in the order in which it was handed in; only data that are used."""
    found = rows(
        """SELECT x.item_id, s.id, t.condition, a.value::text
           FROM task t JOIN task_item x ON x.task_id = t.id JOIN assignment s ON s.task_id = t.id
           JOIN answer a ON a.assignment_id = s.id AND a.position = x.position
           WHERE t.version_id = %s AND t.condition = ANY(%s) AND a.question = %s AND x.item_id = ANY(%s)
             AND s.data_use = 'used'
           ORDER BY s.id""",
        [version, list(after), question, list(items)],
    )
    return [
        Choice(item, assignment, condition, json.loads(value)) for item, assignment, condition, value in found
    ]


def close_to(batch: int, pool: int, after: Sequence[str], *, same: bool) -> None:
    """Keeps raters from the tasks of a batch: those who judged its parents, or with `same` everybody else.

    Written as what they have seen, which is what every offer looks at.
    """
    run(
        """INSERT INTO exposure (study_id, rater_id, spoil_key)
           SELECT DISTINCT x.study_id, m.rater_id, x.spoil_key
           FROM task t JOIN task_item x ON x.task_id = t.id JOIN item i ON i.id = x.item_id
           JOIN member m ON m.pool_id = %(pool)s
           WHERE t.batch_id = %(batch)s AND %(same)s <> EXISTS (
             SELECT 1 FROM assignment s JOIN task o ON o.id = s.task_id JOIN task_item y ON y.task_id = o.id
             JOIN item parent ON parent.id = y.item_id
             WHERE s.rater_id = m.rater_id AND o.version_id = t.version_id AND o.condition = ANY(%(after)s)
               AND s.submitted_at IS NOT NULL AND parent.key = i.payload->>'parent'
               AND (i.payload->>'chosen_in' IS NULL OR NOT %(same)s
                    OR s.id = (i.payload->>'chosen_in')::bigint))
           ON CONFLICT DO NOTHING""",
        {"batch": batch, "pool": pool, "after": list(after), "same": same},
    )
