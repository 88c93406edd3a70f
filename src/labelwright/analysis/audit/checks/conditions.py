"""Checks on conditions: labels copied from another condition, or on a reversed scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy

from labelwright.agreement import Floats, Ints
from labelwright.analysis.audit.findings import Finding
from labelwright.analysis.audit.label_sets import LabelSet, by_aspect
from labelwright.analysis.audit.plots import BarPlot, PointPlot
from labelwright.seeds import generator

_LEVEL = 0.001
_LEAST_ITEMS = 10
_RUNS = 99


def copied_conditions(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Two conditions of an aspect with the same labels, more often than two samples of one population would have them."""
    pairs = [pair for own in by_aspect(sets).values() for pair in combinations(own, 2)]
    for one, two in pairs:
        rows = _shared_rows(one, two)
        by_rater = len(rows[0]) >= 0.5 * min(len(one.item), len(two.item))
        found = _same_ratings(one, two, rows) if by_rater else _same_counts(one, two)
        if found is None:
            continue
        excess = (found.same / found.total - found.expected) / max(1 - found.expected, 1e-9)
        p = found.p * len(pairs)
        if p < _LEVEL and excess >= 0.5 and found.expected < 1:
            what = "ratings by the same rater" if by_rater else "shared items"
            yield Finding(
                "copied_condition",
                "wrong" if found.same == found.total else "doubtful",
                f"{one.name} and {two.name}",
                f"have the same labels on {found.same} of {found.total} {what}, where at most {found.expected:.0%} is expected "
                f"(p = {p:.1g}, corrected for {len(pairs)} pairs).",
                "Check whether the labels of one condition were copied from the other, or loaded twice.",
                plot=BarPlot.of(
                    "Labels",
                    "share with the same labels",
                    {"found": found.same / found.total, "expected": found.expected},
                    ["found"],
                ),
            )


@dataclass(frozen=True)
class _EqualLabels:
    """How many ratings or items have the same labels in two conditions, and the expected share."""

    same: int
    total: int
    expected: float
    p: float


def _shared_rows(one: LabelSet, two: LabelSet) -> tuple[Ints, Ints]:
    """The rows of both sets with the same item and rater."""
    if one.rater is None or two.rater is None:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    rows = {key: n for n, key in enumerate(zip(one.item, one.rater, strict=True))}
    found = [(rows[key], n) for n, key in enumerate(zip(two.item, two.rater, strict=True)) if key in rows]
    first, second = zip(*found, strict=True) if found else ((), ())
    return np.array(first, dtype=np.int64), np.array(second, dtype=np.int64)


def _same_ratings(one: LabelSet, two: LabelSet, rows: tuple[Ints, Ints]) -> _EqualLabels | None:
    """Equal labels by the same rater, where even a person who hardly ever changes their mind gives others at times.

    People repeat themselves more often than they agree with others, so nearly all labels must be equal. On a
    slider, nobody hits the same point twice in most cases.
    """
    first, second = rows
    kept = one.labelled[first] & two.labelled[second]
    first, second = first[kept], second[kept]
    if len(first) < _LEAST_ITEMS:
        return None
    place = {code: number for number, code in enumerate(two.codes)}
    moved = np.array([place.get(code, -1) for code in one.codes], dtype=np.int64)
    same = int((moved[one.code[first]] == two.code[second]).sum())
    usual = max(_agreement(one), _agreement(two))
    # Where others agree half of the time, one person repeats a label at most three times in four.
    expected = (1 + usual) / 2
    p = float(scipy.stats.binom.sf(same - 1, len(first), expected))
    least = 0.5 if one.values.slider else 0.95
    return _EqualLabels(same, len(first), expected, p) if same >= least * len(first) else None


def _agreement(each: LabelSet) -> float:
    """The share of pairs of ratings of one item with the same label."""
    cells = each.item_number[each.labelled] * len(each.codes) + each.code[each.labelled]
    counts = np.unique(cells, return_counts=True)[1]
    sizes = np.bincount(each.item_number[each.labelled])
    total = float((sizes * (sizes - 1)).sum())
    return float((counts * (counts - 1)).sum()) / total if total else 1.0


