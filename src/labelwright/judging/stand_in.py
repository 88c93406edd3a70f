"""Stand-in: may a model take the place of a person? The alternative annotator test.

Calderon, Reichart and Dror, "The Alternative Annotator Test for LLM-as-a-Judge" (ACL 2025). One person after the
other is left out. On the items that this person and others rated, it is counted how often the model comes at least as
close to the others as the person does, and the other way round. The model wins against the person if it falls behind
by less than epsilon, with the false discovery rate over all people held at 5% (Benjamini and Yekutieli 2001).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import scipy

from labelwright.agreement import Floats, Interval, Ints
from labelwright.judging.sides import Panel

Scoring: TypeAlias = Literal["accuracy", "neg_rmse"]
Result: TypeAlias = Literal["win", "undecided", "lose"]

EPSILONS = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}
"""The usual epsilon by what a person's label costs: the dearer people are, the more a model may fall behind."""
FEWEST_RATERS = 3
FEWEST_ITEMS = 30
FALSE_DISCOVERIES = 0.05
WINNING_RATE = 0.5
"""A model may stand in if it wins against at least this share of the people."""


@dataclass(frozen=True)
class ReplacedRater:
    """The model in the place of one person."""

    rater: str
    items: int
    advantage: float
    """The share of items on which the model is at least as close to the others as this person."""
    difference: float
    """The share of items on which the model is closer, minus the share on which this person is."""
    interval: Interval
    p: float
    result: Result


@dataclass(frozen=True)
class StandIn:
    """The test over all people. Without enough of them, `refused` says why, and what would do."""

    model: str
    scoring: Scoring
    epsilon: float
    raters: tuple[ReplacedRater, ...] = ()
    refused: str = ""

    @property
    def winning_rate(self) -> float:
        """The share of people against whom the model wins; nan if the test was refused."""
        return self.count("win") / len(self.raters) if self.raters else math.nan

    @property
    def advantage(self) -> float:
        """The mean over people of the share of items on which the model is at least as close as they are."""
        return float(np.mean([each.advantage for each in self.raters])) if self.raters else math.nan

    @property
    def passes(self) -> bool | None:
        """Whether the model may stand in for a person; None if the test was refused."""
        return None if self.refused else self.winning_rate >= WINNING_RATE

    def count(self, result: Result) -> int:
        """How many people have this result."""
        return sum(each.result == result for each in self.raters)

    @property
    def explanation(self) -> str:
        """What epsilon means here, in a sentence for readers."""
        return (
            f"Epsilon is {self.epsilon:g}: the model wins against a person if it is further from the others than this "
            f"person on at most {self.epsilon:.0%} more of the items than the other way round. It is the price put "
            "on a person's time: 0.2 is usual for experts, 0.15 for trained people, 0.1 for a crowd."
        )


def stand_in(panel: Panel, epsilon: float = EPSILONS["crowd"], scoring: Scoring | None = None) -> StandIn:
    """The alternative annotator test for one question.

    `scoring` is "accuracy" (the share of others with the same label) or "neg_rmse" (the distance to the others, for
    codes with an order); by default that which fits the codes.
    """
    numbers = panel.numbers
    how: Scoring = scoring or ("accuracy" if numbers is None else "neg_rmse")
    if panel.people.positions:
        why = (
            "Only the positions of ratings are known, not who gave them, and a position is not a person. "
            "The test needs to know which ratings come from the same rater."
        )
        return StandIn(panel.model, how, epsilon, refused=why)
    shared = shared_items(panel)
    tested = [rater for rater, items in enumerate(shared) if items >= FEWEST_ITEMS]
    if len(tested) < FEWEST_RATERS:
        return StandIn(panel.model, how, epsilon, refused=_too_few(shared))
    gains = [_gains(panel, rater, how) for rater in tested]
    p_values = [_p_value(gain, epsilon) for gain in gains]
    wins = _false_discoveries(p_values)
    found = [
        _left_out(panel.raters[rater], gain, p, won, epsilon)
        for rater, gain, p, won in zip(tested, gains, p_values, wins, strict=True)
    ]
    return StandIn(panel.model, how, epsilon, tuple(found))


def shared_items(panel: Panel) -> Ints:
    """For each rater, the number of items that the model judged and another person rated."""
    usable = _usable(panel)
    return np.bincount(panel.people.rater[usable], minlength=panel.people.raters)


