"""The worker process: runs the jobs of all queues, each queue in slots of its own.

It outlives restarts of the database, and ends soon after it is told to, whatever its jobs are doing.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, ClassVar

import psycopg
from procrastinate import PsycopgConnector
from procrastinate.contrib.django.utils import connector_params
from procrastinate.exceptions import ConnectorException

from labelwright.errors import LabelwrightError
from labelwright.server.store.queue import RETRY_SECONDS, app, queue_limits, remember_job, stopping

__all__ = ["LONGEST_STOP_SECONDS", "BadSlots", "WorkerFailed", "choose_slots", "run_waiting", "run_worker"]

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
LONGEST_STOP_SECONDS = 10
"""Container engines kill a process this long after they told it to stop."""
STEADY_SECONDS = 15
"""Longer than the time between two heartbeats: a queue that ran this long had no problem at its start."""
MOST_FAILED_STARTS = 5
LOOKUP_THREADS = 2
"""They look up the address of the database when the worker reconnects."""
CONNECTIONS: dict[str, Any] = {
    "min_size": 1,
    "max_size": 4,
    "timeout": 5,
    # The pool would pause ever longer between attempts. After giving up, it tries again for the next statement.
    "reconnect_timeout": 1,
}


class BadSlots(LabelwrightError):
    """Slots of a queue that does not exist, or a number that is none."""

    code: ClassVar[str] = "bad_slots"


class WorkerFailed(LabelwrightError):
    """A worker that cannot go on, although the database responds."""

    code: ClassVar[str] = "worker_failed"


def choose_slots(given: Iterable[str]) -> dict[str, int]:
    """The slots of every queue, with those given as "QUEUE=N" instead of the usual ones; raises BadSlots."""
    slots = {queue: limits.slots for queue, limits in queue_limits().items()}
    for text in given:
        queue, _, number = text.partition("=")
        if queue not in slots or not number.isdecimal():
            raise BadSlots(
                f'"{text}" does not give the slots of a queue.',
                expected=f"QUEUE=N, where QUEUE is one of {', '.join(slots)}.",
            )
        slots[queue] = int(number)
    if not any(slots.values()):
        raise BadSlots("no queue has slots, so the worker would do nothing.", do="Give a queue at least one.")
    return slots


def run_worker(slots: Mapping[str, int]) -> None:
    """Runs jobs until the process is told to stop; `slots` gives the number of concurrent jobs of each queue."""
    _run(slots, wait=True)


def run_waiting(queue: str) -> bool:
    """Runs the waiting jobs of one queue, one at a time; False if it was told to stop before none was left."""
    _run({queue: 1}, wait=False)
    return not stopping.is_set()


def _run(slots: Mapping[str, int], *, wait: bool) -> None:
    stopping.clear()
    connector = PsycopgConnector(kwargs=connector_params(), **CONNECTIONS)
    overdue = threading.Timer(LONGEST_STOP_SECONDS, _end_at_once)
    overdue.daemon = True
    try:
        with app.replace_connector(connector):
            asyncio.run(_work(slots, overdue, wait=wait))
    finally:
        overdue.cancel()


def _end_at_once() -> None:
    # The database still has the unfinished jobs, and the sweeper returns them to their queues.
    log.error("jobs did not end within %d s; ending without them", LONGEST_STOP_SECONDS)
    os._exit(1)


async def _work(slots: Mapping[str, int], overdue: threading.Timer, *, wait: bool) -> None:
    # Otherwise the number of processor cores limits the threads, and slow jobs could take all of them.
    threads = ThreadPoolExecutor(sum(slots.values()) + LOOKUP_THREADS)
    asyncio.get_running_loop().set_default_executor(threads)
    async with app.open_async():
        queues = [asyncio.create_task(_serve(queue, n, wait=wait)) for queue, n in slots.items() if n]

        def stop() -> None:
            if not stopping.is_set():
                stopping.set()
                overdue.start()
            for task in queues:
                task.cancel()

        with _on_signals(stop):
            await asyncio.wait(queues, return_when=asyncio.FIRST_EXCEPTION)
            if any(not task.done() for task in queues):
                stop()
            ends = await asyncio.gather(*queues, return_exceptions=True)
    for end in ends:
        if isinstance(end, Exception):
            raise end


@contextmanager
def _on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Stops at the first signal; the second one ends the process."""
    loop, signals = asyncio.get_running_loop(), (signal.SIGTERM, signal.SIGINT)

    def remove() -> None:
        for number in signals:
            loop.remove_signal_handler(number)

    def handle() -> None:
        remove()
        stop()

    for number in signals:
        loop.add_signal_handler(number, handle)
    try:
        yield
    finally:
        remove()


async def _serve(queue: str, slots: int, *, wait: bool) -> None:
    """Runs the jobs of a queue, and starts anew whenever the connection to the database was lost."""
    failed_starts = 0
    while not stopping.is_set():
        started = time.monotonic()
        try:
            await app.run_worker_async(
                name=queue,
                queues=[queue],
                concurrency=slots,
                wait=wait,
                delete_jobs="successful",
                install_signal_handlers=False,
                # After this time, `is_ending` tells the running jobs.
                shutdown_graceful_timeout=0.5,
                task_middleware=[*app.worker_defaults.get("task_middleware", ()), remember_job],
                # Polling needs no session of its own, works behind a pooler and cannot miss a restart.
                listen_notify=False,
                fetch_job_polling_interval=POLL_SECONDS,
            )
            if not wait:
                return
            # A worker that was not told to stop ends when one of its side tasks fails, which it has logged.
            reason = "a statement failed"
        except (ConnectorException, psycopg.OperationalError) as error:
            reason = str(error.__cause__ or error)
        if stopping.is_set():
            return
        log.warning("queue %s stopped: %s", queue, reason)
        failed_starts = 0 if time.monotonic() - started > STEADY_SECONDS else failed_starts + 1
        if await _wait_for_database():
            failed_starts = 0
        if failed_starts > MOST_FAILED_STARTS:
            raise WorkerFailed(
                f'the jobs of queue "{queue}" cannot be run: {reason}.',
                do="Run `labelwright doctor`, then start the worker again.",
            )
        await asyncio.sleep(RETRY_SECONDS)


async def _wait_for_database() -> bool:
    """Returns once the database responds: whether it was away. Raises WorkerFailed if the queue's tables are missing."""
    away = False
    while True:
        try:
            ready = await app.check_connection_async()
        except ConnectorException as error:
            if not isinstance(error.__cause__, psycopg.OperationalError | psycopg.InterfaceError):
                raise
            away = True
            log.warning("database unavailable: %s", error.__cause__)
            await asyncio.sleep(RETRY_SECONDS)
        else:
            if not ready:
                raise WorkerFailed("the database has no job queue.", do="Run `labelwright migrate`.")
            return away
