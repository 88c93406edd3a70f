"""Calls about the report of a study."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse
from ninja import Router

from labelwright.client.models import ReportPart, ReportState
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.api.views.service import PROBLEMS, user_of_token
from labelwright.server.api.views.studies import FILE
from labelwright.server.reports.actions.report import get_file, get_status, request_report
from labelwright.server.store.models import StudyRow

router = Router(tags=["reports"])


@router.get("/studies/{public_id}/report", operation_id="get_report", response={200: ReportState, **PROBLEMS})
def status(request: HttpRequest, public_id: str) -> ReportState:
    """How far the newest report is, and whether it is older than the data."""
    return _state(access_study(user_of_token(request), public_id, Permission.VIEW))


@router.post(
    "/studies/{public_id}/report", operation_id="make_report", response={200: ReportState, **PROBLEMS}
)
def make(request: HttpRequest, public_id: str) -> ReportState:
    """Ask the worker for a new report."""
    return _state(request_report(user_of_token(request), public_id, datetime.now(UTC)).study)


@router.get(
    "/studies/{public_id}/report/files/{part}",
    operation_id="download_report",
    response={200: None, **PROBLEMS},
    openapi_extra=FILE,
)
def download(request: HttpRequest, public_id: str, part: ReportPart) -> HttpResponse:
    """A file of the newest report."""
    study = access_study(user_of_token(request), public_id, Permission.VIEW)
    return HttpResponse(get_file(study, part), content_type="application/octet-stream")


def _state(study: StudyRow) -> ReportState:
    status = get_status(study)
    found = status.report
    return ReportState(
        state=found.state if found else "none",
        step=found.step if found else "",
        error=found.error if found else "",
        asked_at=found.asked_at if found else None,
        made_at=found.made_at if found else None,
        judgments=found.judgments if found else 0,
        outdated=status.outdated,
    )
