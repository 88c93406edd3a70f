"""SQL of texts in which raters marked parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labelwright.server.store.rows import records


@dataclass(frozen=True, slots=True)
class RaterMarks:
    """What one rater marked in one item."""

    item: int
    condition: str
    version: int
    rater: int
    seconds: float | None
    value_json: str


def marked_work(study: int, question: str, versions: Sequence[int]) -> list[RaterMarks]:
    """The counted answers to a question that asks to mark parts, in the order of their submission."""
    return records(
        RaterMarks,
        """SELECT item_id AS item, condition, version_id AS version, rater_id AS rater, seconds, value::text AS value_json
           FROM counted_answer
           WHERE study_id = %s AND question = %s AND version_id = ANY(%s) AND left_out = '' ORDER BY id""",
        [study, question, list(versions)],
    )
