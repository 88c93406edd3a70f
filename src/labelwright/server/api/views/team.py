"""Calls about the team of a study and its audit log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router

from labelwright.client.models import (
    ChangeMade,
    LinkAddress,
    LogLine,
    TeamInviteRequest,
    TeamMember,
    TransferRequest,
)
from labelwright.server.access.actions.audit import get_lines
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.api.views.service import PROBLEMS, user_of_token
from labelwright.server.team.actions.invitations import invite_teammate
from labelwright.server.team.actions.members import get_team, remove_teammate, transfer_study

router = Router(tags=["team"])
LINES_ON_A_PAGE = 200


@router.get(
    "/studies/{public_id}/team", operation_id="list_team", response={200: list[TeamMember], **PROBLEMS}
)
def list_team(request: HttpRequest, public_id: str) -> list[TeamMember]:
    """The people in the team of a study."""
    study = access_study(user_of_token(request), public_id, Permission.VIEW)
    return [TeamMember(email=one.email, role=one.role) for one in get_team(study)]


@router.post(
    "/studies/{public_id}/team", operation_id="invite_teammate", response={200: LinkAddress, **PROBLEMS}
)
def invite(request: HttpRequest, public_id: str, sent: TeamInviteRequest) -> LinkAddress:
    """Invite a person into the team; returns the link of the invitation."""
    user = user_of_token(request)
    study = access_study(user, public_id, Permission.ADMINISTER)
    link = invite_teammate(study, sent.email, sent.role, user.get_username(), datetime.now(UTC))
    return LinkAddress(address=link)


@router.delete(
    "/studies/{public_id}/team/{email}",
    operation_id="remove_teammate",
    response={200: ChangeMade, **PROBLEMS},
)
def remove(request: HttpRequest, public_id: str, email: str) -> ChangeMade:
    """Take a person out of the team."""
    user = user_of_token(request)
    study = access_study(user, public_id, Permission.ADMINISTER)
    remove_teammate(study, email, user.get_username(), datetime.now(UTC))
    return ChangeMade(message=f"{email} is no longer in the team.")


@router.post(
    "/studies/{public_id}/transfer", operation_id="transfer_study", response={200: ChangeMade, **PROBLEMS}
)
def transfer(request: HttpRequest, public_id: str, sent: TransferRequest) -> ChangeMade:
    """Make somebody in the team the owner of the study; you become an editor."""
    user = user_of_token(request)
    study = access_study(user, public_id, Permission.ADMINISTER)
    transfer_study(study, sent.email, user.get_username(), datetime.now(UTC))
    return ChangeMade(message=f"{sent.email} now owns the study.")


@router.get("/studies/{public_id}/log", operation_id="get_log", response={200: list[LogLine], **PROBLEMS})
def log(
    request: HttpRequest, public_id: str, before: Annotated[int | None, Query(ge=1, le=2**53)] = None
) -> list[LogLine]:
    """The newest 200 lines of the audit log, or the newest before a line."""
    study = access_study(user_of_token(request), public_id, Permission.SEE_RATERS)
    return [
        LogLine(
            number=one.pk,
            at=one.at,
            who=one.who,
            what=one.what,
            subject=one.subject,
            before=one.before,
            after=one.after,
        )
        for one in get_lines(study.pk, before, LINES_ON_A_PAGE)
    ]
