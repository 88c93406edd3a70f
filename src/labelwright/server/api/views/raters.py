"""Calls about raters, pools and links."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router

from labelwright.client.models import (
    ApplicantListed,
    ChangeMade,
    InviteRequest,
    LinkAddress,
    LinksRequest,
    OpenLinkListed,
    OpenLinkRequest,
    PersonalLink,
    QualifiedPools,
    QualifyRequest,
    RaterListed,
    RaterPage,
    RevokeRequest,
    StateRequest,
    StudyLinks,
)
from labelwright.crowd import MemberState
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.links import open_address
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.access.actions.review_links import get_review_links, revoke_review_links
from labelwright.server.access.actions.revocation import (
    revoke_pool_links,
    revoke_rater_links,
    revoke_study_links,
)
from labelwright.server.api.views.service import PROBLEMS, user_of_token
from labelwright.server.people.actions.joining import (
    close_open_link,
    get_open_links,
    invite,
    make_links,
    make_open_link,
)
from labelwright.server.people.actions.pools import get_pool
from labelwright.server.people.actions.qualification import decide_qualification, get_ranking, let_rule_decide
from labelwright.server.people.actions.roster import IN_A_PAGE, MemberPlace, get_members_after, get_rater
from labelwright.server.profiles.actions.deletion import delete_personal_data
from labelwright.server.profiles.actions.standing import set_member_state
from labelwright.server.store.models import StudyRow
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import NotFound

router = Router(tags=["raters"])
After = Annotated[str | None, Query(pattern=r"^[0-9]{1,18}\.[0-9]{1,9}$")]
"""The pool and number of the last rater of the page before."""


@router.get("/studies/{public_id}/raters", operation_id="list_raters", response={200: RaterPage, **PROBLEMS})
def list_raters(
    request: HttpRequest, public_id: str, pool: str | None = None, after: After = None
) -> RaterPage:
    """The raters of all pools, or of one, in the order in which they joined; `next` of a page is `after` of the next."""
    row, _ = _access(request, public_id, Permission.SEE_RATERS)
    if pool is not None:
        get_pool(row, pool)
    found = get_members_after(row, pool, _place(after))
    return RaterPage(
        raters=[
            RaterListed(
                rater=one.pseudonym,
                pool=one.pool,
                state=one.state,
                submitted=one.submitted,
                flags=one.flags,
                score=one.score,
                qualified=one.qualified,
            )
            for one in found
        ],
        next=f"{found[-1].pool_id}.{found[-1].number}" if len(found) == IN_A_PAGE else None,
    )


@router.post(
    "/studies/{public_id}/pools/{pool}/raters",
    operation_id="invite_rater",
    response={200: PersonalLink, **PROBLEMS},
)
def invite_rater(request: HttpRequest, public_id: str, pool: str, sent: InviteRequest) -> PersonalLink:
    """Add a rater with a personal link, which is mailed if there is an address."""
    row, who = _access(request, public_id, Permission.MANAGE_RATERS)
    made = invite(row, get_pool(row, pool), who, datetime.now(UTC), sent.email)
    return PersonalLink(rater=made.pseudonym, address=made.address)


@router.post(
    "/studies/{public_id}/pools/{pool}/open-links",
    operation_id="make_open_link",
    response={200: LinkAddress, **PROBLEMS},
)
def open_link(request: HttpRequest, public_id: str, pool: str, sent: OpenLinkRequest) -> LinkAddress:
    """Create a link by which many people can join."""
    row, who = _access(request, public_id, Permission.MANAGE_RATERS)
    made = make_open_link(row, get_pool(row, pool), who, sent.most, sent.days, datetime.now(UTC))
    return LinkAddress(address=open_address(row, made))


@router.get(
    "/studies/{public_id}/pools/{pool}/ranking",
    operation_id="get_ranking",
    response={200: list[ApplicantListed], **PROBLEMS},
)
def ranking(request: HttpRequest, public_id: str, pool: str) -> list[ApplicantListed]:
    """The applicants of a qualification, the best first."""
    row, _ = _access(request, public_id, Permission.SEE_RATERS)
    return [
        ApplicantListed(
            rater=one.pseudonym,
            place=one.place,
            score=one.scored.value if one.scored and math.isfinite(one.scored.value) else None,
            answered=one.answered,
            qualified=one.qualified,
            picked=one.picked,
        )
        for one in get_ranking(row, get_pool(row, pool).name).applicants
    ]


@router.post(
    "/studies/{public_id}/pools/{pool}/qualification",
    operation_id="qualify_raters",
    response={200: QualifiedPools, **PROBLEMS},
)
def qualify(request: HttpRequest, public_id: str, pool: str, sent: QualifyRequest) -> QualifiedPools:
    """Qualify applicants. All others who have finished are told that they did not qualify."""
    row, who = _access(request, public_id, Permission.MANAGE_RATERS)
    name, now = get_pool(row, pool).name, datetime.now(UTC)
    if sent.raters is None:
        return QualifiedPools(pools=let_rule_decide(row, name, who, now))
    return QualifiedPools(pools=decide_qualification(row, name, sent.raters, who, now))


@router.put(
    "/studies/{public_id}/pools/{pool}/raters/{rater}/state",
    operation_id="set_rater_state",
    response={200: ChangeMade, **PROBLEMS},
)
def set_state(request: HttpRequest, public_id: str, pool: str, rater: str, sent: StateRequest) -> ChangeMade:
    """Pause, exclude or resume a rater in a pool."""
    row, who = _access(request, public_id, Permission.MANAGE_RATERS)
    found, state = get_rater(row, rater), MemberState(sent.state)
    set_member_state(row, get_pool(row, pool), found, state, who, sent.reason, datetime.now(UTC))
    return ChangeMade(message=f"{found.pseudonym} is now {state} in {pool}.")


@router.delete(
    "/studies/{public_id}/raters/{rater}/personal-data",
    operation_id="forget_rater",
    response={200: ChangeMade, **PROBLEMS},
)
def forget(request: HttpRequest, public_id: str, rater: str) -> ChangeMade:
    """Delete the personal data of a rater, and their answers if the study says so."""
    row, who = _access(request, public_id, Permission.MANAGE_RATERS)
    found = get_rater(row, rater)
    delete_personal_data(row, found, who, datetime.now(UTC))
    return ChangeMade(message=f"Deleted the personal data of {found.pseudonym}.")


@router.get("/studies/{public_id}/links", operation_id="list_links", response={200: StudyLinks, **PROBLEMS})
def list_links(request: HttpRequest, public_id: str) -> StudyLinks:
    """The open links of a study, and the reviewers who got a link."""
    row, _ = _access(request, public_id, Permission.MANAGE_RATERS)
    open_links = [
        OpenLinkListed(
            number=one.pk,
            pool=one.pool.name,
            joined=one.used,
            most=one.most,
            expires_at=one.expires_at,
            address=address,
        )
        for one, address in get_open_links(row, datetime.now(UTC))
    ]
    return StudyLinks(open_links=open_links, reviewers=[one.reviewer for one in get_review_links(row)])


@router.post(
    "/studies/{public_id}/links", operation_id="make_links", response={200: list[PersonalLink], **PROBLEMS}
)
def links(request: HttpRequest, public_id: str, sent: LinksRequest) -> list[PersonalLink]:
    """A personal link for each rater of a pool; asked again, the same ones."""
    row, who = _access(request, public_id, Permission.MANAGE_RATERS)
    study = study_of(row.versions.latest("n").pk)
    pool = get_pool(row, sent.pool or study.pool_name)
    part = study.pool_of(pool.name)
    made = make_links(row, pool, sent.raters or part.raters, part.link_days, datetime.now(UTC), who)
    return [PersonalLink(rater=one.pseudonym, address=one.address) for one in made]


@router.post(
    "/studies/{public_id}/links/revocation",
    operation_id="revoke_links",
    response={200: ChangeMade, **PROBLEMS},
)
def revoke(request: HttpRequest, public_id: str, sent: RevokeRequest) -> ChangeMade:
    """Revoke links. They stop working at once."""
    row, who = _access(request, public_id, Permission.MANAGE_RATERS)
    chosen = sent.model_dump(exclude_none=True)
    if len(chosen) != 1:
        raise LabelwrightError(
            "the call does not say which links to revoke.",
            expected=f"exactly one of {', '.join(RevokeRequest.model_fields)}.",
        )
    ((what, value),) = chosen.items()
    _REVOKED[what](row, value, who, datetime.now(UTC))
    return ChangeMade(message="The links no longer work.")


def _place(after: str | None) -> MemberPlace | None:
    pool, _, number = (after or "").partition(".")
    return (int(pool), int(number)) if number else None


def _revoke_reviewer(row: StudyRow, name: str, who: str, now: datetime) -> None:
    if name not in {link.reviewer for link in get_review_links(row)}:
        raise NotFound
    revoke_review_links(row, name, who, now)


def _close(row: StudyRow, number: int, who: str, now: datetime) -> None:
    if not close_open_link(row, number, who, now):
        raise NotFound


_REVOKED: dict[str, Callable[[StudyRow, object, str, datetime], object]] = {
    "rater": lambda row, name, who, now: revoke_rater_links(row, get_rater(row, str(name)), who, now),
    "pool": lambda row, name, who, now: revoke_pool_links(row, get_pool(row, str(name)), who, now),
    "open_link": lambda row, number, who, now: _close(row, int(str(number)), who, now),
    "reviewer": lambda row, name, who, now: _revoke_reviewer(row, str(name), who, now),
    "everything": lambda row, _, who, now: revoke_study_links(row, who, now),
}


def _access(request: HttpRequest, public_id: str, permission: Permission) -> tuple[StudyRow, str]:
    """The study, and the name of the user for the audit log."""
    user = user_of_token(request)
    return access_study(user, public_id, permission), user.get_username()
