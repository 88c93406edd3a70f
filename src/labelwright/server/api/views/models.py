"""Calls about models that rate."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from django.http import HttpRequest
from ninja import Router

from labelwright.client.models import AgreeRequest, ModelRaterStatus
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.api.views.service import PROBLEMS, user_of_token
from labelwright.server.judges.actions.cost import (
    ModelStatus,
    find_model,
    get_judge_cost,
    get_statuses,
    start_model,
)
from labelwright.server.store.models import StudyRow

router = Router(tags=["models"])


@router.get(
    "/studies/{public_id}/models",
    operation_id="list_models",
    response={200: list[ModelRaterStatus], **PROBLEMS},
)
def list_models(request: HttpRequest, public_id: str) -> list[ModelRaterStatus]:
    """The models that rate, how far they are, and what the rest can cost."""
    row = access_study(user_of_token(request), public_id, Permission.VIEW)
    return [_listed(row, each) for each in get_statuses(row)]


@router.post(
    "/studies/{public_id}/models/{name}",
    operation_id="start_model",
    response={200: ModelRaterStatus, **PROBLEMS},
)
def start(request: HttpRequest, public_id: str, name: str, sent: AgreeRequest) -> ModelRaterStatus:
    """Agree to the cost that you saw. The worker then has the model rate."""
    user = user_of_token(request)
    row = access_study(user, public_id, Permission.EDIT)
    pool = find_model(row, name)
    seen = replace(get_judge_cost(pool), requests=sent.requests, most_microcents=sent.most_microcents)
    start_model(pool, seen, user.get_username(), datetime.now(UTC))
    return next(_listed(row, each) for each in get_statuses(row) if each.pool == name)


def _listed(row: StudyRow, status: ModelStatus) -> ModelRaterStatus:
    cost = get_judge_cost(find_model(row, status.pool))
    return ModelRaterStatus(
        name=status.pool,
        model=status.model,
        tasks=status.progress.wanted,
        rated=status.progress.done,
        calls=status.progress.calls,
        lost=status.progress.lost,
        spent_microcents=status.microcents,
        requests=cost.requests,
        most_microcents=cost.most_microcents,
        sentences=[status.sentence, cost.sentence],
    )
