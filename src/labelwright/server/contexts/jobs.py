"""The job that has a language model write texts: plan, call, record, until none is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from django.conf import settings

from labelwright.context import Ask, ModelPart
from labelwright.outside.llm import FaultKind, LlmEndpoint, LlmFault, LlmReply
from labelwright.server.contexts.actions.generation import (
    Call,
    Stopped,
    Wait,
    plan_ask,
    record_fault,
    record_reply,
)
from labelwright.server.store.queue import app
from labelwright.server.store.versions import study_of

LONGEST_SLEEP_SECONDS = 5.0
"""A worker that is told to stop does so within this time."""


@app.task(name="make_contexts", queue="contexts")
def make_contexts(version: int) -> None:
    """Makes all waiting texts of a version; run by several workers at once, each text is still requested once."""
    generate(version)


def generate(version: int, report: Callable[[], None] = lambda: None) -> str:
    """Makes texts until none is waiting or the budget is used up; returns the reason it ended.

    `report` is called after each answer.
    """
    model = study_of(version).context.model
    assert model is not None
    endpoint = _open(model)
    try:
        while True:
            step = plan_ask(version, datetime.now(UTC))
            if isinstance(step, Stopped):
                return step.why
            if isinstance(step, Wait):
                time.sleep(min(step.seconds, LONGEST_SLEEP_SECONDS))
                continue
            _ask(endpoint.ask, step)
            report()
    finally:
        endpoint.close()


def _open(model: ModelPart) -> LlmEndpoint:
    return LlmEndpoint(model, settings.ENVIRONMENT.models)


def _ask(ask: Callable[[Ask], LlmReply], call: Call) -> None:
    try:
        reply = ask(call.ask)
    except LlmFault as fault:
        record_fault(call, fault.kind, fault.raw, fault.retry_after, datetime.now(UTC))
        if fault.kind is FaultKind.REJECTED:
            raise
    else:
        tokens = (reply.tokens_in, reply.tokens_out)
        record_reply(call, reply.text, reply.raw, tokens, datetime.now(UTC))
