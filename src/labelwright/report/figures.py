"""Figures: every analysis of a report for one question, by resampling and permutation.

Large studies use `closed_form` instead, which replaces what would take too long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from labelwright.agreement import (
    Bootstrap,
    CountMeasure,
    Estimate,
    Floats,
    Ints,
    NoOrder,
    Significance,
    correct_tests,
    get_measure,
    mean_estimate,
    permutation_test,
)
from labelwright.analysis import (
    Consistency,
    Contrast,
    EstimateRow,
    EstimateTable,
    LabelDistribution,
    NotLabels,
    Ranking,
)
from labelwright.analysis.comparing.conditions import LabelComparison, compare_labels
from labelwright.analysis.comparing.differences import NamedRatings, difference_of_ratings
from labelwright.analysis.comparing.pairing import DIFFERENT_RATERS, Comparison
from labelwright.analysis.comparing.replicates import replicate_agreement
from labelwright.analysis.comparing.shifts import shift_of_values
from labelwright.analysis.correlation import rank_correlation
from labelwright.analysis.ranking.systems import ScoredRatings, rank_scored
from labelwright.analysis.scores import ItemValues, weighted_mean
from labelwright.report.arrays import RatingArrays

NOMINAL = ("percentage", "fleiss_kappa", "alpha_nominal", "cohen_kappa")
ORDINAL = ("alpha_ordinal", "kendall_tau_b")
MAIN_MEASURE = "fleiss_kappa"
"""The measure that conditions are compared by, unless a plan names another one."""
SCORE = "Mean over an item's ratings of the score from 0 (worst) to 1 (best), then over items."


@dataclass(frozen=True, eq=False)
class Figures:
    """The analyses of one question from its ratings."""

    data: RatingArrays
    reference: str
    """The condition that others are compared with."""
    bootstrap: Bootstrap
    method = (
        "Agreement has 95% bootstrap intervals over items (1,000 replicates) and is tested by permutation; differences "
        "between conditions have jackknife t intervals and are tested by shuffling the ratings of each item."
    )
    """How intervals and tests are computed, as a sentence for a paper."""

    @property
    def conditions(self) -> list[str]:
        """The conditions of this question, the reference first."""
        found = self.data.conditions
        return sorted(found, key=lambda name: name != self.reference)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that the codes allow."""
        return (*NOMINAL, *(() if self.data.no_order else ORDINAL))

    @cache  # noqa: B019  the figures live as long as the report is made
    def agreement(self) -> EstimateTable:
        """Agreement by condition."""
        rows = [
            EstimateRow({"condition": name}, self._measured(self.data.within(name)))
            for name in self.data.conditions
        ]
        return EstimateTable(tuple(rows), "Agreement")

    def _measured(self, part: RatingArrays) -> dict[str, Estimate]:
        counts, ratings = part.counts(), part.ratings()
        measures = [get_measure(name) for name in self.measures]
        return {
            each.name: each(counts, self.bootstrap)
            if isinstance(each, CountMeasure)
            else each(ratings, self.bootstrap)
            for each in measures
        }

    def agreement_tests(self) -> list[Significance]:
        """Whether agreement is higher than by chance, by condition."""
        return [
            permutation_test(self.data.within(name).ratings(), MAIN_MEASURE, seed=self.bootstrap.seed)
            for name in self.data.conditions
        ]

    def agreement_differences(self, measure: str) -> list[Contrast]:
        """Agreement of each condition against the reference."""
        sides = {name: self._named(self.data.within(name)) for name in self.conditions}
        return [
            difference_of_ratings(
                sides[each.first], sides[each.second], measure, each, bootstrap=self.bootstrap
            )
            for each in self.comparisons()
        ]

    @staticmethod
    def _named(part: RatingArrays) -> NamedRatings:
        return part.ratings(), part.item_names(part.compact()[0])

    def comparisons(self) -> list[Comparison]:
        """The reference with every other condition, with the dialogues of items."""
        first, *others = self.conditions
        unit = "dialogue" if "dialogue" in self.data.columns else "item"
        units = self.data.groups(unit, self.data.compact()[0]) if unit == "dialogue" else None
        return [
            Comparison(first, other, self.data.where, units, unit, self._rater_notes(first, other))
            for other in others
        ]

    def _rater_notes(self, first: str, second: str) -> tuple[str, ...]:
        """A note if no rater judged both conditions."""
        if self.data.rater is None:
            return ()
        size = int(self.data.rater.max(initial=0)) + 1
        one, two = (
            np.bincount(self.data.rater[self._rows_of(name)], minlength=size) > 0 for name in (first, second)
        )
        return () if (one & two).any() else (DIFFERENT_RATERS,)

    def label_shares(self) -> list[LabelDistribution]:
        """The label distribution of each condition."""
        return [self._shares(name, self.data.within(name)) for name in self.data.conditions]

    @staticmethod
    def _shares(name: str, part: RatingArrays) -> LabelDistribution:
        items, place = part.compact()
        label = majority_of(part.item_table(items, place))
        size = len(part.codes)
        weight = part.numbers.get("weight")
        weights = None if weight is None else np.nan_to_num(weight, nan=1.0)
        return LabelDistribution(
            {**part.where, "condition": name},
            part.codes,
            tuple(np.bincount(part.code, minlength=size).tolist()),
            tuple(np.bincount(label[label >= 0], minlength=size).tolist()),
            int((label < 0).sum()),
            () if weights is None else tuple(np.bincount(part.code, weights, size).tolist()),
            part.outside,
        )

    def scores(self, by: Sequence[str]) -> EstimateTable:
        """The mean score by the columns `condition` and `category`."""
        self.data.check_codes("comparing scores")
        scores = self.data.scores()
        columns = [self.data.columns[name] for name in by]
        joint = np.zeros(len(self.data), dtype=np.int64)
        for column in columns:
            joint = joint * (len(column.names) + 1) + column.number + 1
        rows = []
        for value in np.unique(joint).tolist():
            chosen = np.flatnonzero(joint == value)
            where = {
                name: column.names[column.number[chosen[0]]] if column.number[chosen[0]] >= 0 else ""
                for name, column in zip(by, columns, strict=True)
            }
            rows.append(EstimateRow(where, {"score": self._mean_score(self.data.only(chosen), scores)}))
        return EstimateTable(tuple(rows), "Mean score")

    def _mean_score(self, part: RatingArrays, scores: Floats) -> Estimate:
        _, means, weights = item_means(part, scores[part.code])
        if len(weights) and np.ptp(weights) > 0:
            return weighted_mean("score", means.tolist(), weights.tolist(), SCORE, self.bootstrap.level)
        return mean_estimate("score", means, SCORE, self.bootstrap, ratings=len(part))

    def consistency(self) -> Consistency:
        """How often two conditions give an item the same label."""
        self.data.check_codes("comparing conditions")
        parts = {name: self.data.only(self._rows_of(name)) for name in self.data.conditions}
        names = list(parts)
        found = {
            (one, two): self._compared_labels(parts[one], parts[two])
            for place, one in enumerate(names)
            for two in names[place + 1 :]
        }
        tests = correct_tests([each.test for each in found.values()])
        return Consistency(
            self.data.where,
            tuple(names),
            {pair: each.same for pair, each in found.items()},
            {name: self._replicates(part) for name, part in parts.items()},
            {pair: each.expected for pair, each in found.items()},
            dict(zip(found, tests, strict=True)),
            self.reference if self.reference in names else None,
        )

    @cache  # noqa: B019
    def _rows_of(self, condition: str) -> Ints:
        """The rows of a condition."""
        place = self.data.columns["condition"].names.index(condition)
        return np.flatnonzero(self.data.condition == place)

    def _compared_labels(self, one: RatingArrays, two: RatingArrays) -> LabelComparison:
        return compare_labels(self._named(one), self._named(two), bootstrap=self.bootstrap)

    def _replicates(self, part: RatingArrays) -> float:
        return replicate_agreement(part.ratings(), seed=self.bootstrap.seed)

    def shifts(self) -> list[Contrast]:
        """How scores move from the reference to each condition."""
        self.data.check_codes("comparing scores")
        return self._shifts(self.data.scores()[self.data.code], "score")

    def seconds_saved(self) -> list[Contrast]:
        """Seconds per rating of the reference minus those of each condition."""
        if "seconds" not in self.data.numbers:
            raise NotLabels("the column `seconds` holds no numbers.", expected="seconds as numbers.")
        return [each.reversed() for each in self._shifts(self.data.numbers["seconds"], "seconds")]

    def _shifts(self, values: Floats, name: str) -> list[Contrast]:
        sides = {one: self._item_values(values, one, name) for one in self.conditions}
        return [
            shift_of_values(sides[each.first], sides[each.second], name, each, bootstrap=self.bootstrap)
            for each in self.comparisons()
        ]

    def _item_values(self, values: Floats, condition: str, name: str) -> ItemValues:
        own = self._rows_of(condition)
        known = own[np.isfinite(values[own])]
        names = self.data.columns["item"].names
        found: dict[Any, list[float]] = {}
        for item, value in zip(self.data.item[known].tolist(), values[known].tolist(), strict=True):
            found.setdefault(names[item], []).append(value)
        missing = len(own) - len(known)
        reason = "rating without a score" if name == "score" else f"rating without {name}"
        return ItemValues(found, {reason: missing} if missing else {})

    def ranking(self, condition: str | None = None) -> Ranking:
        """Systems from best to worst, over all conditions or in one."""
        return self._ranking(condition)

    @cache  # noqa: B019
    def _ranking(self, condition: str | None) -> Ranking:
        self.data.check_codes("ranking systems")
        scores = self.data.scores()
        part = self.data if condition is None else self.data.only(self._rows_of(condition))
        where = {} if condition is None else {"condition": condition}
        scored, left_out = scored_ratings(part, scores)
        return rank_scored(scored, self._ranked_by(), where, left_out)

    def _ranked_by(self) -> Bootstrap:
        return self.bootstrap

    def confidence(self, condition: str) -> tuple[Estimate, Significance]:
        """Confidence against agreement, over the items of a condition."""
        items, sure, agreed = self._confidence_of(condition)
        names = items.tolist()
        return rank_correlation(
            dict(zip(names, sure.tolist(), strict=True)),
            dict(zip(names, agreed.tolist(), strict=True)),
            "confidence_against_agreement",
            self.bootstrap,
        )

    def _confidence_of(self, condition: str) -> tuple[Ints, Floats, Floats]:
        """The items of a condition with their mean confidence and the share of pairs of ratings that agree."""
        if "confidence" not in self.data.numbers:
            raise NoOrder(
                "the column `confidence` holds texts.", expected="numbers, so that more means surer."
            )
        part = self.data.within(condition)
        items, place = part.compact()
        counts = part.item_table(items, place)
        n = counts.sum(axis=1)
        agreed = np.where(n >= 2, (counts * (counts - 1)).sum(axis=1) / np.maximum(n * (n - 1), 1), np.nan)
        sure = part.numbers["confidence"]
        known = np.isfinite(sure)
        given = np.bincount(place[known], minlength=len(items))
        means = np.bincount(place[known], sure[known], len(items)) / np.maximum(given, 1)
        both = (n >= 2) & (given > 0)
        return items[both], means[both], agreed[both]


