"""Bias probes: a reply is changed in one respect that should not matter, and judged again.

Every probe is a mean of differences, one for each pair or item, with a t interval; the same is computed from people's
labels where they judged both forms. Before anything is sent, `propose_calls` says how many calls a probe needs to find
a bias of a given size in 95% of cases.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
import scipy

from labelwright.agreement import Floats, Interval, Ints
from labelwright.judging.errors import TooFew

ProbeKind: TypeAlias = Literal["order", "length", "own_family", "verbosity", "scale_position", "repetition"]
Numbers: TypeAlias = Sequence[float] | np.ndarray
Presence: TypeAlias = Literal["present", "undecided", "absent"]

SMALLEST = 0.1
"""The bias that a probe should find: a tenth of the answers, or a tenth of a point."""
LEVEL = 0.95
POWER = 0.965
"""A little more than 95%, because a variance is only known after the answers."""
WIDEST = 0.6
"""The variance of a difference if a judge answers as if by tossing a coin each time, and has the bias as well."""
FEWEST = 30

DESCRIPTIONS: dict[ProbeKind, str] = {
    "order": "How much more often the candidate shown first is preferred, when each pair is shown in both orders.",
    "length": "Points for a reply that was lengthened without new content.",
    "own_family": "Points for replies of the judge's own model family, beyond those that people give them.",
    "verbosity": "Points for every 100 words more, over replies as they are.",
    "scale_position": "Points when the scale is shown in reverse order.",
    "repetition": "How often the answer changes if the same is asked twice.",
}


@dataclass(frozen=True)
class Bias:
    """A mean difference with its interval."""

    value: float
    interval: Interval
    n: int

    def times(self, factor: float) -> Bias:
        """The same in another unit, such as points for 30 words instead of 100."""
        low, high = sorted((self.interval.low * factor, self.interval.high * factor))
        return Bias(self.value * factor, replace(self.interval, low=low, high=high), self.n)


@dataclass(frozen=True)
class ProbeResult:
    """What a probe found, beside people's own bias on the same items if it is known."""

    kind: ProbeKind
    judge: Bias
    people: Bias | None = None
    smallest: float = SMALLEST

    @property
    def presence(self) -> Presence:
        """Present if the interval leaves out 0; absent if it leaves out a bias of the size looked for."""
        interval = self.judge.interval
        if interval.low > 0 or interval.high < 0:
            return "present"
        return "absent" if max(abs(interval.low), abs(interval.high)) < self.smallest else "undecided"


@dataclass(frozen=True)
class ProposedCalls:
    """How many calls a probe needs, and what they cost."""

    kind: ProbeKind
    pairs: int
    calls: int
    smallest: float
    cents: int | None = None

    @property
    def sentence(self) -> str:
        """The proposal in words."""
        cost = f" They cost about {self.cents / 100:.2f}." if self.cents is not None else ""
        return (
            f"{self.calls:,} calls ({self.pairs:,} items, each judged twice) find a bias of {self.smallest:g} in 95% of "
            f"cases.{cost}"
        )


def propose_calls(
    kind: ProbeKind,
    smallest: float = SMALLEST,
    variance: float = WIDEST,
    cents_per_call: float | None = None,
) -> ProposedCalls:
    """How many calls are needed. `variance` is that of a difference, if a pilot has shown it.

    >>> propose_calls("order").calls
    1708
    """
    pairs = max(FEWEST, math.ceil(_reach() ** 2 * variance / smallest**2))
    cents = None if cents_per_call is None else math.ceil(2 * pairs * cents_per_call)
    return ProposedCalls(kind, pairs, 2 * pairs, smallest, cents)


def smallest_found(pairs: int, variance: float = WIDEST) -> float:
    """The bias that so many pairs find in 95% of cases; the inverse of `propose_calls`.

    >>> round(smallest_found(propose_calls("order", 0.2).pairs), 2)
    0.2
    """
    return _reach() * math.sqrt(variance / pairs) if pairs else math.inf


