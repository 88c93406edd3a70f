"""Intervals of agreement measures, over ratings of items that have a true code.

The truth of a row is the value of the measure for very many items (and, for a population of raters, very many
raters) of the same process, so that it needs no formula.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from bench.calibration.rows import Outcome, coverage, power, size
from labelwright.agreement import (
    Bootstrap,
    Estimate,
    Floats,
    Ints,
    PairMeasure,
    Ratings,
    get_measure,
    jaccard,
    permutation_test,
    selection_jaccard,
)
from labelwright.analysis import Labels, measure_agreement
from labelwright.scales import Point, Scale
from labelwright.seeds import generator

THESE_RATERS = "these raters, other items"
OTHER_RATERS = "other raters, other items"
THESE_ITEMS = "these items, other raters"
_TRUTH_ITEMS = 200_000

EVEN, RARE = (0.5, 0.5), (0.9, 0.1)
FIVE, SKEWED = (0.1, 0.2, 0.3, 0.25, 0.15), (0.02, 0.02, 0.03, 0.03, 0.9)
_BELL = np.exp(-0.5 * ((np.arange(101) - 55) / 12) ** 2)
SLIDER = tuple(_BELL / _BELL.sum())


@dataclass(frozen=True)
class Crowd:
    """Raters who give an item's true code with their own accuracy, and otherwise guess."""

    prevalence: tuple[float, ...]
    accuracy: tuple[float, ...]
    """One per rater."""
    near: float | None = None
    """How much likelier the nearer of two wrong codes is; without, guesses follow the prevalence."""
    per_item: tuple[int, ...] = ()
    """How many raters, drawn at random, judge an item; all of them without."""
    conditions: int = 1
    """In how many conditions each item is judged, with the same true code in most of them."""

    def ratings(self, rng: np.random.Generator, items: int) -> Ratings:
        """Ratings of new items. With conditions, those of one item are a cluster."""
        size, raters = len(self.prevalence), len(self.accuracy)
        own = rng.choice(size, size=(items, 1), p=self.prevalence)
        other = rng.choice(size, size=(items, self.conditions), p=self.prevalence)
        true = np.where(rng.random(other.shape) < 0.8, own, other) if self.conditions > 1 else own
        codes = self._answers(true.reshape(-1, 1), rng)
        item, rater = np.indices(codes.shape)
        given = self._who(len(codes), rng)
        cluster = np.repeat(np.arange(items), self.conditions) if self.conditions > 1 else None
        return Ratings(
            item[given], rater[given], codes[given], tuple(range(size)), len(codes), raters, cluster=cluster
        )

    def _answers(self, true: Ints, rng: np.random.Generator) -> Ints:
        size, shape = len(self.prevalence), (len(true), len(self.accuracy))
        if size > 5:
            guess = np.clip(np.round(true + rng.normal(0, 15, shape)), 0, size - 1).astype(np.int64)
        else:
            below = self._guesses()[true.ravel()].cumsum(axis=1)[:, None, :-1]
            guess = (rng.random((*shape, 1)) > below).sum(axis=-1)
        return np.where(rng.random(shape) < self.accuracy, true, guess)

    def _guesses(self) -> Floats:
        size = len(self.prevalence)
        if self.near is None:
            return np.tile(self.prevalence, (size, 1))
        close = np.exp(-self.near * np.abs(np.arange(size)[:, None] - np.arange(size)))
        return np.asarray(close / close.sum(axis=1, keepdims=True))

    def _who(self, items: int, rng: np.random.Generator) -> Ints:
        raters = len(self.accuracy)
        if not self.per_item:
            return np.ones((items, raters), dtype=bool)
        rank = rng.random((items, raters)).argsort(axis=1).argsort(axis=1)
        return np.asarray(rank < rng.choice(self.per_item, size=(items, 1)))


@cache
def truth(crowd: Crowd, measure: str) -> float:
    """The value for these raters and very many items."""
    items = _TRUTH_ITEMS // crowd.conditions
    return get_measure(measure)(crowd.ratings(generator(0, "truth"), items), None).value


