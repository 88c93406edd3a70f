"""The job in which a model rates: plan, call, record, until no task is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from datetime import UTC, datetime
from functools import partial

from django.conf import settings
from django.db import connection

from labelwright.outside.llm import FaultKind, LlmEndpoint, LlmFault, LlmReply
from labelwright.server.contexts.jobs import (
    LONGEST_SLEEP_SECONDS,
    REPLY_GRACE_SECONDS,
    TURN_SECONDS,
    start_reply,
    wait_for_reply,
)
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
from labelwright.server.judges.actions.findings import finish_runs
from labelwright.server.judges.actions.trials import (
    TrialCall,
    TrialReply,
    defer_trials,
    plan_trials,
    record_trial_fault,
    record_trials,
)
from labelwright.server.store.queue import (
    CONTEXTS,
    DEFAULT,
    app,
    despite_outages,
    is_ending,
    is_waiting,
    stopping,
)

WAIT_SECONDS = 0.5
"""How long to wait for a reply before looking whether slots are free."""


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


@app.task(name="run_trials", queue=CONTEXTS)
def run_trials(pool: int) -> None:
    """Sends the requests of probes and versions of a model, and computes the figures of those that are complete."""
    started = time.monotonic()

    def paused() -> bool:
        return is_ending() or (time.monotonic() - started > TURN_SECONDS and is_waiting(CONTEXTS))

    if try_out(pool, paused=paused) == "paused":
        despite_outages(lambda: defer_trials(pool))


def try_out(pool: int, paused: Callable[[], bool] = is_ending) -> str:
    """Sends requests until none is left or the budget is used up; returns the reason it ended."""
    requests = OpenRequests(pool)
    try:
        why = requests.run(paused)
    finally:
        requests.close()
    despite_outages(lambda: finish_runs(pool, datetime.now(UTC)))
    return why


class OpenRequests:
    """The requests of one worker that have no reply yet: as many as the model has slots."""

    def __init__(self, pool: int) -> None:
        self.pool = pool
        self._open: dict[Future[LlmReply], TrialCall] = {}
        self._endpoint: LlmEndpoint | None = None

    def close(self) -> None:
        """Closes the connections."""
        if self._endpoint:
            self._endpoint.close()

    def run(self, paused: Callable[[], bool]) -> str:
        """Keeps all slots busy until nothing is left to ask; returns the reason it ended."""
        why = ""
        while True:
            wanted = 0.0
            if not why:
                step = self._plan(paused)
                why = step.why if isinstance(step, Finished) else ""
                wanted = step.seconds if isinstance(step, Pause) else 0.0
            # Others need the connection more than a job that waits.
            connection.close()
            if self._open:
                why = self._record() or why
            elif why:
                return why
            elif wanted:
                stopping.wait(min(wanted, LONGEST_SLEEP_SECONDS))

    def _plan(self, paused: Callable[[], bool]) -> Pause | Finished:
        if despite_outages(paused):
            return Finished("paused")
        step = despite_outages(lambda: plan_trials(self.pool, datetime.now(UTC)))
        if isinstance(step, (Pause, Finished)):
            return step
        for call in step:
            self._endpoint = self._endpoint or LlmEndpoint(call.part.model, settings.ENVIRONMENT.models)
            self._open[start_reply(self._endpoint.ask, call.ask)] = call
        return Pause(0)

    def _record(self) -> str:
        """Waits for a reply, and records all that have arrived; returns why nothing more can be asked, or nothing."""
        patience = REPLY_GRACE_SECONDS if stopping.is_set() else WAIT_SECONDS
        done = wait(self._open, timeout=patience, return_when=FIRST_COMPLETED).done
        replies, faults = [], []
        for pending in done if done or not stopping.is_set() else set(self._open):
            call = self._open.pop(pending)
            try:
                reply = pending.result(timeout=0)
            except TimeoutError:
                faults.append(
                    (call, LlmFault(FaultKind.UNKNOWN, "the worker stopped before the reply arrived."))
                )
            except LlmFault as fault:
                faults.append((call, fault))
            else:
                replies.append(TrialReply(call, reply.text, reply.raw, reply.tokens_in, reply.tokens_out))
        return self._store(replies, faults)

    def _store(self, replies: list[TrialReply], faults: list[tuple[TrialCall, LlmFault]]) -> str:
        if replies:
            despite_outages(lambda: record_trials(self.pool, replies, datetime.now(UTC)))
        goes_on = True
        for call, fault in faults:
            goes_on &= despite_outages(partial(_store_fault, call, fault))
        return "" if goes_on else "rejected"


def _store_fault(call: TrialCall, fault: LlmFault) -> bool:
    return record_trial_fault(call, fault.kind, fault.raw, fault.retry_after, datetime.now(UTC))


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
