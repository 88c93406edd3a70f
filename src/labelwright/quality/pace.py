"""Pace: durations counted in steps of 5%, from which a median is known whatever their number."""

from __future__ import annotations

import math
from collections.abc import Mapping

from labelwright.quality.rules import PoolPace

_STEP = math.log(1.05)
_SHORTEST = 0.1


def pace_step(seconds: float) -> int:
    """The step of a duration.

    >>> pace_step(60), pace_step(61), pace_step(66)
    (83, 84, 85)
    """
    return math.floor(math.log(max(seconds, _SHORTEST)) / _STEP)


def pace_of(steps: Mapping[int, int]) -> PoolPace:
    """The pace from the number of tasks in each step; the median is right within 2.5%.

    >>> pace_of({80: 10, 90: 11}).tasks
    21
    >>> 80 < pace_of({80: 10, 90: 11}).median_seconds < 84
    True
    """
    tasks, passed = sum(steps.values()), 0
    for step in sorted(steps):
        passed += steps[step]
        if 2 * passed >= tasks:
            return PoolPace(tasks, math.exp(_STEP * (step + 0.5)))
    return PoolPace(0, 0.0)
