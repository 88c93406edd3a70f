"""The jobs that keep the lists of items and of raters."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.store.queue import periodic
from labelwright.server.tallies.actions.items import count_marked_items
from labelwright.server.tallies.actions.raters import count_marked_raters

# Six fields, the last of them seconds.
EVERY_2_SECONDS = "* * * * * */2"


@periodic("count_items", EVERY_2_SECONDS)
def count_items(now: datetime) -> int:
    """Counts a block of changed items again."""
    return count_marked_items()


@periodic("count_raters", EVERY_2_SECONDS)
def count_raters(now: datetime) -> int:
    """Counts a block of changed raters again."""
    return count_marked_raters()
