"""Figures and lists for tests of pages: no worker runs beside them."""

from __future__ import annotations


def compute_all() -> None:
    """Computes the figures of every study and counts its items, as a worker would."""
    from labelwright.server.results.jobs import compute_figures
    from labelwright.server.store.models import StudyRow
    from labelwright.server.tallies.actions.items import count_marked_items

    while count_marked_items():
        pass
    for row in StudyRow.objects.all():
        compute_figures(row)
