"""Trials: requests to a model outside of tasks, for a bias probe or a version of its instructions.

They follow the rules of requests about tasks: each is committed before it is sent, with its largest cost reserved, and
never sent again. All requests of a run are rows from the start, in a random order, so that a run can be interrupted
and its progress is known. Several workers may take them. Locks are taken in the order budget, trial.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from labelwright.context import Ask
from labelwright.crowd import ModelPool
from labelwright.judging.forms import FORM_CHANGES, form_of
from labelwright.judging.prompts import ModelTask, ShownMaterial, Unreadable, make_task_ask, read_answers
from labelwright.seeds import rank
from labelwright.server.contexts.actions.generation import get_shown_texts
from labelwright.server.contexts.queries import take_token
from labelwright.server.judges import queries
from labelwright.server.judges.actions.calls import (
    MOST_PROBLEMS,
    Finished,
    Pause,
    endpoint_of,
    held_until,
    note_refusal,
)
from labelwright.server.store.items import stored_items
from labelwright.server.store.models import JudgeRun, JudgeTrial, ModelBudget, Pool
from labelwright.server.store.queue import CONTEXTS, defer_once
from labelwright.server.store.versions import study_of
from labelwright.study import Study
from labelwright.task import Asking, StoredItem
from labelwright.task.answers import check_sheets

State = JudgeTrial.State


@dataclass(frozen=True, slots=True)
class TrialItem:
    """An item under one of its conditions."""

    item: int
    key: str
    condition: str


@dataclass(frozen=True, slots=True)
class TrialCall:
    """A committed request that may now be sent, once."""

    trial: int
    pool: int
    ask: Ask
    part: ModelPool
    task: ModelTask


def get_trial_items(pool: Pool, rated: bool = False) -> list[TrialItem]:
    """The items of a model's tasks in random order, each under one condition that is drawn; reads only.

    With `rated`, only those that people rated under that condition.
    """
    seed = study_of(pool.study.versions.latest("n").pk).seed
    found: dict[int, TrialItem] = {}
    for line in queries.trial_items(pool.pk, pool.study_id, rated=rated):
        each = TrialItem(line.item, line.key, line.condition)
        known = found.setdefault(each.item, each)
        if _drawn(seed, each) < _drawn(seed, known):
            found[each.item] = each
    return sorted(found.values(), key=lambda each: rank(seed, "trial", each.key))


def _drawn(seed: int, each: TrialItem) -> int:
    return rank(seed, "condition of trial", each.key, each.condition)


def add_trials(run: JudgeRun, items: Sequence[TrialItem], forms: Sequence[bool]) -> None:
    """Stores the requests of a run. Both forms of an item are asked at random times, so that nothing drifts between them."""
    rows = [
        JudgeTrial(
            study_id=run.study_id, run=run, item_id=each.item, condition=each.condition, changed=changed
        )
        for each in items
        for changed in forms
    ]
    rows.sort(key=lambda row: rank(run.pk, "order of trials", row.item_id, row.changed))
    JudgeTrial.objects.bulk_create(rows, batch_size=1000)


def defer_trials(pool: int) -> None:
    """Defers the job that sends the requests, unless one is already waiting."""
    defer_once("run_trials", CONTEXTS, lock=f"run_trials/{pool}", pool=pool)


@transaction.atomic
def plan_trials(pool: int, now: datetime) -> list[TrialCall] | Pause | Finished:
    """The next requests to send, as many as slots are free, committed before they are sent; or how long to wait, or why
    nothing is left.
    """
    if not queries.lock_budget(pool):
        return Finished("nobody agreed to the cost")
    budget = ModelBudget.objects.select_related("pool__study").get(pool_id=pool)
    if budget.not_before and budget.not_before > now:
        return Pause((budget.not_before - now).total_seconds())
    version = budget.pool.study.versions.latest("n").pk
    part = study_of(version).model_pools.get(budget.pool.name)
    if part is None:
        return Finished("the study has no such model")
    _lose_abandoned(pool, part, now)
    open_at = queries.asked_times(pool)
    trials = queries.next_trials(pool, max(0, part.slots - len(open_at)))
    if not trials:
        # Those that are open may be those of a worker that was killed.
        return (
            Pause((held_until(open_at[0], part) - now).total_seconds()) if open_at else Finished("none_left")
        )
    return _reserved(_made(trials, version, part, budget), trials, budget, now)


def _made(
    trials: Sequence[JudgeTrial], version: int, part: ModelPool, budget: ModelBudget
) -> list[TrialCall]:
    number, structured = queries.model_number(budget.pool_id), part.structured and budget.structured
    found = []
    for trial, task in zip(trials, make_trial_tasks(trials, version, part, number), strict=True):
        ask = make_task_ask(task, part.model, _seed_step(trial, part), structured=structured)
        found.append(TrialCall(trial.pk, budget.pool_id, ask, part, task))
    return found


def _reserved(
    calls: Sequence[TrialCall], trials: Sequence[JudgeTrial], budget: ModelBudget, now: datetime
) -> list[TrialCall] | Pause | Finished:
    """The calls for which there are tokens and money; the others stay planned."""
    sent: list[TrialCall] = []
    why_not: Pause | Finished = Pause(0)
    for call, trial in zip(calls, trials, strict=True):
        model, most = call.part.model, call.part.model.most_microcents(call.ask)
        if seconds := take_token(endpoint_of(call.part), model.per_minute, model.burst, now):
            why_not = Pause(seconds)
            break
        if not queries.reserve(call.pool, most):
            why_not = Finished("budget")
            break
        trial.state, trial.microcents, trial.asked_at = State.ASKED, most, now
        trial.prompt, trial.model, trial.parameters = (
            list(call.ask.messages),
            call.ask.model,
            call.ask.parameters,
        )
        sent.append(call)
    JudgeTrial.objects.bulk_update(
        trials[: len(sent)], ["state", "microcents", "asked_at", "prompt", "model", "parameters"]
    )
    return sent or why_not


def _lose_abandoned(pool: int, part: ModelPool, now: datetime) -> None:
    before = now - (held_until(now, part) - now)
    asked = JudgeTrial.objects.select_for_update().filter(run__pool_id=pool, state=State.ASKED)
    for trial in asked.filter(asked_at__lte=before):
        _lose(trial, part, now)


def _seed_step(trial: JudgeTrial, part: ModelPool) -> int:
    """Added to the seed, so that no request is the same as another, also if the same is asked again."""
    repeated = trial.changed and trial.run.kind == "repetition"
    return trial.attempt + part.model.attempts * repeated


def make_trial_tasks(
    trials: Sequence[JudgeTrial], version: int, part: ModelPool, number: int
) -> Iterator[ModelTask]:
    """What the model is told in each request: the item in one form, with the questions of the study about an item."""
    study, stored = study_of(version), stored_items([trial.item_id for trial in trials])
    for trial in trials:
        asking = plain_asking(study, trial.condition, stored[trial.item_id], number)
        if trial.run.kind in FORM_CHANGES:
            asking = form_of(asking, trial.run.kind, changed=trial.changed)
        kinds = study.condition(trial.condition).context.kinds
        texts = get_shown_texts(version, [trial.item_id], kinds).get(trial.item_id, []) if kinds else []
        yield ModelTask(
            study.design(trial.condition).model_copy(update={"feedback": ()}),
            [ShownMaterial(asking, tuple(texts))],
            study.condition(trial.condition).instructions,
            trial.run.version.instructions if trial.run.version else part.instructions,
            trial.told,
        )


def plain_asking(study: Study, condition: str, item: StoredItem, number: int) -> Asking:
    """An item as the model sees it in its tasks."""
    return replace(study.asking(condition, item), order=study.order_for(number, item))


def get_plain_askings(pool: Pool, conditions: Mapping[int, str]) -> dict[int, Asking]:
    """Items as the model sees them in its tasks, each under one condition, by their ids; reads only."""
    study, number = study_of(pool.study.versions.latest("n").pk), queries.model_number(pool.pk)
    stored = stored_items(list(conditions))
    return {
        item: plain_asking(study, condition, stored[item], number) for item, condition in conditions.items()
    }


@dataclass(frozen=True, slots=True)
class TrialReply:
    """The reply to a request."""

    call: TrialCall
    text: str
    raw: str
    tokens_in: int | None
    tokens_out: int | None


@transaction.atomic
def record_trials(pool: int, replies: Sequence[TrialReply], now: datetime) -> None:
    """Stores replies and charges the budget. An answer that the questions reject is asked for again.

    Safe to call twice.
    """
    queries.lock_budget(pool)
    asked = JudgeTrial.objects.select_for_update().filter(state=State.ASKED)
    trials = asked.in_bulk([reply.call.trial for reply in replies])
    reserved = spent = 0
    for reply in replies:
        if trial := trials.get(reply.call.trial):
            reserved += trial.microcents
            _answer(trial, reply, now)
            spent += trial.microcents
    queries.settle(pool, reserved, spent)
    JudgeTrial.objects.bulk_update(
        trials.values(), ["state", "microcents", "answered_at", "raw", "tokens_in", "tokens_out", "codes"]
    )
    ModelBudget.objects.filter(pool_id=pool, refused__gt=0).update(refused=0)


def _answer(trial: JudgeTrial, reply: TrialReply, now: datetime) -> None:
    if reply.tokens_in is not None and reply.tokens_out is not None:
        # Never more than was reserved, which is the most that was agreed to.
        cost = reply.call.part.model.microcents(reply.tokens_in, reply.tokens_out)
        trial.microcents = min(trial.microcents, cost)
    trial.state, trial.answered_at = State.ANSWERED, now
    # PostgreSQL stores no NUL.
    trial.raw = reply.raw.replace("\x00", "")
    trial.tokens_in, trial.tokens_out = reply.tokens_in, reply.tokens_out
    trial.codes, problems = read_codes(reply.text, reply.call.task)
    if problems:
        _try_again(trial, reply.call.part, problems)


def read_codes(text: str, task: ModelTask) -> tuple[dict[str, int] | None, list[str]]:
    """The codes of the answers in a reply, or what is wrong with them."""
    try:
        checked, problems = check_sheets(task.sheets, read_answers(text, task))
    except Unreadable as unreadable:
        return None, [str(unreadable)]
    if problems:
        said = [f"{each.question}: {each.message}" if each.question else each.message for each in problems]
        return None, said[:MOST_PROBLEMS]
    return {each.question: each.code for each in checked if each.code is not None}, []


@transaction.atomic
def record_trial_fault(
    call: TrialCall, kind: str, raw: str, retry_after: float | None, now: datetime
) -> bool:
    """Records a request without a usable reply, as `record_fault` does for tasks; returns whether the job may go on."""
    queries.lock_budget(call.pool)
    trial = JudgeTrial.objects.select_for_update().filter(pk=call.trial, state=State.ASKED).first()
    if trial is None:
        return True
    if kind not in ("refused", "rejected"):
        trial.raw = raw.replace("\x00", "")
        _lose(trial, call.part, now)
        return True
    queries.settle(call.pool, trial.microcents, 0)
    trial.state, trial.microcents, trial.asked_at = State.PLANNED, 0, None
    trial.save()
    return note_refusal(call.pool, call.part, call.ask, kind, retry_after, now)


def _lose(trial: JudgeTrial, part: ModelPool, now: datetime) -> None:
    trial.state, trial.answered_at = State.LOST, now
    trial.save()
    _try_again(trial, part, trial.told)


def _try_again(trial: JudgeTrial, part: ModelPool, told: list[str]) -> None:
    """Plans another attempt; without any left, the item has no answer in this form."""
    if trial.attempt + 1 < part.model.attempts:
        JudgeTrial.objects.create(
            study_id=trial.study_id,
            run_id=trial.run_id,
            item_id=trial.item_id,
            condition=trial.condition,
            changed=trial.changed,
            attempt=trial.attempt + 1,
            told=told,
        )
