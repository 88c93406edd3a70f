"""Requests to a model that rates: planned, sent once, recorded, and submitted as anybody's work is.

A job has three steps for each request: `plan_calls` here, the call outside, and `record_reply` or `record_fault` here.
The request is committed before it is sent. After a crash in between nobody can tell whether it was answered and
charged, so it is never sent again: it counts as spent, and the next attempt is another request.

A model rates several tasks at a time, each in a slot of its own. Locks are taken in the order budget, rater,
assignment, place, call.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db import transaction

from labelwright.context import Ask
from labelwright.crowd import ModelPool
from labelwright.judging.prompts import ModelTask, ShownMaterial, Unreadable, make_task_ask, read_answers
from labelwright.server.access.queries import Visitor
from labelwright.server.contexts.queries import drain_bucket, take_token
from labelwright.server.judges import queries
from labelwright.server.offering.actions.leases import Offer, offer, return_work
from labelwright.server.rating.actions.answers import BadAnswers, PlaceGone, submit
from labelwright.server.rating.actions.task_page import ShownTask, get_task
from labelwright.server.store.models import ModelBudget, ModelCall, Pool
from labelwright.server.store.versions import study_of
from labelwright.study import Study

LEASE_MARGIN_SECONDS = 10
"""A live worker has its answer, or its timeout, before its hold on a request ends."""
LONGEST_BACKOFF_SECONDS = 300
MOST_PROBLEMS = 10
"""The problems that the next attempt is told."""


@dataclass(frozen=True, slots=True)
class TaskCall:
    """A committed request that may now be sent, once."""

    call: int
    pool: int
    token: str
    """Of the visit, by which answers are submitted."""
    ask: Ask
    part: ModelPool
    task: ModelTask


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing can be requested for this many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A task that has used all attempts."""


@dataclass(frozen=True, slots=True)
class Finished:
    """Nothing more is requested, and why."""

    why: str


@transaction.atomic
def plan_calls(pool: int, now: datetime) -> list[TaskCall] | Pause | Finished:
    """The next requests to send, as many as slots are free, committed before they are sent; or how long to wait, or why
    nothing is left.
    """
    if not queries.lock_budget(pool):
        return Finished("nobody agreed to the cost")
    budget = ModelBudget.objects.get(pool_id=pool)
    if budget.not_before and budget.not_before > now:
        return Pause((budget.not_before - now).total_seconds())
    visitor = queries.model_visitor(pool)
    part = study_of(visitor.version).model_pools.get(visitor.pool_name) if visitor else None
    if visitor is None or part is None:
        return Finished("the study has no such model")
    return _fill_slots(Planning(pool, visitor, part, budget, now))


def _fill_slots(planning: Planning) -> list[TaskCall] | Pause | Finished:
    part, now = planning.part, planning.now
    held = queries.held_slots(planning.pool, planning.visitor.rater, planning.visitor.study)
    # Their workers may still get the answers.
    asked = {
        each.slot: each.asked_at for each in held if each.asked_at and held_until(each.asked_at, part) > now
    }
    slots = _free_slots([each.slot for each in held], asked, part.slots)
    calls, why = _planned(planning, slots)
    if calls:
        return calls
    if asked and (not slots or isinstance(why, Finished)):
        # A killed worker may have sent one of these requests, and then its task is asked about again.
        return Pause((held_until(min(asked.values()), part) - now).total_seconds())
    return why


def _free_slots(held: Sequence[int], asked: Container[int], most: int) -> list[int]:
    """The slots in which a task may be asked about, those with a task already begun first.

    A study file that lowers `slots` leaves tasks in slots that it no longer has: they are finished there.

    >>> _free_slots([0, 5], {0}, 3)
    [5, 1]
    """
    begun = [slot for slot in held if slot not in asked]
    fresh = [slot for slot in range(most) if slot not in held]
    busy = len(held) - len(begun)
    return [*begun, *fresh][: max(0, most - busy)]


@dataclass(frozen=True, slots=True)
class Planning:
    """What the requests of a model are planned with."""

    pool: int
    visitor: Visitor
    part: ModelPool
    budget: ModelBudget
    now: datetime


def _planned(planning: Planning, slots: Sequence[int]) -> tuple[list[TaskCall], Pause | Finished]:
    """A request for each slot until the first that cannot be sent, and why that one cannot."""
    calls: list[TaskCall] = []
    for slot in slots:
        offered = offer(planning.visitor, planning.now, slot)
        if not isinstance(offered, Offer):
            return calls, Finished(str(offered))
        step = _next_attempt(planning, offered)
        if isinstance(step, TaskCall):
            calls.append(step)
        elif not isinstance(step, GivenUp):
            return calls, step
    return calls, Pause(0)


def _next_attempt(planning: Planning, offered: Offer) -> TaskCall | GivenUp | Pause | Finished:
    part, now = planning.part, planning.now
    calls = list(
        ModelCall.objects.select_for_update().filter(assignment=offered.assignment).order_by("attempt")
    )
    last = calls[-1] if calls else None
    if last and last.state == ModelCall.State.ASKED:
        _lose(last, now)
    if len(calls) >= part.model.attempts:
        # The model does not get this task again, because it has seen it; the place stays open and is reported.
        return_work(offered.token)
        return GivenUp()
    shown = get_task(offered.assignment)
    task = _told(study_of(shown.version), shown, part, last.problems if last else [])
    structured = part.structured and planning.budget.structured
    ask = make_task_ask(task, part.model, len(calls), structured=structured)
    call = TaskCall(0, planning.pool, offered.token, ask, part, task)
    return _reserved(call, planning.budget, offered.assignment, len(calls), now)


