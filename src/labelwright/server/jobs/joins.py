"""From which network somebody joined is forgotten, even as a hash, once it limits nothing any more."""

from __future__ import annotations

from datetime import UTC, datetime

from labelwright.server.actions.joins import forget_joins
from labelwright.server.queue import app

EVERY_10_MINUTES = "*/10 * * * *"


@app.periodic(cron=EVERY_10_MINUTES)
@app.task(name="forget_joins", queueing_lock="forget_joins")
def forget(timestamp: int) -> None:  # noqa: ARG001  procrastinate tells when it was due
    """Every few minutes."""
    forget_joins(datetime.now(UTC))
