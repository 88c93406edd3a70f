"""Conditions: the label distribution in each, and label consistency between them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeAlias, TypeVar

import numpy as np
import scipy

from labelwright.agreement import (
    DEFAULT_BOOTSTRAP,
    UNDEFINED,
    Bootstrap,
    Code,
    Estimate,
    Floats,
    Interval,
    Ints,
    Ratings,
    Significance,
    correct_tests,
    mean_estimate,
)
from labelwright.analysis.aggregation import TieRule, item_counts, majority
from labelwright.analysis.comparing.contrasts import Reference, p_text, reference_of, restriction_text
from labelwright.analysis.comparing.pairing import Pairing
from labelwright.analysis.comparing.permutation import METHOD, ItemNull, split_counts, sum_test
from labelwright.analysis.comparing.replicates import replicate_agreement
from labelwright.analysis.data.labels import Labels
from labelwright.analysis.results import html_table, text_table
from labelwright.analysis.scores import item_weights
from labelwright.seeds import generator

_RUNS = 10_000
_MANY_ITEMS = 30
_FEW = (
    "{} common items give a share of equal labels only a few possible values: its 95% intervals cover 90 to 98%, "
    "depending on the true share."
)
_QUESTION = "whether two conditions share fewer labels than if the condition made no difference."
ItemName = TypeVar("ItemName", bound=Hashable)


@dataclass(frozen=True)
class LabelDistribution:
    """The number of ratings with each code, and the number of items with each majority label."""

    where: Mapping[str, Any]
    codes: tuple[Code, ...]
    ratings: tuple[int, ...]
    majority: tuple[int, ...]
    no_majority: int
    weighted: tuple[float, ...] = ()
    """The sum of the design weights of the ratings with each code; empty if the labels have no weights."""
    outside: tuple[Code, ...] = ()
    """The codes without a place in the order of the scale."""

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of ratings with each code, by the design weights of their items."""
        counted = self.weighted or self.ratings
        total = sum(counted) or 1
        return tuple(n / total for n in counted)


def distributions(
    labels: Labels, by: Sequence[str] = ("condition",), ties: TieRule = "none"
) -> list[LabelDistribution]:
    """The label distribution for every combination of values of the columns in `by`."""
    found = []
    for where, part in labels.slices(by):
        ratings = part.ratings()
        labelled = majority(ratings, ties)
        given = np.bincount(ratings.code, minlength=len(ratings.codes)).tolist()
        *most, none = labelled.counts.values()
        found.append(
            LabelDistribution(
                where,
                ratings.codes,
                tuple(given),
                tuple(most),
                none,
                _weighted(part, ratings.codes),
                ratings.outside,
            )
        )
    return found


def _weighted(labels: Labels, codes: Sequence[Code]) -> tuple[float, ...]:
    if not labels.has("weight"):
        return ()
    weights, sums = item_weights(labels), dict.fromkeys(codes, 0.0)
    rows = labels.fetch(["item", "label"])
    for item, label in zip(rows["item"].to_pylist(), rows["label"].to_pylist(), strict=True):
        if label in sums:
            sums[label] += weights[item]
    return tuple(sums.values())


