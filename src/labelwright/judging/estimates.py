"""Estimates from few people and many labels of a model: the score of people only, of the model only, and combined.

Prediction-powered inference with a power-tuned weight (Angelopoulos, Duchi and Zrnic, "PPI++: Efficient
prediction-powered inference", 2023): the combined estimate is the mean of people's scores, plus a weight times how
much higher the model scores the other items than those that people rated. It is as valid as the people's
mean, whatever the model does, if chance decided which items people rated. A model that knows nothing gets weight 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from labelwright.agreement import Floats, Interval, Ints
from labelwright.judging.influence import (
    Grouping,
    Influence,
    ScoreSpread,
    interval_of,
    interval_of_difference,
    measure_spread,
)

FEWEST_LABELLED = 20
"""With fewer rated items, a combined estimate is not given."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """People's scores of some items and the model's score of all of them; items, raters and dialogues are numbered."""

    item: Ints
    """For each rating, the item."""
    rater: Ints | None
    score: Floats
    """For each rating."""
    model: Floats
    """For each item."""
    dialogue: Ints
    """For each item."""
    bounds: tuple[float, float]
    """The lowest and the highest score of the scale."""
    probability: Floats | None = None
    """For each item, how probable it was that people would be asked; None if equal for all."""

    @property
    def items(self) -> int:
        """The number of items."""
        return len(self.model)

    @property
    def grouping(self) -> Grouping:
        """Which dialogue and rater each rating belongs to."""
        return Grouping.of(self.dialogue, self.item, self.rater)

    @property
    def ratings_of(self) -> Ints:
        """For each item, the number of its ratings."""
        return np.bincount(self.item, minlength=self.items)

    @property
    def item_score(self) -> Floats:
        """For each item, the mean of its ratings; nan without any."""
        counts = self.ratings_of
        sums = np.bincount(self.item, self.score, self.items)
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)

    def chance_of(self, chosen: np.ndarray) -> np.ndarray:
        """The weight of each chosen, rated item; the others have 0. Rare choices count more."""
        rated = chosen & (self.ratings_of > 0)
        return rated / self.probability if self.probability is not None else rated.astype(float)


@dataclass(frozen=True)
class MeanScore:
    """A mean score with its interval."""

    value: float
    interval: Interval | None
    spread: ScoreSpread

    @property
    def width(self) -> float:
        """The width of the interval; nan without one."""
        return self.interval.high - self.interval.low if self.interval else math.nan


@dataclass(frozen=True)
class ThreeScores:
    """The score of the same items in three ways, and how far the model is off."""

    people: MeanScore
    model: MeanScore
    combined: MeanScore
    excess: MeanScore
    """How much higher the model scores the items that people rated than people do; below 0 if lower."""
    weight: float
    """How far the model is believed: 0 not at all, 1 as if its errors were the same everywhere."""
    labelled: int
    """The number of items that people rated."""
    items: int

    @property
    def worth(self) -> int:
        """How many more rated items would make the people's interval as narrow as the combined one."""
        ours, theirs = self.combined.spread.error, self.people.spread.error
        if not ours > 0 or math.isnan(theirs):
            return 0
        return max(0, math.floor(self.labelled * ((theirs / ours) ** 2 - 1)))


@dataclass(frozen=True, eq=False)
class ThreeInfluences:
    """The same estimates as influences, so that differences of systems can be formed."""

    people: Influence
    model: Influence
    combined: Influence
    excess: Influence
    weight: float

    def __sub__(self, other: ThreeInfluences) -> ThreeInfluences:
        return ThreeInfluences(
            self.people - other.people,
            self.model - other.model,
            self.combined - other.combined,
            self.excess - other.excess,
            math.nan,
        )


def tuned_weight(score: Floats, predicted: Floats, unlabelled: Floats) -> float:
    """The weight from 0 to 1 that makes the combined estimate most certain, from items that vary independently.

    >>> tuned_weight(np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 1.0] * 200)) > 0.7
    True
    """
    if len(score) < 2 or not len(unlabelled):
        return 0.0
    shared = float(((score - score.mean()) * (predicted - predicted.mean())).mean())
    varies = float(np.concatenate([predicted, unlabelled]).var(ddof=1))
    if varies <= 0:
        return 0.0
    return float(np.clip(shared / ((1 + len(score) / len(unlabelled)) * varies), 0, 1))


def plain_error(score: Floats, predicted: Floats, unlabelled: Floats, weight: float) -> float:
    """The standard error of the combined estimate if all items vary independently and chances were equal."""
    own = float((score - weight * predicted).var()) / len(score)
    others = weight**2 * float(unlabelled.var()) / len(unlabelled) if weight else 0.0
    return math.sqrt(own + others)


