"""SQL of the preview."""

from __future__ import annotations

from labelwright.server.store.rows import column


def tasks_of(version: int, condition: str) -> list[int]:
    """The tasks of a condition, in the order in which they are offered; without gold tasks."""
    return column(
        """SELECT id FROM task t WHERE version_id = %s AND condition = %s
             AND EXISTS (SELECT 1 FROM place p WHERE p.task_id = t.id AND NOT p.gold)
           ORDER BY rank, id""",
        [version, condition],
    )


def items_in(task: int) -> list[int]:
    """The items of a task, in their order."""
    return column("SELECT item_id FROM task_item WHERE task_id = %s ORDER BY position", [task])