@dataclass(frozen=True)
class Consistency:
    """Percentage agreement between the majority labels of every pair of conditions, for one aspect."""

    where: Mapping[str, Any]
    """The slice: its aspect and question."""
    conditions: tuple[str, ...]
    pairs: Mapping[tuple[str, str], Estimate]
    """The share of common items with the same label, from 0 to 1, with an interval over items."""
    baseline: Mapping[str, float]
    """The agreement expected between two replicates of the same condition."""
    expected: Mapping[tuple[str, str], float]
    """The share expected if the two conditions made no difference to the ratings of each item."""
    tests: Mapping[tuple[str, str], Significance]
    """Whether two conditions share fewer labels than that, corrected over all pairs."""
    reference: str | None = None

    @property
    def aspect(self) -> str | None:
        """The aspect, if labels have one."""
        return self.where.get("aspect")

    def get(self, first: str, second: str) -> Estimate:
        """The agreement of two conditions, in either order."""
        return self.pairs[self._pair(first, second)]

    def test(self, first: str, second: str) -> Significance:
        """The test of two conditions, in either order."""
        return self.tests[self._pair(first, second)]

    def _pair(self, first: str, second: str) -> tuple[str, str]:
        return (first, second) if (first, second) in self.pairs else (second, first)

    def against_reference(self) -> dict[str, Estimate]:
        """The agreement of every condition with the reference condition."""
        assert self.reference is not None, "this consistency has no reference condition"
        return {name: self.get(name, self.reference) for name in self.conditions if name != self.reference}

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """The matrix as text, in percent, with the baseline on the diagonal."""
        rows = []
        for first in self.conditions:
            cells = [
                f"({100 * self.baseline[first]:.0f})"
                if first == second
                else _percent(self.get(first, second))
                for second in self.conditions
            ]
            rows.append([first, *cells])
        return ["condition", *self.conditions], rows

    def test_cells(self) -> tuple[list[str], list[list[str]]]:
        """One row per pair: the share, the expected share, the test and its corrections, and the number of items."""
        heads = ["from", "to", "same", "expected", "p", "Holm", "BH", "items"]
        return heads, [
            [
                *pair,
                f"{100 * estimate.value:.1f}",
                f"{100 * self.expected[pair]:.1f}",
                *(p_text(p) for p in (self.tests[pair].p, self.tests[pair].p_holm, self.tests[pair].p_bh)),
                f"{estimate.items:,}",
            ]
            for pair, estimate in self.pairs.items()
        ]

    @property
    def notes(self) -> list[str]:
        """How to read the matrix, how pairs were tested, and what they leave out."""
        restrictions = [
            f"{one} and {two}: {restriction_text(each.items, each.left_out)}"
            for (one, two), each in self.pairs.items()
            if each.left_out
        ]
        methods = ", ".join(dict.fromkeys(test.method for test in self.tests.values()))
        family = (
            f" Corrected over the {len(self.tests):,} pairs of this matrix." if len(self.tests) > 1 else ""
        )
        return [
            "In parentheses on the diagonal: expected agreement between two replicates of the condition.",
            f"Test: {methods}, one-sided: {_QUESTION}{family}",
            *restrictions,
            *dict.fromkeys(note for each in self.pairs.values() for note in each.notes),
        ]

    @property
    def _title(self) -> str:
        slice_name = ", ".join(str(value) for value in self.where.values())
        return f"Same label in both conditions, percent{f', {slice_name}' if slice_name else ''}"

    def __repr__(self) -> str:
        return "\n".join(
            [self._title, text_table(*self.cells()), text_table(*self.test_cells()), *self.notes]
        )

    def _repr_html_(self) -> str:
        tests = html_table(*self.test_cells(), notes=self.notes)
        return html_table(*self.cells(), caption=self._title) + tests


def _percent(estimate: Estimate) -> str:
    if estimate.undefined:
        return "undefined"
    between = (
        f" [{100 * estimate.interval.low:.0f}, {100 * estimate.interval.high:.0f}]"
        if estimate.interval
        else ""
    )
    return f"{100 * estimate.value:.1f}{between}"


def consistency(
    labels: Labels,
    *,
    reference: Reference = None,
    ties: TieRule = "none",
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> list[Consistency]:
    """How often the majority labels of the same items agree between conditions, one matrix per aspect and question.

    Items are paired by their id. Items judged in only one of the two conditions are left out and
    counted. An item without a majority label in one of them counts as disagreement. Two conditions
    share fewer labels than two sets of ratings of the same condition would, if the test says so: it
    shuffles the ratings of each item between the two conditions. Raises MixedCodes if conditions use
    different codes and no scale is declared.
    """
    labels.check_codes("condition", "comparing conditions")
    return [
        _consistency_of(part, where, reference_of(reference, where), ties, bootstrap)
        for where, part in labels.in_memory().slices()
    ]


def _consistency_of(
    part: Labels, where: Mapping[str, Any], reference: str | None, ties: TieRule, bootstrap: Bootstrap | None
) -> Consistency:
    conditions = tuple(part.values("condition"))
    ratings = {name: part.where(condition=name).named_ratings() for name in conditions}
    seed = bootstrap.seed if bootstrap else 0
    found = {
        (one, two): compare_labels(ratings[one], ratings[two], ties, bootstrap)
        for one, two in combinations(conditions, 2)
    }
    corrected = correct_tests([each.test for each in found.values()])
    baseline = {name: replicate_agreement(ratings[name][0], ties, seed=seed) for name in conditions}
    return Consistency(
        where,
        conditions,
        {pair: each.same for pair, each in found.items()},
        baseline,
        {pair: each.expected for pair, each in found.items()},
        dict(zip(found, corrected, strict=True)),
        reference,
    )


@dataclass(frozen=True)
class LabelComparison:
    """The labels of two conditions compared."""

    same: Estimate
    """The share of common items with the same label."""
    expected: float
    """The share expected if the ratings of each item were shuffled between the two conditions."""
    test: Significance
    """Whether fewer labels are the same than shuffled ratings would give."""


def compare_labels(
    first: tuple[Ratings, Sequence[str]],
    second: tuple[Ratings, Sequence[str]],
    ties: TieRule = "none",
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> LabelComparison:
    """How often the same items have the same majority label in two sets of ratings with the names of their items."""
    same = same_label(_majority_by_item(*first, ties), _majority_by_item(*second, ties), bootstrap)
    items = _shuffled_labels(first, second, ties)
    if not items:
        return LabelComparison(same, UNDEFINED, Significance(METHOD, UNDEFINED, UNDEFINED))
    random = generator(bootstrap.seed if bootstrap else 0, "same label")
    test = sum_test(items, same.value * len(items), _RUNS, random, two_sided=False)
    return LabelComparison(same, float(np.mean([item.mean for item in items])), test)


def _majority_by_item(ratings: Ratings, names: Sequence[str], ties: TieRule) -> dict[str, int]:
    return dict(zip(names, majority(ratings, ties).label.tolist(), strict=True))


def same_label(
    first: Mapping[ItemName, int],
    second: Mapping[ItemName, int],
    bootstrap: Bootstrap | None = DEFAULT_BOOTSTRAP,
) -> Estimate:
    """The share of items with the same label in both conditions; -1 (no label) never matches.

    >>> same_label({"a": 0, "b": 1, "c": -1}, {"a": 0, "b": 2, "c": -1}, None).value.__round__(3)
    0.333
    """
    common = sorted(set(first) & set(second), key=str)
    same = [float(first[item] == second[item] >= 0) for item in common]
    alone = len(set(first) ^ set(second))
    found = mean_estimate(
        "same_label",
        same,
        "Share of items with the same majority label in both conditions. An item without a majority label "
        "in one of them counts as disagreement; items in only one condition are left out.",
        None,
        left_out={"item in one condition only": alone} if alone else {},
        notes=(_FEW.format(len(same)),) if bootstrap and 0 < len(same) < _MANY_ITEMS else (),
    )
    return (
        found
        if bootstrap is None or not same
        else replace(found, interval=share_wilson(found.value, len(same), bootstrap.level))
    )


def share_wilson(share: float, n: int, level: float) -> Interval:
    """Wilson's interval of a share of n items (Wilson 1927), which is never empty, even if all items are the same."""
    square = float(scipy.stats.norm.ppf((1 + level) / 2)) ** 2
    middle = (share + square / (2 * n)) / (1 + square / n)
    reach = math.sqrt(square * (share * (1 - share) / n + square / (4 * n * n))) / (1 + square / n)
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach), level, "items", 0, 0)


