"""The job that flags and tallies submissions, in blocks: a job for each would serialise their commits."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.review.actions.flags import flag_block
from labelwright.server.store.queue import periodic

# Six fields, the last of them seconds.
EVERY_2_SECONDS = "* * * * * */2"


@periodic("flag_block", EVERY_2_SECONDS)
def flag(now: datetime) -> int:
    """Flags and tallies a block of submissions."""
    return flag_block(now)
