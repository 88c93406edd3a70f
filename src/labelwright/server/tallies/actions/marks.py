"""Marked items and raters are counted again, and marked work is put into the review queue, by jobs, block by block.

Whatever changes one leaves a mark, so no submission, offer or verdict waits for another one about the same item or rater.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import transaction

from labelwright.server.store.models import StudyRow
from labelwright.server.store.rows import planned_for_values
from labelwright.server.tallies.queries.marks import Mark, MarkTable

CountAgain = Callable[[StudyRow, list[int]], None]
"""Looks again at items, raters or work of a study, given their numbers in order."""


@transaction.atomic
def count_marked(table: MarkTable, count: CountAgain, limit: int) -> int:
    """Counts what the next marks are about; returns how many marks there were.

    One transaction: if the worker is killed in the middle, the marks are still there.
    """
    marks = table.lock_next(limit)
    for study in sorted({mark.study for mark in marks}):
        table.lock_lines(study)
        _count_study(table, count, study, [mark for mark in marks if mark.study == study])
    table.delete(marks)
    return len(marks)


def _count_study(table: MarkTable, count: CountAgain, study: int, marks: Sequence[Mark]) -> None:
    # Rows of a study that is being deleted are gone or going.
    row = StudyRow.objects.filter(pk=study, deleted_at=None).first()
    marked = sorted({mark.marked for mark in marks if mark.marked is not None})
    if row is None:
        return
    if any(mark.marked is None for mark in marks):
        table.mark_all(study)
    if marked:
        with planned_for_values():
            count(row, marked)
