"""Checks on times: ratings that are too fast, and times that were not measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from labelwright.agreement import Floats, Ints
from labelwright.analysis.audit.findings import Finding, first_few, some_sets
from labelwright.analysis.audit.label_sets import LabelSet, numbered
from labelwright.analysis.audit.plots import BarPlot, StripPlot

_FAST = 5
# Choosing between answers takes a person about half a second, without any reading.
_IMPOSSIBLE = 0.5
_LEVEL = 0.001
_FEWEST = 5
_MUCH_FASTER = 0.2


def fast_ratings(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Ratings that took less time than reading the text would."""
    times = _times(sets)
    fast = int((times < _FAST).sum())
    if len(times) and fast >= max(3, 0.01 * len(times)):
        yield Finding(
            "fast_ratings",
            "doubtful",
            some_sets([each.name for each in sets if np.isfinite(each.times).any()], len(sets)),
            f"{fast} of {len(times)} ratings took less than 5 seconds, the shortest {times.min():.1f}; the median is "
            f"{np.median(times):.1f} and the mean {np.mean(times):.1f}.",
            "Find out what the recorded time measures before you compute an hourly rate.",
            plot=_time_bars(times),
        )


def impossible_times(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Times that are negative or too short for any person."""
    times = _times(sets)
    bad = int((times < _IMPOSSIBLE).sum())
    if bad:
        by_rater = _by_rater(sets)
        worst = {
            name: float(np.mean(own < _IMPOSSIBLE))
            for name, own in by_rater.items()
            if (own < _IMPOSSIBLE).any()
        }
        names = sorted(worst, key=lambda name: -worst[name])
        # A few accidental clicks are not a sign of anything.
        severe = bad >= max(3, 0.001 * len(times))
        yield Finding(
            "impossible_times",
            "wrong" if severe else "note",
            some_sets([each.name for each in sets if np.isfinite(each.times).any()], len(sets)),
            f"{bad} of {len(times)} ratings took less than half a second, the shortest {times.min():.2f}.",
            "Check the unit of the times, and whether these ratings were given by a person.",
            {"raters": first_few(f"{name} ({worst[name]:.0%} of their ratings)" for name in names)}
            if names
            else {},
            BarPlot.of(
                "Raters", "share of ratings below half a second", {name: worst[name] for name in names}, names
            )
            if names
            else _time_bars(times),
        )


def fast_raters(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Raters whose median time is less than a fifth of the usual."""
    medians = {name: float(np.median(own)) for name, own in _by_rater(sets).items() if len(own) >= _FEWEST}
    if len(medians) < 3:
        return
    usual = float(np.median(list(medians.values())))
    fast = [name for name, value in medians.items() if value < _MUCH_FASTER * usual]
    if fast:
        yield Finding(
            "fast_rater",
            "doubtful",
            f"raters {first_few(fast)}",
            f"took {first_few(f'{medians[name]:.1f}' for name in fast)} seconds per rating (median), where {usual:.1f} is usual.",
            "Look at the work of these raters, and report the results with and without it.",
            plot=StripPlot.of("Each rater", "median seconds per rating", medians, fast, usual),
        )


def equal_times(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Times that are the same for all ratings of a set, or of a rater while those of others vary."""
    for each in sets:
        own = each.times[np.isfinite(each.times)]
        if len(own) >= _FEWEST and np.ptp(own) == 0:
            yield Finding(
                "equal_times",
                "doubtful",
                each.name,
                f"all {len(own)} times are {own[0]:g} seconds, so they were not measured for each rating.",
                "Do not report times or hourly rates from this column.",
                plot=_time_bars(own),
            )
    times, raters = _times(sets), _by_rater(sets)
    if not len(times) or np.ptp(times) == 0:
        return
    # The chance that all times of a rater are equal, if times were drawn from those of everybody.
    commonest = np.unique(times, return_counts=True)[1].max() / len(times)
    same = {
        name: own
        for name, own in raters.items()
        if len(own) >= _FEWEST and np.ptp(own) == 0 and commonest ** (len(own) - 1) * len(raters) < _LEVEL
    }
    if same:
        shown = first_few(f"{name} ({len(own)} times {own[0]:g} s)" for name, own in same.items())
        spreads = {name: float(np.std(own)) for name, own in raters.items() if len(own) >= _FEWEST}
        yield Finding(
            "equal_times",
            "doubtful",
            f"raters {first_few(same)}",
            f"all their times are equal: {shown}.",
            "Find out whether a script answered, or whether one time was recorded for a whole batch.",
            plot=StripPlot.of("Each rater", "standard deviation of times, in seconds", spreads, same, None),
        )


def unreadable_times(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Values in the column of times that are no numbers."""
    for each in sets:
        if each.odd_times:
            total = sum(each.odd_times.values())
            yield Finding(
                "unreadable_times",
                "doubtful",
                each.name,
                f"{total} of {len(each.item)} times are no numbers: {first_few(map(repr, each.odd_times), 3)}.",
                "Check the column of times. These values count as missing here.",
                plot=BarPlot.of("Values", "number of ratings", each.odd_times, each.odd_times),
            )


def time_unit(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Times that are probably milliseconds."""
    times = _times(sets)
    if len(times) >= _FEWEST and np.median(times) > 1000 and (times == np.round(times)).all():
        yield Finding(
            "time_unit",
            "doubtful",
            some_sets([each.name for each in sets if np.isfinite(each.times).any()], len(sets)),
            f"the median time is {np.median(times):,.0f}, and all times are whole numbers: they are probably milliseconds.",
            "Divide the times by 1,000, or confirm that they are seconds.",
            plot=_time_bars(times),
        )


def _times(sets: Sequence[LabelSet]) -> Floats:
    times = np.concatenate([each.times for each in sets] or [np.zeros(0)])
    return np.asarray(times[np.isfinite(times)])


def _by_rater(sets: Sequence[LabelSet]) -> dict[str, Floats]:
    """The times of each rater over all sets."""
    known = [each for each in sets if each.rater is not None and each.seconds is not None]
    if not known:
        return {}
    names, rater = numbered([name for each in known for name in each.rater or ()])
    times = np.concatenate([each.times for each in known])
    return {
        name: own for name, own in zip(names, _grouped(times, rater, len(names)), strict=True) if len(own)
    }


def _grouped(values: Floats, group: Ints, groups: int) -> list[Floats]:
    kept = np.isfinite(values)
    order = np.argsort(group[kept], kind="stable")
    sizes = np.bincount(group[kept], minlength=groups)
    return np.split(values[kept][order], np.cumsum(sizes)[:-1])


def _time_bars(times: Floats) -> BarPlot:
    edges = [-np.inf, 1, 2, 5, 10, 20, 30, 60, 120, 300, np.inf]
    names = [
        "below 1",
        "1 to 2",
        "2 to 5",
        "5 to 10",
        "10 to 20",
        "20 to 30",
        "30 to 60",
        "60 to 120",
        "120 to 300",
        "300 or more",
    ]
    counts = np.histogram(times, edges)[0]
    return BarPlot.of("Seconds", "number of ratings", dict(zip(names, counts, strict=True)), names[:3])
