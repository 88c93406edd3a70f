"""The job queue: procrastinate on the same PostgreSQL database. Jobs are deferred by name.

Jobs are registered when the `jobs` module of their area is imported; the settings list these modules.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from procrastinate.contrib.django import app
from procrastinate.exceptions import ConnectorException

log = logging.getLogger(__name__)
RETRY_SECONDS = 2

PeriodicWork = Callable[[datetime], int]
"""Does one block of the work that is due at the given time; returns the amount done, or 0 when nothing is left."""

_PERIODIC: dict[str, PeriodicWork] = {}

__all__ = ["PeriodicWork", "app", "periodic", "periodic_work", "run_waiting", "run_worker"]


def periodic(name: str, cron: str) -> Callable[[PeriodicWork], PeriodicWork]:
    """Registers work that a worker does on the `cron` schedule, block by block until nothing is left."""

    def register(work: PeriodicWork) -> PeriodicWork:
        def run(timestamp: int) -> None:
            while work(datetime.now(UTC)):
                pass

        app.periodic(cron=cron)(app.task(name=name, queueing_lock=name)(run))
        _PERIODIC[name] = work
        return work

    return register


def periodic_work() -> Mapping[str, PeriodicWork]:
    """All periodic work by job name; a rehearsal runs it in simulated time."""
    app.perform_import_paths()  # type: ignore[no-untyped-call]
    return _PERIODIC


def run_worker(concurrency: int) -> None:
    """Runs jobs until the process is stopped; successful jobs are deleted."""
    while True:
        try:
            _work(concurrency)
        except ConnectorException as error:
            # The connection to the database was lost. Jobs are still in the queue, so try again.
            log.warning("database unavailable: %s", error)
            time.sleep(RETRY_SECONDS)
        else:
            return


def _work(concurrency: int) -> None:
    with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
        app.run_worker(concurrency=concurrency, delete_jobs="successful")


def run_waiting(queue: str) -> None:
    """Runs the waiting jobs of one queue and returns when none are left."""
    with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
        app.run_worker(
            queues=[queue], concurrency=1, wait=False, delete_jobs="successful", listen_notify=False
        )
