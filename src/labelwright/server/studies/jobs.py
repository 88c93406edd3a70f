"""Jobs of studies: batches are released and closed, and later stages are opened."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.store.queue import periodic
from labelwright.server.studies.actions.calendar import update_calendar
from labelwright.server.studies.actions.stages import advance_all

# Six fields, the last of them seconds.
EVERY_10_SECONDS = "* * * * * */10"


@periodic("update_calendar", EVERY_10_SECONDS)
def update(now: datetime) -> int:
    """Releases and closes batches, including those that were due while no worker ran."""
    change = update_calendar(now)
    return change.opened + change.closed


@periodic("advance_stages", EVERY_10_SECONDS)
def advance(now: datetime) -> int:
    """Opens later stages whose items are ready."""
    return advance_all(now)
