"""Raters as lists show them; changed ones are marked and counted again."""

from __future__ import annotations

from collections.abc import Sequence

from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions.marks import count_marked
from labelwright.server.tallies.queries import raters as queries
from labelwright.server.tallies.queries.marks import RATER_MARKS
from labelwright.server.tallies.queries.raters import AttentionCheck, KnownRater

IN_A_BLOCK = 500


def count_marked_raters(limit: int = IN_A_BLOCK) -> int:
    """Counts the raters of the next marks again; returns how many marks there were."""
    return count_marked(RATER_MARKS, _count, limit)


def _count(row: StudyRow, marked: list[int]) -> None:
    versions = list(row.versions.order_by("n").values_list("id", flat=True))
    raters = queries.known_raters(row.pk, marked)
    queries.delete_joined(row.pk, [each.rater for each in raters])
    queries.store_lines(row.pk, versions[-1], raters, _checks(versions), _owed(row.pk, raters))


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
