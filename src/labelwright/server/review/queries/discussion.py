"""SQL of discussions: items of a batch on which raters disagree, and who rated them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import RaterKind
from labelwright.server.store.models import Batch
from labelwright.server.store.rows import literal, records


@dataclass(frozen=True, slots=True)
class RatedBatch:
    """A batch whose items can be discussed."""

    id: int
    number: int
    topic: str
    state: str
    closed_at: datetime | None


def rated_batches(study: int) -> list[RatedBatch]:
    """The batches that were released, the newest first."""
    return records(
        RatedBatch,
        """SELECT id, number, topic, state, closed_at FROM batch
           WHERE study_id = %s AND purpose = %s AND opened_at IS NOT NULL ORDER BY number DESC, id DESC""",
        [study, Batch.Purpose.COLLECT],
    )


@dataclass(frozen=True, slots=True)
class DrawnItem:
    """An item of a batch without a clear label."""

    item: int
    key: str
    condition: str
    stored: int
    disagreement: float | None
    discussed_at: datetime | None
    raters: int
    """People who rated it in this condition and can be written to."""


_CONCERNED = f"""FROM task_item x JOIN assignment a ON a.task_id = x.task_id JOIN place p ON p.id = a.place_id
    JOIN rater r ON r.id = a.rater_id
    WHERE x.item_id = l.item_id AND p.condition = l.condition AND a.submitted_at IS NOT NULL
      AND r.kind = {literal(RaterKind.PERSON)} AND r.forgotten_at IS NULL"""


def drawn_items(study: int, batch: int, seed: int, most: int) -> list[DrawnItem]:
    """Items of a batch drawn from those without a clear label, in the order of the seed; the same as long as labels stay.

    Reads the lines of items that are not clear, which an index holds.
    """
    return records(
        DrawnItem,
        f"""SELECT l.item_id AS item, l.key, l.condition, l.stored, l.disagreement, i.discussed_at,
                   (SELECT count(DISTINCT a.rater_id) {_CONCERNED}) AS raters
            FROM item_line l JOIN item i ON i.id = l.item_id
            WHERE l.study_id = %(study)s AND l.unclear > 0 AND NOT l.gold AND EXISTS (
              SELECT 1 FROM task_item x JOIN place p ON p.task_id = x.task_id
              WHERE x.item_id = l.item_id AND p.batch_id = %(batch)s AND p.condition = l.condition)
            ORDER BY md5(%(seed)s || E'\\x1f' || 'discussion' || E'\\x1f' || l.key || E'\\x1f' || l.condition), l.item_id
            LIMIT %(most)s""",
        {"study": study, "batch": batch, "seed": str(seed), "most": most},
    )


@dataclass(frozen=True, slots=True)
class ConcernedRater:
    """A rater of an item, and their newest work on it."""

    rater: int
    assignment: int


def concerned_raters(study: int, item: int, condition: str) -> Sequence[ConcernedRater]:
    """The people who rated an item in a condition and can be written to."""
    return records(
        ConcernedRater,
        f"""SELECT a.rater_id AS rater, max(a.id) AS assignment
            FROM (SELECT %s::bigint AS item_id, %s::text AS condition) l,
            LATERAL (SELECT a.rater_id, a.id {_CONCERNED} AND a.study_id = %s) a GROUP BY 1 ORDER BY 1""",
        [item, condition, study],
    )
