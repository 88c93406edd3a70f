"""Later stages are opened once the items before them have their ratings."""

from __future__ import annotations

from datetime import UTC, datetime

from labelwright.server.actions.stages import advance_all
from labelwright.server.queue import app

EVERY_MINUTE = "* * * * *"


@app.periodic(cron=EVERY_MINUTE)
@app.task(name="advance_stages", queueing_lock="advance_stages")
def advance(timestamp: int) -> None:  # noqa: ARG001
    """Once a minute; what is opened already is left alone."""
    advance_all(datetime.now(UTC))
