"""People are sent to items in rounds, by recorded probabilities, until the answer is certain enough."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from labelwright.judging import Evidence, MeanScore, choose_next, estimate_mean
from labelwright.judging.choice import EQUAL_SHARE
from labelwright.judging.comparison import Gathered

ITEMS = 500
FIRST_SHARE = 0.1
CENTRE, SPREAD = 3.4, 1.1
# The mean of a normal variable that is rounded and kept between 1 and 5: it is above k - 0.5 for each k that it reaches.
TRUTH = 1 + sum(0.5 * math.erfc((k - 0.5 - CENTRE) / (SPREAD * math.sqrt(2))) for k in range(2, 6))
"""The mean score of all items that could have been drawn, for which the interval is."""


@dataclass(frozen=True)
class Asked:
    """How a simulated study ended."""

    combined: MeanScore
    rated: int
    rounds: int
    stopped: bool
    """Whether it was certain enough before the rounds were used up."""


def ask_in_rounds(seed: int, wanted: float, most_rounds: int = 4, equal_share: float = EQUAL_SHARE) -> Asked:
    """People rate a random tenth, and then what `choose_next` draws, until it says that the answer is certain enough.

    The model is right about most items, and hardly knows those that it gives the middle label.
    """
    draw = np.random.default_rng(seed)
    unsure = draw.random(ITEMS) < 0.35
    truth = np.clip(np.round(CENTRE + SPREAD * draw.normal(size=ITEMS)), 1, 5)
    model = np.where(unsure, 3.0, np.clip(truth + (draw.random(ITEMS) < 0.2), 1, 5))
    names = tuple(f"i{n:04}" for n in range(ITEMS))
    probability = np.full(ITEMS, FIRST_SHARE)
    rated = draw.random(ITEMS) < FIRST_SHARE
    for rounds in range(most_rounds):
        evidence = _evidence(rated, truth, model, probability)
        gathered = Gathered("m", evidence, names, ("all",) * ITEMS, 0)
        choice = choose_next(gathered, wanted, seed=seed, equal_share=equal_share)
        if choice.certain_enough:
            return Asked(estimate_mean(evidence).combined, int(rated.sum()), rounds, True)
        probability = np.array([each.probability for each in choice.probabilities])
        rated = rated | np.isin(names, [each.item for each in choice.items])
    found = estimate_mean(_evidence(rated, truth, model, probability))
    return Asked(found.combined, int(rated.sum()), most_rounds, False)


def _evidence(rated: np.ndarray, truth: np.ndarray, model: np.ndarray, probability: np.ndarray) -> Evidence:
    which = np.flatnonzero(rated)
    return Evidence(which, None, truth[which], model, np.arange(ITEMS), (1.0, 5.0), probability)