def _told(study: Study, shown: ShownTask, part: ModelPool, problems: list[str]) -> ModelTask:
    """The task as this rater sees it: the same item, context and order of candidates as on a page."""
    items = [
        ShownMaterial(replace(study.asking(shown.condition, each.item), order=each.order), tuple(each.texts))
        for each in shown.items
    ]
    note = study.condition(shown.condition).instructions
    return ModelTask(study.design(shown.condition), items, note, part.instructions, problems)


def _reserved(
    call: TaskCall, budget: ModelBudget, assignment: int, attempt: int, now: datetime
) -> TaskCall | Pause | Finished:
    model = call.part.model
    if seconds := take_token(endpoint_of(call.part), model.per_minute, model.burst, now):
        return Pause(seconds)
    most = model.most_microcents(call.ask)
    if not queries.reserve(call.pool, most):
        return Finished("budget")
    row = ModelCall.objects.create(
        study_id=budget.study_id,
        pool_id=call.pool,
        assignment_id=assignment,
        attempt=attempt,
        prompt=list(call.ask.messages),
        model=call.ask.model,
        parameters=call.ask.parameters,
        state=ModelCall.State.ASKED,
        microcents=most,
        asked_at=now,
    )
    return TaskCall(row.pk, call.pool, call.token, call.ask, call.part, call.task)


@transaction.atomic
def record_reply(
    call: TaskCall, text: str, raw: str, tokens: tuple[int | None, int | None], now: datetime
) -> None:
    """Stores a reply, charges the budget, and submits the answers; what is wrong with them is told to the next attempt.

    Safe to call twice.
    """
    queries.lock_budget(call.pool)
    row = ModelCall.objects.select_for_update().filter(pk=call.call).first()
    if row is None or row.state != ModelCall.State.ASKED:
        return
    spent = row.microcents
    if tokens[0] is not None and tokens[1] is not None:
        # Never more than was reserved, which is the most that was agreed to.
        spent = min(spent, call.part.model.microcents(tokens[0], tokens[1]))
    queries.settle(call.pool, row.microcents, spent)
    row.state, row.microcents, row.answered_at = ModelCall.State.ANSWERED, spent, now
    # PostgreSQL stores no NUL.
    row.raw, (row.tokens_in, row.tokens_out) = raw.replace("\x00", ""), tokens
    row.problems = _submitted(call, text, now)
    row.save()
    ModelBudget.objects.filter(pool_id=call.pool, refused__gt=0).update(refused=0)


def _submitted(call: TaskCall, text: str, now: datetime) -> list[str]:
    """Submits the answers in a reply; returns what is wrong with them."""
    try:
        submit(call.token, read_answers(text, call.task), now)
    except Unreadable as unreadable:
        return [str(unreadable)]
    except BadAnswers as bad:
        found = [
            f"{problem.question}: {problem.message}" if problem.question else problem.message
            for problem in bad.problems
        ]
        return found[:MOST_PROBLEMS]
    except PlaceGone:
        return ["The task was given to somebody else."]
    return []


@transaction.atomic
def record_fault(call: TaskCall, kind: str, raw: str, retry_after: float | None, now: datetime) -> bool:
    """Records a request without a usable reply; returns whether the job may go on. Safe to call twice.

    `refused`: no work was done, so nothing is charged and the same request is sent again later. `unknown`, `broken`:
    it may have been charged, so the reserved amount counts as spent and the next attempt is another request.
    `rejected`: the endpoint will never accept it. If it may not like the schema, it is asked again without.
    """
    queries.lock_budget(call.pool)
    row = ModelCall.objects.select_for_update().filter(pk=call.call).first()
    if row is None or row.state != ModelCall.State.ASKED:
        return True
    if kind not in ("refused", "rejected"):
        row.raw = raw.replace("\x00", "")
        _lose(row, now)
        return True
    queries.settle(call.pool, row.microcents, 0)
    row.delete()
    return note_refusal(call.pool, call.part, call.ask, kind, retry_after, now)


def note_refusal(
    pool: int, part: ModelPool, ask: Ask, kind: str, retry_after: float | None, now: datetime
) -> bool:
    """Records that an endpoint did no work: when to ask again, or to ask without a schema; whether to go on at all.

    The budget is locked by the caller.
    """
    budget = ModelBudget.objects.get(pool_id=pool)
    if kind == "rejected":
        had_schema = "response_format" in ask.parameters
        budget.structured = budget.structured and not had_schema
        budget.save(update_fields=["structured"])
        return had_schema
    if budget.not_before and budget.not_before > now:
        # Requests that were sent together are refused together, which is one refusal.
        return True
    budget.refused += 1
    waits = min(LONGEST_BACKOFF_SECONDS, 0.5 * 2 ** min(budget.refused, 12))
    budget.not_before = now + timedelta(seconds=waits if retry_after is None else retry_after)
    budget.save(update_fields=["refused", "not_before"])
    if retry_after is not None:
        drain_bucket(endpoint_of(part), retry_after, part.model.per_minute, now)
    return True


def _lose(row: ModelCall, now: datetime) -> None:
    row.state, row.answered_at = ModelCall.State.LOST, now
    row.save()


def held_until(asked_at: datetime, part: ModelPool) -> datetime:
    """Until when the worker that sent a request may still get the answer."""
    return asked_at + timedelta(seconds=part.model.timeout_seconds + LEASE_MARGIN_SECONDS)


def endpoint_of(part: ModelPool) -> str:
    """The name under which requests to an endpoint share a token bucket."""
    return f"{part.model.address} {part.model.name}"[:300]


def get_model_pools(study: int, version: int) -> dict[str, int]:
    """The ids of the pools of models in a version, by name."""
    names = list(study_of(version).model_pools)
    return {
        pool.name: pool.pk for pool in Pool.objects.filter(study_id=study, name__in=names).order_by("name")
    }
