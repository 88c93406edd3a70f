"""Analysis plans: registered with their hash when a version is loaded, and never changed afterwards."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.access.actions.audit import log_change
from labelwright.server.store.models import PlanRow, StudyRow, StudyVersion
from labelwright.server.studies.queries.plans import count_ratings
from labelwright.study import RegisteredPlan, Study, plan_digest


def register_plan(version: StudyVersion, study: Study, who: str, now: datetime) -> None:
    """Stores the plan of a version that is being loaded, if it differs from the one before.

    The number of ratings that are there is stored with it, so that everybody can see whether the plan came first.
    The caller holds the lock of the study.
    """
    canonical = study.canonical_plan
    former = PlanRow.objects.filter(study=version.study_id).order_by("-version__n").first()
    if canonical == (former.canonical if former else ""):
        return
    made = PlanRow.objects.create(
        study_id=version.study_id,
        version=version,
        canonical=canonical,
        sha256=plan_digest(canonical),
        registered_at=now,
        ratings_before=count_ratings(version.study_id),
    )
    log_change(
        version.study_id,
        who,
        "analysis_plan",
        f"version {version.n}",
        now,
        before={"hash": former.sha256} if former else {},
        after={"hash": made.sha256, "ratings_before": made.ratings_before},
    )


def get_plan_history(study: StudyRow) -> list[RegisteredPlan]:
    """Every plan that was registered for a study, the oldest first."""
    rows = PlanRow.objects.filter(study=study).select_related("version").order_by("version__n")
    return [
        RegisteredPlan(row.version.n, row.canonical, row.sha256, row.registered_at, row.ratings_before)
        for row in rows
    ]
