"""The cost of generated texts: estimated before anything is requested, and agreed to by a person."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import transaction

from labelwright.context import ModelPart, make_ask
from labelwright.context.part import FRAME_TOKENS
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.contexts.actions.generation import turns_before
from labelwright.server.contexts.actions.planning import defer_making
from labelwright.server.store.models import AgreedCost, Context, StudyVersion
from labelwright.server.store.versions import study_of

AT_ONCE = 2000


class CostChanged(LabelwrightError):
    """The cost is no longer the one that the person saw."""

    code: ClassVar[str] = "cost_changed"


@dataclass(frozen=True, slots=True)
class Cost:
    """What the waiting texts can cost."""

    model: ModelPart | None
    """None if the study uses none."""
    texts: int = 0
    requests: int = 0
    """If every attempt is needed."""
    tokens: int = 0
    """The largest number that these requests and their replies can have."""
    least_microcents: int = 0
    """The largest cost if every first attempt passes."""
    most_microcents: int = 0
    """The largest cost if every attempt is needed."""

    @property
    def has_prices(self) -> bool:
        """Whether the study file says what a token costs."""
        return self.model is not None and bool(
            self.model.cents_per_million_in or self.model.cents_per_million_out
        )


def get_cost(version: int) -> Cost:
    """The cost of the waiting texts, before anything is requested; reads only."""
    study = study_of(version)
    model = study.context.model
    if model is None:
        return Cost(None)
    texts = requests = tokens = least = most = 0
    waiting = Context.objects.filter(version_id=version, state=Context.State.WAITING)
    for context in waiting.select_related("item__dialogue").iterator(AT_ONCE):
        kind = context.kind.split(":")[0]
        before = turns_before(context.item)
        ask = make_ask(kind, before, study.context.prompt(kind), model.name, model.parameters)
        attempts = model.attempts - context.attempts
        texts += 1
        requests += attempts
        tokens += attempts * (ask.bytes + FRAME_TOKENS + int(model.parameters["max_tokens"]))
        least += model.most_microcents(ask)
        most += attempts * model.most_microcents(ask)
    return Cost(model, texts, requests, tokens, least, most)


def has_agreed_cost(version: int) -> bool:
    """Whether somebody agreed to the cost of a version; reads only."""
    return AgreedCost.objects.filter(version_id=version).exists()


@transaction.atomic
def agree_to_cost(version: int, seen: Cost, author: str, now: datetime) -> None:
    """Records who agreed to the cost that they saw, and defers the job that generates the texts.

    Raises ModelNotAllowed, and CostChanged if the texts cost more by now. Locks the version.
    """
    row = StudyVersion.objects.select_for_update().get(pk=version)
    cost = get_cost(version)
    if cost.model is None or not cost.texts:
        return
    settings.ENVIRONMENT.models.check(cost.model)
    if cost.requests > seen.requests or cost.most_microcents > seen.most_microcents:
        raise CostChanged("the cost has changed since you saw it.", do="Look at it again.")
    AgreedCost.objects.create(
        study_id=row.study_id,
        version=row,
        author=author,
        at=now,
        model=cost.model.name,
        address=cost.model.address,
        texts=seen.texts,
        requests=seen.requests,
        tokens=seen.tokens,
        microcents=seen.most_microcents,
    )
    after = {"texts": seen.texts, "requests": seen.requests, "microcents": seen.most_microcents}
    log_change(row.study_id, author, "agree_cost", cost.model.name, now, after=after)
    defer_making(version)


def describe_cost(cost: Cost) -> str:
    """The cost in one or two sentences."""
    if cost.model is None or not cost.texts:
        return "There are no texts to generate."
    said = (
        f"{cost.texts:,} texts to generate with {cost.model.name} at {cost.model.address}: "
        f"at most {cost.requests:,} requests and {cost.tokens:,} tokens."
    )
    if not cost.has_prices:
        return f"{said} The study file gives no prices, so the cost is unknown."
    return (
        f"{said} Maximum cost: {cents(cost.least_microcents)} if every first attempt is accepted, "
        f"{cents(cost.most_microcents)} if all attempts are needed."
    )


def cents(microcents: int) -> str:
    """An amount for people.

    >>> cents(1_500_000)
    '1.50 cents'
    """
    return f"{microcents / 1_000_000:,.2f} cents"
