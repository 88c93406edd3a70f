"""Figures and lists for tests of pages: no worker runs beside them."""

from __future__ import annotations


def compute_all() -> None:
    """Computes the figures of every study and counts its items and raters, as a worker would."""
    from labelwright.server.results.jobs import compute_figures
    from labelwright.server.review.actions.queue import queue_marked_work
    from labelwright.server.store.models import StudyRow
    from labelwright.server.tallies.actions.items import count_marked_items
    from labelwright.server.tallies.actions.raters import count_marked_raters

    for count in (count_marked_items, count_marked_raters, queue_marked_work):
        while count():
            pass
    for row in StudyRow.objects.all():
        compute_figures(row)
