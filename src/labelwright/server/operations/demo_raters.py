"""The simulated raters of the demo, who have worked during the last days."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from labelwright.server.rehearsal.actions import join_rehearsal, live_fast, run_periodic
from labelwright.server.results.jobs import compute_figures
from labelwright.simulate import Behaviour, End, Timeline, crowd, default_behaviour
from labelwright.simulate.distributions import ValueDistribution

DAYS = 5
"""How long the demo study has been open, so that simulated raters can have worked on several days."""
MIX = {"careful": 75.0, "hasty": 15.0, "random": 10.0}
WORKING_HOURS = 14.0
LAST_ARRIVAL_HOURS = 24 * DAYS - (24 - WORKING_HOURS) - 1
"""Raters who arrive at night begin in the morning; all have arrived, and have had an hour to work, by now."""


def simulate_past(name: str, size: int, now: datetime, watch: Callable[[int], None]) -> int:
    """Lets simulated raters work on a loaded study during the last days; how many tasks they submitted.

    Everything is stored at simulated times, so that pages show believable times and pay. `watch` is called with the
    number of tasks after each one. The first link of the study is left to the person who tries it.
    """
    opened = now - timedelta(days=DAYS)
    joined = join_rehearsal(name, size + 1, opened)
    others = replace(joined, links=joined.links[1:], pseudonyms=joined.pseudonyms[1:])
    life = Timeline(crowd(size, MIX, 1, _behaviour()), opened)
    life.watch = lambda _: watch(len(life.worked))
    live_fast(life, others, until=now)
    run_periodic(now)
    compute_figures(joined.row)
    return sum(work.end is End.STORED for work in life.worked)


def _behaviour() -> Behaviour:
    """Raters who arrive all through the last days, and of whom nobody leaves."""
    usual = default_behaviour().steady()
    hours = usual.hours.model_copy(update={"length": ValueDistribution(constant=WORKING_HOURS)})
    arrives = ValueDistribution(uniform=(0, LAST_ARRIVAL_HOURS))
    return usual.model_copy(update={"arrives_hours": arrives, "hours": hours})