def _reach() -> float:
    return float(scipy.stats.norm.ppf(0.5 + LEVEL / 2) + scipy.stats.norm.ppf(POWER))


def mean_bias(differences: Numbers, cluster: Ints | None = None) -> Bias:
    """The mean difference with a t interval; differences of one cluster belong together.

    Raises TooFew for fewer than thirty. If all differences are the same, the interval is that of so many
    answers without a change.
    """
    values = np.asarray(differences, dtype=float)
    groups = np.arange(len(values)) if cluster is None else np.unique(cluster, return_inverse=True)[1]
    units = int(groups.max(initial=-1)) + 1
    if units < FEWEST:
        raise TooFew(
            f"there are {units} items.", expected=f"at least {FEWEST}; {FEWEST - units} more would do."
        )
    mean = float(values.mean())
    sums = np.bincount(groups, values - mean)
    error = math.sqrt(float((sums**2).sum()) * units / (units - 1)) / len(values)
    if error < 1e-12:
        error = 1 / units
    half = float(scipy.stats.t.ppf(0.5 + LEVEL / 2, units - 1)) * error
    return Bias(mean, Interval(mean - half, mean + half, LEVEL, "items", 0, 0), len(values))


def order_bias(first: Numbers, swapped: Numbers) -> Bias:
    """How much more often the candidate shown first wins.

    Both lists hold, for each pair, 1 if the candidate shown first was preferred, 0 if the second was, and 0.5 for a
    tie; `swapped` is about the same pairs in the other order. Without a bias, their sum is 1 on average.
    """
    return mean_bias(np.asarray(first, dtype=float) + np.asarray(swapped, dtype=float) - 1)


def paired_bias(original: Numbers, changed: Numbers, cluster: Ints | None = None) -> Bias:
    """How many points more the changed form gets: for length and the position on a scale."""
    return mean_bias(np.asarray(changed, dtype=float) - np.asarray(original, dtype=float), cluster)


def repetition_bias(once: Sequence[object], again: Sequence[object]) -> Bias:
    """How often the answer changes if the same is asked twice."""
    return mean_bias([float(one != other) for one, other in zip(once, again, strict=True)])


def family_bias(judge: Numbers, people: Numbers, own: Numbers, cluster: Ints | None = None) -> Bias:
    """How many points the judge gives its own family beyond what people give it, on the same items."""
    beyond = np.asarray(judge, dtype=float) - np.asarray(people, dtype=float)
    return slope_bias(beyond, np.asarray(own, dtype=float), cluster)


def verbosity_bias(score: Numbers, words: Numbers, cluster: Ints | None = None) -> Bias:
    """How many points more a reply gets for every 100 words, over replies as they are."""
    return slope_bias(np.asarray(score, dtype=float), np.asarray(words, dtype=float) / 100, cluster)


def slope_bias(value: Floats, by: Floats, cluster: Ints | None = None) -> Bias:
    """The slope of a least-squares line, with a standard error that allows for unequal variances and clusters."""
    centred = by - by.mean()
    spread = float((centred**2).sum())
    if len(value) < FEWEST or spread == 0:
        raise TooFew(
            f"there are {len(value)} items, or they do not differ in what is probed.",
            expected=f"at least {FEWEST} items that differ.",
        )
    slope = float((centred * value).sum()) / spread
    rest = value - value.mean() - slope * centred
    groups = np.arange(len(value)) if cluster is None else np.unique(cluster, return_inverse=True)[1]
    sums = np.bincount(groups, centred * rest)
    units = len(sums)
    error = math.sqrt(float((sums**2).sum()) * units / max(units - 2, 1)) / spread
    half = float(scipy.stats.t.ppf(0.5 + LEVEL / 2, max(units - 2, 1))) * error
    return Bias(slope, Interval(slope - half, slope + half, LEVEL, "items", 0, 0), len(value))
