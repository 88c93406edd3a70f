"""SQL of the preview."""

from __future__ import annotations

from labelwright.crowd import PlaceState
from labelwright.server.store.models import TaskItem
from labelwright.server.store.rows import column

MOST_ITEMS = 500
"""Items whose tasks can be previewed. A large study has many more, which no page may read."""


def tasks_of(study: int, version: int, condition: str) -> list[int]:
    """The tasks of a condition in the order of their items' keys; without gold tasks."""
    found = column(
        """SELECT x.task_id
           FROM item i JOIN task_item x ON x.item_id = i.id AND x.role = %(item)s
           JOIN task t ON t.id = x.task_id AND t.condition = %(condition)s
           WHERE i.study_id = %(study)s AND x.study_id = %(study)s AND t.study_id = %(study)s AND EXISTS (
             SELECT 1 FROM place p JOIN batch b ON b.id = p.batch_id AND b.version_id = %(version)s
             WHERE p.task_id = t.id AND p.study_id = %(study)s AND p.state <> %(closed)s AND NOT p.gold)
           ORDER BY i.key, i.id LIMIT %(most)s""",
        {
            "study": study,
            "version": version,
            "condition": condition,
            "item": TaskItem.Role.ITEM,
            "closed": PlaceState.CLOSED,
            "most": MOST_ITEMS,
        },
    )
    return list(dict.fromkeys(found))
