"""SQL of the preview."""

from __future__ import annotations

from labelwright.crowd import PlaceState
from labelwright.server.store.models import Batch, TaskItem
from labelwright.server.store.rows import column

MOST_TASKS = 500
"""A large study has many more tasks, which no page may read."""
MOST_TASKS_OF_AN_ITEM = 20


def tasks_of(study: int, version: int, condition: str) -> list[int]:
    """The tasks of a condition in the order of their items' keys; without gold tasks."""
    # One item after the other: the planner would rather read all places of the study.
    found = column(
        """SELECT asked.task_id FROM item i CROSS JOIN LATERAL (
             SELECT x.task_id FROM task_item x JOIN task t ON t.id = x.task_id AND t.condition = %(condition)s
             WHERE x.item_id = i.id AND x.role = %(item)s AND x.study_id = %(study)s AND t.study_id = %(study)s
               AND EXISTS (
                 SELECT 1 FROM place p JOIN batch b ON b.id = p.batch_id AND b.version_id = %(version)s
                                       AND b.purpose <> %(judge)s
                 WHERE p.task_id = t.id AND p.study_id = %(study)s AND p.state <> %(closed)s AND NOT p.gold
                 LIMIT 1)
             ORDER BY 1 LIMIT %(most_tasks)s) asked
           WHERE i.study_id = %(study)s ORDER BY i.key, i.dialogue_id LIMIT %(most)s""",
        {
            "study": study,
            "version": version,
            "condition": condition,
            "item": TaskItem.Role.ITEM,
            "judge": Batch.Purpose.JUDGE,
            "closed": PlaceState.CLOSED,
            "most": MOST_TASKS,
            "most_tasks": MOST_TASKS_OF_AN_ITEM,
        },
    )
    return list(dict.fromkeys(found))
