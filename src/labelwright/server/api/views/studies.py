"""Calls about studies: files, versions, stages, exports and generated texts."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Annotated, Any

from django.http import FileResponse, HttpRequest
from ninja import Path, Router

from labelwright.client.models import (
    AgreeRequest,
    ChangeMade,
    CheckedFile,
    ExportListed,
    ExportRequest,
    FileMistake,
    LinkAddress,
    LoadedStudy,
    LoadRequest,
    OpenedStage,
    PlanRequest,
    ReviewLinkRequest,
    StudyDetail,
    StudyFile,
    StudyListed,
    StudyPlan,
    StudyStateRequest,
    StudyText,
    TextsStatus,
)
from labelwright.crowd import StudyState
from labelwright.release import Format
from labelwright.server.access.actions.permission import (
    Permission,
    access_study,
    check_scope,
    get_role,
    loaded_studies_of,
)
from labelwright.server.access.actions.review_links import make_review_link
from labelwright.server.api.actions import get_progress, load_material, plan_material
from labelwright.server.api.views.service import PROBLEMS, user_of_token
from labelwright.server.contexts.actions.cost import (
    agree_to_cost,
    describe_cost,
    get_cost,
    has_agreed_cost,
)
from labelwright.server.contexts.actions.planning import get_text_counts
from labelwright.server.results.actions.export import get_scales
from labelwright.server.results.actions.export_files import get_export_path, get_exports, request_export
from labelwright.server.results.actions.figures import request_figures
from labelwright.server.store.models import PreparedExport, StudyRow, User
from labelwright.server.store.versions import study_of
from labelwright.server.studies.actions.deletion import withdraw_study
from labelwright.server.studies.actions.life import change_state, needed_permission
from labelwright.server.studies.actions.stages import advance
from labelwright.study import check_study, json_schema

router = Router(tags=["studies"])
Number = Annotated[int, Path(ge=1, le=2**53)]
FILE: dict[str, Any] = {
    "responses": {
        200: {
            "description": "The file.",
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    }
}


@router.get("/study-schema", operation_id="study_schema", response={200: dict[str, Any], **PROBLEMS})
def study_schema(request: HttpRequest) -> dict[str, Any]:
    """The JSON Schema of study files."""
    return json_schema()


@router.post("/study-checks", operation_id="check_study", response={200: CheckedFile, **PROBLEMS})
def check(request: HttpRequest, sent: StudyFile) -> CheckedFile:
    """Every mistake in a study file, with its line."""
    _, mistakes = check_study(sent.text)
    return CheckedFile(mistakes=[FileMistake(line=one.line, what=one.what) for one in mistakes])


@router.post("/study-plans", operation_id="plan_study", response={200: StudyPlan, **PROBLEMS})
def plan(request: HttpRequest, sent: PlanRequest) -> StudyPlan:
    """Whether raters can complete a study under its rules. Stores nothing."""
    return plan_material(sent)


@router.get("/studies", operation_id="list_studies", response={200: list[StudyListed], **PROBLEMS})
def list_studies(request: HttpRequest, archived: bool = False) -> list[StudyListed]:
    """The studies in whose team you are, the newest first; archived ones only if you ask for them."""
    user = user_of_token(request)
    check_scope(user, Permission.VIEW)
    wanted = loaded_studies_of(user)
    wanted = wanted if archived else wanted.exclude(state=StudyState.ARCHIVED)
    return [StudyListed(**_listed(user, row)) for row in wanted.order_by("-created_at", "-pk")]


@router.post("/studies", operation_id="load_study", response={200: LoadedStudy, **PROBLEMS})
def load(request: HttpRequest, sent: LoadRequest) -> LoadedStudy:
    """Load a study file with its corpus as a new version."""
    return load_material(user_of_token(request), sent, datetime.now(UTC))


@router.get("/studies/{public_id}", operation_id="get_study", response={200: StudyDetail, **PROBLEMS})
def detail(request: HttpRequest, public_id: str) -> StudyDetail:
    """One study, with its progress."""
    user, row = _access(request, public_id, Permission.VIEW)
    request_figures(row.pk, datetime.now(UTC))
    progress = get_progress(row)
    pools = sorted(row.pool_set.values_list("name", flat=True))
    return StudyDetail(**_listed(user, row), **asdict(progress), pools=pools)


@router.put(
    "/studies/{public_id}/state", operation_id="change_study_state", response={200: ChangeMade, **PROBLEMS}
)
def change_study_state(request: HttpRequest, public_id: str, sent: StudyStateRequest) -> ChangeMade:
    """Open, pause, resume, close, archive or restore a study."""
    user, row = _access(request, public_id, needed_permission(sent.verb))
    change_state(row, sent.verb, user.get_username(), datetime.now(UTC))
    return ChangeMade(message=f'"{row.name}" is {sent.verb.state}.')


@router.delete("/studies/{public_id}", operation_id="delete_study", response={200: ChangeMade, **PROBLEMS})
def delete(request: HttpRequest, public_id: str) -> ChangeMade:
    """Delete a study with all its answers. It cannot be undone. One with paid work can only be archived."""
    user, row = _access(request, public_id, Permission.ADMINISTER)
    name = row.name
    withdraw_study(row, user.get_username(), datetime.now(UTC))
    return ChangeMade(message=f'Nobody can reach "{name}" any more. The worker deletes its rows.')


@router.get("/studies/{public_id}/file", operation_id="get_study_file", response={200: StudyText, **PROBLEMS})
def file(request: HttpRequest, public_id: str) -> StudyText:
    """The study file of the newest version."""
    _, row = _access(request, public_id, Permission.VIEW)
    newest = row.versions.latest("n")
    return StudyText(version=newest.n, text=newest.text)


@router.post(
    "/studies/{public_id}/stages", operation_id="advance_study", response={200: list[OpenedStage], **PROBLEMS}
)
def advance_stages(request: HttpRequest, public_id: str) -> list[OpenedStage]:
    """Open the items of later stages that are ready."""
    user, row = _access(request, public_id, Permission.EDIT)
    done = advance(row, datetime.now(UTC), hurry=True, who=user.get_username())
    return [
        OpenedStage(stage=one.stage, items=one.items, ratings=one.wanted, waiting=one.waiting) for one in done
    ]


@router.get(
    "/studies/{public_id}/scales", operation_id="get_scales", response={200: dict[str, Any], **PROBLEMS}
)
def scales(request: HttpRequest, public_id: str) -> dict[str, Any]:
    """The meaning of the codes in exports."""
    _, row = _access(request, public_id, Permission.VIEW)
    return get_scales(row)


@router.get(
    "/studies/{public_id}/exports",
    operation_id="list_exports",
    response={200: list[ExportListed], **PROBLEMS},
)
def list_exports(request: HttpRequest, public_id: str) -> list[ExportListed]:
    """The exports that are kept, the newest first."""
    _, row = _access(request, public_id, Permission.VIEW)
    return [listed_export(one) for one in get_exports(row)]


@router.post(
    "/studies/{public_id}/exports", operation_id="export_study", response={200: ExportListed, **PROBLEMS}
)
def export(request: HttpRequest, public_id: str, sent: ExportRequest) -> ExportListed:
    """Ask the worker for a file with all answers."""
    user, row = _access(request, public_id, Permission.VIEW)
    return listed_export(request_export(row, Format(sent.format), user.get_username(), datetime.now(UTC)))


@router.get(
    "/studies/{public_id}/exports/{number}/file",
    operation_id="download_export",
    response={200: None, **PROBLEMS},
    openapi_extra=FILE,
)
def download(request: HttpRequest, public_id: str, number: Number) -> FileResponse:
    """The file of an export that is ready."""
    _, row = _access(request, public_id, Permission.VIEW)
    path = get_export_path(row, number)
    return FileResponse(path.open("rb"), content_type="application/octet-stream", filename=path.name)


@router.get(
    "/studies/{public_id}/texts", operation_id="get_texts_status", response={200: TextsStatus, **PROBLEMS}
)
def texts(request: HttpRequest, public_id: str) -> TextsStatus:
    """How far the generation of texts is, and what the rest can cost."""
    _, row = _access(request, public_id, Permission.VIEW)
    return _texts(row)


@router.post(
    "/studies/{public_id}/texts", operation_id="agree_to_texts", response={200: TextsStatus, **PROBLEMS}
)
def agree(request: HttpRequest, public_id: str, sent: AgreeRequest) -> TextsStatus:
    """Agree to the cost that you saw. The worker then generates the texts."""
    user, row = _access(request, public_id, Permission.EDIT)
    version = row.versions.latest("n").pk
    seen = replace(get_cost(version), requests=sent.requests, most_microcents=sent.most_microcents)
    agree_to_cost(version, seen, user.get_username(), datetime.now(UTC))
    return _texts(row)


@router.post(
    "/studies/{public_id}/review-links",
    operation_id="make_review_link",
    response={200: LinkAddress, **PROBLEMS},
)
def review_link(request: HttpRequest, public_id: str, sent: ReviewLinkRequest) -> LinkAddress:
    """The link at which a person reviews generated texts."""
    user, row = _access(request, public_id, Permission.EDIT)
    made = make_review_link(row, sent.reviewer, datetime.now(UTC), user.get_username())
    return LinkAddress(address=made)


def _access(request: HttpRequest, public_id: str, permission: Permission) -> tuple[User, StudyRow]:
    user = user_of_token(request)
    return user, access_study(user, public_id, permission)


def _listed(user: User, row: StudyRow) -> dict[str, Any]:
    newest = row.versions.latest("n")
    return {
        "id": row.public_id,
        "name": row.name,
        "title": study_of(newest.pk).title,
        "role": get_role(user, row),
        "state": row.state,
        "version": newest.n,
        "created_at": row.created_at,
    }


def listed_export(row: PreparedExport) -> ExportListed:
    """A file as calls list it."""
    return ExportListed(
        number=row.pk,
        format=row.form,
        state=row.state,
        asked_at=row.asked_at,
        expires_at=row.expires_at,
        bytes=row.bytes,
    )


def _texts(row: StudyRow) -> TextsStatus:
    version = row.versions.latest("n").pk
    counts, cost = get_text_counts(version), get_cost(version)
    return TextsStatus(
        ready=counts.made,
        pending=counts.waiting,
        to_write=counts.person,
        not_needed=counts.none,
        requests=cost.requests,
        most_microcents=cost.most_microcents,
        agreed=has_agreed_cost(version),
        sentences=[describe_cost(cost)],
    )