@cache
def truth_of_population(crowd: Crowd, measure: str) -> float:
    """The value for very many items and raters, whose accuracies are equally often those of the crowd."""
    if isinstance(get_measure(measure), PairMeasure):
        pairs = [replace(crowd, accuracy=(a, b), per_item=()) for a in crowd.accuracy for b in crowd.accuracy]
        return float(np.mean([truth(pair, measure) for pair in pairs]))
    # An ICC needs every rater's value of every item.
    per_item = () if measure.startswith("icc") else (2,)
    return truth(replace(crowd, accuracy=crowd.accuracy * 20, per_item=per_item), measure)


def covered(found: Estimate, true: float) -> Outcome:
    """Whether the interval of an estimate holds the truth, and whether its notes give a figure of coverage."""
    warned = any("simulated data sets" in note for note in found.notes)
    if found.interval is None:
        return Outcome(None, warned)
    return Outcome(found.interval.low <= true <= found.interval.high, warned)


def _over_items(name: str, crowd: Crowd, measure: str, items: int) -> None:
    @coverage(f"{measure}, {items} items, {name}", THESE_RATERS)
    def _(rng: np.random.Generator) -> Outcome:
        ratings = crowd.ratings(rng, items)
        return covered(get_measure(measure)(ratings, _bootstrap(rng)), truth(crowd, measure))


def _bootstrap(rng: np.random.Generator, **options: bool) -> Bootstrap:
    return Bootstrap(seed=int(rng.integers(2**32)), **options)


_THREE, _GOOD, _POOR = (0.8, 0.7, 0.6), (0.95, 0.95, 0.9), (0.2, 0.1, 0.1)
_ORDERED = (
    "alpha_ordinal",
    "alpha_interval",
    "gwet_ac2_linear",
    "gwet_ac2_quadratic",
    "gwet_ac2_ordinal",
    "cohen_kappa_linear",
    "cohen_kappa_quadratic",
    "kendall_tau_b",
    "icc1",
    "icc1k",
    "icc2",
    "icc2k",
    "icc3",
    "icc3k",
)
for _measure in ("percentage", "fleiss_kappa", "alpha_nominal"):
    for _items in (20, 41, 100):
        _over_items("3 raters, 50/50", Crowd(EVEN, _THREE), _measure, _items)
        _over_items("3 raters, 90/10", Crowd(RARE, _THREE), _measure, _items)
    _over_items("3 raters, 90/10, high agreement", Crowd(RARE, _GOOD), _measure, 41)
    _over_items("3 raters, 50/50, almost no agreement", Crowd(EVEN, _POOR), _measure, 41)
    _over_items("5 raters, 90/10", Crowd(RARE, (*_THREE, 0.7, 0.7)), _measure, 20)
    _over_items("10 raters, 90/10", Crowd(RARE, (*_THREE, *(0.7,) * 7)), _measure, 20)
for _measure in ("gwet_ac1", "cohen_kappa"):
    for _items in (20, 41):
        _over_items("3 raters, 90/10", Crowd(RARE, _THREE), _measure, _items)
    _over_items("3 raters, 50/50", Crowd(EVEN, _THREE), _measure, 100)
    _over_items("3 raters, 90/10, high agreement", Crowd(RARE, _GOOD), _measure, 41)
_over_items("2 raters, 90/10", Crowd(RARE, (0.8, 0.7)), "cohen_kappa", 41)
_over_items("3 raters, 90/10", Crowd(RARE, _THREE), "drop_one_kappa", 41)
for _measure in _ORDERED:
    _over_items("3 raters, 5 ordered codes", Crowd(FIVE, (0.6, 0.5, 0.4), near=0.7), _measure, 20)
for _measure in ("gwet_ac2_linear", "gwet_ac2_quadratic", "gwet_ac2_ordinal"):
    for _items in (41, 100):
        _over_items("3 raters, 5 ordered codes", Crowd(FIVE, (0.6, 0.5, 0.4), near=0.7), _measure, _items)
