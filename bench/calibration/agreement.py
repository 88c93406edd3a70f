"""Intervals of agreement measures, over ratings of items that belong to latent classes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from bench.calibration.rows import Outcome, coverage
from labelwright.agreement import Bootstrap, Ratings, get_measure
from labelwright.seeds import generator

THESE_RATERS = "these raters, other items"
TRUTH_ITEMS = 400_000


@dataclass(frozen=True)
class Crowd:
    """Raters who give an item's true code with their own accuracy, and otherwise any code by prevalence."""

    prevalence: tuple[float, ...]
    accuracy: tuple[float, ...]
    """One per rater."""

    def ratings(self, rng: np.random.Generator, items: int) -> Ratings:
        """Ratings of new items by all raters."""
        shape = (items, len(self.accuracy))
        guess = rng.choice(len(self.prevalence), size=shape, p=self.prevalence)
        true = rng.choice(len(self.prevalence), size=(items, 1), p=self.prevalence)
        code = np.where(rng.random(shape) < self.accuracy, true, guess)
        item, rater = np.indices(shape).reshape(2, -1)
        return Ratings(item, rater, code.ravel(), tuple(range(len(self.prevalence))), *shape)


@cache
def truth(crowd: Crowd, measure: str) -> float:
    """The value of the measure for these raters and very many items."""
    return get_measure(measure)(crowd.ratings(generator(0, "truth"), TRUTH_ITEMS), None).value


def _covers(crowd: Crowd, measure: str, items: int, rng: np.random.Generator) -> Outcome:
    found = get_measure(measure)(crowd.ratings(rng, items), Bootstrap(seed=int(rng.integers(2**32))))
    if found.interval is None:
        return Outcome(None)
    return Outcome(found.interval.low <= truth(crowd, measure) <= found.interval.high)


for _measure in ("percentage", "fleiss_kappa", "alpha_nominal"):
    for _items in (20, 41, 100):

        @coverage(f"{_measure}, {_items} items, 3 raters, 90/10", THESE_RATERS)
        def _(rng: np.random.Generator, measure: str = _measure, items: int = _items) -> Outcome:
            return _covers(Crowd((0.9, 0.1), (0.8, 0.7, 0.6)), measure, items, rng)
