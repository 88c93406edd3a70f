"""The job in which a model rates: plan, call, record, until no task is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from django.conf import settings
from django.db import connection

from labelwright.outside.llm import LlmEndpoint, LlmFault
from labelwright.server.contexts.jobs import LONGEST_SLEEP_SECONDS, TURN_SECONDS, wait_for_reply
from labelwright.server.judges.actions import figures
from labelwright.server.judges.actions.calls import (
    Finished,
    Pause,
    TaskCall,
    plan_call,
    record_fault,
    record_reply,
)
from labelwright.server.judges.actions.cost import defer_rating
from labelwright.server.store.queue import (
    CONTEXTS,
    DEFAULT,
    app,
    despite_outages,
    is_ending,
    is_waiting,
    stopping,
)


@app.task(name="measure_judge", queue=DEFAULT)
def measure_judge(pool: int) -> None:
    """Computes what a model's labels are worth."""
    figures.measure_judge(pool, datetime.now(UTC))


@app.task(name="rate_by_model", queue=CONTEXTS)
def rate_by_model(pool: int) -> None:
    """Has a model rate all its open tasks. Several workers may run it; each request is still sent once."""
    started = time.monotonic()

    def paused() -> bool:
        return is_ending() or (time.monotonic() - started > TURN_SECONDS and is_waiting(CONTEXTS))

    if rate(pool, paused=paused) == "paused":
        despite_outages(lambda: defer_rating(pool))
    else:
        despite_outages(lambda: figures.request_judge_figures(pool))


def rate(pool: int, paused: Callable[[], bool] = is_ending) -> str:
    """Rates until no task is left or the budget is used up; returns the reason it ended."""
    endpoint: LlmEndpoint | None = None
    try:
        while not despite_outages(paused):
            step = despite_outages(lambda: plan_call(pool, datetime.now(UTC)))
            # Others need the connection more than a job that waits.
            connection.close()
            if isinstance(step, Finished):
                return step.why
            if isinstance(step, Pause):
                stopping.wait(min(step.seconds, LONGEST_SLEEP_SECONDS))
                continue
            endpoint = endpoint or LlmEndpoint(step.part.model, settings.ENVIRONMENT.models)
            if not _ask(endpoint, step):
                return "rejected"
        return "paused"
    finally:
        if endpoint:
            endpoint.close()


def _ask(endpoint: LlmEndpoint, call: TaskCall) -> bool:
    """Sends a request and records what came of it; returns whether to go on."""
    try:
        reply = wait_for_reply(endpoint.ask, call.ask)
    except LlmFault as error:
        fault = error
        return despite_outages(
            lambda: record_fault(call, fault.kind, fault.raw, fault.retry_after, datetime.now(UTC))
        )
    tokens = (reply.tokens_in, reply.tokens_out)
    despite_outages(lambda: record_reply(call, reply.text, reply.raw, tokens, datetime.now(UTC)))
    return True
