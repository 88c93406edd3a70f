"""Calls about publications on platforms."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import HttpRequest
from ninja import Router

from labelwright.client.models import (
    DifferenceListed,
    PublicationCost,
    PublicationRequest,
    PublicationStatus,
)
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.api.views.service import PROBLEMS, user_of_token
from labelwright.server.people.actions.pools import get_pool
from labelwright.server.publishing.actions.connection import get_cost
from labelwright.server.publishing.actions.differences import get_differences
from labelwright.server.publishing.actions.orders import check_cost_is, check_publishable, get_preview
from labelwright.server.publishing.actions.overview import get_pool_publication
from labelwright.server.publishing.actions.publications import pause, publish, resume, stop
from labelwright.server.store.models import StudyRow

router = Router(tags=["money"])
CHANGES = {"pause": pause, "resume": resume, "stop": stop}


@router.get(
    "/studies/{public_id}/pools/{pool}/publication",
    operation_id="get_publication",
    response={200: PublicationStatus, **PROBLEMS},
)
def status(request: HttpRequest, public_id: str, pool: str) -> PublicationStatus:
    """The newest publication of a pool, how far it is, and differences with its platform."""
    row = access_study(user_of_token(request), public_id, Permission.SEE_RATERS)
    return _status(row, get_pool(row, pool).name)


@router.get(
    "/studies/{public_id}/pools/{pool}/publication/cost",
    operation_id="preview_publication",
    response={200: PublicationCost, **PROBLEMS},
)
def preview(request: HttpRequest, public_id: str, pool: str) -> PublicationCost:
    """What publishing a pool would cost, as the platform says. Nothing is published."""
    row = access_study(user_of_token(request), public_id, Permission.PAY)
    found = get_preview(row, pool)
    cost = get_cost(found)
    check_publishable(found, cost)
    return PublicationCost(
        places=found.order.places,
        tasks=found.tasks,
        minutes=found.order.minutes,
        cents=found.order.pay.cents,
        total_cents=cost.total_cents,
        currency=cost.currency,
        balance_cents=cost.balance_cents,
    )


@router.post(
    "/studies/{public_id}/pools/{pool}/publication",
    operation_id="change_publication",
    response={200: PublicationStatus, **PROBLEMS},
)
def change(request: HttpRequest, public_id: str, pool: str, sent: PublicationRequest) -> PublicationStatus:
    """Start a publication for the total of its preview, or pause, resume or stop it."""
    user, now = user_of_token(request), datetime.now(UTC)
    row = access_study(user, public_id, Permission.PAY)
    if sent.do == "start":
        found = get_preview(row, pool)
        cost = get_cost(found)
        check_cost_is(cost, sent.total_cents)
        publish(found, cost, user.get_username(), now)
    else:
        CHANGES[sent.do](row, pool, user.get_username(), now)
    return _status(row, pool)


def _status(row: StudyRow, pool: str) -> PublicationStatus:
    found = get_pool_publication(row, pool)
    made = found.publication
    return PublicationStatus(
        publication=made.number if made else None,
        state=made.state if made else "",
        status=made.status if made else "",
        places=(made.offered or made.places) if made else 0,
        visits=found.counts,
        needed=found.needed,
        obstacle=found.obstacle,
        differences=[
            DifferenceListed(id=each.id, kind=each.kind, of=each.of, what=each.what, to_do=each.to_do)
            for each in get_differences(row)
        ],
    )