def _shuffled_labels(
    first: tuple[Ratings, Sequence[str]], second: tuple[Ratings, Sequence[str]], ties: TieRule
) -> list[ShuffledLabel]:
    """For every item of both conditions: how often its labels are the same if its ratings are shuffled."""
    pairing = Pairing.of(first, second, least=0)
    one, two = (item_counts(each).tolist() for each in pairing.sets)
    return [
        same_label_null(tuple(a + b for a, b in zip(own, other, strict=True)), sum(own), ties)
        for own, other in zip(one, two, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _DrawnLabel:
    """An item with too many ratings to list all ways to split them."""

    pool: tuple[int, ...]
    own: int
    ties: TieRule

    @property
    def mean(self) -> float:
        """The expected share of permutations with the same label."""
        return float(self.draw(generator(0, "expected label"), _RUNS).mean())

    def draw(self, random: np.random.Generator, runs: int) -> Floats:
        """1 for every random permutation with the same label, otherwise 0."""
        drawn = random.multivariate_hypergeometric(self.pool, self.own, size=runs)
        chances = _same_chances(drawn, np.array(self.pool) - drawn, self.ties)
        return np.asarray(random.random(runs) < chances, dtype=float)


ShuffledLabel: TypeAlias = ItemNull | _DrawnLabel


@lru_cache(maxsize=10_000)
def same_label_null(pool: tuple[int, ...], own: int, ties: TieRule) -> ShuffledLabel:
    """Whether an item has the same label in both conditions if its ratings are shuffled between them.

    >>> same_label_null((2, 2), 2, "none").mean.__round__(3)  # each condition gets one of both: no label
    0.0
    >>> same_label_null((5, 1), 3, "none").mean.__round__(3)
    1.0
    """
    splits = split_counts(pool, own)
    if splits is None:
        return _DrawnLabel(pool, own, ties)
    tables, chances = splits
    same = float(_same_chances(tables, np.array(pool) - tables, ties) @ chances)
    return ItemNull(np.array([0.0, 1.0]), np.array([1 - same, same]))


def _same_chances(first: Ints, second: Ints, ties: TieRule) -> Floats:
    """The chance that two sets of counts give the same label, row by row."""
    return np.asarray((_label_chances(first, ties) * _label_chances(second, ties)).sum(axis=1))


def _label_chances(counts: Ints, ties: TieRule) -> Floats:
    """The chance of each label, row by row; the order in which ratings were given is random too."""
    best = counts == counts.max(axis=1, keepdims=True)
    if ties == "none":
        best = best & (best.sum(axis=1, keepdims=True) == 1)
    if ties == "lowest":
        best = best & (best.cumsum(axis=1) == 1)
    if ties == "highest":
        best = best & (best[:, ::-1].cumsum(axis=1)[:, ::-1] == 1)
    return np.asarray(best / np.maximum(best.sum(axis=1, keepdims=True), 1))
