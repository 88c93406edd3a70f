"""SQL about the chances by which people got their tasks, in studies where they rate a share and a model rates all."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import PlaceState, RaterKind
from labelwright.server.store.models import Batch
from labelwright.server.store.rows import records, value


def first_offer_to_people(study: int) -> datetime | None:
    """When a person was first offered a task."""
    found: datetime | None = value(
        """SELECT min(a.offered_at) FROM assignment a JOIN rater r ON r.id = a.rater_id
           WHERE a.study_id = %s AND r.kind = %s""",
        [study, RaterKind.PERSON],
    )
    return found


def has_regrouped_items(study: int, newest: int) -> bool:
    """Whether items had chances that are not those of their tasks.

    The first item decides who gets a task, so an item that was in tasks with different first items, in any versions, had
    several chances. An item that joins a task has none that was recorded.
    """
    return bool(
        value(
            """WITH judged AS (
                 SELECT DISTINCT p.task_id, b.version_id = %(newest)s AND p.state <> %(closed)s AS is_current
                 FROM place p JOIN batch b ON b.id = p.batch_id WHERE b.study_id = %(study)s AND b.purpose = %(judge)s)
               SELECT EXISTS (
                 SELECT 1 FROM judged j JOIN task_item x ON x.task_id = j.task_id JOIN item i ON i.id = x.item_id
                 JOIN task_item f ON f.task_id = x.task_id AND f.position = 0 JOIN item first ON first.id = f.item_id
                 GROUP BY i.key HAVING count(DISTINCT first.key) > 1)
               OR EXISTS (
                 SELECT 1 FROM judged j JOIN task_item x ON x.task_id = j.task_id JOIN item i ON i.id = x.item_id
                 WHERE j.is_current GROUP BY j.task_id HAVING count(DISTINCT coalesce(i.people_chance, 0)) > 1)""",
            {"study": study, "newest": newest, "judge": Batch.Purpose.JUDGE, "closed": PlaceState.CLOSED},
        )
    )


@dataclass(frozen=True, slots=True)
class Superseded:
    """Items that models rated in earlier versions and the newest one does not have, such as corrected ones."""

    any: bool
    unfinished: bool
    """Whether people had not rated all that they should have got."""


def superseded_items(study: int, newest: int) -> Superseded:
    """Whether there are such items. Their answers still count."""
    [found] = records(
        Superseded,
        """WITH gone AS (
             SELECT x.item_id FROM place p JOIN batch b ON b.id = p.batch_id JOIN task_item x ON x.task_id = p.task_id
             WHERE b.study_id = %(study)s AND b.purpose = %(judge)s
             GROUP BY 1 HAVING NOT bool_or(b.version_id = %(newest)s AND p.state <> %(closed)s))
           SELECT EXISTS (SELECT 1 FROM gone) AS "any",
                  EXISTS (SELECT 1 FROM gone JOIN task_item x ON x.item_id = gone.item_id
                          JOIN place p ON p.task_id = x.task_id JOIN batch b ON b.id = p.batch_id
                          WHERE b.purpose = %(collect)s AND NOT p.gold AND p.state <> %(filled)s) AS unfinished""",
        {
            "study": study,
            "newest": newest,
            "judge": Batch.Purpose.JUDGE,
            "collect": Batch.Purpose.COLLECT,
            "closed": PlaceState.CLOSED,
            "filled": PlaceState.FILLED,
        },
    )
    return found
