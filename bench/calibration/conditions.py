"""Comparisons of conditions that judge the same items: size and power of tests, coverage of differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import TypeAlias

import numpy as np

from bench.calibration.rows import Outcome, Simulate, coverage, power, size
from labelwright.agreement import Bootstrap, Floats, Interval, Ints, Ratings, Significance, get_measure
from labelwright.analysis.comparing.conditions import compare_labels
from labelwright.analysis.comparing.contrasts import Contrast, ContrastTable
from labelwright.analysis.comparing.differences import difference_of_ratings
from labelwright.analysis.comparing.movement import measure_movement
from labelwright.analysis.comparing.pairing import DIFFERENT_RATERS, Comparison
from labelwright.analysis.comparing.shifts import shift_of_values
from labelwright.analysis.scores import ItemValues
from labelwright.seeds import generator

NO_DIFFERENCE = "the condition makes no difference to ratings"
OTHER_ITEMS = "these raters, other items"
TRUTH_ITEMS = 300_000
# With 99 permutations, a test at 5% is as exact as with more, and much faster. Times use ten times as many.
FEW = 99
EVEN, UNEVEN, THREE = (0.5, 0.5), (0.9, 0.1), (0.5, 0.3, 0.2)

NamedRatings: TypeAlias = tuple[Ratings, Sequence[str]]


@dataclass(frozen=True)
class Design:
    """Items with a true code. Raters see it with some probability, and otherwise guess by prevalence.

    Krippendorff's alpha of a condition is then the square of its accuracy.
    """

    items: int = 41
    raters: int = 3
    prevalence: tuple[float, ...] = EVEN
    accuracy: tuple[float, ...] = (0.7, 0.7)
    """One per condition."""
    moved: float = 0.0
    """The share of items with the first true code that have the last one in the second condition."""
    lean: float = 0.0
    """The probability that a rater of the second condition gives the last code, whatever the item."""
    dialogue: int = 1
    """The number of items of a dialogue, which share their true code and how well it can be seen."""
    own_dialogues: bool = False
    """Whether a condition helps more in some dialogues than in others."""
    leniency: float = 0.0
    """How far the raters of each condition, who judge no other, differ in giving the last code."""

    def codes(self, rng: np.random.Generator) -> list[Ints]:
        """The codes given in every condition: items x raters."""
        true = self._by_dialogue(rng.choice(len(self.prevalence), size=self.items, p=self.prevalence))
        clear = self._clarity(rng)
        found = []
        for condition, accuracy in enumerate(self.accuracy):
            clear = self._clarity(rng) if self.own_dialogues else clear
            found.append(self._given(rng, true, accuracy + clear, second=condition > 0))
        return found

    def _given(self, rng: np.random.Generator, true: Ints, accuracy: Floats, *, second: bool) -> Ints:
        shape, last = (self.items, self.raters), len(self.prevalence) - 1
        shares = np.array(self.prevalence)
        if second and self.moved:
            true = np.where((true == 0) & (rng.random((self.items, 1)) < self.moved), last, true)
            shares = shares + self.moved * shares[0] * (np.arange(last + 1) == last)
            shares[0] *= 1 - self.moved
        guess = rng.choice(last + 1, size=shape, p=shares)
        code = np.where(rng.random(shape) < accuracy, true, guess)
        extra = self.lean * second + self.leniency * rng.random(self.raters)
        return np.where(rng.random(shape) < extra, last, code)

    def _clarity(self, rng: np.random.Generator) -> Floats:
        if self.dialogue == 1:
            return np.zeros((self.items, 1))
        return self._by_dialogue(rng.uniform(-0.25, 0.25, size=self.items))

    def _by_dialogue(self, values: np.ndarray) -> np.ndarray:
        """The value of a dialogue's first item for all of its items, as a column."""
        return values[np.arange(self.items) // self.dialogue * self.dialogue][:, None]

    def sets(self, rng: np.random.Generator) -> list[NamedRatings]:
        """Ratings with the names of their items, for every condition."""
        item, rater = np.indices((self.items, self.raters)).reshape(2, -1)
        scale = tuple(range(len(self.prevalence)))
        return [
            (Ratings(item, rater, code.ravel(), scale, self.items, self.raters), names(self.items))
            for code in self.codes(rng)
        ]

    def scores(self, rng: np.random.Generator) -> list[ItemValues]:
        """Scores from 0 to 1 by item, for every condition."""
        return [item_values(code / (len(self.prevalence) - 1)) for code in self.codes(rng)]

    @property
    def compared(self) -> Comparison:
        """Items of one dialogue are left out together, and raters of one condition only are noted."""
        notes = (DIFFERENT_RATERS,) if self.leniency else ()
        if self.dialogue == 1:
            return Comparison(notes=notes)
        units = {name: str(place // self.dialogue) for place, name in enumerate(names(self.items))}
        return Comparison(units=units, unit="dialogue", notes=notes)

    def __str__(self) -> str:
        shares = "/".join(f"{100 * share:.0f}" for share in self.prevalence)
        dialogues = f", {self.dialogue} per dialogue" if self.dialogue > 1 else ""
        return f"{self.items} items{dialogues}, {self.raters} raters, {shares}"


@cache
def names(items: int) -> tuple[str, ...]:
    """Names of items, in ascending order."""
    return tuple(f"i{item:06d}" for item in range(items))


def item_values(table: Floats) -> ItemValues:
    """The values of a table of items x raters by item."""
    return ItemValues(dict(zip(names(len(table)), table.tolist(), strict=True)))


def times(design: Design, rng: np.random.Generator, factor: float = 1.0) -> list[ItemValues]:
    """Log-normal seconds: some items take longer, and some raters take a break. Their mean is 31.3."""
    item = rng.normal(size=(design.items, 1))
    shape = (design.items, design.raters)
    first, second = (np.exp(3 + 0.5 * item + 0.8 * rng.normal(size=shape)) for _ in range(2))
    return [item_values(first), item_values(factor * second)]


def _rejected(test: Significance | None, found: Contrast | None = None) -> Outcome:
    assert test is not None
    return Outcome(None if np.isnan(test.p) else test.p <= 0.05, found is not None and _warned(found))


def _warned(found: Contrast) -> bool:
    """Whether the result says how far it can be trusted, or why there is none."""
    return found.undefined is not None or any("%" in note for note in found.notes)


def _covered(interval: Interval | None, truth: float, found: Contrast | None = None) -> Outcome:
    hit = None if interval is None else interval.low <= truth <= interval.high
    return Outcome(hit, found is not None and _warned(found))


def same_label(design: Design) -> Simulate:
    """Tests whether two conditions share fewer labels than shuffled ratings."""
    return lambda rng: _rejected(compare_labels(*design.sets(rng), bootstrap=None).test)


def shift(design: Design) -> Simulate:
    """Tests a shift of scores."""

    def simulate(rng: np.random.Generator) -> Outcome:
        found = shift_of_values(*design.scores(rng), "score", design.compared)
        return _rejected(found.test, found)

    return simulate


def time(design: Design, factor: float = 1.0) -> Simulate:
    """Tests a difference of times."""
    return lambda rng: _rejected(
        shift_of_values(*times(design, rng, factor), "seconds", bootstrap=_seeded(rng, 10)).test
    )


def agreement(design: Design, measure: str) -> Simulate:
    """Tests a difference of agreement."""

    def simulate(rng: np.random.Generator) -> Outcome:
        found = difference_of_ratings(
            *design.sets(rng), measure, design.compared, bootstrap=_seeded(rng, FEW)
        )
        return _rejected(found.test, found)

    return simulate


def _seeded(rng: np.random.Generator, replicates: int = 1) -> Bootstrap:
    return Bootstrap(replicates, seed=int(rng.integers(2**32)))


for _design in (Design(20), Design(), Design(100, 5), Design(41, 3, UNEVEN), Design(41, 5, THREE)):
    size(f"test of the same label, {_design}", NO_DIFFERENCE)(same_label(_design))
    size(f"test of the positivity shift, {_design}", NO_DIFFERENCE)(shift(_design))
_dialogues = Design(40, dialogue=4)
size(f"test of the positivity shift, {_dialogues}", NO_DIFFERENCE)(shift(_dialogues))
for _items in (20, 41):
    size(f"test of the time saved, {_items} items, 3 raters, log-normal", NO_DIFFERENCE)(time(Design(_items)))
power("power of the same label, 41 items, 3 raters, 50/50", "accuracy 0.9 and 0.1")(
    same_label(Design(accuracy=(0.9, 0.1)))
)
for _lean in (0.2, 0.4):
    power(
        f"power of the positivity shift, 41 items, 3 raters, 50/50, shift {_lean / 2:g}",
        f"a shift of {_lean / 2:g}",
    )(shift(Design(lean=_lean)))
power("power of the time saved, 41 items, 3 raters, log-normal", "1.5 times as long")(time(Design(), 1.5))
size("test of the positivity shift, 41 items, 3 raters of their own in each condition", "other raters")(
    shift(Design(leniency=0.3))
)

for _measure in ("alpha_nominal", "cohen_kappa"):
    for _design in (Design(20), Design(41, 3, UNEVEN), Design(40, dialogue=4)):
        size(f"test of the difference of {_measure}, {_design}", NO_DIFFERENCE)(agreement(_design, _measure))
    size(f"test of the difference of {_measure}, 41 items, 3 raters, 50/50 and 25/75", "the same agreement")(
        agreement(Design(moved=0.5), _measure)
    )
    power(f"power of the difference of {_measure}, 41 items, 3 raters, 50/50", "alphas of 0.25 and 0.81")(
        agreement(Design(accuracy=(0.5, 0.9)), _measure)
    )


def moved_labels(design: Design) -> Simulate:
    """Tests whether labels moved between versions of a study."""
    version, item, _ = np.indices((len(design.accuracy), design.items, design.raters))

    def simulate(rng: np.random.Generator) -> Outcome:
        code = np.stack(design.codes(rng))
        seed = int(rng.integers(2**32))
        return _rejected(measure_movement(item.ravel(), version.ravel(), code.ravel(), FEW, seed).test)

    return simulate


for _design in (Design(20), Design(41, 3, UNEVEN), Design(41, 3, THREE, (0.7,) * 3)):
    size(
        f"test whether labels moved, {_design}, {len(_design.accuracy)} versions",
        "the version makes no difference to ratings",
    )(moved_labels(_design))
power("power whether labels moved, 41 items, 3 raters, 50/50, 2 versions", "a shift of 0.2")(
    moved_labels(Design(lean=0.4))
)


# Families of tests


def any_shift(design: Design, corrected: Callable[[Significance], float | None]) -> Simulate:
    """Whether any pair of four conditions is found to differ."""
    conditions = replace(design, accuracy=(0.7,) * 4)

    def simulate(rng: np.random.Generator) -> Outcome:
        rows = [shift_of_values(*pair, "score") for pair in combinations(conditions.scores(rng), 2)]
        p_values = [corrected(row.test) for row in ContrastTable.of(rows, "shifts")]
        return Outcome(any(p is not None and p <= 0.05 for p in p_values))

    return simulate


def any_label(design: Design) -> Simulate:
    """Whether any pair of four conditions is found to share fewer labels, by Holm's correction."""
    conditions = replace(design, accuracy=(0.7,) * 4)

    def simulate(rng: np.random.Generator) -> Outcome:
        pairs = combinations(conditions.sets(rng), 2)
        p_values = [compare_labels(*pair, bootstrap=None).test.p for pair in pairs]
        return Outcome(min(p_values) <= 0.05 / len(p_values))

    return simulate


_FAMILY = "no difference between any of 6 pairs"
size("test of the positivity shift, Holm, 6 pairs, 41 items, 3 raters", _FAMILY)(
    any_shift(Design(), lambda t: t.p_holm)
)
size("test of the positivity shift, Benjamini-Hochberg, 6 pairs, 41 items, 3 raters", _FAMILY)(
    any_shift(Design(), lambda t: t.p_bh)
)
size("test of the same label, Holm, 6 pairs, 41 items, 3 raters", _FAMILY)(any_label(Design()))
power("power of the positivity shift, Holm, 6 pairs, 41 items, 3 raters", "three of four shift by 0.2")(
    any_shift(Design(lean=0.4), lambda t: t.p_holm)
)


# Equivalence, where the true difference is the margin


def equal_scores(design: Design, margin: float) -> Simulate:
    """Tests equivalence of scores."""
    return lambda rng: _rejected(
        shift_of_values(*design.scores(rng), "score", design.compared, margin).equivalence
    )


def equal_times(design: Design, factor: float, margin: float) -> Simulate:
    """Tests equivalence of times."""
    return lambda rng: _rejected(
        shift_of_values(
            *times(design, rng, factor), "seconds", margin=margin, bootstrap=_seeded(rng)
        ).equivalence
    )


def equal_agreement(design: Design, measure: str, margin: float) -> Simulate:
    """Tests equivalence of agreement."""

    def simulate(rng: np.random.Generator) -> Outcome:
        found = difference_of_ratings(
            *design.sets(rng), measure, design.compared, margin=margin, bootstrap=_seeded(rng)
        )
        return _rejected(found.equivalence, found)

    return simulate


_AT_MARGIN = "the difference is the margin"
for _items in (20, 41, 100):
    # A rater in five leans to the last code, so the mean moves from 0.5 to 0.6.
    size(f"test of equivalence of scores within 0.1, {_items} items, 3 raters", _AT_MARGIN)(
        equal_scores(Design(_items, lean=0.2), 0.1)
    )
    # 0.7 squared is 0.49, and 0.8307 squared 0.69.
    size(f"test of equivalence of alpha_nominal within 0.2, {_items} items, 3 raters, 50/50", _AT_MARGIN)(
        equal_agreement(Design(_items, accuracy=(0.7, 0.69**0.5)), "alpha_nominal", 0.2)
    )
power("power of equivalence of scores within 0.1, 100 items, 3 raters", "no difference")(
    equal_scores(Design(100), 0.1)
)
power("power of equivalence of alpha_nominal within 0.2, 100 items, 3 raters, 50/50", "no difference")(
    equal_agreement(Design(100), "alpha_nominal", 0.2)
)
# The mean of a log-normal variable is exp(mean + variance / 2) = exp(3 + 0.125 + 0.32).
_MEAN_SECONDS = float(np.exp(3.445))
size("test of equivalence of times within 10 seconds, 41 items, 3 raters", _AT_MARGIN)(
    equal_times(Design(), 1 + 10 / _MEAN_SECONDS, 10)
)


# Intervals


@cache
def true_difference(design: Design, measure: str) -> float:
    """The difference of a measure for very many items."""
    one, two = design.sets(generator(0, "truth"))
    return get_measure(measure)(two[0], None).value - get_measure(measure)(one[0], None).value


def covered_difference(design: Design, measure: str) -> Simulate:
    """Whether the interval of a difference of agreement covers the true one."""

    def simulate(rng: np.random.Generator) -> Outcome:
        found = difference_of_ratings(*design.sets(rng), measure, design.compared, bootstrap=_seeded(rng))
        return _covered(found.interval, true_difference(replace(design, items=TRUTH_ITEMS), measure), found)

    return simulate


def covered_shift(design: Design, truth: float) -> Simulate:
    """Whether the interval of a shift covers the true one."""

    def simulate(rng: np.random.Generator) -> Outcome:
        found = shift_of_values(*design.scores(rng), "score", design.compared, bootstrap=_seeded(rng))
        return _covered(found.interval, truth, found)

    return simulate


def covered_time(design: Design, factor: float) -> Simulate:
    """Whether the interval of the seconds saved covers the true ones."""

    def simulate(rng: np.random.Generator) -> Outcome:
        found = shift_of_values(*times(design, rng, factor), "seconds", bootstrap=_seeded(rng))
        return _covered(found.interval, (factor - 1) * _MEAN_SECONDS, found)

    return simulate


@cache
def true_share(design: Design) -> float:
    """The share of equal labels for very many items."""
    sets = design.sets(generator(0, "truth"))
    counts = [np.stack([np.bincount(one.item, one.code == code) for code in one.codes]) for one, _ in sets]
    clear = np.all([2 * count.max(axis=0) > count.sum(axis=0) for count in counts], axis=0)
    return float((clear & (counts[0].argmax(axis=0) == counts[1].argmax(axis=0))).mean())


def covered_share(design: Design) -> Simulate:
    """Whether the interval of the share of equal labels covers the true one."""

    def simulate(rng: np.random.Generator) -> Outcome:
        same = compare_labels(*design.sets(rng), bootstrap=_seeded(rng)).same
        found = _covered(same.interval, true_share(replace(design, items=TRUTH_ITEMS)))
        return replace(found, warned=any("%" in note for note in same.notes))

    return simulate


_CHANGES = {"no difference": (0.7, 0.7), "0.36 and 0.81": (0.6, 0.9)}
for _items in (20, 41, 100):
    for _raters in (3, 5):
        for _prevalence in (EVEN, UNEVEN):
            for _words, _accuracy in _CHANGES.items():
                _design = Design(_items, _raters, _prevalence, _accuracy)
                coverage(f"interval of the difference of alpha_nominal, {_design}, {_words}", OTHER_ITEMS)(
                    covered_difference(_design, "alpha_nominal")
                )
    # Kappa is left out once per item and pair of raters, which takes long.
    for _measure in ("percentage", "gwet_ac1", *(["cohen_kappa"] if _items == 41 else [])):
        for _prevalence in (EVEN, UNEVEN):
            _design = Design(_items, 3, _prevalence, (0.6, 0.9))
            coverage(f"interval of the difference of {_measure}, {_design}, 0.36 and 0.81", OTHER_ITEMS)(
                covered_difference(_design, _measure)
            )
    _design = Design(_items, 3, THREE, (0.6, 0.9))
    coverage(f"interval of the difference of alpha_ordinal, {_design}, 0.36 and 0.81", OTHER_ITEMS)(
        covered_difference(_design, "alpha_ordinal")
    )
    for _prevalence in (EVEN, UNEVEN):
        _design = Design(_items, 3, _prevalence, lean=0.2)
        coverage(f"interval of the positivity shift, {_design}", OTHER_ITEMS)(
            covered_shift(_design, 0.2 * (1 - _prevalence[1]))
        )
    coverage(f"interval of the time saved, {_items} items, 3 raters, log-normal", OTHER_ITEMS)(
        covered_time(Design(_items), 1.3)
    )
    coverage(f"interval of the same label, {_items} items, 3 raters, 50/50", OTHER_ITEMS)(
        covered_share(Design(_items))
    )
for _dialogue_items in (80, 160):
    _design = Design(_dialogue_items, 3, accuracy=(0.6, 0.7), dialogue=4, own_dialogues=True)
    coverage(f"interval of the difference of alpha_nominal, {_design}", "these raters, other dialogues")(
        covered_difference(_design, "alpha_nominal")
    )
    coverage(f"interval of the positivity shift, {_design}", "these raters, other dialogues")(
        covered_shift(_design, 0.0)
    )
