"""Reads stored items."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from labelwright.server.store.rows import column, records, value
from labelwright.task import StoredItem


@dataclass(frozen=True, slots=True)
class _StoredItemRow:
    id: int
    kind: str
    turns_json: str
    target: int
    payload_json: str
    key: str

    def item(self) -> StoredItem:
        """The item with its turns and payload parsed."""
        return StoredItem(
            self.kind, json.loads(self.turns_json), self.target, json.loads(self.payload_json), self.key
        )


_COLUMNS = "i.id, i.kind, d.turns::text AS turns_json, i.target, i.payload::text AS payload_json, i.key"


def stored_items(ids: Sequence[int]) -> dict[int, StoredItem]:
    """Items by id."""
    found = records(
        _StoredItemRow,
        f"SELECT {_COLUMNS} FROM item i JOIN dialogue d ON d.id = i.dialogue_id WHERE i.id = ANY(%s)",
        [list(ids)],
    )
    return {row.id: row.item() for row in found}


def items_of(task: int) -> list[StoredItem]:
    """The items of a task in their order."""
    found = records(
        _StoredItemRow,
        f"""SELECT {_COLUMNS} FROM task_item x JOIN item i ON i.id = x.item_id
            JOIN dialogue d ON d.id = i.dialogue_id WHERE x.task_id = %s ORDER BY x.position""",
        [task],
    )
    return [row.item() for row in found]


def items_in_task(task: int) -> list[int]:
    """The ids of the items of a task, in their order."""
    return column("SELECT item_id FROM task_item WHERE task_id = %s ORDER BY position", [task])


def rater_number(rater: int) -> int:
    """The number that determines the order in which a rater sees the candidates of an item."""
    return int(value("SELECT min(number) FROM member WHERE rater_id = %s", [rater]))
