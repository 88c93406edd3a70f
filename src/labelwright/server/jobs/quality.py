"""Submissions are flagged and tallied in blocks, never one job each: a job's insert would serialise commits."""

from __future__ import annotations

from datetime import UTC, datetime

from labelwright.server.actions.quality import flag_block
from labelwright.server.queue import app

# Six fields, the last of them seconds.
EVERY_2_SECONDS = "* * * * * */2"


@app.periodic(cron=EVERY_2_SECONDS)
@app.task(name="flag_block", queueing_lock="flag_block")
def flag(timestamp: int) -> None:  # noqa: ARG001
    """Every few seconds, until no submission is left unflagged."""
    while flag_block(datetime.now(UTC)):
        pass
