"""What a rater may see of their own work. Reads only."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from labelwright.crowd import Pay
from labelwright.crowd.qualification import CONDITION
from labelwright.server.actions.ahead import behind
from labelwright.server.actions.context import get_shown_texts
from labelwright.server.actions.links import Visitor
from labelwright.server.actions.messages import Asked, get_asked
from labelwright.server.actions.overview import owed
from labelwright.server.actions.pools import Door
from labelwright.server.actions.receipts import receipt_of
from labelwright.server.store.rows import rows
from labelwright.server.store.versions import study_of
from labelwright.study import Study
from labelwright.task import StoredItem

ITEM = 7
"""The column of the item's id in what `get_task` reads."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a rater is, in the batch at hand or in all."""

    done: int
    total: int
    """The most that this rater can be offered of a batch: the cap, or every task of it."""
    receipt: str | None
    """That of the newest submission."""


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item, and the texts that its condition shows besides turns."""

    item: StoredItem
    texts: list[tuple[str, str]] = field(default_factory=list)
    """Kind and content of each."""
    order: tuple[int, ...] = ()
    """How its candidates are shown to this rater, as positions in the item."""
    asked: list[Asked] = field(default_factory=list)
    """Questions that raters asked about it, with the answers."""


@dataclass(frozen=True, slots=True)
class ShownTask:
    """All that the page of a task is made of."""

    version: int
    condition: str
    lease_until: datetime
    items: list[ShownItem]
    revision: int
    answers: dict[str, Any]
    progress: Progress
    pool: str = ""


def get_task(assignment: int) -> ShownTask:
    """The task of an assignment that was just offered; two reads, no lock."""
    found = rows(
        """SELECT a.version_id, t.condition, a.lease_until, i.kind, d.turns::text, i.payload::text, i.target, i.id,
                  i.key, (SELECT min(m.number) FROM member m WHERE m.rater_id = a.rater_id),
                  i.discussed_at IS NOT NULL, f.revision, f.answers::text, b.tasks, p.name,
                  coalesce((SELECT n - (a.state = 'open')::int FROM rater_count c
                            WHERE c.rater_id = a.rater_id AND c.scope = 'batch' AND c.key = b.id::text), 0)
           FROM assignment a JOIN task t ON t.id = a.task_id JOIN batch b ON b.id = t.batch_id
           JOIN pool p ON p.id = t.pool_id
           JOIN task_item x ON x.task_id = t.id JOIN item i ON i.id = x.item_id
           JOIN dialogue d ON d.id = i.dialogue_id LEFT JOIN draft f ON f.assignment_id = a.id
           WHERE a.id = %s ORDER BY x.position""",
        [assignment],
    )
    version, condition, lease_until, *_, revision, answers, tasks, pool, done = found[0]
    study = study_of(version)
    kinds = study.condition(condition).context.kinds
    texts = get_shown_texts(version, [row[ITEM] for row in found], kinds) if kinds else {}
    discussed = [row[ITEM] for row in found if row[ITEM + 3]]
    asked = get_asked(discussed) if discussed else {}
    return ShownTask(
        version=version,
        condition=condition,
        lease_until=lease_until,
        items=[_shown_item(row, texts, asked, study) for row in found],
        revision=revision or 0,
        answers=json.loads(answers) if answers else {},
        progress=Progress(done, _total(version, pool, tasks), None),
        pool=pool,
    )


def get_progress(visitor: Visitor) -> Progress:
    """How far a rater is, for the start and the end."""
    found = rows(
        # Tasks of a qualification are not counted as work done in a pool that it leads to.
        """SELECT greatest(0, coalesce((SELECT n FROM rater_count c
                    WHERE c.rater_id = %(rater)s AND c.scope = 'submitted' AND c.key = ''), 0)
                  - coalesce((SELECT sum(n) FROM rater_count c
                    WHERE c.rater_id = %(rater)s AND c.scope = 'condition' AND c.key LIKE 'qualification:%%'
                      AND c.key <> %(condition)s), 0))::bigint,
                  (SELECT max(id) FROM assignment WHERE rater_id = %(rater)s AND submitted_at IS NOT NULL),
                  coalesce((SELECT b.tasks FROM batch b WHERE b.study_id = %(study)s AND b.state = 'open'
                              AND EXISTS (SELECT 1 FROM offered o WHERE o.batch_id = b.id AND o.pool_id = %(pool)s)
                            ORDER BY b.number LIMIT 1), 0)""",
        {
            "rater": visitor.rater,
            "study": visitor.study,
            "pool": visitor.pool,
            "condition": CONDITION + visitor.pool_name,
        },
    )
    done, newest, tasks = found[0]
    return Progress(
        done, _total(visitor.version, visitor.pool_name, tasks), receipt_of(newest) if newest else None
    )


def get_door_progress(door: Door) -> Progress:
    """What there is to do behind an open link, for somebody who has done nothing yet."""
    return get_progress(behind(door))


def get_owed(visitor: Visitor) -> list[Pay]:
    """What is owed to a rater, by currency."""
    return owed(visitor.study, visitor.rater)


def _shown_item(
    row: Sequence[Any],
    texts: Mapping[int, list[tuple[str, str]]],
    asked: Mapping[int, list[Asked]],
    study: Study,
) -> ShownItem:
    kind, turns, payload, target, item, key, rater_number = row[3 : ITEM + 3]
    stored = StoredItem(kind, json.loads(turns), target, json.loads(payload), key)
    return ShownItem(stored, texts.get(item, []), study.order_for(rater_number, stored), asked.get(item, []))


def _total(version: int, pool: str, tasks: int) -> int:
    caps = study_of(version).pool_of(pool).caps
    return min(tasks, caps.tasks or tasks, caps.tasks_per_batch or tasks)
