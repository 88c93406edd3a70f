"""SQL of analysis plans."""

from __future__ import annotations

from labelwright.crowd import STORED
from labelwright.crowd.qualification import CONDITION
from labelwright.server.store.rows import value


def count_ratings(study: int) -> int:
    """The submissions that are stored, apart from those of qualifications."""
    return int(
        value(
            """SELECT count(*) FROM assignment a JOIN task t ON t.id = a.task_id AND t.study_id = a.study_id
               WHERE a.study_id = %s AND a.state = ANY(%s) AND NOT starts_with(t.condition, %s)""",
            [study, list(STORED), CONDITION],
        )
    )
