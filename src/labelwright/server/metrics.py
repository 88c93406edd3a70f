"""What the server did, counted across processes, and how it stands, read from the database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

# prometheus_client decides at import whether counts are shared between processes.
_FOLDER = os.environ.get("LABELWRIGHT_METRICS_DIR")
if _FOLDER:
    Path(_FOLDER).mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = _FOLDER

from prometheus_client import CollectorRegistry, Counter  # noqa: E402
from prometheus_client.core import GaugeMetricFamily  # noqa: E402
from prometheus_client.multiprocess import MultiProcessCollector  # noqa: E402
from prometheus_client.registry import Collector  # noqa: E402

OFFERS = Counter("labelwright_offers", "Places handed to raters")
SAVES = Counter("labelwright_saves", "Drafts saved")
SUBMISSIONS = Counter("labelwright_submissions", "Tasks handed in and stored")
EXPIRIES = Counter("labelwright_leases_expired", "Leases that ran out and were taken away")

GAUGES = {
    "labelwright_leases_open": (
        "Places held by raters now",
        "SELECT count(*) FROM assignment WHERE state = 'open'",
    ),
    "labelwright_leases_lapsed": (
        "Leases that ran out and wait to be taken away",
        "SELECT count(*) FROM assignment WHERE state = 'open' AND lease_until < now()",
    ),
    "labelwright_submissions_unflagged": (
        "Submissions that no rule has looked at yet",
        "SELECT count(*) FROM assignment WHERE unflagged",
    ),
    "labelwright_job_lag_seconds": (
        "Age of the oldest job that waits",
        """SELECT coalesce(extract(epoch FROM now() - min(coalesce(j.scheduled_at, e.at))), 0)
           FROM procrastinate_jobs j
           JOIN LATERAL (SELECT min(at) AS at FROM procrastinate_events WHERE job_id = j.id) e ON true
           WHERE j.status = 'todo' AND coalesce(j.scheduled_at, e.at) <= now()""",
    ),
    "labelwright_jobs_failed": (
        "Jobs that failed and stay for a look",
        "SELECT count(*) FROM procrastinate_jobs WHERE status = 'failed'",
    ),
    "labelwright_workers_alive": (
        "Workers heard of in the last minute",
        "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '1 minute'",
    ),
}


class DatabaseCollector(Collector):
    """Gauges that are the same whichever process is asked."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Each gauge by its query."""
        from labelwright.server.store.rows import rows  # noqa: PLC0415  actions count here, before Django is ready

        for name, (about, sql) in GAUGES.items():
            yield GaugeMetricFamily(name, about, value=float(rows(sql)[0][0]))


def registry() -> CollectorRegistry:
    """All metrics: the counts of every process of this installation, and the gauges."""
    found = CollectorRegistry()
    if _FOLDER:
        MultiProcessCollector(found)  # type: ignore[no-untyped-call]
    found.register(DatabaseCollector())
    return found
