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
UNSURE, TOO_HIGH = 0.35, 0.2
HIGHEST = 0.5 * math.erfc((4.5 - CENTRE) / (SPREAD * math.sqrt(2)))
EXCESS = UNSURE * (3 - TRUTH) + (1 - UNSURE) * TOO_HIGH * (1 - HIGHEST)
"""How much higher the model scores them: 3 where it is unsure, else one point too high at times, if that is possible."""


@dataclass(frozen=True)
class Asked:
    """How a simulated study ended."""

    combined: MeanScore
    excess: MeanScore
    rated: int
    rounds: int
    stopped: bool
    """Whether it was certain enough before the rounds were used up."""


@dataclass(frozen=True)
class Tasks:
    """How items are grouped into tasks, which are drawn whole."""

    size: int = 1
    alike: float = 0.0
    """The correlation of the items of a task; above 0 if a task has the items of a dialogue."""

    @property
    def words(self) -> str:
        """The grouping in a few words."""
        return f"{self.size} of one dialogue" if self.alike else str(self.size)

    @property
    def of_item(self) -> np.ndarray:
        """The task of each item."""
        return np.arange(ITEMS) // self.size

    def scores(self, draw: np.random.Generator) -> np.ndarray:
        """What people say about each item, with the same distribution for every grouping."""
        together = draw.normal(size=ITEMS)[self.of_item] if self.alike else 0.0
        mixed = math.sqrt(self.alike) * together + math.sqrt(1 - self.alike) * draw.normal(size=ITEMS)
        return np.clip(np.round(CENTRE + SPREAD * mixed), 1, 5)


SINGLE = Tasks()


def ask_in_rounds(
    seed: int,
    wanted: float,
    most_rounds: int = 4,
    equal_share: float = EQUAL_SHARE,
    tasks: Tasks = SINGLE,
) -> Asked:
    """People rate a random tenth, and then what `choose_next` draws, until it says that the answer is certain enough.

    The model is right about most items, and hardly knows those that it gives the middle label.
    """
    draw = np.random.default_rng(seed)
    unsure = draw.random(ITEMS) < UNSURE
    truth = tasks.scores(draw)
    model = np.where(unsure, 3.0, np.clip(truth + (draw.random(ITEMS) < TOO_HIGH), 1, 5))
    # A name begins with the task.
    names = tuple(f"t{task:04}/{n}" for n, task in enumerate(tasks.of_item))
    probability = np.full(ITEMS, FIRST_SHARE)
    rated = (draw.random(ITEMS) < FIRST_SHARE)[tasks.of_item]
    dialogues = tasks.of_item if tasks.alike else np.arange(ITEMS)
    for rounds in range(most_rounds):
        evidence = _evidence(rated, truth, model, probability, dialogues)
        gathered = Gathered("m", evidence, names, ("all",) * ITEMS, 0)
        choice = choose_next(gathered, wanted, seed=seed, equal_share=equal_share, item_of=_task_of)
        if choice.certain_enough:
            found = estimate_mean(evidence)
            return Asked(found.combined, found.excess, int(rated.sum()), rounds, True)
        if not choice.probabilities:
            # People have rated everything.
            break
        probability = np.array([each.probability for each in choice.probabilities])[tasks.of_item]
        chosen = {each.item for each in choice.items}
        rated = rated | np.array([_task_of(name) in chosen for name in names])
    found = estimate_mean(_evidence(rated, truth, model, probability, dialogues))
    return Asked(found.combined, found.excess, int(rated.sum()), most_rounds, False)


def _task_of(name: str) -> str:
    return name.split("/", maxsplit=1)[0]


def _evidence(
    rated: np.ndarray, truth: np.ndarray, model: np.ndarray, probability: np.ndarray, dialogues: np.ndarray
) -> Evidence:
    which = np.flatnonzero(rated)
    return Evidence(which, None, truth[which], model, dialogues, (1.0, 5.0), probability)
