"""The job that releases lapsed leases."""

from __future__ import annotations

from datetime import UTC, datetime

from labelwright.server.offering.actions.leases import expire_leases
from labelwright.server.store.queue import app

# Six fields, the last of them seconds.
EVERY_5_SECONDS = "* * * * * */5"


@app.periodic(cron=EVERY_5_SECONDS)
@app.task(name="expire_leases", queueing_lock="expire_leases")
def expire(timestamp: int) -> None:
    """Releases lapsed leases until none is left."""
    while expire_leases(datetime.now(UTC)):
        pass
