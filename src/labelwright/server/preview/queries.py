"""SQL of the preview."""

from __future__ import annotations

from labelwright.crowd import PlaceState
from labelwright.server.store.rows import column

MOST_PLACES = 5_000
"""Places whose tasks can be previewed. A large study has many more, which no page may read."""


def tasks_of(version: int, condition: str) -> list[int]:
    """The tasks of a condition, in the order in which they are offered; without gold tasks."""
    return column(
        """SELECT task_id FROM (
             SELECT p.task_id, p.rank FROM batch b JOIN place p ON p.batch_id = b.id
             WHERE b.version_id = %s AND p.condition = %s AND p.state <> %s AND NOT p.gold LIMIT %s) AS first
           GROUP BY 1 ORDER BY min(rank), 1""",
        [version, condition, PlaceState.CLOSED, MOST_PLACES],
    )