for _measure in ("percentage", "alpha_nominal", "alpha_ordinal", "gwet_ac2_linear", "icc1"):
    _over_items("3 raters, 5 codes, 90% one of them", Crowd(SKEWED, (0.7, 0.6, 0.6), near=0.7), _measure, 41)
    _over_items("3 raters, 5 codes, almost no agreement", Crowd(FIVE, _POOR, near=0.2), _measure, 41)
    _over_items(
        "2 to 5 of 5 raters, 5 codes", Crowd(FIVE, (0.6, 0.5, 0.4, 0.6, 0.6), 0.7, (2, 3, 4, 5)), _measure, 41
    )
for _measure in ("icc1", "icc3"):
    _over_items("3 raters, slider from 0 to 100", Crowd(SLIDER, (0.3, 0.2, 0.1)), _measure, 20)
_forty = tuple(np.linspace(0.5, 0.9, 40))
for _measure in ("percentage", "fleiss_kappa", "alpha_nominal"):
    _over_items(
        "2 to 5 of 5 raters, 90/10", Crowd(RARE, (*_THREE, 0.7, 0.7), per_item=(2, 3, 4, 5)), _measure, 41
    )
    _over_items("crowd of 40, 3 an item, 50/50", Crowd(EVEN, _forty, per_item=(3,)), _measure, 100)
for _measure in ("cohen_kappa", "kendall_tau_b"):
    _over_items("crowd of 20, 3 an item, 50/50", Crowd(EVEN, _forty[::2], per_item=(3,)), _measure, 60)
_over_items("4 of 6 raters, 50/50", Crowd(EVEN, (*_THREE, *_THREE), per_item=(4,)), "cohen_kappa", 100)
for _measure in ("percentage", "alpha_nominal", "cohen_kappa", "icc1"):
    _over_items(
        "each in 4 pooled conditions, 3 raters, 50/50", Crowd(EVEN, _THREE, conditions=4), _measure, 30
    )


_TWO_POINTS = Scale(points=(Point(code=0, name="no"), Point(code=1, name="yes")))


@coverage("alpha_nominal of labels, 30 items, each in 4 pooled conditions, 3 raters, 90/10", THESE_RATERS)
def _pooled_labels(rng: np.random.Generator) -> Outcome:
    crowd = Crowd(RARE, _THREE, conditions=4)
    found = crowd.ratings(rng, 30)
    assert found.cluster is not None
    columns = {
        "item": found.cluster[found.item],
        "condition": found.item % 4,
        "rater": found.rater,
        "label": found.code,
    }
    labels = Labels.read(columns, scale=_TWO_POINTS)
    return covered(
        measure_agreement(labels, ["alpha_nominal"], bootstrap=_bootstrap(rng)).get(),
        truth(crowd, "alpha_nominal"),
    )


_LEVELS = (0.5, 0.7, 0.9)


def _population(name: str, crowd: Crowd, measure: str, raters: int, items: int) -> None:
    """Raters drawn anew in every data set, with accuracies that are equally often those of the crowd."""

    @coverage(f"{measure}, {items} items, {raters} raters, {name}, raters resampled", OTHER_RATERS)
    def _(rng: np.random.Generator) -> Outcome:
        drawn = replace(crowd, accuracy=tuple(rng.choice(crowd.accuracy, size=raters)))
        found = get_measure(measure)(drawn.ratings(rng, items), _bootstrap(rng, raters=True))
        return covered(found, truth_of_population(crowd, measure))


for _measure in ("percentage", "alpha_nominal", "cohen_kappa"):
    _population("90/10", Crowd(RARE, _LEVELS), _measure, 10, 41)
    _population("50/50", Crowd(EVEN, _LEVELS), _measure, 20, 41)
    _population("50/50, equal raters", Crowd(EVEN, (0.7,)), _measure, 12, 41)
for _measure in ("percentage", "alpha_nominal"):
    _population("3 an item, 50/50", Crowd(EVEN, _LEVELS, per_item=(3,)), _measure, 40, 200)
for _measure in ("alpha_ordinal", "icc2"):
    _population("5 ordered codes", Crowd(FIVE, _LEVELS, near=0.7), _measure, 12, 41)


