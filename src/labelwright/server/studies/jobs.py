"""Jobs of studies: batches are released and closed, later stages are opened, and withdrawn studies are deleted."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.store.queue import periodic
from labelwright.server.studies.actions.calendar import update_calendar
from labelwright.server.studies.actions.deletion import delete_withdrawn
from labelwright.server.studies.actions.stages import advance_all

# Six fields, the last of them seconds.
EVERY_10_SECONDS = "* * * * * */10"
EVERY_MINUTE = "* * * * *"


@periodic("update_calendar", EVERY_10_SECONDS)
def update(now: datetime) -> int:
    """Releases and closes batches, including those that were due while no worker ran."""
    change = update_calendar(now)
    return change.opened + change.closed


@periodic("advance_stages", EVERY_10_SECONDS)
def advance(now: datetime) -> int:
    """Opens later stages whose items are ready."""
    return advance_all(now)


@periodic("delete_withdrawn", EVERY_MINUTE)
def delete(now: datetime) -> int:
    """Deletes studies that were withdrawn and whose deletion was interrupted."""
    return delete_withdrawn()