def majority_of(counts: Ints) -> Ints:
    """The place of the most frequent code of each item; -1 if there is a tie."""
    best = counts == counts.max(axis=1, keepdims=True)
    return np.asarray(np.where(best.sum(axis=1) == 1, counts.argmax(axis=1), -1))


def item_means(part: RatingArrays, values: Floats) -> tuple[Ints, Floats, Floats]:
    """The items with a value, their means, and their design weights."""
    known = np.isfinite(values)
    size = len(part.columns["item"].names)
    n = np.bincount(part.item[known], minlength=size)
    items = np.flatnonzero(n)
    means = np.bincount(part.item[known], values[known], size)[items] / n[items]
    weights = np.ones(size)
    if "weight" in part.numbers:
        weights[part.item] = np.nan_to_num(part.numbers["weight"], nan=1.0)
    return items, means, weights[items]


def scored_ratings(part: RatingArrays, scores: Floats) -> tuple[ScoredRatings, dict[str, int]]:
    """The scored ratings of systems, and what was left out. Raises NotLabels if nothing is left."""
    if "system" not in part.columns:
        raise NotLabels("the ratings name no systems.", expected="a column `system`.")
    systems = part.columns["system"]
    unnamed = np.array([not name for name in systems.names] + [True])
    named = ~unnamed[systems.number]
    value = scores[part.code]
    kept = named & np.isfinite(value)
    if not kept.any():
        raise NotLabels(
            "no rating has both a system and a score.", expected="a column `system`, and labels with scores."
        )
    unit = part.columns.get("shared_item", part.columns["item"]).number[kept]
    numbers, item = _dense(unit)
    known, system = _dense(systems.number[kept])
    rater = None if part.rater is None else _dense(part.rater[kept])[1]
    group = None
    if "dialogue" in part.columns:
        group = np.zeros(len(numbers), dtype=np.int64)
        group[item] = part.columns["dialogue"].number[kept]
    weight = np.ones(len(numbers))
    if "weight" in part.numbers:
        weight[item] = np.nan_to_num(part.numbers["weight"][kept], nan=1.0)
    left_out = {
        "items without a system": len(np.unique(part.item[~named])),
        "ratings without a score": int((named & ~np.isfinite(value)).sum()),
    }
    names = tuple(systems.names[number] for number in known.tolist())
    scored = ScoredRatings(item, system, rater, value[kept], weight, names, group)
    return scored, {why: n for why, n in left_out.items() if n}


def _dense(numbers: Ints) -> tuple[Ints, Ints]:
    """The numbers that occur, ascending, and the place of each entry among them."""
    seen = np.bincount(numbers) > 0
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[numbers]
