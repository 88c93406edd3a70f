"""Gold at the time of an offer: which gold task a rater has not met, and where it is put. Part of the same transaction.

Read and written only when gold is due, so that other offers cost the same as in a study without gold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labelwright.crowd import GoldSchedule, PlaceState
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.queries.offers import OpenCondition
from labelwright.server.store.rows import literal, records, run, value
from labelwright.study.content import HALF

ON_DEMAND = literal(PlaceState.ON_DEMAND)


@dataclass(frozen=True, slots=True)
class FoundGold:
    """A gold task that a rater has not met, and the place that stands for it."""

    place: int
    task: int


def find_gold(
    visitor: Visitor, condition: OpenCondition, schedule: GoldSchedule, wanted: int
) -> list[FoundGold]:
    """Gold tasks of a condition that are new to this rater, in the rater's own seeded order."""
    return records(
        FoundGold,
        f"""SELECT p.id AS place, p.task_id AS task FROM place p
            JOIN task_item f ON f.task_id = p.task_id AND f.position = 0
            WHERE p.batch_id = %s AND p.pool_id = %s AND p.rater_group = %s AND p.condition = %s
              AND p.state = {ON_DEMAND}
              AND NOT EXISTS (
                SELECT 1 FROM task_item t
                JOIN exposure e ON e.rater_id = %s AND e.spoil_key = ANY(array_append(t.also_spoils, t.spoil_key))
                WHERE t.task_id = p.task_id)
            ORDER BY md5(concat_ws(chr(31), %s::text, 'gold', %s::text, f.spoil_key)) COLLATE "C" LIMIT %s""",
        [
            condition.batch,
            visitor.pool,
            visitor.group,
            condition.name,
            visitor.rater,
            str(schedule.seed),
            str(schedule.rater),
            wanted,
        ],
    )


def has_gold(visitor: Visitor, condition: OpenCondition) -> bool:
    """Whether a condition has gold tasks that can be shown, to whomever."""
    return bool(
        value(
            f"""SELECT EXISTS (SELECT 1 FROM place
                WHERE batch_id = %s AND pool_id = %s AND rater_group = %s AND condition = %s AND state = {ON_DEMAND})""",
            [condition.batch, visitor.pool, visitor.group, condition.name],
        )
    )


def make_place(template: int) -> int:
    """A place for one rater at a gold task, which nobody else can take."""
    return int(
        value(
            f"""INSERT INTO place (study_id, task_id, batch_id, pool_id, rater_group, condition, rank, state, gold)
                SELECT study_id, task_id, batch_id, pool_id, rater_group, condition, rank,
                       {literal(PlaceState.CLOSED)}, true
                FROM place WHERE id = %s RETURNING id""",
            [template],
        )
    )


def count_items(task: int) -> int:
    """The number of items in a task."""
    return int(value("SELECT items FROM task WHERE id = %s", [task]))


def mix_in(base: int, gold: Sequence[FoundGold], positions: Sequence[int], items: int) -> int:
    """A task like another one, with gold items at these positions; its other items keep their order.

    It exists already if another rater met the same; its items then get the keys that the rules spoil now.
    """
    others = sorted({*range(items + len(gold))} - {*positions})
    task = int(
        value(
            """INSERT INTO task (study_id, content, condition, items, base_id)
               SELECT study_id, left(content, %s) || md5(concat_ws(chr(31), content, %s::text, %s::text)),
                      condition, items + %s, id
               FROM task WHERE id = %s
               ON CONFLICT (study_id, content) DO UPDATE SET base_id = excluded.base_id RETURNING id""",
            [HALF, [each.task for each in gold], list(positions), len(gold), base],
        )
    )
    run(
        """INSERT INTO task_item (study_id, task_id, position, item_id, spoil_key, also_spoils, role)
           SELECT x.study_id, %s, t.position, x.item_id, x.spoil_key, x.also_spoils, x.role
           FROM unnest(%s::bigint[], %s::int[], %s::int[]) AS t(source, source_position, position)
           JOIN task_item x ON x.task_id = t.source AND x.position = t.source_position
           ON CONFLICT (task_id, position, study_id) DO UPDATE
           SET spoil_key = excluded.spoil_key, also_spoils = excluded.also_spoils""",
        [
            task,
            [base] * items + [each.task for each in gold],
            [*range(items), *[0] * len(gold)],
            [*others, *positions],
        ],
    )
    return task
