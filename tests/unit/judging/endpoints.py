"""Judges with a planted bias, as an endpoint would answer."""

from __future__ import annotations

import numpy as np


def judge_order(draw: np.random.Generator, pairs: int, bias: float) -> tuple[np.ndarray, np.ndarray]:
    """Whether the candidate shown first wins, in both orders. In `bias` of its calls the judge takes the first one."""
    better = draw.random(pairs)  # how likely the first candidate of the pair is taken to be better
    biased = draw.random((2, pairs)) < bias
    picks = draw.random((2, pairs)) < np.stack([better, 1 - better])
    answers = np.where(biased, 1.0, picks)
    return answers[0], answers[1]


def judge_length(draw: np.random.Generator, pairs: int, bias: float) -> tuple[np.ndarray, np.ndarray]:
    """Scores of replies and of the same replies made longer, for which `bias` of the calls give a point more."""
    score = draw.integers(2, 5, pairs)
    noise = draw.choice([-1, 0, 1], p=[0.125, 0.75, 0.125], size=(2, pairs))
    return score + noise[0], score + noise[1] + (draw.random(pairs) < bias)
