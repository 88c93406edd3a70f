"""Raters as lists show them: whatever changes one leaves a mark, and a job counts marked raters again.

So no submission and no offer waits for a line.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from labelwright.server.store.models import StudyRow
from labelwright.server.store.rows import planned_for_values
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.queries import raters as queries
from labelwright.server.tallies.queries.raters import AttentionCheck, KnownRater, RaterMark

IN_A_BLOCK = 500


@transaction.atomic
def count_marked_raters(limit: int = IN_A_BLOCK) -> int:
    """Counts the raters of the next marks again; returns how many marks there were.

    One transaction: if the worker is killed in the middle, the marks are still there.
    """
    marks = queries.lock_marks(limit)
    for study in sorted({mark.study for mark in marks}):
        queries.lock_lines(study)
        _count(study, [mark for mark in marks if mark.study == study])
    queries.delete_marks([mark.id for mark in marks])
    return len(marks)


def _count(study: int, marks: Sequence[RaterMark]) -> None:
    # Rows of a study that is being deleted are gone or going.
    row = StudyRow.objects.filter(pk=study, deleted_at=None).first()
    if row is None:
        return
    marked = sorted({mark.rater for mark in marks if mark.rater is not None})
    if any(mark.rater is None for mark in marks):
        queries.mark_all(study)
    elif marked:
        versions = list(row.versions.order_by("n").values_list("id", flat=True))
        with planned_for_values():
            raters = queries.known_raters(study, marked)
            queries.delete_joined(study, [each.rater for each in raters])
            queries.store_lines(study, versions[-1], raters, _checks(versions), _owed(study, raters))


def _checks(versions: Sequence[int]) -> list[AttentionCheck]:
    return [
        AttentionCheck(version, condition, name)
        for version in versions
        for condition in study_of(version).conditions
        for name in study_of(version).design(condition).attention_checks
    ]


def _owed(study: int, raters: Sequence[KnownRater]) -> dict[int, list[tuple[int, str]]]:
    """Cents and currency by the oldest rater of each person."""
    sums: dict[int, dict[str, int]] = {}
    for work in queries.owed_tasks(study, raters):
        pay = study_of(work.version).pool_of(work.pool).pay
        own = sums.setdefault(work.oldest, {})
        own[pay.currency] = own.get(pay.currency, 0) + pay.cents * work.tasks
    return {
        oldest: [(cents, currency) for currency, cents in sorted(own.items()) if cents]
        for oldest, own in sums.items()
    }
