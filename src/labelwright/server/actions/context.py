"""Contexts made by a language model: asked for, recorded, checked, and shown once they are right.

A job that asks a language model is three steps: `plan_ask` here, the call outside, and `record_reply` or
`record_fault` here. The question is committed before it is sent. After a crash in between nobody can tell
whether it was answered and charged, so it is never sent again: the next attempt is another question.

Locks are taken in the order context, generation, budget, place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from labelwright.context import (
    Ask,
    ModelPart,
    before_exchange,
    check_text,
    clean_reply,
    is_reviewed,
    make_ask,
)
from labelwright.corpus import Turn
from labelwright.server.actions.context_plan import asked_kinds
from labelwright.server.store import contexts
from labelwright.server.store.models import (
    Context,
    Discard,
    Generation,
    Item,
)
from labelwright.server.store.versions import study_of
from labelwright.study import Study

LEASE_MARGIN_SECONDS = 10
"""A worker that is alive has its answer, or its time-out, before its hold on a context ends."""
LONGEST_BACKOFF_SECONDS = 300
AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Call:
    """A question that is written down and may now be sent, once."""

    context: int
    generation: int
    ask: Ask
    model: ModelPart


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing can be asked for so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Stopped:
    """Nothing more is asked: all is made, or the budget has no room for another question."""

    why: str


@transaction.atomic
def plan_ask(version: int, now: datetime) -> Call | Wait | Stopped:
    """The next question to send, committed before it is sent; or how long to wait, or why nothing is left.

    A text that was answered once under the same prompt, model and parameters is taken from there.
    """
    study = study_of(version)
    model = study.context.model
    assert model is not None
    context = contexts.lock_waiting(version, now)
    if context is None:
        at = contexts.next_time(version)
        return Stopped("done") if at is None else Wait(max(0.05, (at - now).total_seconds()))
    ask = _unanswered(context, study, now)
    # One context is settled in one transaction, however many can be settled from what was paid for before.
    return Wait(0) if ask is None else _reserved(context, ask, model, now)


def _unanswered(context: Context, study: Study, now: datetime) -> Ask | None:
    """The context's next question that has no answer yet; None once the context is settled or held."""
    assert study.context.model is not None
    model, before = study.context.model, _before(context.item)
    while context.attempts < model.attempts:
        kind = context.kind.split(":")[0]
        ask = make_ask(
            kind, before, study.context.prompt(kind), model.name, model.parameters, context.attempts
        )
        known = Generation.objects.select_for_update().filter(
            study_id=context.study_id, cache_key=ask.cache_key
        )
        generation = known.first()
        if generation is None:
            return ask
        if generation.state == Generation.State.ANSWERED:
            if _judged(context, generation, study, now):
                return None
        elif generation.state == Generation.State.ASKED and _may_be_alive(generation, model, now):
            # Another item has the same question, and its worker may still get the answer.
            context.not_before = now + timedelta(seconds=1)
            context.save(update_fields=["not_before"])
            return None
        else:
            _lose(generation, now)
            context.attempts += 1
    _give_to_person(context)
    return None


def _reserved(context: Context, ask: Ask, model: ModelPart, now: datetime) -> Call | Wait | Stopped:
    seconds = contexts.take_token(_endpoint(model), model.per_minute, model.burst, now)
    if seconds:
        context.save(update_fields=["attempts"])
        return Wait(seconds)
    most = model.most_microcents(ask)
    if not contexts.reserve(context.study_id, most):
        context.save(update_fields=["attempts"])
        # What is reserved for questions under way may cost less in the end and make room.
        return (
            Wait(0.5)
            if contexts.is_asking(context.study_id, _given_up_before(model, now))
            else Stopped("budget")
        )
    generation = Generation.objects.create(
        study_id=context.study_id,
        cache_key=ask.cache_key,
        prompt=list(ask.messages),
        model=ask.model,
        parameters=ask.parameters,
        state=Generation.State.ASKED,
        microcents=most,
        asked_at=now,
    )
    context.generation = generation
    context.not_before = now + timedelta(seconds=model.timeout_seconds + LEASE_MARGIN_SECONDS)
    context.save()
    return Call(context.pk, generation.pk, ask, model)


@transaction.atomic
def record_reply(
    call: Call, text: str, raw: str, tokens: tuple[int | None, int | None], now: datetime
) -> None:
    """Keeps a reply, pays for it, and uses or discards it. Safe to call twice."""
    context, generation = _locked(call)
    if generation is None or generation.state != Generation.State.ASKED:
        return
    spent = generation.microcents
    if tokens[0] is not None and tokens[1] is not None:
        # More than was reserved is never booked: what was reserved is the most that was agreed to.
        spent = min(spent, call.model.microcents(tokens[0], tokens[1]))
    contexts.settle(context.study_id, generation.microcents, spent)
    # PostgreSQL stores no NUL; a model that sends one has not said anything with it.
    generation.text, generation.raw = clean_reply(text).replace("\x00", ""), raw.replace("\x00", "")
    generation.microcents, generation.answered_at = spent, now
    generation.state = Generation.State.ANSWERED
    generation.save()
    context.not_before = now
    _judged(context, generation, study_of(context.version_id), now)


