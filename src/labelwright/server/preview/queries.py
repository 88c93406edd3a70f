"""SQL of the preview."""

from __future__ import annotations

from labelwright.crowd import PlaceState
from labelwright.server.store.rows import column


def tasks_of(version: int, condition: str) -> list[int]:
    """The tasks of a condition, in the order in which they are offered; without gold tasks."""
    return column(
        """SELECT p.task_id FROM batch b JOIN place p ON p.batch_id = b.id
           WHERE b.version_id = %s AND p.condition = %s AND p.state <> %s AND NOT p.gold
           GROUP BY 1 ORDER BY min(p.rank), 1""",
        [version, condition, PlaceState.CLOSED],
    )
