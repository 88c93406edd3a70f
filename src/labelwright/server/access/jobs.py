"""The job that deletes old logins and sessions."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.access.actions.old_logins import delete_old_logins
from labelwright.server.store.queue import periodic

EVERY_10_MINUTES = "*/10 * * * *"


@periodic("delete_old_logins", EVERY_10_MINUTES)
def delete_logins(now: datetime) -> int:
    """Deletes failed logins, logins and sessions that are over."""
    return delete_old_logins(now)
