"""Exclusion by condition: raters differ in how much of their work is excluded, and items in how easily they cause it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import expit

from bench.calibration.rows import Outcome, Simulate, coverage, power, size
from labelwright.agreement import Floats
from labelwright.analysis.comparing.exclusion import Exclusion, exclusion_by_condition
from labelwright.seeds import generator

EQUAL = "no condition is excluded more than another"
HARDER = "a rule that hits one condition harder"
OTHERS = "other items and raters"
TRUTH_DRAWS = 400_000


@dataclass(frozen=True)
class Study:
    """Every item is rated in every condition. Effects are on the scale of log odds."""

    odds: tuple[float, ...]
    """Of exclusion in each condition, for an average rater and item."""
    items: int
    raters: int
    ratings: int = 3
    """Per item and condition, each of a different rater."""
    by_rater: float = 1.5
    """How much raters differ: some hurry all the time."""
    by_item: float = 0.5
    between: bool = False
    """Whether each rater works in one condition only."""

    def draw(self, rng: np.random.Generator) -> Exclusion:
        """What the product says about one data set."""
        item, condition = (
            each.ravel()
            for each in np.meshgrid(np.arange(self.items), np.arange(len(self.odds)), indexing="ij")
        )
        who = np.array([self._raters(rng, each) for each in condition])
        hurry, ease = rng.normal(0, self.by_rater, self.raters), rng.normal(0, self.by_item, self.items)
        odds = np.array(self.odds)[condition][:, None] + hurry[who] + ease[item][:, None]
        gone = rng.random(who.shape) < expit(odds)
        repeated = np.repeat(condition, self.ratings)
        return exclusion_by_condition(
            [f"C{each}" for each in repeated],
            gone.ravel().tolist(),
            np.repeat(item, self.ratings).tolist(),
            who.ravel().tolist(),
        )

    def _raters(self, rng: np.random.Generator, condition: int) -> Floats:
        own = np.arange(self.raters)
        if self.between:
            own = own[own % len(self.odds) == condition]
        return rng.choice(own, self.ratings, replace=False)


@cache
def true_share(study: Study) -> float:
    """The share of the first condition that is excluded, over all raters and items."""
    rng = generator(1, "calibration", "excluded share", study.odds[0], study.by_rater, study.by_item)
    spread = np.hypot(study.by_rater, study.by_item)
    return float(expit(study.odds[0] + rng.normal(0, spread, TRUTH_DRAWS)).mean())


def _difference_found(study: Study) -> Simulate:
    def simulate(rng: np.random.Generator) -> Outcome:
        return Outcome(bool(study.draw(rng).differing))

    return simulate


def _covered(study: Study) -> Simulate:
    def simulate(rng: np.random.Generator) -> Outcome:
        interval = study.draw(rng).conditions[0].share.interval
        return Outcome(None if interval is None else interval.low <= true_share(study) <= interval.high)

    return simulate


_SIZES = {
    "2 conditions, 60 items, 30 raters in both": Study((-2.0, -2.0), 60, 30),
    "2 conditions, 60 items, 60 raters in one each": Study((-2.0, -2.0), 60, 60, between=True),
    "4 conditions, 60 items, 30 raters in all": Study((-2.0,) * 4, 60, 30),
    "2 conditions, 200 items, 15 raters in both": Study((-1.0, -1.0), 200, 15),
}
for _name, _study in _SIZES.items():
    size(f"exclusion, {_name}", EQUAL)(_difference_found(_study))
    coverage(f"excluded share, {_name}", OTHERS)(_covered(_study))
power("exclusion, 2 conditions, 60 items, 30 raters in both, 30% against 15%", HARDER)(
    _difference_found(Study((-1.2, -2.5), 60, 30))
)
