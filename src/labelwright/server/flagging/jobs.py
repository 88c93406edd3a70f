"""The jobs that flag submissions, in blocks: a job for each would serialise their commits."""

from __future__ import annotations

from datetime import datetime

from labelwright.server.flagging.actions.blocks import flag_block, flag_marked
from labelwright.server.flagging.actions.raters import compare_next_raters
from labelwright.server.store.queue import periodic

# Six fields, the last of them seconds.
EVERY_2_SECONDS = "* * * * * */2"
EVERY_10_MINUTES = "*/10 * * * *"


@periodic("flag_block", EVERY_2_SECONDS)
def flag(now: datetime) -> int:
    """Flags and tallies a block of submissions."""
    return flag_block(now)


@periodic("flag_again", EVERY_2_SECONDS)
def flag_again(now: datetime) -> int:
    """Runs the rules that look at others again, on a block of marked work."""
    return flag_marked(now)


@periodic("compare_raters", EVERY_10_MINUTES)
def compare_raters(now: datetime) -> int:
    """Compares the raters of one study with new work with each other."""
    return compare_next_raters(now)
