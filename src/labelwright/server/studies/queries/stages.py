"""SQL of stages: items with all their ratings, and what raters chose in them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from labelwright.crowd import PlaceState, RaterKind
from labelwright.server.store.models import Batch, TaskItem
from labelwright.server.store.rows import column, counts, literal, records, run


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
    """Whether items of the later stage were already made of it."""


@dataclass(frozen=True, slots=True)
class _ParentRow:
    id: int
    key: str
    kind: str
    dialogue: int
    dialogue_key: str
    turns_json: str
    target: int
    system: str
    payload_json: str
    is_full: bool
    is_used: bool


def parents(version: int, after: Sequence[str], stage: Sequence[str]) -> list[Parent]:
    """The items of the conditions before a stage, without gold items. Nobody waits for a model's ratings of them."""
    found = records(
        _ParentRow,
        """WITH given AS (
             SELECT x.item_id, bool_and(p.state = %(filled)s) AS is_full
             FROM batch b JOIN place p ON p.batch_id = b.id
             JOIN task_item x ON x.task_id = p.task_id AND x.role = %(item)s
             WHERE b.version_id = %(version)s AND b.purpose = %(collect)s AND p.condition = ANY(%(after)s)
               AND p.state <> %(closed)s
             GROUP BY 1)
           SELECT i.id, i.key, i.kind, d.id AS dialogue, d.key AS dialogue_key, d.turns::text AS turns_json,
                  i.target, i.system, i.payload::text AS payload_json, g.is_full,
                  EXISTS (SELECT 1 FROM item c JOIN task_item x ON x.item_id = c.id
                          JOIN place p ON p.task_id = x.task_id JOIN batch b ON b.id = p.batch_id
                          WHERE c.study_id = i.study_id AND c.payload->>'parent' = i.key
                            AND b.version_id = %(version)s AND p.condition = ANY(%(stage)s)) AS is_used
           FROM given g JOIN item i ON i.id = g.item_id JOIN dialogue d ON d.id = i.dialogue_id ORDER BY i.id""",
        {
            "version": version,
            "after": list(after),
            "stage": list(stage),
            "filled": PlaceState.FILLED,
            "closed": PlaceState.CLOSED,
            "item": TaskItem.Role.ITEM,
            "collect": Batch.Purpose.COLLECT,
        },
    )
    return [
        Parent(
            id=row.id,
            key=row.key,
            kind=row.kind,
            dialogue=row.dialogue,
            dialogue_key=row.dialogue_key,
            turns=json.loads(row.turns_json),
            target=row.target,
            system=row.system,
            payload=json.loads(row.payload_json),
            full=row.is_full,
            used=row.is_used,
        )
        for row in found
    ]


@dataclass(frozen=True, slots=True)
class ChoosingAnswer:
    """An answer to the question that chooses parts of an item."""

    item: int
    assignment: int
    condition: str
    value_json: str

    @property
    def value(self) -> Any:
        """The stored answer."""
        return json.loads(self.value_json)


def choosing_answers(
    version: int, after: Sequence[str], question: str, items: Sequence[int]
) -> list[ChoosingAnswer]:
    """The answers of people about items that count, in the order of submission; the question need not measure an aspect."""
    return records(
        ChoosingAnswer,
        f"""SELECT item_id AS item, assignment_id AS assignment, condition, value::text AS value_json
           FROM counted_answer
           WHERE batch_id IN (SELECT id FROM batch WHERE version_id = %s) AND condition = ANY(%s) AND question = %s AND item_id = ANY(%s)
             AND left_out IN ('', 'no_aspect') AND rater_kind = {literal(RaterKind.PERSON)}
           ORDER BY assignment_id""",
        [version, list(after), question, list(items)],
    )


@dataclass(frozen=True, slots=True)
class StoredUnit:
    """The items of a task, in their order."""

    keys: list[str]
    items: list[int]
    hashes: list[str]
    """The hashes of their dialogues."""


def units_of(batch: int) -> list[StoredUnit]:
    """The different sets of items that the tasks of a batch are about, in the order in which they were made."""
    return records(
        StoredUnit,
        """SELECT keys, items, hashes FROM (
             SELECT array_agg(i.key ORDER BY x.position) AS keys, array_agg(i.id ORDER BY x.position) AS items,
                    array_agg(d.sha256 ORDER BY x.position) AS hashes, x.task_id
             FROM task_item x JOIN item i ON i.id = x.item_id JOIN dialogue d ON d.id = i.dialogue_id
             WHERE x.task_id IN (SELECT task_id FROM place WHERE batch_id = %s) GROUP BY x.task_id) t
           GROUP BY 1, 2, 3 ORDER BY min(task_id)""",
        [batch],
    )


def groups_of(version: int, conditions: Sequence[str]) -> list[tuple[str, ...]]:
    """The keys of the items of each task of these conditions, in a version; without gold tasks."""
    found = column(
        """SELECT array_agg(i.key ORDER BY x.position) FROM task_item x JOIN item i ON i.id = x.item_id
           WHERE x.task_id IN (
             SELECT p.task_id FROM batch b JOIN place p ON p.batch_id = b.id
             WHERE b.version_id = %s AND p.condition = ANY(%s) AND NOT p.gold)
           GROUP BY x.task_id ORDER BY x.task_id""",
        [version, list(conditions)],
    )
    return list(dict.fromkeys(map(tuple, found)))


def hashes_of(items: Iterable[int]) -> dict[int, str]:
    """The hashes of the dialogues of items, by the id of the item."""
    return counts(
        "SELECT i.id, d.sha256 FROM item i JOIN dialogue d ON d.id = i.dialogue_id WHERE i.id = ANY(%s)",
        [list(items)],
    )


def close_to(batch: int, pool: int, after: Sequence[str], *, same: bool) -> None:
    """Bars raters from the tasks of a batch: those who judged its parents, or with `same` everybody else.

    Stored as exposures, which every offer checks.
    """
    run(
        """INSERT INTO exposure (study_id, rater_id, spoil_key)
           SELECT DISTINCT x.study_id, m.rater_id, x.spoil_key
           FROM batch b JOIN place p ON p.batch_id = b.id JOIN task_item x ON x.task_id = p.task_id
           JOIN item i ON i.id = x.item_id JOIN member m ON m.pool_id = %(pool)s
           WHERE b.id = %(batch)s AND %(same)s <> EXISTS (
             SELECT 1 FROM assignment s JOIN place o ON o.id = s.place_id JOIN batch c ON c.id = o.batch_id
             JOIN task_item y ON y.task_id = o.task_id JOIN item parent ON parent.id = y.item_id
             WHERE s.rater_id = m.rater_id AND c.version_id = b.version_id AND o.condition = ANY(%(after)s)
               AND s.submitted_at IS NOT NULL AND parent.key = i.payload->>'parent'
               AND (i.payload->>'chosen_in' IS NULL OR NOT %(same)s
                    OR s.id = (i.payload->>'chosen_in')::bigint))
           ON CONFLICT DO NOTHING""",
        {"batch": batch, "pool": pool, "after": list(after), "same": same},
    )
