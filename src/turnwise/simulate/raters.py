"""How a simulated rater answers: what they see of the truth, how often they err, how long they take."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from turnwise import seeds

REMARKS = ("It does not fit what was asked.", "I would have to ask again.", "Clear and to the point.")


class Kind(enum.StrEnum):
    """The sort of rater that is simulated."""

    CAREFUL = "careful"
    HASTY = "hasty"
    STRAIGHTLINER = "straightliner"
    RANDOM = "random"


RIGHT = {Kind.CAREFUL: 0.8, Kind.HASTY: 0.5, Kind.STRAIGHTLINER: 0.0, Kind.RANDOM: 0.0}
"""How often each kind of rater sees the truth."""
SECONDS = {Kind.CAREFUL: 4.0, Kind.HASTY: 0.8, Kind.STRAIGHTLINER: 1.2, Kind.RANDOM: 2.0}
"""Median seconds for a task, of a rater who is in a hurry to show the demo."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it stands on the page."""

    position: int
    name: str
    type: str
    codes: tuple[int, ...] = ()


class SimulatedRater:
    """A rater of a kind; the same seed and name always behave alike."""

    def __init__(self, kind: Kind, name: str, seed: int) -> None:
        self.kind = kind
        self.seed = seed
        self._random = seeds.generator(seed, "rater", name)

    def seconds(self) -> float:
        """How long the next task takes, log-normally around the median of the kind."""
        return float(SECONDS[self.kind] * np.exp(self._random.normal(0, 0.35)))

    def answer(self, target: str, questions: Sequence[Asked]) -> dict[str, dict[str, Any]]:
        """Answers to the questions on a reply; its text stands for the item, so raters share the truth."""
        answers: dict[str, dict[str, Any]] = {}
        for question in questions:
            value = self._scale(target, question) if question.type == "scale" else self._text()
            if value is not None:
                answers.setdefault(str(question.position), {})[question.name] = value
        return answers

    def _scale(self, target: str, question: Asked) -> int:
        if self.kind is Kind.STRAIGHTLINER:
            return question.codes[-1]
        truth = seeds.rank(self.seed, "truth", question.name, target) % len(question.codes)
        if self._random.random() < RIGHT[self.kind]:
            return question.codes[truth]
        if self.kind is Kind.CAREFUL:
            step = int(self._random.choice([-1, 1]))
            return question.codes[min(max(truth + step, 0), len(question.codes) - 1)]
        return question.codes[int(self._random.integers(len(question.codes)))]

    def _text(self) -> str | None:
        return str(self._random.choice(REMARKS)) if self._random.random() < 0.15 else None


def crowd(size: int, mix: dict[Kind, float], seed: int) -> list[SimulatedRater]:
    """So many raters in the proportions of the mix, in a seeded order.

    >>> [r.kind.value for r in crowd(4, {Kind.CAREFUL: 3, Kind.HASTY: 1}, seed=1)].count("careful")
    3
    """
    total = sum(mix.values())
    bounds = np.cumsum([share / total * size for share in mix.values()])
    kinds = [list(mix)[int(np.searchsorted(bounds, n + 0.5))] for n in range(size)]
    order = sorted(range(size), key=lambda n: seeds.rank(seed, "crowd", n))
    return [SimulatedRater(kinds[n], str(place), seed) for place, n in enumerate(order)]