def _same_counts(one: LabelSet, two: LabelSet) -> _EqualLabels | None:
    """Items with the same labels in both conditions, in any order of raters.

    The comparison shuffles the ratings of each item between the two conditions, which is exact if both
    sample one population; if the conditions differ, fewer items are the same.
    """
    if one.codes != two.codes:
        return None
    place = {item: n for n, item in enumerate(two.items)}
    shared = [(n, place[item]) for n, item in enumerate(one.items) if item in place]
    if len(shared) < _LEAST_ITEMS:
        return None
    pooled = [
        _pooled(each, column) for each, column in zip((one, two), zip(*shared, strict=True), strict=True)
    ]
    item = np.concatenate([pooled[0][0], pooled[1][0]])
    code = np.concatenate([pooled[0][1], pooled[1][1]])
    side = np.concatenate([np.zeros(len(pooled[0][0])), np.ones(len(pooled[1][0]))])
    order = np.argsort(item, kind="stable")
    item, code, side = item[order], code[order], side[order]
    draw = generator(0, "audit", "conditions")
    width = len(one.codes)
    observed = _equal_items(item, code, side, len(shared), width)
    if observed < 0.3 * len(shared):
        return None
    shuffled = np.array(
        [_equal_items(item, code, _mixed(item, side, draw), len(shared), width) for _ in range(_RUNS)],
        dtype=float,
    )
    expected, spread = float(shuffled.mean()), float(shuffled.std())
    p = float(scipy.stats.norm.sf((observed - 0.5 - expected) / spread)) if spread > 0 else 1.0
    return _EqualLabels(observed, len(shared), expected / len(shared), p)


def _pooled(each: LabelSet, items: Sequence[int]) -> tuple[Ints, Ints]:
    """The place of each rating's item among the shared items, and its code."""
    place = np.full(len(each.items), -1)
    place[list(items)] = np.arange(len(items))
    kept = each.labelled & (place[each.item_number] >= 0)
    return place[each.item_number[kept]], each.code[kept]


def _mixed(item: Ints, side: Floats, draw: np.random.Generator) -> Floats:
    """The sides of the ratings, shuffled within each item. Ratings are sorted by item."""
    return np.asarray(side[np.lexsort((draw.random(len(item)), item))])


def _equal_items(item: Ints, code: Ints, side: Floats, items: int, width: int) -> int:
    """The number of items with the same count of every code on both sides."""
    difference = np.bincount(item * width + code, 1 - 2 * side, items * width).reshape(items, width)
    return int((~difference.any(axis=1)).sum())


def reversed_conditions(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Conditions whose item means go against those of the other conditions of the same aspect."""
    groups = [[each for each in own if each.ordered] for own in by_aspect(sets).values()]
    tests = sum(len(own) for own in groups if len(own) > 1)
    for own in groups:
        if len(own) < 2:
            continue
        means = _means(own)
        for number, each in enumerate(own):
            rest = _row_mean(np.delete(means, number, axis=1))
            both = np.isfinite(means[:, number]) & np.isfinite(rest)
            value = _correlation(means[both, number], rest[both])
            limit = -scipy.stats.norm.isf(_LEVEL / tests) / np.sqrt(max(int(both.sum()) - 1, 1))
            if both.sum() < _LEAST_ITEMS or not value < limit:
                continue
            if len(own) == 2 and number == 1:
                break  # two conditions contradict each other: one finding is enough
            others = own[1].name if len(own) == 2 else "the other conditions"
            yield Finding(
                "reversed_condition",
                "wrong",
                each.name,
                f"the labels go against those of {others}: the correlation of item means is {value:+.2f} over "
                f"{int(both.sum())} shared items (limit for chance {limit:+.2f}, corrected for {tests} sets).",
                "Check the direction of the scale in both, and recode the reversed one.",
                plot=PointPlot.of(
                    "Items",
                    "mean label in the others, from 0 to 1",
                    "mean label here",
                    [
                        (float(x), float(y), True)
                        for x, y in zip(rest[both], means[both, number], strict=True)
                    ],
                ),
            )


def _means(sets: Sequence[LabelSet]) -> Floats:
    """Items x sets: the mean label from 0 to 1; nan if an item is not in a set."""
    items = list(dict.fromkeys(item for each in sets for item in each.items))
    place = {item: n for n, item in enumerate(items)}
    means = np.full((len(items), len(sets)), np.nan)
    for number, each in enumerate(sets):
        kept = each.labelled
        sums = np.bincount(each.item_number[kept], each.number[kept], len(each.items))
        sizes = np.bincount(each.item_number[kept], minlength=len(each.items))
        rows = np.array([place[item] for item in each.items], dtype=np.int64)
        means[rows, number] = np.where(sizes > 0, sums / np.maximum(sizes, 1), np.nan)
    return means


def _row_mean(values: Floats) -> Floats:
    known = np.isfinite(values)
    total = np.where(known, values, 0.0).sum(axis=1)
    return np.asarray(np.where(known.any(axis=1), total / np.maximum(known.sum(axis=1), 1), np.nan))


def _correlation(one: Floats, two: Floats) -> float:
    if len(one) < 3 or np.ptp(one) == 0 or np.ptp(two) == 0:
        return 0.0
    return float(np.corrcoef(one, two)[0, 1])
