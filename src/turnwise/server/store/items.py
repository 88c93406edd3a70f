"""The items of a task as they are stored."""

from __future__ import annotations

import json

from turnwise.server.store.rows import rows
from turnwise.task import StoredItem


def items_of(task: int) -> list[StoredItem]:
    """The items of a task in their order."""
    found = rows(
        """SELECT i.kind, d.turns::text, i.target, i.payload::text, i.key
           FROM task_item x JOIN item i ON i.id = x.item_id JOIN dialogue d ON d.id = i.dialogue_id
           WHERE x.task_id = %s ORDER BY x.position""",
        [task],
    )
    return [
        StoredItem(kind, json.loads(turns), target, json.loads(payload), key)
        for kind, turns, target, payload, key in found
    ]