def find_influences(evidence: Evidence, chosen: np.ndarray | None = None) -> ThreeInfluences:
    """The estimates of the chosen items; by default of all."""
    wanted = np.ones(evidence.items, dtype=bool) if chosen is None else chosen
    people = _people(evidence, wanted, 0.0)
    weight = _weight(evidence, wanted)
    combined = _people(evidence, wanted, weight)
    groups = evidence.grouping
    # A weight fitted to single items need not suit dialogues and raters: then the people are better off alone.
    wide = measure_spread(people, groups).half_width()
    if weight and measure_spread(combined, groups, fitted=2).half_width() > wide:
        weight, combined = 0.0, people
    return ThreeInfluences(people, _model(evidence, wanted), combined, _excess(evidence, wanted), weight)


def _weight(evidence: Evidence, wanted: np.ndarray) -> float:
    rated = wanted & (evidence.ratings_of > 0)
    others = _reference(evidence, wanted)
    if rated.sum() < 2 or not others.any():
        return 0.0
    score, predicted = evidence.item_score[rated], evidence.model[rated]
    if evidence.probability is None:
        return tuned_weight(score, predicted, evidence.model[others])
    chance = evidence.chance_of(wanted)[rated]
    shared = np.average(
        (score - np.average(score, weights=chance)) * (predicted - np.average(predicted, weights=chance)),
        weights=chance,
    )
    varies = evidence.model[others].var()
    return float(np.clip(shared / varies, 0, 1)) if varies > 0 else 0.0


def _reference(evidence: Evidence, wanted: np.ndarray) -> np.ndarray:
    """The items with which the rated ones are compared: the others, or all if chances were unequal."""
    return wanted if evidence.probability is not None else wanted & (evidence.ratings_of == 0)


def _people(evidence: Evidence, wanted: np.ndarray, weight: float) -> Influence:
    """The mean of people's scores, corrected by the model with this weight."""
    chance = evidence.chance_of(wanted)
    rated, nothing = chance[evidence.item] > 0, np.zeros(evidence.items)
    if not rated.any():
        return Influence(math.nan, np.zeros(len(rated)), nothing, rated, nothing > 0)
    rest = evidence.item_score - weight * evidence.model
    mean = float(np.average(rest[chance > 0], weights=chance[chance > 0]))
    share = (chance / chance.sum())[evidence.item] / evidence.ratings_of[evidence.item]
    ratings = share * (evidence.score - weight * evidence.model[evidence.item] - mean)
    if not weight:
        return Influence(mean, ratings, nothing, rated, nothing > 0)
    others = _reference(evidence, wanted)
    level = float(evidence.model[others].mean())
    items = np.where(others, weight * (evidence.model - level) / others.sum(), 0.0)
    return Influence(mean + weight * level, ratings, items, rated, others)


def _model(evidence: Evidence, wanted: np.ndarray) -> Influence:
    mean = float(evidence.model[wanted].mean()) if wanted.any() else math.nan
    items = np.where(wanted, (evidence.model - mean) / max(int(wanted.sum()), 1), 0.0)
    nothing = np.zeros(len(evidence.item))
    return Influence(mean, nothing, items, nothing > 0, wanted)


def _excess(evidence: Evidence, wanted: np.ndarray) -> Influence:
    """The mean of how much higher the model scores the items that people rated; rare choices count more."""
    higher = evidence.model[evidence.item] - evidence.score
    return _people(replace(evidence, score=higher), wanted, 0.0)


def three_scores(
    evidence: Evidence,
    found: ThreeInfluences,
    chosen: np.ndarray | None = None,
    *,
    is_difference: bool = False,
    level: float = 0.95,
) -> ThreeScores:
    """The estimates with their intervals, of a score or of the difference of two."""
    groups = evidence.grouping
    wanted = np.ones(evidence.items, dtype=bool) if chosen is None else chosen
    scale = evidence.bounds[1] - evidence.bounds[0]
    most = 2 * scale if is_difference else scale

    def score(influence: Influence, fitted: int, over: str) -> MeanScore:
        value, spread = influence.value, measure_spread(influence, groups, fitted)
        if is_difference:
            return MeanScore(value, interval_of_difference(value, spread, (scale, most), level, over), spread)
        return MeanScore(value, interval_of(value, spread, evidence.bounds, level, over), spread)

    def excess(influence: Influence) -> MeanScore:
        value, spread = influence.value, measure_spread(influence, groups)
        ends = interval_of_difference(value, spread, (most, most), level, groups.over)
        return MeanScore(value, ends, spread)

    return ThreeScores(
        score(found.people, 1, groups.over),
        score(found.model, 1, "items"),
        score(found.combined, 2 if found.weight else 1, groups.over),
        excess(found.excess),
        found.weight,
        int((wanted & (evidence.ratings_of > 0)).sum()),
        int(wanted.sum()),
    )


def estimate_mean(evidence: Evidence, level: float = 0.95) -> ThreeScores:
    """The mean score of all items in three ways."""
    return three_scores(evidence, find_influences(evidence), level=level)
