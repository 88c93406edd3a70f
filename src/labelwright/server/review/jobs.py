"""The jobs that flag and tally submissions and put them into the review queue, in blocks: a job for each would serialise
their commits."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.review.actions.flags import flag_block
from labelwright.server.review.actions.queue import queue_marked_work
from labelwright.server.store.queue import periodic

# Six fields, the last of them seconds.
EVERY_2_SECONDS = "* * * * * */2"


@periodic("flag_block", EVERY_2_SECONDS)
def flag(now: datetime) -> int:
    """Flags and tallies a block of submissions."""
    return flag_block(now)


@periodic("queue_for_review", EVERY_2_SECONDS)
def queue_for_review(now: datetime) -> int:
    """Puts a block of checked work into the review queue."""
    return queue_marked_work()
