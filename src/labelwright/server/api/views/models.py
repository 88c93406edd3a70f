"""Calls about models that rate."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from django.http import HttpRequest
from ninja import Router

from labelwright.client.models import (
    AgreeRequest,
    AlignRequest,
    BiasFound,
    ChangeMade,
    DrawProposed,
    DrawRequest,
    FigureEnds,
    ModelFindings,
    ModelRaterStatus,
    ProbeRequest,
    QuestionFound,
    RunProposed,
    ScoreFound,
    VersionFound,
)
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.api.views.service import PROBLEMS, user_of_token
from labelwright.server.judges.actions.cost import (
    ModelStatus,
    find_model,
    get_judge_cost,
    get_statuses,
    start_model,
)
from labelwright.server.judges.actions.draws import get_planned_draw, request_draw
from labelwright.server.judges.actions.figures import get_judge_figures, request_judge_figures
from labelwright.server.judges.actions.probes import PlannedProbe, get_planned_probe, get_probes, start_probe
from labelwright.server.judges.actions.runs import RunCost
from labelwright.server.judges.actions.versions import (
    DeclaredVersion,
    PlannedVersion,
    declare_version,
    get_planned_opening,
    get_planned_version,
    get_versions,
    open_held_out,
)
from labelwright.server.store.models import JudgeRun, Pool, StudyRow

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


@router.get(
    "/studies/{public_id}/models/{name}/findings",
    operation_id="get_model_findings",
    response={200: ModelFindings, **PROBLEMS},
)
def get_findings(request: HttpRequest, public_id: str, name: str) -> ModelFindings:
    """Get what is known about a model: agreement, stand-in test, scores, biases and versions of its instructions."""
    pool = find_model(access_study(user_of_token(request), public_id, Permission.VIEW), name)
    figures = get_judge_figures(pool.pk)
    questions = figures.contents.get("questions", [])
    return ModelFindings(
        computed_at=figures.at,
        questions=[_question(each) for each in questions],
        probes=[
            *_asked_probes(pool),
            *(_bias(each["kind"], each) for one in questions for each in one["probes"]),
        ],
        versions=[found for each in get_versions(pool.pk) for found in _version(each)],
    )


@router.post(
    "/studies/{public_id}/models/{name}/probes",
    operation_id="probe_model",
    response={200: RunProposed, **PROBLEMS},
)
def probe(request: HttpRequest, public_id: str, name: str, sent: ProbeRequest) -> RunProposed:
    """Propose a bias probe with its cost or, if you agree to the cost that you saw, start it."""
    user, now = user_of_token(request), datetime.now(UTC)
    pool = find_model(access_study(user, public_id, Permission.EDIT), name)
    planned = get_planned_probe(pool, sent.kind, sent.smallest, now)
    if sent.seen:
        seen = replace(planned, cost=_as_seen(planned.cost, sent.seen))
        start_probe(pool, seen, user.get_username(), now)
    return _proposed(planned, sent.seen)


@router.post(
    "/studies/{public_id}/models/{name}/versions",
    operation_id="align_model",
    response={200: RunProposed, **PROBLEMS},
)
def align(request: HttpRequest, public_id: str, name: str, sent: AlignRequest) -> RunProposed:
    """Propose a version of the instructions with its cost or, if you agree to the cost that you saw, try it."""
    user, now = user_of_token(request), datetime.now(UTC)
    pool = find_model(access_study(user, public_id, Permission.EDIT), name)
    planned = get_planned_version(pool, sent.change, sent.instructions, now, sent.items)
    if sent.open_held_out:
        planned = get_planned_opening(pool, planned.number, now, sent.items)
    if sent.seen:
        start = open_held_out if sent.open_held_out else declare_version
        start(pool, replace(planned, cost=_as_seen(planned.cost, sent.seen)), user.get_username(), now)
    return _proposed(planned, sent.seen)


@router.post(
    "/studies/{public_id}/models/{name}/draws",
    operation_id="draw_items",
    response={200: DrawProposed, **PROBLEMS},
)
def draw(request: HttpRequest, public_id: str, name: str, sent: DrawRequest) -> DrawProposed:
    """Propose further items for people, until scores are certain enough, or, if you agree to the proposal, draw them."""
    user = user_of_token(request)
    pool = find_model(access_study(user, public_id, Permission.EDIT), name)
    planned = get_planned_draw(pool, sent.question, sent.wanted)
    if sent.seen is not None:
        request_draw(pool, replace(planned, items=sent.seen), user.get_username(), datetime.now(UTC))
    return DrawProposed(
        sentence=planned.sentence,
        tasks=planned.tasks,
        items=planned.items,
        ratings=planned.ratings,
        pay_cents=planned.pay_cents,
        currency=planned.currency,
        started=sent.seen is not None,
    )


@router.post(
    "/studies/{public_id}/models/{name}/findings",
    operation_id="measure_model",
    response={200: ChangeMade, **PROBLEMS},
)
def measure(request: HttpRequest, public_id: str, name: str) -> ChangeMade:
    """Have the figures of a model computed again, from all labels that are there. The worker does it."""
    pool = find_model(access_study(user_of_token(request), public_id, Permission.EDIT), name)
    request_judge_figures(pool.pk)
    return ChangeMade(message="The worker computes the figures.")


def _as_seen(cost: RunCost, seen: AgreeRequest) -> RunCost:
    return replace(cost, most_requests=seen.requests, most_microcents=seen.most_microcents)


def _proposed(planned: PlannedProbe | PlannedVersion, seen: AgreeRequest | None) -> RunProposed:
    return RunProposed(
        sentence=planned.sentence,
        items=len(planned.items),
        requests=planned.cost.most_requests,
        most_microcents=planned.cost.most_microcents,
        started=seen is not None,
    )


def _question(found: dict[str, Any]) -> QuestionFound:
    rows = [*found["scores"], *found.get("differences", [])]
    return QuestionFound(
        # Figures of an earlier release have no name.
        name=found.get("name", ""),
        question=found["question"],
        people=FigureEnds(**found["people"]),
        judge=FigureEnds(**found["judge"]),
        compared=found["compared"],
        verdict=found["verdict"],
        refused=found["refused"],
        winning_rate=found["winning_rate"],
        worth=found.get("worth"),
        scores=[
            ScoreFound(
                name=row["name"],
                people=FigureEnds(**row["people"]),
                model=FigureEnds(**row["model"]),
                combined=FigureEnds(**row["combined"]),
                # Figures of an earlier release do not have it.
                excess=FigureEnds(**row["excess"]) if "excess" in row else None,
                rated=row["labelled"],
                items=row["items"],
            )
            for row in rows
        ],
    )


def _asked_probes(pool: Pool) -> list[BiasFound]:
    return [
        _bias(run.kind, each) for run in get_probes(pool.pk) for each in _asked(run) if "refused" not in each
    ]


def _bias(kind: str, found: dict[str, Any]) -> BiasFound:
    return BiasFound(
        kind=kind,
        question=found["question"],
        judge=FigureEnds.model_validate(found["judge"]),
        people=FigureEnds.model_validate(found["people"]) if found["people"] else None,
        presence=found["presence"],
    )


def _version(each: DeclaredVersion) -> list[VersionFound]:
    development, held_out = _agreements(each.development), _agreements(each.held_out)
    questions = {
        one["name"]: one["question"] for run in (each.development, each.held_out) for one in _asked(run)
    }
    return [
        VersionFound(
            number=each.version.number,
            change=each.version.change,
            name=name,
            question=text,
            development=development.get(name),
            held_out=held_out.get(name),
        )
        for name, text in questions.items()
    ]


def _agreements(run: JudgeRun | None) -> dict[str, FigureEnds]:
    return {one["name"]: FigureEnds.model_validate(one["agreement"]) for one in _asked(run)}


def _asked(run: JudgeRun | None) -> list[dict[str, Any]]:
    """The figures of a run by question, once it has any."""
    return (run.figures or {}).get("questions", []) if run else []


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
