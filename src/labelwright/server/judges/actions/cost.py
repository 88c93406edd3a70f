"""What a model's ratings cost at most, and the consent to it. No model is called without one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import ClassVar

from django.conf import settings
from django.db import transaction

from labelwright.context.part import FRAME_TOKENS
from labelwright.errors import LabelwrightError
from labelwright.judging.prompts import ModelTask, ShownMaterial, make_task_ask
from labelwright.server.access.actions.audit import log_change
from labelwright.server.contexts.actions.cost import cents
from labelwright.server.judges import queries
from labelwright.server.judges.queries import ModelProgress
from labelwright.server.store.items import items_of
from labelwright.server.store.models import ModelBudget, Pool, StudyRow
from labelwright.server.store.queue import CONTEXTS, defer_once
from labelwright.server.store.versions import study_of
from labelwright.server.web.money import money
from labelwright.study import Study

MICROCENTS = 1_000_000
"""In a cent."""
MOST_SAMPLED = 200
"""Tasks whose prompts are measured; the others are taken to be as long as the longest of them."""


class NoSuchModel(LabelwrightError):
    """A study without the model that was asked for."""

    code: ClassVar[str] = "no_such_model"


class JudgeCostChanged(LabelwrightError):
    """The cost is higher than the one that somebody agreed to."""

    code: ClassVar[str] = "judge_cost_changed"
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT


@dataclass(frozen=True, slots=True, kw_only=True)
class MaximumCost:
    """What requests to a model cost at most, in millionths of a cent."""

    model: str
    address: str
    requests: int
    tokens: int
    """At most, in all requests."""
    least_microcents: int
    """If every first attempt is accepted."""
    most_microcents: int
    limit_microcents: int | None
    has_prices: bool

    @property
    def price(self) -> str:
        """The cost in a sentence or two."""
        if not self.has_prices:
            return "The study file gives no prices, so the cost is unknown."
        limit = "" if self.limit_microcents is None else f" The budget is {cents(self.limit_microcents)}."
        return (
            f"Maximum cost: {cents(self.least_microcents)} if every first answer is accepted, "
            f"{cents(self.most_microcents)} if all attempts are needed.{limit}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCost(MaximumCost):
    """What is left to ask a model, and what it costs at most."""

    tasks: int

    @property
    def sentence(self) -> str:
        """The cost in one or two sentences."""
        if not self.tasks:
            return f"{self.model} has no tasks left to rate."
        said = (
            f"{self.tasks:,} tasks for {self.model} at {self.address}: at most {self.requests:,} requests and "
            f"{self.tokens:,} tokens."
        )
        return f"{said} {self.price}"


def find_model(study: StudyRow, name: str | None) -> Pool:
    """The pool of a model by name, or the only one; raises NoSuchModel."""
    names = list(study_of(study.versions.latest("n").pk).model_pools)
    chosen = name or (names[0] if len(names) == 1 else None)
    if chosen not in names:
        what = f'has no model "{name}".' if name else f"has {len(names)} models."
        raise NoSuchModel(
            f'"{study.name}" {what}',
            expected=f"one of {', '.join(names)}." if names else "a pool with `platform: model`.",
            do=None if names else "Add one to the study file and load it.",
        )
    return Pool.objects.get(study=study, name=chosen)


@dataclass(frozen=True, slots=True)
class RatingPrice:
    """What people are paid for rating an item, without bonuses and fees."""

    cents: float
    currency: str

    def say_price(self, ratings: float) -> str | None:
        """The price of this many ratings; None if it is less than a cent.

        >>> RatingPrice(75, "USD").say_price(171), RatingPrice(0.1, "EUR").say_price(4)
        ('$128.25', None)
        """
        cents = round(ratings * self.cents)
        return money(cents, self.currency) if cents else None


def get_rating_price(study: Study) -> RatingPrice | None:
    """The price of a rating; None without pay, or if it is not the same for all ratings."""
    if study.pool.groups or study.tasks.together or not study.pool.pay.cents:
        return None
    return RatingPrice(study.pool.pay.cents / study.tasks.items_per_task, study.pool.pay.currency)


def get_judge_cost(pool: Pool) -> JudgeCost:
    """What is left to ask a model, and its cost; reads only."""
    study = study_of(pool.study.versions.latest("n").pk)
    part = study.model_pools[pool.name]
    tasks = queries.open_tasks(pool.pk)
    step = max(1, len(tasks) // MOST_SAMPLED)
    largest, most = 0, 0
    for each in tasks[::step]:
        items = [ShownMaterial(study.asking(each.condition, item)) for item in items_of(each.task)]
        note = study.condition(each.condition).instructions
        told = ModelTask(study.design(each.condition), items, note, part.instructions)
        ask = make_task_ask(told, part.model, 0, structured=part.structured)
        largest, most = max(largest, ask.bytes), max(most, part.model.most_microcents(ask))
    requests = len(tasks) * part.model.attempts
    limit = part.model.budget_cents
    return JudgeCost(
        model=part.model.name,
        address=part.model.address,
        tasks=len(tasks),
        requests=requests,
        tokens=requests * (largest + FRAME_TOKENS + int(part.model.parameters["max_tokens"])),
        least_microcents=len(tasks) * most,
        most_microcents=requests * most,
        limit_microcents=None if limit is None else limit * MICROCENTS,
        has_prices=bool(part.model.cents_per_million_in or part.model.cents_per_million_out),
    )


@transaction.atomic
def start_model(pool: Pool, seen: JudgeCost, author: str, now: datetime) -> None:
    """Records who agreed to the cost that they saw, and defers the job in which the model rates.

    Raises ModelNotAllowed, and JudgeCostChanged if it costs more by now. Locks the budget.
    """
    part = study_of(pool.study.versions.latest("n").pk).model_pools[pool.name]
    settings.ENVIRONMENT.models.check(part.model)
    cost = get_judge_cost(pool)
    if cost.requests > seen.requests or cost.most_microcents > seen.most_microcents:
        raise JudgeCostChanged("the cost has changed since you saw it.", do="Look at it again.")
    agree_to_budget(pool, cost.limit_microcents, author, now)
    after = {"tasks": cost.tasks, "requests": cost.requests, "microcents": cost.most_microcents}
    log_change(pool.study_id, author, "start_model", pool.name, now, after=after)
    defer_rating(pool.pk)


def agree_to_budget(pool: Pool, limit: int | None, author: str, now: datetime) -> None:
    """Records who agreed to a cost, and the limit in millionths of a cent, in the caller's transaction."""
    agreed = {"limit_microcents": limit, "agreed_by": author, "agreed_at": now}
    budget, made = ModelBudget.objects.get_or_create(pool=pool, study_id=pool.study_id, defaults=agreed)
    if not made:
        # A limit below what is spent would be refused by the database; then nothing more is asked.
        spent = budget.committed_microcents
        budget.limit_microcents = None if limit is None else max(limit, spent)
        budget.agreed_by, budget.agreed_at, budget.not_before = author, now, None
        budget.structured = True
        budget.save()


