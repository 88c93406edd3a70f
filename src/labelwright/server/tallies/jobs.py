"""The job that keeps the list of items."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.store.queue import periodic
from labelwright.server.tallies.actions.items import count_marked_items

# Six fields, the last of them seconds.
EVERY_2_SECONDS = "* * * * * */2"


@periodic("count_items", EVERY_2_SECONDS)
def count(now: datetime) -> int:
    """Counts a block of changed items again."""
    return count_marked_items()
