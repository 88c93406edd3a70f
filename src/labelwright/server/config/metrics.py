"""Prometheus counters, shared between processes."""

from __future__ import annotations

import os
from pathlib import Path

# prometheus_client decides at import whether counts are shared between processes.
FOLDER = os.environ.get("LABELWRIGHT_METRICS_DIR")
if FOLDER:
    Path(FOLDER).mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = FOLDER

from prometheus_client import Counter  # noqa: E402

OFFERS = Counter("labelwright_offers", "Places leased to raters")
SAVES = Counter("labelwright_saves", "Drafts saved")
SUBMISSIONS = Counter("labelwright_submissions", "Tasks submitted and stored")
EXPIRIES = Counter("labelwright_leases_expired", "Expired leases that were released")
