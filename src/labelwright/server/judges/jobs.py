"""The jobs that ask a model: plan, call, record, until nothing is left to ask."""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from datetime import UTC, datetime
from functools import partial
from typing import Generic, TypeVar

from django.conf import settings
from django.db import connection

from labelwright.judging import NotRandom, TooFew
from labelwright.outside.llm import FaultKind, LlmEndpoint, LlmFault, LlmReply
from labelwright.server.contexts.jobs import (
    LONGEST_SLEEP_SECONDS,
    REPLY_GRACE_SECONDS,
    TURN_SECONDS,
    start_reply,
)
from labelwright.server.judges.actions import draws, figures
from labelwright.server.judges.actions.calls import (
    Finished,
    Pause,
    TaskCall,
    plan_calls,
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
from labelwright.server.store.models import Pool
from labelwright.server.store.queue import (
    CONTEXTS,
    DEFAULT,
    app,
    despite_outages,
    is_ending,
    is_waiting,
    stopping,
)

Call = TypeVar("Call", TaskCall, TrialCall)
log = logging.getLogger(__name__)
WAIT_SECONDS = 0.5
"""How long to wait for a reply before looking whether slots are free."""


@app.task(name="measure_judge", queue=DEFAULT)
def measure_judge(pool: int) -> None:
    """Computes what a model's labels are worth."""
    figures.measure_judge(pool, datetime.now(UTC))


@app.task(name="draw_items", queue=DEFAULT)
def draw_items(pool: int, question: str, wanted: float, tasks: int) -> None:
    """Draws further items for people. Run again, it draws nothing, because people have the first ones to rate."""
    row = Pool.objects.select_related("study").get(pk=pool)
    # The figures stay as they are: there are no new ones before people have rated the items.
    try:
        draws.draw_items(row, question, wanted, tasks, datetime.now(UTC))
    except (draws.NotDrawable, NotRandom, TooFew) as problem:
        log.warning("No items were drawn for people: %s", problem)


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


def rate(pool: int, paused: Callable[[], bool] = is_ending) -> str:
    """Rates until no task is left or the budget is used up; returns the reason it ended."""
    return _answered(TaskRequests(pool), paused)


def try_out(pool: int, paused: Callable[[], bool] = is_ending) -> str:
    """Sends requests until none is left or the budget is used up; returns the reason it ended."""
    why = _answered(TrialRequests(pool), paused)
    despite_outages(lambda: finish_runs(pool, datetime.now(UTC)))
    return why


def _answered(requests: OpenRequests[Call], paused: Callable[[], bool]) -> str:
    try:
        return requests.run(paused)
    finally:
        requests.close()


class OpenRequests(ABC, Generic[Call]):
    """The requests of one worker that have no reply yet: as many as the model has slots."""

    def __init__(self, pool: int) -> None:
        self.pool = pool
        self._open: dict[Future[LlmReply], Call] = {}
        self._endpoint: LlmEndpoint | None = None

    @abstractmethod
    def plan(self, now: datetime) -> list[Call] | Pause | Finished:
        """The next requests, committed before they are sent; or how long to wait, or why nothing is left."""

    @abstractmethod
    def record(self, replies: list[tuple[Call, LlmReply]], now: datetime) -> None:
        """Stores replies."""

    @abstractmethod
    def record_fault(self, call: Call, fault: LlmFault, now: datetime) -> bool:
        """Stores that a request has no usable reply; returns whether the job may go on."""

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
                step = self._send(paused)
                why = step.why if isinstance(step, Finished) else ""
                wanted = step.seconds if isinstance(step, Pause) else 0.0
            # Others need the connection more than a job that waits.
            connection.close()
            if self._open:
                why = self._collect() or why
            elif why:
                return why
            elif wanted:
                stopping.wait(min(wanted, LONGEST_SLEEP_SECONDS))

    def _send(self, paused: Callable[[], bool]) -> Pause | Finished:
        if despite_outages(paused):
            return Finished("paused")
        step = despite_outages(lambda: self.plan(datetime.now(UTC)))
        if isinstance(step, (Pause, Finished)):
            return step
        for call in step:
            self._endpoint = self._endpoint or LlmEndpoint(call.part.model, settings.ENVIRONMENT.models)
            self._open[start_reply(self._endpoint.ask, call.ask)] = call
        return Pause(0)

    def _collect(self) -> str:
        """Waits for a reply, and records all that have arrived; returns why nothing more can be asked, or nothing."""
        patience = REPLY_GRACE_SECONDS if stopping.is_set() else WAIT_SECONDS
        done = wait(self._open, timeout=patience, return_when=FIRST_COMPLETED).done
        replies: list[tuple[Call, LlmReply]] = []
        faults: list[tuple[Call, LlmFault]] = []
        for pending in done if done or not stopping.is_set() else set(self._open):
            call = self._open.pop(pending)
            try:
                replies.append((call, pending.result(timeout=0)))
            except TimeoutError:
                stopped = LlmFault(FaultKind.UNKNOWN, "the worker stopped before the reply arrived.")
                faults.append((call, stopped))
            except LlmFault as fault:
                faults.append((call, fault))
        return self._store(replies, faults)

    def _store(self, replies: list[tuple[Call, LlmReply]], faults: list[tuple[Call, LlmFault]]) -> str:
        if replies:
            despite_outages(lambda: self.record(replies, datetime.now(UTC)))
        goes_on = True
        for call, fault in faults:
            goes_on &= despite_outages(partial(self.record_fault, call, fault, datetime.now(UTC)))
        return "" if goes_on else "rejected"


class TaskRequests(OpenRequests[TaskCall]):
    """Requests about tasks that the model rates."""

    def plan(self, now: datetime) -> list[TaskCall] | Pause | Finished:
        """The next requests, in free slots."""
        return plan_calls(self.pool, now)

    def record(self, replies: list[tuple[TaskCall, LlmReply]], now: datetime) -> None:
        """Submits the answers in each reply."""
        for call, reply in replies:
            record_reply(call, reply.text, reply.raw, (reply.tokens_in, reply.tokens_out), now)

    def record_fault(self, call: TaskCall, fault: LlmFault, now: datetime) -> bool:
        """Stores that a request has no usable reply; returns whether the job may go on."""
        return record_fault(call, fault.kind, fault.raw, fault.retry_after, now)


class TrialRequests(OpenRequests[TrialCall]):
    """Requests of probes and versions."""

    def plan(self, now: datetime) -> list[TrialCall] | Pause | Finished:
        """The next requests of the oldest run."""
        return plan_trials(self.pool, now)

    def record(self, replies: list[tuple[TrialCall, LlmReply]], now: datetime) -> None:
        """Stores all replies at once."""
        found = [
            TrialReply(call, reply.text, reply.raw, reply.tokens_in, reply.tokens_out)
            for call, reply in replies
        ]
        record_trials(self.pool, found, now)

    def record_fault(self, call: TrialCall, fault: LlmFault, now: datetime) -> bool:
        """Stores that a request has no usable reply; returns whether the job may go on."""
        return record_trial_fault(call, fault.kind, fault.raw, fault.retry_after, now)
