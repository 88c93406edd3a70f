"""The job queue: procrastinate on the same PostgreSQL database. Jobs are deferred by name.

Jobs are registered when the `jobs` module of their area is imported; the settings list these modules. `worker` runs
them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

from django.db import InterfaceError, OperationalError, close_old_connections, transaction
from procrastinate import JobContext
from procrastinate.contrib.django import app
from procrastinate.contrib.django.django_connector import DjangoConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.manager import JobManager
from procrastinate.tasks import configure_task
from psycopg_pool import PoolTimeout

from labelwright.server.store.rows import counts, value

__all__ = [
    "CONTEXTS",
    "DEFAULT",
    "MAIL",
    "OUTAGES",
    "PERIODIC",
    "REHEARSALS",
    "PeriodicWork",
    "QueueLimits",
    "QueueWait",
    "app",
    "defer_once",
    "despite_outages",
    "is_ending",
    "is_in_job",
    "is_waiting",
    "periodic",
    "periodic_work",
    "queue_limits",
    "queue_waits",
    "remember_job",
    "stopping",
]

log = logging.getLogger(__name__)

PERIODIC, MAIL, CONTEXTS, REHEARSALS, DEFAULT = "periodic", "mail", "contexts", "rehearsals", "default"
RETRY_SECONDS = 2
OUTAGES = (OperationalError, InterfaceError, PoolTimeout, ConnectorException)
"""Errors of a database that is restarting, away or busy."""

stopping = threading.Event()
"""Set when the worker is told to stop."""
_job = threading.local()

T = TypeVar("T")
PeriodicWork = Callable[[datetime], int]
"""Does one block of the work that is due at the given time; returns the amount done, or 0 when nothing is left."""

_PERIODIC: dict[str, PeriodicWork] = {}


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """The limits of one queue. Queues share no slots, so slow jobs delay only their own queue."""

    slots: int
    """Number of concurrent jobs in each worker."""
    longest_wait_seconds: int
    """If a job waits longer, the queue is starving."""


_LIMITS = {
    # Each periodic job has a slot of its own; see `queue_limits`.
    PERIODIC: QueueLimits(slots=1, longest_wait_seconds=60),
    MAIL: QueueLimits(slots=1, longest_wait_seconds=600),
    CONTEXTS: QueueLimits(slots=4, longest_wait_seconds=1800),
    # A rehearsal has a database of its own, for which a machine needs room.
    REHEARSALS: QueueLimits(slots=1, longest_wait_seconds=1800),
    DEFAULT: QueueLimits(slots=2, longest_wait_seconds=600),
}


def queue_limits() -> dict[str, QueueLimits]:
    """The limits of every queue that has jobs."""
    app.perform_import_paths()  # type: ignore[no-untyped-call]
    # The library's own jobs are never deferred.
    used = {task.queue for task in app.tasks.values()} - {"builtin"}
    limits = {queue: _LIMITS.get(queue, _LIMITS[DEFAULT]) for queue in sorted(used | set(_LIMITS))}
    scheduled = [one for one in app.periodic_registry.periodic_tasks.values() if one.task.queue == PERIODIC]
    wait = limits[PERIODIC].longest_wait_seconds
    return limits | {PERIODIC: QueueLimits(len(scheduled), wait)}


def periodic(name: str, cron: str) -> Callable[[PeriodicWork], PeriodicWork]:
    """Registers work that a worker does on the `cron` schedule, block by block until nothing is left.

    An outage of the database ends it early, because the next run is due soon.
    """
    running = threading.Lock()

    def register(work: PeriodicWork) -> PeriodicWork:
        def run(timestamp: int) -> None:
            # The same work never takes two slots of a worker: the running job goes on until nothing is left.
            if not running.acquire(blocking=False):
                return
            try:
                while not is_ending() and work(datetime.now(UTC)):
                    pass
            except OUTAGES as error:
                log.warning("%s: database unavailable: %s", name, type(error).__name__)
            finally:
                running.release()

        app.periodic(cron=cron)(app.task(name=name, queue=PERIODIC, queueing_lock=name)(run))
        _PERIODIC[name] = work
        return work

    return register


def periodic_work() -> Mapping[str, PeriodicWork]:
    """All periodic work by job name; a rehearsal runs it in simulated time."""
    app.perform_import_paths()  # type: ignore[no-untyped-call]
    return _PERIODIC


def defer_once(name: str, queue: str, lock: str, **arguments: Any) -> bool:
    """Defers a job in the current transaction, unless a job with this lock is already waiting; returns whether it did."""
    # In a worker, the app's own connection is not the one that has the transaction.
    manager = JobManager(DjangoConnector())
    job = configure_task(name=name, job_manager=manager, queue=queue, queueing_lock=lock)
    # A duplicate would abort the whole transaction.
    try:
        with transaction.atomic():
            job.defer(**arguments)
    except AlreadyEnqueued:
        return False
    return True


def is_ending() -> bool:
    """Whether the job of this thread should end before its next round, and be deferred again.

    The worker was told to stop, or its queue has lost the database and starts anew once its jobs have ended.
    """
    should_abort: Callable[[], bool] | None = getattr(_job, "should_abort", None)
    return stopping.is_set() or (should_abort is not None and should_abort())


def is_in_job() -> bool:
    """Whether this thread runs a job of the queue."""
    return hasattr(_job, "should_abort")


def remember_job(call_next: Callable[[], Any], context: JobContext, worker: object) -> Any:
    """Middleware of the worker: lets `is_ending` know which job a thread is running."""
    _job.should_abort = context.should_abort
    try:
        return call_next()
    finally:
        del _job.should_abort


def despite_outages(act: Callable[[], T]) -> T:
    """What `act` returns, tried again until the database responds; only once again if the worker is told to stop."""
    tried = False
    while True:
        try:
            return act()
        except OUTAGES as error:
            log.warning("database unavailable: %s", type(error).__name__)
            close_old_connections()
            if stopping.wait(RETRY_SECONDS) and tried:
                raise
            tried = True


def is_waiting(queue: str) -> bool:
    """Whether another job of the queue waits for a slot."""
    return bool(
        value(
            """SELECT EXISTS (SELECT 1 FROM procrastinate_jobs WHERE status = 'todo' AND queue_name = %s
                              AND coalesce(scheduled_at, now()) <= now())""",
            [queue],
        )
    )


WORKERS_ALIVE = (
    "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '1 minute'"
)
"""The workers that have given a sign of life of late. A worker that is stopped takes itself off the list."""


def is_worker_away() -> bool:
    """Whether no worker does the background work, so that answers are not counted and files are not written."""
    return not value(WORKERS_ALIVE)


@dataclass(frozen=True, slots=True)
class QueueWait:
    """How long the oldest waiting job of a queue has been waiting."""

    seconds: float
    """0 if none is waiting."""
    starving: bool
    """Whether that is longer than the queue allows."""


def queue_waits() -> dict[str, QueueWait]:
    """The wait of every queue that has jobs, and of queues that other releases left behind."""
    limits = queue_limits()
    found = counts(
        """SELECT j.queue_name, extract(epoch FROM now() - min(coalesce(j.scheduled_at, e.at)))
           FROM procrastinate_jobs j
           JOIN LATERAL (SELECT max(at) AS at FROM procrastinate_events WHERE job_id = j.id) e ON true
           WHERE j.status = 'todo' AND coalesce(j.scheduled_at, e.at) <= now() GROUP BY 1"""
    )
    waits = {queue: float(found.get(queue, 0)) for queue in (*limits, *found)}
    return {
        queue: QueueWait(seconds, seconds > limits.get(queue, _LIMITS[DEFAULT]).longest_wait_seconds)
        for queue, seconds in waits.items()
    }
