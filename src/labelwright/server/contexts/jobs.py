"""The job that has a language model write texts: plan, call, record, until none is left."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from datetime import UTC, datetime

from django.conf import settings
from django.db import connection

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
from labelwright.server.contexts.actions.planning import defer_making
from labelwright.server.store.queue import CONTEXTS, app, despite_outages, is_ending, is_waiting, stopping
from labelwright.server.store.versions import study_of

LONGEST_SLEEP_SECONDS = 5.0
TURN_SECONDS = 60
"""After this time, a version makes room for others that are waiting."""
REPLY_GRACE_SECONDS = 5
"""A worker that is told to stop waits this long for a reply. The attempt is lost then, as after a crash."""


@app.task(name="make_contexts", queue=CONTEXTS)
def make_contexts(version: int) -> None:
    """Makes all waiting texts of a version; run by several workers at once, each text is still requested once."""
    started = time.monotonic()

    def paused() -> bool:
        return is_ending() or (time.monotonic() - started > TURN_SECONDS and is_waiting(CONTEXTS))

    if generate(version, paused=paused) == "paused":
        despite_outages(lambda: defer_making(version))


def generate(
    version: int, report: Callable[[], None] = lambda: None, paused: Callable[[], bool] = is_ending
) -> str:
    """Makes texts until none is waiting or the budget is used up; returns the reason it ended.

    `report` is called after each answer. `paused` is asked before each text whether to leave the rest for later.
    """
    model = study_of(version).context.model
    assert model is not None
    endpoint = _open(model)
    try:
        while not despite_outages(paused):
            step = despite_outages(lambda: plan_ask(version, datetime.now(UTC)))
            # Others need the connection more than a job that waits.
            connection.close()
            if isinstance(step, Stopped):
                return step.why
            if isinstance(step, Wait):
                stopping.wait(min(step.seconds, LONGEST_SLEEP_SECONDS))
                continue
            _ask(endpoint.ask, step)
            report()
        return "paused"
    finally:
        endpoint.close()


def _open(model: ModelPart) -> LlmEndpoint:
    return LlmEndpoint(model, settings.ENVIRONMENT.models)


def _ask(ask: Callable[[Ask], LlmReply], call: Call) -> None:
    try:
        reply = wait_for_reply(ask, call.ask)
    except LlmFault as error:
        fault = error
        despite_outages(
            lambda: record_fault(call, fault.kind, fault.raw, fault.retry_after, datetime.now(UTC))
        )
        if fault.kind is FaultKind.REJECTED:
            raise
    else:
        tokens = (reply.tokens_in, reply.tokens_out)
        despite_outages(lambda: record_reply(call, reply.text, reply.raw, tokens, datetime.now(UTC)))


def wait_for_reply(ask: Callable[[Ask], LlmReply], question: Ask) -> LlmReply:
    """The reply; raises LlmFault, also if the worker has to stop before the reply arrives."""
    pending = start_reply(ask, question)
    stopped_at: float | None = None
    while not wait([pending], timeout=0.2).done:
        if stopping.is_set():
            stopped_at = stopped_at or time.monotonic()
            if time.monotonic() - stopped_at > REPLY_GRACE_SECONDS:
                raise LlmFault(FaultKind.UNKNOWN, "the worker stopped before the reply arrived.")
    return pending.result()


def start_reply(ask: Callable[[Ask], LlmReply], question: Ask) -> Future[LlmReply]:
    """The reply to come."""
    pending: Future[LlmReply] = Future()
    # A request in progress cannot be interrupted. A daemon thread does not keep the process alive.
    threading.Thread(target=_fulfil, args=(pending, ask, question), daemon=True).start()
    return pending


def _fulfil(pending: Future[LlmReply], ask: Callable[[Ask], LlmReply], question: Ask) -> None:
    try:
        pending.set_result(ask(question))
    except BaseException as error:  # noqa: BLE001  raised again by the thread that waits
        pending.set_exception(error)
