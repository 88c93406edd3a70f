"""The job that deletes what studies no longer need."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.profiles.actions.retention import apply_retention
from labelwright.server.store.queue import periodic

EVERY_NIGHT = "23 3 * * *"


@periodic("apply_retention", EVERY_NIGHT)
def delete_old_data(now: datetime) -> int:
    """Deletes a block of data that are older than the study's policy allows."""
    return apply_retention(now)
