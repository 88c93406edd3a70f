"""The job that releases lapsed leases."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.offering.actions.leases import expire_leases
from labelwright.server.store.queue import periodic

# Six fields, the last of them seconds.
EVERY_5_SECONDS = "* * * * * */5"


@periodic("expire_leases", EVERY_5_SECONDS)
def expire(now: datetime) -> int:
    """Releases a block of lapsed leases."""
    return expire_leases(now)