@transaction.atomic
def record_fault(call: Call, kind: str, raw: str, retry_after: float | None, now: datetime) -> None:
    """Notes a question that brought no reply. Safe to call twice.

    `refused`: no work was done, so the same is asked again later and nothing is charged. `unknown`, `broken`:
    it may have been charged, so what was reserved counts as spent and the next attempt is another question.
    `rejected`: the endpoint will never take it; the context is given back and the job stops.
    """
    context, generation = _locked(call)
    if generation is None or generation.state != Generation.State.ASKED:
        return
    if kind in ("refused", "rejected"):
        contexts.settle(context.study_id, generation.microcents, 0)
        context.generation = None
        refused = int(context.facts.get("refused", 0)) + 1
        seconds = (
            retry_after
            if retry_after is not None
            else min(LONGEST_BACKOFF_SECONDS, 0.5 * 2 ** min(refused, 12))
        )
        context.facts = {**context.facts, "refused": refused}
        context.not_before = now + timedelta(seconds=seconds)
        if retry_after is not None:
            contexts.drain_bucket(_endpoint(call.model), retry_after, call.model.per_minute, now)
        context.save()
        generation.delete()
        return
    generation.raw = raw.replace("\x00", "")
    _lose(generation, now)
    if kind == "broken":
        _discard(context, generation, "broken", now)
    context.attempts += 1
    context.not_before = now
    context.save()


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the texts that still wait can cost."""

    texts: int
    least_microcents: int
    """If the first attempt of each is taken."""
    most_microcents: int
    """If every attempt is needed."""


def get_estimate(version: int) -> Estimate:
    """The cost of the texts that wait, before anything is asked; reads only."""
    study = study_of(version)
    model = study.context.model
    texts = least = most = 0
    waiting = Context.objects.filter(version_id=version, state=Context.State.WAITING)
    for context in waiting.select_related("item__dialogue").iterator(AT_ONCE):
        assert model is not None
        kind = context.kind.split(":")[0]
        ask = make_ask(kind, _before(context.item), study.context.prompt(kind), model.name, model.parameters)
        texts += 1
        least += model.most_microcents(ask)
        most += model.most_microcents(ask) * (model.attempts - context.attempts)
    return Estimate(texts, least, most)


def get_shown_texts(
    version: int, items: Sequence[int], kinds: Sequence[str]
) -> dict[int, list[tuple[str, str]]]:
    """For each item the texts that a condition shows, in the order of the recipe; reads only."""
    found = Context.objects.filter(
        version_id=version, item_id__in=items, kind__in=kinds, state=Context.State.MADE
    ).values_list("item_id", "kind", "content")
    by_item: dict[int, dict[str, str]] = {}
    for item, kind, content in found:
        by_item.setdefault(item, {})[kind] = content
    return {item: [(kind, made[kind]) for kind in kinds if kind in made] for item, made in by_item.items()}


def _judged(context: Context, generation: Generation, study: Study, now: datetime) -> bool:
    """Whether an answered text is used; else it is discarded with its reason and one attempt is used up."""
    kind = context.kind.split(":")[0]
    part = study.context
    reason = check_text(generation.text, _before(context.item), part.checks(kind), part.entities)
    context.attempts += 1
    if reason is not None:
        _discard(context, generation, reason, now)
        if part.model is not None and context.attempts >= part.model.attempts:
            _give_to_person(context)
        else:
            context.save()
        return False
    context.state, context.content, context.generation = Context.State.MADE, generation.text, generation
    if is_reviewed(part, study.seed, context.item.key, context.kind):
        context.review = Context.Review.QUEUED
    context.save()
    contexts.open_places(context.version_id, context.item_id, asked_kinds(study))
    return True


def _give_to_person(context: Context) -> None:
    context.state, context.review = Context.State.PERSON, Context.Review.QUEUED
    context.save()


def _discard(context: Context, generation: Generation, reason: str, now: datetime) -> None:
    Discard.objects.create(
        study_id=context.study_id, context=context, generation=generation, reason=reason, at=now
    )


def _lose(generation: Generation, now: datetime) -> None:
    if generation.state == Generation.State.ASKED:
        generation.state, generation.answered_at = Generation.State.LOST, now
        generation.save()


def _may_be_alive(generation: Generation, model: ModelPart, now: datetime) -> bool:
    return generation.asked_at > _given_up_before(model, now)


def _given_up_before(model: ModelPart, now: datetime) -> datetime:
    """A question asked before this has no worker any more that could bring its answer."""
    return now - timedelta(seconds=model.timeout_seconds + LEASE_MARGIN_SECONDS)


def _locked(call: Call) -> tuple[Context, Generation | None]:
    context = (
        Context.objects.select_for_update(of=("self",)).select_related("item__dialogue").get(pk=call.context)
    )
    return context, Generation.objects.select_for_update().filter(pk=call.generation).first()


def _before(item: Item) -> list[Turn]:
    """The turns before an item's exchange, as they are stored."""
    told: list[dict[str, Any]] = list(before_exchange(item.dialogue.turns, item.target))
    return [Turn(row["speaker"], row["text"], row.get("system"), row.get("meta", {})) for row in told]


def _endpoint(model: ModelPart) -> str:
    return f"{model.address} {model.name}"[:300]
