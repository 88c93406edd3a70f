"""The job queue: procrastinate on the same PostgreSQL; a job is deferred by its name."""

from __future__ import annotations

import logging
import time

from procrastinate.contrib.django import app
from procrastinate.exceptions import ConnectorException

log = logging.getLogger(__name__)
RETRY_SECONDS = 2

__all__ = ["app", "run_waiting", "run_worker"]


def run_worker(concurrency: int) -> None:
    """Runs jobs until told to stop; finished jobs leave no rows behind."""
    while True:
        try:
            _work(concurrency)
        except ConnectorException as error:
            # The database went away; it comes back, and the work is still there.
            log.warning("database away: %s", error)
            time.sleep(RETRY_SECONDS)
        else:
            return


def _work(concurrency: int) -> None:
    with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
        app.run_worker(concurrency=concurrency, delete_jobs="successful")


def run_waiting(queue: str) -> None:
    """Runs the jobs of one queue that wait, and returns when none is left."""
    with app.replace_connector(app.connector.get_worker_connector()):  # type: ignore[attr-defined]
        app.run_worker(
            queues=[queue], concurrency=1, wait=False, delete_jobs="successful", listen_notify=False
        )
