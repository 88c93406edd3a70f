"""Prometheus metrics: the counters of every process, and gauges read from the database."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection
from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from labelwright.crowd import AssignmentState
from labelwright.server.config.metrics import FOLDER
from labelwright.server.store.queue import OUTAGES, WORKERS_ALIVE, queue_waits
from labelwright.server.store.rows import literal, value

OPEN = literal(AssignmentState.OPEN)
GAUGES = {
    "labelwright_leases_open": (
        "Places currently held by raters",
        f"SELECT count(*) FROM assignment WHERE state = {OPEN}",
    ),
    "labelwright_leases_lapsed": (
        "Expired leases that are not released yet",
        f"SELECT count(*) FROM assignment WHERE state = {OPEN} AND lease_until < now()",
    ),
    "labelwright_submissions_unflagged": (
        "Submissions that no rule has checked yet",
        "SELECT count(*) FROM assignment WHERE unflagged",
    ),
    "labelwright_jobs_failed": (
        "Jobs that failed and are kept for inspection",
        "SELECT count(*) FROM procrastinate_jobs WHERE status = 'failed'",
    ),
    "labelwright_workers_alive": (
        "Queues of workers with a heartbeat in the last minute",
        WORKERS_ALIVE,
    ),
}


class DatabaseCollector(Collector):
    """Gauges that are the same in every process."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Runs the query of each gauge; while the database is away, only says so."""
        try:
            found = [*_gauges(), *_queue_gauges()]
        except OUTAGES:
            found = []
        finally:
            # A broken connection would otherwise be used for ever.
            connection.close()
        yield GaugeMetricFamily(
            "labelwright_database_up", "Whether the database responds", value=float(bool(found))
        )
        yield from found


def _gauges() -> Iterator[GaugeMetricFamily]:
    for name, (about, sql) in GAUGES.items():
        yield GaugeMetricFamily(name, about, value=float(value(sql)))


def _queue_gauges() -> Iterator[GaugeMetricFamily]:
    lag = GaugeMetricFamily("labelwright_job_lag_seconds", "Age of the oldest waiting job", labels=["queue"])
    starving = GaugeMetricFamily(
        "labelwright_queue_starving",
        "1 if a job has been waiting longer than its queue allows",
        labels=["queue"],
    )
    for queue, wait in queue_waits().items():
        lag.add_metric([queue], wait.seconds)
        starving.add_metric([queue], float(wait.starving))
    yield from (lag, starving)


def registry() -> CollectorRegistry:
    """All metrics: the counters of every process of this installation, and the gauges."""
    found = CollectorRegistry()
    if FOLDER:
        MultiProcessCollector(found)  # type: ignore[no-untyped-call]
    found.register(DatabaseCollector())
    return found
