"""Jobs of studies: batches are released and closed, and later stages are opened."""

from __future__ import annotations

from datetime import UTC, datetime

from labelwright.server.store.queue import app
from labelwright.server.studies.actions.calendar import update_calendar
from labelwright.server.studies.actions.stages import advance_all

# Six fields, the last of them seconds.
EVERY_10_SECONDS = "* * * * * */10"
EVERY_MINUTE = "* * * * *"


@app.periodic(cron=EVERY_10_SECONDS)
@app.task(name="update_calendar", queueing_lock="update_calendar")
def update(timestamp: int) -> None:
    """Releases and closes batches, including those that were due while no worker ran."""
    update_calendar(datetime.now(UTC))


@app.periodic(cron=EVERY_MINUTE)
@app.task(name="advance_stages", queueing_lock="advance_stages")
def advance(timestamp: int) -> None:
    """Opens later stages whose items are ready; stages that are already open are left alone."""
    advance_all(datetime.now(UTC))