def _usable(panel: Panel) -> np.ndarray:
    per_item = np.bincount(panel.people.item, minlength=panel.people.items)
    return np.asarray(panel.known & (per_item[panel.people.item] >= 2))


def _too_few(shared: Ints) -> str:
    best = sorted(shared.tolist(), reverse=True)[:FEWEST_RATERS]
    lacking = [FEWEST_ITEMS - items for items in best if items < FEWEST_ITEMS]
    new = FEWEST_RATERS - len(best)
    enough = len(best) - len(lacking)
    parts = []
    if lacking:
        more = (
            " and ".join(map(str, lacking))
            if len(lacking) < 3
            else f"{lacking[0]}, {lacking[1]} and {lacking[2]}"
        )
        parts.append(
            f"{more} more items of {'one rater' if len(lacking) == 1 else f'{len(lacking)} raters'}, "
            "each also rated by another person"
        )
    if new:
        parts.append(f"{FEWEST_ITEMS} such items of {'one more rater' if new == 1 else f'{new} more raters'}")
    return (
        f"The test needs {FEWEST_RATERS} raters with at least {FEWEST_ITEMS} items that the model judged and that another "
        f"person rated; {enough or 'none'} {'has' if enough == 1 else 'have'} so many. "
        f"This would do: {'; and '.join(parts)}."
    )


def _gains(panel: Panel, rater: int, scoring: Scoring) -> Ints:
    """For each item of a rater: 1 if the model is closer to the others, -1 if the rater is, 0 if both are as close."""
    people, usable = panel.people, _usable(panel)
    own = usable & (people.rater == rater)
    items = people.item[own]
    place = np.full(people.items, -1)
    place[items] = np.arange(len(items))
    others = usable & (people.rater != rater) & (place[people.item] >= 0)
    at, code = place[people.item[others]], people.code[others]
    rated = _closeness(people.code[own][at], code, at, len(items), panel, scoring)
    judged = _closeness(panel.judged[items][at], code, at, len(items), panel, scoring)
    # Sums of the same numbers in the same order are equal where they should be; rounding only guards the root.
    return np.sign(np.round(judged - rated, 12)).astype(np.int64)


def _closeness(given: Ints, others: Ints, at: Ints, items: int, panel: Panel, scoring: Scoring) -> Floats:
    count = np.bincount(at, minlength=items)
    if scoring == "accuracy":
        return np.asarray(np.bincount(at, given == others, minlength=items) / count)
    numbers = panel.numbers
    assert numbers is not None, "a distance needs codes with an order"
    squared = np.bincount(at, (numbers[given] - numbers[others]) ** 2, minlength=items)
    return np.asarray(-np.sqrt(squared / count))


def _p_value(gains: Ints, epsilon: float) -> float:
    """The one-sided t test of whether the model falls behind by epsilon or more."""
    behind, error = -float(gains.mean()), _error(gains)
    if error == 0:
        return float(behind >= epsilon)
    return float(scipy.stats.t.cdf((behind - epsilon) / error, len(gains) - 1))


def _error(gains: Ints) -> float:
    return float(gains.std(ddof=1) / math.sqrt(len(gains)))


def _false_discoveries(p_values: Sequence[float], level: float = FALSE_DISCOVERIES) -> list[bool]:
    """Which hypotheses are rejected if their p-values may depend on each other (Benjamini and Yekutieli 2001).

    >>> _false_discoveries([0.001, 0.2, 0.02])
    [True, False, False]
    """
    tests = len(p_values)
    order = np.argsort(p_values)
    bounds = np.arange(1, tests + 1) / tests * level / (1 / np.arange(1, tests + 1)).sum()
    below = np.flatnonzero(np.asarray(p_values)[order] <= bounds)
    rejected = set(order[: below[-1] + 1].tolist()) if len(below) else set()
    return [test in rejected for test in range(tests)]


def _left_out(rater: str, gains: Ints, p: float, won: bool, epsilon: float) -> ReplacedRater:
    middle = float(gains.mean())
    half = float(scipy.stats.t.ppf(0.975, len(gains) - 1)) * _error(gains)
    interval = Interval(max(-1.0, middle - half), min(1.0, middle + half), 0.95, "items", 0, 0)
    result: Result = "win" if won else "lose" if interval.high < -epsilon else "undecided"
    return ReplacedRater(rater, len(gains), float((gains >= 0).mean()), middle, interval, p, result)