def defer_rating(pool: int) -> None:
    """Defers the job in which a model rates, unless one is already waiting."""
    defer_once("rate_by_model", CONTEXTS, lock=f"rate_by_model/{pool}", pool=pool)


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """How far a model has come, and what it has cost."""

    pool: str
    model: str
    progress: ModelProgress
    microcents: int
    agreed_by: str
    agreed_at: datetime | None

    @property
    def sentence(self) -> str:
        """The status in a sentence or two."""
        done = self.progress
        said = (
            f"{self.pool} ({self.model}): {done.done:,} of {done.wanted:,} tasks rated, {done.calls:,} requests, "
            f"{done.lost:,} lost, {done.tokens_in + done.tokens_out:,} tokens, {cents(self.microcents)} spent or reserved."
        )
        return said if self.agreed_by else f"{said} Nobody has agreed to the cost yet."


def get_statuses(study: StudyRow) -> list[ModelStatus]:
    """The status of every model of a study; reads only."""
    parts = study_of(study.versions.latest("n").pk).model_pools
    budgets = {budget.pool_id: budget for budget in ModelBudget.objects.filter(study=study)}
    found = []
    for pool in Pool.objects.filter(study=study, name__in=list(parts)).order_by("name"):
        budget = budgets.get(pool.pk)
        found.append(
            ModelStatus(
                pool.name,
                parts[pool.name].model.name,
                queries.progress_of(pool.pk),
                budget.committed_microcents if budget else 0,
                budget.agreed_by if budget else "",
                budget.agreed_at if budget else None,
            )
        )
    return found
