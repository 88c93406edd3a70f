"""Items as they are stored."""

from __future__ import annotations

import json
from collections.abc import Sequence

from labelwright.server.store.rows import rows
from labelwright.task import StoredItem


def stored_items(ids: Sequence[int]) -> dict[int, StoredItem]:
    """Items by their ids."""
    found = rows(
        """SELECT i.id, i.kind, d.turns::text, i.target, i.payload::text, i.key
           FROM item i JOIN dialogue d ON d.id = i.dialogue_id WHERE i.id = ANY(%s)""",
        [list(ids)],
    )
    return {
        item: StoredItem(kind, json.loads(turns), target, json.loads(payload), key)
        for item, kind, turns, target, payload, key in found
    }


def rater_number(rater: int) -> int:
    """By which the candidates of an item are put in the order that a rater sees."""
    return int(rows("SELECT min(number) FROM member WHERE rater_id = %s", [rater])[0][0])


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
