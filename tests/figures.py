"""Figures for tests of pages: no worker runs beside them."""

from __future__ import annotations


def compute_all() -> None:
    """Computes the figures of every study, as a worker would."""
    from labelwright.server.results.jobs import compute_figures
    from labelwright.server.store.models import StudyRow

    for row in StudyRow.objects.all():
        compute_figures(row)
