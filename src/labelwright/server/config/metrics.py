"""Prometheus counters and histograms, shared between processes."""

from __future__ import annotations

import os
from pathlib import Path

# prometheus_client decides at import whether counts are shared between processes.
FOLDER = os.environ.get("LABELWRIGHT_METRICS_DIR")
if FOLDER:
    Path(FOLDER).mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = FOLDER

from prometheus_client import Counter, Histogram  # noqa: E402

OFFERS = Counter("labelwright_offers", "Places leased to raters")
SAVES = Counter("labelwright_saves", "Drafts saved")
SUBMISSIONS = Counter("labelwright_submissions", "Tasks submitted and stored")
EXPIRIES = Counter("labelwright_leases_expired", "Expired leases that were released")
REQUEST_SECONDS = Histogram(
    "labelwright_request_seconds",
    "Time from the request to the start of its response",
    ["route", "audience"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
SERVER_ERRORS = Counter(
    "labelwright_server_errors", "Responses with a status of 500 or more", ["route", "audience", "status"]
)
