"""The job that puts work into the review queue, in blocks: a job for each task would serialise their commits."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.review.actions.queue import queue_marked_work
from labelwright.server.store.queue import periodic

# Six fields, the last of them seconds.
EVERY_2_SECONDS = "* * * * * */2"


@periodic("queue_for_review", EVERY_2_SECONDS)
def queue_for_review(now: datetime) -> int:
    """Puts a block of checked work into the review queue."""
    return queue_marked_work()
