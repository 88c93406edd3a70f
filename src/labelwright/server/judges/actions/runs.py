"""Runs: requests that belong together, their cost beforehand, and the consent to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction

from labelwright.context.part import FRAME_TOKENS
from labelwright.judging.prompts import make_task_ask
from labelwright.server.access.actions.audit import log_change
from labelwright.server.judges import queries
from labelwright.server.judges.actions.cost import MICROCENTS, JudgeCostChanged, MaximumCost, agree_to_budget
from labelwright.server.judges.actions.trials import TrialItem, add_trials, defer_trials, make_trial_tasks
from labelwright.server.store.models import JudgeRun, JudgeTrial, JudgeVersion, Pool
from labelwright.server.store.versions import study_of

MOST_SAMPLED = 50
"""Items whose prompts are measured; the others are taken to be as long as the longest of them, and half as long again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCost(MaximumCost):
    """What a run asks, and what it costs at most. `requests` is for the case that every first answer is accepted."""

    items: int
    most_requests: int

    @property
    def sentence(self) -> str:
        """The cost in one or two sentences."""
        said = (
            f"{self.requests:,} requests to {self.model} at {self.address}, at most {self.most_requests:,} with repeated "
            f"attempts, and {self.tokens:,} tokens."
        )
        return f"{said} {self.price}"


def get_run_cost(pool: Pool, run: JudgeRun, items: Sequence[TrialItem], forms: Sequence[bool]) -> RunCost:
    """What a run would ask; `run` is not stored yet. Reads only."""
    version = pool.study.versions.latest("n").pk
    part = study_of(version).model_pools[pool.name]
    number = queries.model_number(pool.pk)
    largest = most = 0
    sampled = [
        JudgeTrial(run=run, item_id=each.item, condition=each.condition, changed=changed)
        for each in items[:: max(1, len(items) // MOST_SAMPLED)]
        for changed in forms
    ]
    for task in make_trial_tasks(sampled, version, part, number):
        ask = make_task_ask(task, part.model, 0, structured=part.structured)
        largest, most = max(largest, ask.bytes), max(most, part.model.most_microcents(ask))
    if len(items) > MOST_SAMPLED:
        largest, most = largest * 3 // 2, most * 3 // 2
    requests = len(items) * len(forms)
    limit = part.model.budget_cents
    return RunCost(
        model=part.model.name,
        address=part.model.address,
        items=len(items),
        requests=requests,
        most_requests=requests * part.model.attempts,
        tokens=requests
        * part.model.attempts
        * (largest + FRAME_TOKENS + int(part.model.parameters["max_tokens"])),
        least_microcents=requests * most,
        most_microcents=requests * part.model.attempts * most,
        limit_microcents=None if limit is None else limit * MICROCENTS,
        has_prices=bool(part.model.cents_per_million_in or part.model.cents_per_million_out),
    )


def check_cost(cost: RunCost, seen: RunCost) -> None:
    """Raises JudgeCostChanged if a run costs more than the cost that somebody saw."""
    if cost.most_requests > seen.most_requests or cost.most_microcents > seen.most_microcents:
        raise JudgeCostChanged("the cost has changed since you saw it.", do="Look at it again.")


@transaction.atomic
def start_run(
    pool: Pool, run: JudgeRun, items: Sequence[TrialItem], forms: Sequence[bool], cost: RunCost
) -> JudgeRun:
    """Stores a run with all its requests and who agreed to the cost, and defers the job that sends them.

    Raises ModelNotAllowed. Locks the budget.
    """
    part = study_of(pool.study.versions.latest("n").pk).model_pools[pool.name]
    settings.ENVIRONMENT.models.check(part.model)
    agree_to_budget(pool, cost.limit_microcents, run.author, run.agreed_at)
    run.save()
    add_trials(run, items, forms)
    after = {"items": cost.items, "requests": cost.most_requests, "microcents": cost.most_microcents}
    what = f"{pool.name}, {run.kind}" + (f", version {run.version.number}" if run.version else "")
    log_change(pool.study_id, run.author, "start_judge_run", what, run.agreed_at, after=after)
    defer_trials(pool.pk)
    return run


def new_run(
    pool: Pool,
    kind: str,
    author: str,
    now: datetime,
    *,
    items: int = 0,
    smallest: float | None = None,
    version: JudgeVersion | None = None,
) -> JudgeRun:
    """A run that is not stored yet."""
    return JudgeRun(
        study_id=pool.study_id,
        pool=pool,
        kind=kind,
        version=version,
        items=items,
        smallest=smallest,
        author=author,
        agreed_at=now,
    )


def get_open_runs(pool: int) -> list[JudgeRun]:
    """Runs whose requests are all sent, but which have no figures yet."""
    waiting = JudgeTrial.objects.filter(state__in=(JudgeTrial.State.PLANNED, JudgeTrial.State.ASKED))
    runs = JudgeRun.objects.select_related("study", "pool", "version").filter(pool_id=pool, finished_at=None)
    return list(runs.exclude(pk__in=waiting.values("run_id")).order_by("pk"))
