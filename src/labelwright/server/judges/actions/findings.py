"""Findings: the figures of finished runs, stored with them. Computed by a job."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from labelwright.judging.forms import FORM_CHANGES
from labelwright.server.judges.actions.probes import measure_probe
from labelwright.server.judges.actions.runs import get_open_runs
from labelwright.server.judges.actions.versions import measure_version
from labelwright.server.store.models import JudgeRun


def finish_runs(pool: int, now: datetime) -> None:
    """Computes the figures of every run of a model whose requests all have an outcome."""
    for run in get_open_runs(pool):
        run.figures, run.finished_at = _measured(run), now
        run.save(update_fields=["figures", "finished_at"])


def _measured(run: JudgeRun) -> dict[str, Any]:
    return measure_probe(run) if run.kind in FORM_CHANGES else measure_version(run)
