"""SQL about the chances by which people got their tasks, in studies where they rate a share and a model rates all."""

from __future__ import annotations

from datetime import datetime

from labelwright.crowd import RaterKind
from labelwright.server.store.models import Batch
from labelwright.server.store.rows import value


def first_offer_to_people(study: int) -> datetime | None:
    """When a person was first offered a task."""
    found: datetime | None = value(
        """SELECT min(a.offered_at) FROM assignment a JOIN rater r ON r.id = a.rater_id
           WHERE a.study_id = %s AND r.kind = %s""",
        [study, RaterKind.PERSON],
    )
    return found


def has_regrouped_items(study: int) -> bool:
    """Whether an item was in tasks with different first items, in any versions: the first decides who gets the task."""
    return bool(
        value(
            """SELECT EXISTS (
                 SELECT 1 FROM task_item x JOIN item i ON i.id = x.item_id
                 JOIN task_item f ON f.task_id = x.task_id AND f.position = 0 JOIN item first ON first.id = f.item_id
                 WHERE x.study_id = %s AND x.task_id IN (
                   SELECT p.task_id FROM place p JOIN batch b ON b.id = p.batch_id WHERE b.study_id = %s AND b.purpose = %s)
                 GROUP BY i.key HAVING count(DISTINCT first.key) > 1)""",
            [study, study, Batch.Purpose.JUDGE],
        )
    )
