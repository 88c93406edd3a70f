"""Simulated people and models whose true mean score is known."""

from __future__ import annotations

import numpy as np
from scipy.stats import norm

from labelwright.judging import Evidence


def independent(
    draw: np.random.Generator, quality: float, labelled: int = 100, items: int = 1000
) -> Evidence:
    """Items that vary independently, and a model that follows them as well as `quality` says. The mean is about 3."""
    truth = draw.normal(size=items)
    model = np.clip(np.round(3.3 + quality * truth + 0.7 * draw.normal(size=items)), 1, 5)
    rated = draw.choice(items, labelled, replace=False)
    score = np.clip(np.round(3 + truth[rated] + 0.4 * draw.normal(size=labelled)), 1, 5)
    return Evidence(rated, None, score, model, np.arange(items), (1.0, 5.0))


def clustered(
    draw: np.random.Generator,
    *,
    quality: float = 1.0,
    dialogues: int = 200,
    raters: int = 20,
    labelled: int = 100,
    ratings: int = 2,
) -> Evidence:
    """Items of dialogues, and raters of their own strictness. The mean over all items and raters is 3."""
    dialogue = np.repeat(np.arange(dialogues), 5)
    items = len(dialogue)
    truth = 0.5 * draw.normal(size=dialogues)[dialogue] + 0.6 * draw.normal(size=items)
    noise = 0.7 * draw.normal(size=items) + 0.3 * draw.normal(size=dialogues)[dialogue]
    model = np.clip(np.round(3.3 + quality * truth + noise), 1, 5)
    strict = 0.35 * draw.normal(size=raters)
    item = np.repeat(draw.choice(items, labelled, replace=False), ratings)
    rater = np.concatenate([draw.choice(raters, ratings, replace=False) for _ in range(labelled)])
    score = 3 + truth[item] + strict[rater] + 0.6 * draw.normal(size=len(item))
    return Evidence(item, rater, np.clip(np.round(score), 1, 5), model, dialogue, (1.0, 5.0))


def mean_of_model(quality: float) -> float:
    """The mean label of the model of `clustered`, over all items that there could be."""
    spread = np.sqrt(quality**2 * (0.5**2 + 0.6**2) + 0.7**2 + 0.3**2)
    # A label is rounded, so that 4 stands for all from 3.5 to 4.5, and 5 for all above.
    above = norm.sf([1.5, 2.5, 3.5, 4.5], 3.3, spread)
    return float(1 + above.sum())


def rarely_off(draw: np.random.Generator, labelled: int, share: float, upwards: float) -> Evidence:
    """A model that is one point off on a small share of the items, and then this often upwards."""
    items = 5 * labelled
    score = draw.integers(2, 5, items).astype(float)
    off = (draw.random(items) < share) * np.where(draw.random(items) < upwards, 1, -1)
    rated = draw.choice(items, labelled, replace=False)
    return Evidence(rated, None, score[rated], score + off, np.arange(items), (1.0, 5.0))


def rare_label(draw: np.random.Generator, labelled: int, share: float) -> tuple[Evidence, np.ndarray]:
    """Two systems that have the label 0 equally rarely, and which items are the first one's; people rated some of each."""
    items = 8 * labelled
    score = (draw.random(items) >= share).astype(float)
    model = np.where(draw.random(items) < 0.8, score, 1 - score)
    first = np.arange(items) % 2 == 0
    rated = np.concatenate(
        [draw.choice(np.flatnonzero(of), labelled, replace=False) for of in (first, ~first)]
    )
    return Evidence(rated, None, score[rated], model, np.arange(items), (0.0, 1.0)), first
