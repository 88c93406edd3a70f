"""The job that flags and tallies submissions, in blocks: a job for each would serialise their commits."""

from __future__ import annotations

from datetime import UTC, datetime

from labelwright.server.review.actions.flags import flag_block
from labelwright.server.store.queue import app

# Six fields, the last of them seconds.
EVERY_2_SECONDS = "* * * * * */2"


@app.periodic(cron=EVERY_2_SECONDS)
@app.task(name="flag_block", queueing_lock="flag_block")
def flag(timestamp: int) -> None:
    """Flags submissions until none is left."""
    while flag_block(datetime.now(UTC)):
        pass
