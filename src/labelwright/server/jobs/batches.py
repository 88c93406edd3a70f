"""Batches are released at their times and closed at their deadlines."""

from __future__ import annotations

from datetime import UTC, datetime

from labelwright.server.actions.batches import turn_calendar
from labelwright.server.queue import app

# Six fields, the last of them seconds.
EVERY_10_SECONDS = "* * * * * */10"


@app.periodic(cron=EVERY_10_SECONDS)
@app.task(name="turn_calendar", queueing_lock="turn_calendar")
def turn(timestamp: int) -> None:  # noqa: ARG001  procrastinate tells when it was due
    """Every few seconds; what was missed while no worker ran is made up for."""
    turn_calendar(datetime.now(UTC))
