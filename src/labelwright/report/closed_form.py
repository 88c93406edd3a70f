"""Closed form: the analyses of large studies, without resampling.

Items (or dialogues) are put into 200 groups at random. Every figure is a function of sums over items, so the sums of each
group give the figure without that group: a delete-a-group jackknife, whose t intervals and tests need one pass over the
ratings. `bench/report_errors` checks that they cover.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import sqrt
from typing import Any

import numpy as np
import scipy
from scipy.special import stdtr

from labelwright import tables
from labelwright.agreement import (
    UNDEFINED,
    Bootstrap,
    CountMeasure,
    Estimate,
    Floats,
    Interval,
    Ints,
    Significance,
    Sums,
    get_measure,
    kappa_of_sums,
)
from labelwright.agreement.counts import weighted_features
from labelwright.agreement.pairs import mean_over_pairs
from labelwright.analysis import Contrast, EstimateRow, EstimateTable, LabelDistribution, Ranking
from labelwright.analysis.comparing.conditions import LabelComparison, same_label_null, share_wilson
from labelwright.analysis.comparing.jackknife import MOST_UNITS, Jackknife
from labelwright.analysis.comparing.replicates import replicate_agreement
from labelwright.report.arrays import RatingArrays
from labelwright.report.figures import MAIN_MEASURE, SCORE, Figures, item_means, majority_of
from labelwright.seeds import generator

LARGE = 30_000
"""Above this number of ratings, figures are computed in closed form."""
_GROUPED = ("percentage", "fleiss_kappa", "alpha_nominal")
_MOST_REPLICATED = 2_000
"""The baseline of replicates is estimated from this many items, drawn at random."""
_PAIRED = 0.5
"""Conditions are compared on their common items if these are at least this share of the larger set."""


@dataclass(frozen=True, eq=False)
class GroupedCounts:
    """The counts of one condition, summed over groups of items."""

    codes: tuple[Any, ...]
    sums: Floats
    """Groups x numbers, in the layout of `features_of`."""
    items: int
    ratings: int

    @classmethod
    def of(cls, table: Ints, codes: Sequence[Any], group: Ints, columns: Sequence[int]) -> GroupedCounts:
        """From items x codes; `columns` are the codes that count."""
        used = table[:, columns]
        kept = used.sum(axis=1) >= 2
        used, own = used[kept], group[kept]
        patterns, number = distinct_rows(used)
        size = len(patterns)
        weights = np.bincount(own * size + number, minlength=MOST_UNITS * size).reshape(MOST_UNITS, size)
        sums = weighted_features(patterns, weights.astype(float))
        names = tuple(codes[place] for place in columns)
        return cls(names, sums, len(used), int(used.sum()))

    def jackknife(self, measure: CountMeasure) -> tuple[float, Floats]:
        """The value of a measure, and its values without each group that has items."""
        total = self.sums.sum(axis=0)
        value = float(np.asarray(measure.of(Sums.unpacked(self.codes, total))))
        filled = self.sums.any(axis=1)
        rest = total - self.sums[filled]
        return value, np.atleast_1d(np.asarray(measure.of(Sums.unpacked(self.codes, rest))))


def distinct_rows(table: Ints) -> tuple[Ints, Ints]:
    """The distinct rows of small counts, and the place of each row among them."""
    base = int(table.max(initial=0)) + 1
    if base ** table.shape[1] >= 2**62:
        rows, number = np.unique(table, axis=0, return_inverse=True)
        return rows, number.ravel()
    key = table @ (base ** np.arange(table.shape[1], dtype=np.int64))
    if base ** table.shape[1] <= 4_000_000:
        seen = np.bincount(key) > 0
        keys, number = np.flatnonzero(seen), (np.cumsum(seen) - 1)[key]
    else:
        keys, number = np.unique(key, return_inverse=True)
    rows = keys[:, None] // base ** np.arange(table.shape[1], dtype=np.int64) % base
    return rows, number


class ClosedFigures(Figures):
    """The analyses of one question in closed form."""

    method = (
        "There are so many ratings that intervals and tests use no resampling: agreement, scores and differences between "
        "conditions have t intervals from a jackknife that leaves out one of 200 random groups of dialogues or items."
    )

    @cached_property
    def group(self) -> Ints:
        """The random group of each item; items of a dialogue are in the same one."""
        names = self.data.columns["item"].names
        unit = np.arange(len(names))
        if "dialogue" in self.data.columns:
            unit[self.data.item] = self.data.columns["dialogue"].number
        drawn = generator(self.bootstrap.seed, "jackknife").permutation(int(unit.max(initial=0)) + 1)
        return np.asarray(drawn[unit] % MOST_UNITS, dtype=np.int64)

    @cached_property
    def tables(self) -> dict[str, Ints]:
        """For every condition: all items x codes."""
        size, many = len(self.data.codes), len(self.data.columns["item"].names)
        names = self.data.columns["condition"].names
        cell = (self.data.condition * many + self.data.item) * size + self.data.code
        counts = np.bincount(cell, minlength=len(names) * many * size).reshape(len(names), many, size)
        return {name: counts[place] for place, name in enumerate(names) if counts[place].any()}

    def _grouped(self, condition: str, ordinal: bool = False, among: Any = None) -> GroupedCounts:
        table, group = self.tables[condition], self.group
        if among is not None:
            table, group = table[among], group[among]
        used = (table > 0).sum(axis=0) if self.data.scale is None else np.ones(table.shape[1], dtype=int)
        outside = [code in self.data.outside for code in self.data.codes]
        columns = [
            place
            for place, there in enumerate(np.atleast_1d(used))
            if there and not (ordinal and outside[place])
        ]
        return GroupedCounts.of(table, self.data.codes, group, columns)

    @cache  # noqa: B019  the figures live as long as the report is made
    def agreement(self) -> EstimateTable:
        """Agreement by condition, with jackknife intervals."""
        rows = [EstimateRow({"condition": name}, self._closed(name)) for name in self.data.conditions]
        return EstimateTable(tuple(rows), "Agreement")

    def _closed(self, condition: str) -> dict[str, Estimate]:
        nominal = self._grouped(condition)
        found = {name: self._estimate(nominal, name) for name in _GROUPED}
        if self.data.rater is not None:
            found["cohen_kappa"] = self._cohen(condition)
        if not self.data.no_order:
            found["alpha_ordinal"] = self._estimate(self._grouped(condition, ordinal=True), "alpha_ordinal")
        return found

    def _estimate(self, counts: GroupedCounts, name: str) -> Estimate:
        measure = get_measure(name)
        assert isinstance(measure, CountMeasure)
        value, without = counts.jackknife(measure)
        interval = Jackknife.of(value, without).interval(self.bootstrap.level, self._over)
        undefined = None if np.isfinite(value) else "all ratings are the same"
        return Estimate(
            name,
            value,
            measure.definition,
            interval,
            items=counts.items,
            ratings=counts.ratings,
            undefined=undefined,
        )

    @property
    def _over(self) -> str:
        return "dialogues" if "dialogue" in self.data.columns else "items"

    def _cohen(self, condition: str) -> Estimate:
        part = self.data.only(self._rows_of(condition))
        items, place = part.compact()
        rater, raters = part.raters_in(place)
        sums = tables.sum_pairs(place, rater, part.code, len(part.codes))
        shared = sums.items.astype(float)
        values = kappa_of_sums(shared, sums.agreed.astype(float), sums.chance)
        value = float(mean_over_pairs(values, shared))
        return Estimate(
            "cohen_kappa",
            value,
            get_measure("cohen_kappa").definition,
            raters=raters,
            items=len(items),
            ratings=len(part),
            undefined=None if np.isfinite(value) else "no two raters judged the same item",
            notes=("Cohen's kappa has no interval, because there are too many pairs of raters.",),
        )

    def agreement_tests(self) -> list[Significance]:
        """One-sided t tests of agreement above chance."""
        measure = get_measure(MAIN_MEASURE)
        assert isinstance(measure, CountMeasure)
        found = []
        for name in self.data.conditions:
            spread = Jackknife.of(*self._grouped(name).jackknife(measure))
            test = spread.test()
            found.append(replace(test, p=float(stdtr(spread.freedom, -test.statistic))))
        return found

    def agreement_differences(self, measure: str) -> list[Contrast]:
        """Differences to the reference, from groups left out of both conditions together."""
        chosen = get_measure(measure)
        if not isinstance(chosen, CountMeasure):
            chosen = get_measure(MAIN_MEASURE)
            assert isinstance(chosen, CountMeasure)
        first, *others = self.conditions
        return [self._difference(chosen, first, other) for other in others]

    def _difference(self, measure: CountMeasure, first: str, second: str) -> Contrast:
        one, two = (self.tables[name].sum(axis=1) > 0 for name in (first, second))
        both = one & two
        paired = both.sum() >= _PAIRED * max(one.sum(), two.sum())
        ordinal = bool(getattr(measure, "needs_order", False))
        sides = [
            self._grouped(name, ordinal, both if paired else None).jackknife(measure)
            for name in (first, second)
        ]
        (before, less), (after, more) = sides
        if paired and len(less) == len(more):
            spread = Jackknife.of(after - before, more - less)
        else:
            spread = Jackknife.of(after, more).minus(Jackknife.of(before, less))
        return self._contrast(first, second, measure.name, (before, after), spread, int(both.sum()))

    def _contrast(
        self, first: str, second: str, name: str, values: tuple[float, float], spread: Jackknife, items: int
    ) -> Contrast:
        return Contrast(
            first,
            second,
            name,
            values,
            spread.value,
            f"Difference of {name}, second minus first; jackknife t interval over {MOST_UNITS} groups of {self._over}.",
            spread.interval(self.bootstrap.level, self._over),
            spread.test(),
            items=items,
            where=self.data.where,
            notes=self._rater_notes(first, second),
        )

    def label_shares(self) -> list[LabelDistribution]:
        """Counts by condition, from the tables of items."""
        if "weight" in self.data.numbers:
            return super().label_shares()
        found = []
        for name, table in self.tables.items():
            used = np.flatnonzero(table.any(axis=0)) if self.data.scale is None else np.arange(table.shape[1])
            own = table[table.any(axis=1)][:, used]
            label = majority_of(own)
            found.append(
                LabelDistribution(
                    {**self.data.where, "condition": name},
                    tuple(self.data.codes[place] for place in used.tolist()),
                    tuple(own.sum(axis=0).tolist()),
                    tuple(np.bincount(label[label >= 0], minlength=len(used)).tolist()),
                    int((label < 0).sum()),
                    outside=self.data.outside,
                )
            )
        return found

    def _mean_score(self, part: RatingArrays, scores: Floats) -> Estimate:
        items, means, weights = item_means(part, scores[part.code])
        group = self.group[items]
        total = np.bincount(group, weights * means, MOST_UNITS)
        size = np.bincount(group, weights, MOST_UNITS)
        filled = size > 0
        value = float(total.sum() / size.sum()) if filled.any() else UNDEFINED
        without = (total.sum() - total[filled]) / np.maximum(size.sum() - size[filled], 1e-12)
        spread = Jackknife.of(value, without)
        return Estimate(
            "score",
            value,
            SCORE,
            spread.interval(self.bootstrap.level, self._over),
            items=len(items),
            ratings=len(part),
        )

    def _compared_labels(self, one: RatingArrays, two: RatingArrays) -> LabelComparison:
        first, second = (self._table_of(part) for part in (one, two))
        both = (first.sum(axis=1) > 0) & (second.sum(axis=1) > 0)
        first, second = first[both], second[both]
        labels = majority_of(first), majority_of(second)
        same = float(np.mean((labels[0] == labels[1]) & (labels[0] >= 0))) if len(first) else UNDEFINED
        pools, number = distinct_rows(np.column_stack([first + second, first.sum(axis=1)]))
        means = np.array([same_label_null(tuple(row[:-1]), row[-1], "none").mean for row in pools.tolist()])
        many = np.bincount(number, minlength=len(pools))
        expected = float(many @ means / max(len(first), 1))
        error = sqrt(float(many @ (means * (1 - means)))) / max(len(first), 1)
        statistic = (same - expected) / error if error else UNDEFINED
        p = float(scipy.stats.norm.cdf(statistic)) if error else UNDEFINED
        estimate = Estimate(
            "same_label",
            same,
            "Share of items with the same majority label in both conditions.",
            share_wilson(same, len(first), self.bootstrap.level) if len(first) else None,
            items=len(first),
        )
        return LabelComparison(
            estimate, expected, Significance("normal approximation of the permutation test", p, statistic)
        )

    def _table_of(self, part: RatingArrays) -> Ints:
        return self.tables[part.columns["condition"].names[int(part.condition[0])]]

    def _replicates(self, part: RatingArrays) -> float:
        items = np.flatnonzero(np.bincount(part.item) > 0)
        drawn = generator(self.bootstrap.seed, "replicates").permutation(items)[:_MOST_REPLICATED]
        chosen = np.zeros(len(part.columns["item"].names), dtype=bool)
        chosen[drawn] = True
        few = part.only(np.flatnonzero(chosen[part.item]))
        return replicate_agreement(few.ratings(), runs=50, seed=self.bootstrap.seed)

    def _shifts(self, values: Floats, name: str) -> list[Contrast]:
        many = len(self.data.columns["item"].names)
        known = np.isfinite(values)
        cell = (self.data.condition * many + self.data.item)[known]
        size = len(self.data.columns["condition"].names) * many
        n = np.bincount(cell, minlength=size).reshape(-1, many)
        means = np.bincount(cell, values[known], size).reshape(-1, many) / np.maximum(n, 1)
        first, *others = (self.data.columns["condition"].names.index(each) for each in self.conditions)
        return [self._shift(n, means, first, other, name) for other in others]

    def _shift(self, n: Ints, means: Floats, first: int, second: int, name: str) -> Contrast:
        both = (n[first] > 0) & (n[second] > 0)
        moved = (means[second] - means[first])[both]
        group = self.group[both]
        total, size = np.bincount(group, moved, MOST_UNITS), np.bincount(group, minlength=MOST_UNITS)
        filled = size > 0
        without = (moved.sum() - total[filled]) / np.maximum(len(moved) - size[filled], 1)
        value = float(moved.mean()) if len(moved) else UNDEFINED
        names = self.data.columns["condition"].names
        found = self._contrast(
            names[first],
            names[second],
            name,
            (float(means[first][both].mean()), float(means[second][both].mean()))
            if len(moved)
            else (UNDEFINED,) * 2,
            Jackknife.of(value, without),
            len(moved),
        )
        spread = float(moved.std(ddof=1)) if len(moved) > 1 else 0.0
        return replace(found, effect_size=value / spread if spread else UNDEFINED)

    def ranking(self, condition: str | None = None) -> Ranking:
        """The same ranking; how often a system is first is not resampled."""
        found = self._ranking(condition)
        return replace(found, systems=tuple(replace(each, share_best=UNDEFINED) for each in found.systems))

    def _ranked_by(self) -> Bootstrap:
        # Ranks and intervals do not depend on replicates.
        return replace(self.bootstrap, replicates=2)

    def confidence(self, condition: str) -> tuple[Estimate, Significance]:
        """Spearman's correlation with the interval of Bonett and Wright (2000)."""
        items, sure, agreed = self._confidence_of(condition)
        if len(items) < 4:
            return super().confidence(condition)
        found = scipy.stats.spearmanr(sure, agreed)
        rho = float(found.statistic)
        reach = scipy.stats.norm.ppf((1 + self.bootstrap.level) / 2) * sqrt(
            (1 + rho**2 / 2) / (len(items) - 3)
        )
        low, high = np.tanh(np.arctanh(np.clip(rho, -0.999999, 0.999999)) + np.array([-reach, reach]))
        interval = Interval(float(low), float(high), self.bootstrap.level, "items", 0, 0)
        about = "Spearman's rank correlation over items with both values."
        estimate = Estimate("confidence_against_agreement", rho, about, interval, items=len(items))
        return estimate, Significance("Spearman", float(found.pvalue), rho)
