"""Rankings and strengths of systems, from raters with their own tastes who judge items that suit one system or another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import TypeAlias

import numpy as np

from bench.calibration.rows import Outcome, Simulate, coverage, power, size
from labelwright.agreement import Bootstrap, Floats, Ints
from labelwright.analysis import Comparisons, bradley_terry
from labelwright.analysis.clusters import FEWEST_RATERS
from labelwright.analysis.ranking.systems import ScoredRatings, rank_scored
from labelwright.analysis.scores import weighted_mean
from labelwright.seeds import generator

OTHERS = "other items and raters"
THESE = "these raters, other items"
EQUAL = "no system better than the others"
BETTER = "one system better than the others"
# Ranks and intervals do not depend on replicates; only "first in" does.
FEW = Bootstrap(2)
TRUTH_ITEMS = 40_000
Tastes: TypeAlias = Floats
"""Raters x systems: how much better each rater finds each system than others do."""


@dataclass(frozen=True)
class Study:
    """Systems with their qualities, on a latent scale on which a single judgment has logistic noise."""

    quality: tuple[float, ...]
    items: int
    raters: int
    ratings: int = 6
    """Per item; each of a different rater."""
    by_item: float = 1.0
    """How much it varies from item to item how good a system is."""
    by_rater: float = 0.0
    """How much it varies from rater to rater how good they find a system: their own taste."""
    near: float = 0.0
    """Differences below this are ties."""
    bad: float = 0.0
    """The share of comparisons in which the rater finds both bad."""

    @property
    def names(self) -> tuple[str, ...]:
        """The systems."""
        return tuple(f"s{n}" for n in range(len(self.quality)))

    def who(self, rng: np.random.Generator) -> Ints:
        """Items x ratings: the rater of each."""
        return np.argsort(rng.random((self.items, self.raters)), axis=1)[:, : self.ratings]

    def liking(self, rng: np.random.Generator, who: Ints, own: Tastes | None = None) -> Floats:
        """Items x ratings x systems: how good each rater finds each system, without noise."""
        kinds = len(self.quality)
        felt = rng.normal(0, self.by_rater, (self.raters, kinds)) if own is None else own
        return np.asarray(
            np.array(self.quality) + rng.normal(0, self.by_item, (self.items, 1, kinds)) + felt[who]
        )


def compare(study: Study, rng: np.random.Generator, own: Tastes | None = None) -> Comparisons:
    """Each item compares two systems, all pairs equally often."""
    who = study.who(rng)
    liking = study.liking(rng, who, own)
    pairs = np.array(list(combinations(range(len(study.quality)), 2)))
    pair = pairs[rng.permutation(study.items) % len(pairs)]
    first, second = (np.take_along_axis(liking, pair[:, None, side, None], 2)[..., 0] for side in (0, 1))
    gap = (first - second + rng.logistic(size=who.shape)).ravel()
    one, two = (np.repeat(np.array(study.names)[pair[:, side]], study.ratings) for side in (0, 1))
    bad = rng.random(len(gap)) < study.bad
    tied = (np.abs(gap) < study.near) | bad
    winner = np.where(tied, None, np.where(gap > 0, one, two))
    item = np.repeat(np.arange(study.items).astype(str), study.ratings)
    return Comparisons(
        tuple(one), tuple(two), tuple(winner), tuple(bad), tuple(item), tuple(who.ravel().astype(str))
    )


def judge(study: Study, rng: np.random.Generator, points: int = 5) -> ScoredRatings:
    """Every rater of an item judges all systems on a scale of points from 0 to 1."""
    who = study.who(rng)
    liking = study.liking(rng, who)
    felt = liking + rng.logistic(size=liking.shape)
    score = np.clip(np.round(felt + (points - 1) / 2), 0, points - 1) / (points - 1)
    item, rating, system = np.indices(score.shape).reshape(3, -1)
    rater = who[item, rating]
    return ScoredRatings(item, system, rater, score.ravel(), np.ones(study.items), study.names)


@cache
def strengths(study: Study) -> dict[str, float]:
    """The strengths that very many items and raters would give."""
    # With one rating per item, by a rater of its own, items and raters cannot be told apart.
    together = float(np.hypot(study.by_item, study.by_rater))
    many = replace(study, items=TRUTH_ITEMS, raters=1, ratings=1, by_item=together, by_rater=0.0)
    return {each.system: each.strength for each in bradley_terry(compare(many, generator(0, "truth")))}


@cache
def tastes(study: Study) -> Tastes:
    """The tastes of raters who are the same in all data sets."""
    return generator(0, "tastes").normal(0, study.by_rater, (study.raters, len(study.quality)))


@cache
def strengths_for_these(study: Study) -> dict[str, float]:
    """The strengths that these raters would give very many items."""
    many = replace(study, items=TRUTH_ITEMS // study.ratings)
    found = bradley_terry(compare(many, generator(0, "truth"), tastes(study)))
    return {each.system: each.strength for each in found}


def _false_winner(study: Study) -> Simulate:
    def simulate(rng: np.random.Generator) -> Outcome:
        found = bradley_terry(compare(study, rng))
        return Outcome(None if found.unranked else found.winner is not None)

    return simulate


def _covered_strength(study: Study) -> Simulate:
    these = study.raters < FEWEST_RATERS

    def simulate(rng: np.random.Generator) -> Outcome:
        found = bradley_terry(compare(study, rng, tastes(study) if these else None))
        truth = strengths_for_these(study) if these else strengths(study)
        interval = None if found.unranked else found.get("s0").interval
        return Outcome(None if interval is None else interval.low <= truth["s0"] <= interval.high)

    return simulate


def _false_first(study: Study) -> Simulate:
    return lambda rng: Outcome(rank_scored(judge(study, rng), FEW).winner is not None)


@cache
def mean_score(study: Study) -> float:
    """The mean score of the first system over very many items and raters."""
    together = float(np.hypot(study.by_item, study.by_rater))
    many = replace(study, items=TRUTH_ITEMS * 5, raters=1, ratings=1, by_item=together, by_rater=0.0)
    found = judge(many, generator(0, "truth"))
    return float(found.score[found.system == 0].mean())


def _covered_score(study: Study) -> Simulate:
    def simulate(rng: np.random.Generator) -> Outcome:
        found = rank_scored(judge(study, rng), FEW)
        [interval] = [each.score.interval for each in found.systems if each.system == "s0"]
        return Outcome(None if interval is None else interval.low <= mean_score(study) <= interval.high)

    return simulate


def _covered_weighted_mean(rng: np.random.Generator) -> Outcome:
    """Half of the sample from 90% of the corpus, half from the other 10%, which is worse."""
    common = rng.beta(4, 2, size=40)
    rare = rng.beta(2, 4, size=40)
    weights = [1.8] * 40 + [0.2] * 40
    found = weighted_mean("score", [*common, *rare], weights, "")
    truth = 0.9 * 4 / 6 + 0.1 * 2 / 6
    return Outcome(found.interval is not None and found.interval.low <= truth <= found.interval.high)


TWO, FOUR = (0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
_PAIRS = {
    "2 systems, 40 items, 6 ratings an item, 24 raters": Study(TWO, 40, 24),
    "2 systems, 40 items, 6 ratings an item, 24 raters with tastes": Study(TWO, 40, 24, by_rater=1.0),
    "2 systems, 20 items, 6 ratings an item, 10 raters with tastes": Study(TWO, 20, 10, by_rater=1.0),
    "2 systems, 40 items, 6 ratings an item, 24 raters, independent ratings": Study(TWO, 40, 24, by_item=0.0),
    "2 systems, 40 items, 6 ratings an item, 24 raters with tastes, ties": Study(
        TWO, 40, 24, by_rater=1.0, near=0.8, bad=0.15
    ),
    "4 systems, 60 items, 6 ratings an item, 24 raters with tastes, ties": Study(
        FOUR, 60, 24, by_rater=1.0, near=0.8
    ),
    "two equal best of 4 systems, 120 items, 6 ratings an item, 24 raters with tastes": Study(
        (2.0, 2.0, -2.0, -2.0), 120, 24, by_rater=1.0
    ),
    "2 systems, 40 items, 6 ratings an item, 6 raters": Study(TWO, 40, 6),
}
for _name, _study in _PAIRS.items():
    size(f"Bradley-Terry, {_name}", EQUAL)(_false_winner(_study))
for _name, _study in {
    "3 systems, 60 items, 6 ratings an item, 24 raters with tastes": Study(
        (0.6, 0.0, -0.6), 60, 24, by_rater=1.0
    ),
    "3 systems, 60 items, 6 ratings an item, 24 raters with tastes, ties": Study(
        (0.6, 0.0, -0.6), 60, 24, by_rater=1.0, near=0.8, bad=0.1
    ),
    "3 systems, 30 items, 3 ratings an item, 12 raters with tastes": Study(
        (0.6, 0.0, -0.6), 30, 12, ratings=3, by_rater=0.5
    ),
    "3 systems, 60 items, 6 ratings an item, 6 raters with tastes": Study(
        (0.6, 0.0, -0.6), 60, 6, by_rater=1.0
    ),
    "2 systems, 20 items, 3 ratings an item, 3 raters": Study((0.5, 0.0), 20, 3, ratings=3),
    "2 systems, 40 items, 6 ratings an item, 24 raters, 90/10": Study((2.9, 0.0), 40, 24, by_rater=0.5),
}.items():
    target = THESE if _study.raters < FEWEST_RATERS else OTHERS
    coverage(f"Bradley-Terry strength, {_name}", target)(_covered_strength(_study))
for _name, _study in {
    "2 systems, 40 items, 6 ratings an item, 24 raters with tastes": Study((0.8, 0.0), 40, 24, by_rater=1.0),
    "4 systems, 120 items, 6 ratings an item, 24 raters with tastes": Study(
        (1.5, 0.0, 0.0, 0.0), 120, 24, by_rater=1.0
    ),
}.items():
    power(f"Bradley-Terry, {_name}, one better", BETTER)(_false_winner(_study))
for _name, _study in {
    "2 systems, 20 items, 3 ratings an item, 10 raters with tastes": Study(
        (0.8, 0.0), 20, 10, ratings=3, by_rater=0.5
    ),
    "5 systems, 30 items, 3 ratings an item, 15 raters with tastes": Study(
        (1.0, 0.0, 0.0, 0.0, 0.0), 30, 15, ratings=3, by_rater=0.5
    ),
}.items():
    power(f"rank_systems, {_name}, one better", BETTER)(_false_first(_study))
for _name, _study in {
    "2 systems, 40 items, 6 ratings an item, 24 raters with tastes": Study(TWO, 40, 24, by_rater=0.5),
    "2 systems, 20 items, 6 ratings an item, 10 raters with tastes": Study(TWO, 20, 10, by_rater=0.5),
    "2 systems, 40 items, 6 ratings an item, 24 raters": Study(TWO, 40, 24),
    "5 systems, 30 items, 3 ratings an item, 15 raters with tastes": Study(
        (0.0,) * 5, 30, 15, ratings=3, by_rater=0.5
    ),
    "2 systems, 20 items, 3 ratings an item, 3 raters": Study(TWO, 20, 3, ratings=3),
}.items():
    size(f"rank_systems, {_name}", EQUAL)(_false_first(_study))
for _name, _study in {
    "40 items, 6 ratings an item, 24 raters with tastes": Study((0.5, 0.0), 40, 24, by_rater=0.5),
    "20 items, 3 ratings an item, 12 raters with tastes": Study((0.5, 0.0), 20, 12, ratings=3, by_rater=0.5),
    "20 items, 3 ratings an item, 12 raters with tastes, near the top": Study(
        (3.0, 0.0), 20, 12, ratings=3, by_rater=0.5
    ),
}.items():
    coverage(f"rank_systems score, {_name}", OTHERS)(_covered_score(_study))
coverage("weighted mean, 40 items of 90% and 40 of 10% of the corpus", "other items")(_covered_weighted_mean)
