"""Calls about releases: personal data, data sheet and files."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest
from ninja import Router

from labelwright.client.models import (
    DecisionRequest,
    ExportListed,
    HitDecisionSent,
    PersonalDataFound,
    PersonalHitListed,
    SheetAnswered,
    SheetRequest,
)
from labelwright.release.data_sheet import SheetAnswers
from labelwright.release.personal_data import HitDecision
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.api.views.service import PROBLEMS, user_of_token
from labelwright.server.api.views.studies import listed_export
from labelwright.server.releasing.actions import personal_data as found
from labelwright.server.releasing.actions.data_sheet import answer_sheet, get_sheet
from labelwright.server.releasing.actions.files import get_readiness, get_releases, request_release
from labelwright.server.store.models import StudyRow, User

router = Router(tags=["releases"])


def _access(request: HttpRequest, public_id: str, permission: Permission) -> tuple[User, StudyRow]:
    user = user_of_token(request)
    return user, access_study(user, public_id, permission)


@router.get(
    "/studies/{public_id}/releases",
    operation_id="list_releases",
    response={200: list[ExportListed], **PROBLEMS},
)
def list_releases(request: HttpRequest, public_id: str) -> list[ExportListed]:
    """The releases that are kept, the newest first. Their files are downloaded as those of exports."""
    _, row = _access(request, public_id, Permission.VIEW)
    return [listed_export(one) for one in get_releases(row)]


@router.post(
    "/studies/{public_id}/releases", operation_id="release_study", response={200: ExportListed, **PROBLEMS}
)
def release(request: HttpRequest, public_id: str) -> ExportListed:
    """Ask the worker for a release. It fails while texts that may be personal data are undecided."""
    user, row = _access(request, public_id, Permission.EDIT)
    return listed_export(request_release(row, user.get_username(), datetime.now(UTC)))


@router.get(
    "/studies/{public_id}/personal-data",
    operation_id="get_personal_data",
    response={200: PersonalDataFound, **PROBLEMS},
)
def get_personal_data(request: HttpRequest, public_id: str) -> PersonalDataFound:
    """The texts that may be personal data, undecided ones first."""
    _, row = _access(request, public_id, Permission.VIEW)
    return _found(row)


@router.post(
    "/studies/{public_id}/personal-data/search",
    operation_id="search_personal_data",
    response={200: PersonalDataFound, **PROBLEMS},
)
def search(request: HttpRequest, public_id: str) -> PersonalDataFound:
    """Have the worker search all texts again. Earlier decisions stay."""
    user, row = _access(request, public_id, Permission.EDIT)
    found.request_scan(row, user.get_username(), datetime.now(UTC))
    return _found(row)


@router.post(
    "/studies/{public_id}/personal-data",
    operation_id="decide_personal_data",
    response={200: PersonalDataFound, **PROBLEMS},
)
def decide(request: HttpRequest, public_id: str, sent: DecisionRequest) -> PersonalDataFound:
    """Decide what becomes of texts that may be personal data."""
    user, row = _access(request, public_id, Permission.EDIT)
    decision = None if sent.decision is HitDecisionSent.OPEN else HitDecision(sent.decision)
    found.decide_hits(row, sent.numbers, decision, user.get_username(), datetime.now(UTC))
    return _found(row)


@router.get(
    "/studies/{public_id}/data-sheet",
    operation_id="get_data_sheet",
    response={200: SheetAnswered, **PROBLEMS},
)
def get_data_sheet(request: HttpRequest, public_id: str) -> SheetAnswered:
    """The data sheet, with its open fields."""
    _, row = _access(request, public_id, Permission.VIEW)
    return _sheet(get_sheet(row))


@router.patch(
    "/studies/{public_id}/data-sheet",
    operation_id="answer_data_sheet",
    response={200: SheetAnswered, **PROBLEMS},
)
def answer_data_sheet(request: HttpRequest, public_id: str, sent: SheetRequest) -> SheetAnswered:
    """Answer fields of the data sheet; an empty text makes a field open again."""
    user, row = _access(request, public_id, Permission.EDIT)
    return _sheet(answer_sheet(row, sent.answers, user.get_username(), datetime.now(UTC)))


def _found(row: StudyRow) -> PersonalDataFound:
    ready = get_readiness(row)
    return PersonalDataFound(
        scanned_at=ready.scan.scanned_at if ready.scan else None,
        texts=ready.scan.texts if ready.scan else 0,
        found=ready.hits.found,
        open=ready.hits.open,
        hits=[
            PersonalHitListed(
                number=hit.pk,
                kind=hit.kind,
                text=hit.text,
                around=around,
                source=hit.source,
                places=hit.places,
                decision=hit.decision,
            )
            for hit, around in found.get_surroundings(found.get_hits(row))
        ],
    )


def _sheet(sheet: SheetAnswers) -> SheetAnswered:
    return SheetAnswered(answers=dict(sheet.given), open=list(sheet.open))