@coverage("alpha_nominal, these 41 items, 12 raters, 50/50, only raters resampled", THESE_ITEMS)
def _these_items(rng: np.random.Generator) -> Outcome:
    true = np.random.default_rng(4).integers(2, size=(41, 1))

    def rated(accuracy: Floats, draw: np.random.Generator) -> Ratings:
        codes = Crowd(EVEN, tuple(accuracy))._answers(true, draw)
        item, rater = np.indices(codes.shape).reshape(2, -1)
        return Ratings(item, rater, codes.ravel(), (0, 1), *codes.shape)

    found = get_measure("alpha_nominal")(
        rated(rng.choice(_LEVELS, size=12), rng), _bootstrap(rng, items=False, raters=True)
    )
    return covered(found, _truth_of_items(rated))


_KNOWN: list[float] = []


def _truth_of_items(rated) -> float:  # type: ignore[no-untyped-def]
    if not _KNOWN:
        many = rated(np.repeat(_LEVELS, 3_000), generator(0, "truth"))
        _KNOWN.append(get_measure("alpha_nominal")(many, None).value)
    return _KNOWN[0]


@cache
def _mean_of(kind: str) -> float:
    draw = generator(0, "truth", kind)
    return _overlap(kind, draw, 60_000, None).value


def _overlap(kind: str, rng: np.random.Generator, texts: int, bootstrap: Bootstrap | None) -> Estimate:
    """Three raters who mark the same ten sentences or characters, most of them rightly."""
    right = rng.random((texts, 1, 10)) < 0.3
    chosen = np.where(rng.random((texts, 3, 10)) < 0.9, right, ~right)
    sets = [[set(np.flatnonzero(row).tolist()) for row in text] for text in chosen]
    if kind == "selection_jaccard":
        return selection_jaccard(sets, k=2, bootstrap=bootstrap)
    spans = [[[(place, place + 1) for place in sorted(row)] for row in text] for text in sets]
    return jaccard(spans, bootstrap=bootstrap)


for _kind in ("jaccard", "selection_jaccard"):

    @coverage(f"{_kind}, 20 texts, 3 raters", THESE_RATERS)
    def _marked(rng: np.random.Generator, kind: str = _kind) -> Outcome:
        return covered(_overlap(kind, rng, 20, _bootstrap(rng)), _mean_of(kind))


_RUNS = 199


def _rejects(ratings: Ratings, rng: np.random.Generator) -> Outcome:
    test = permutation_test(ratings, "fleiss_kappa", _RUNS, int(rng.integers(2**32)))
    return Outcome(None if np.isnan(test.p) else bool(test.p <= 0.05))


def _by_position(ratings: Ratings) -> Ratings:
    """The same without raters, the codes of each item in ascending order, as some exports have them."""
    order = np.lexsort((ratings.code, ratings.item))
    return Ratings.of(ratings.item[order], ratings.code[order], codes=ratings.codes)


_NO_AGREEMENT = Crowd((0.7, 0.3), (0.0, 0.0, 0.0))
_SOME_AGREEMENT = Crowd((0.7, 0.3), (0.45, 0.45, 0.45))


@size("permutation of fleiss_kappa, 41 items, 3 raters", "no agreement beyond chance")
def _size_of_raters(rng: np.random.Generator) -> Outcome:
    return _rejects(_NO_AGREEMENT.ratings(rng, 41), rng)


@size("permutation of fleiss_kappa, 41 items, 3 sorted positions", "no agreement beyond chance")
def _size_of_positions(rng: np.random.Generator) -> Outcome:
    return _rejects(_by_position(_NO_AGREEMENT.ratings(rng, 41)), rng)


@power("permutation of fleiss_kappa, 41 items, 3 raters, kappa 0.2", "some agreement")
def _power_of_raters(rng: np.random.Generator) -> Outcome:
    return _rejects(_SOME_AGREEMENT.ratings(rng, 41), rng)


@power("permutation of fleiss_kappa, 41 items, 3 sorted positions, kappa 0.2", "some agreement")
def _power_of_positions(rng: np.random.Generator) -> Outcome:
    return _rejects(_by_position(_SOME_AGREEMENT.ratings(rng, 41)), rng)
