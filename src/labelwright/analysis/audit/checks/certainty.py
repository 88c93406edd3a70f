"""Checks on certainty: agreement beyond chance, differences between sets, majorities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from labelwright.agreement import chi_squared_tests, get_measure
from labelwright.analysis.audit.alphas import SetAlpha, difference_of
from labelwright.analysis.audit.findings import Finding, how_many, some_sets
from labelwright.analysis.audit.label_sets import LabelSet, by_aspect
from labelwright.analysis.audit.plots import BarPlot, IntervalPlot
from labelwright.analysis.audit.shuffles import ShuffledAgreement

_WIDE = 0.2
_MOST_POSITIONS = 12
_MOST_SHOWN = 24


def chance_agreement(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Agreement that could be due to chance, in a whole set or for a pair of positions."""
    for each in sets:
        found = each.shuffled
        if found is not None and not found.p < 0.05:
            yield Finding(
                "chance",
                "doubtful",
                each.name,
                f"agreement is not significantly better than chance ({_described(each, found)}, p = {found.p:.3f}).",
                "Do not report these labels as reliable. Collect more ratings or change the task.",
                plot=BarPlot.of(
                    "Ratings of one item",
                    "share of variance between items" if each.values.slider else "share of equal labels",
                    {"found": found.observed, "by chance": found.expected},
                    ["found"],
                ),
            )
        weak = _weak_positions(each)
        if weak:
            yield Finding(
                "chance_pair",
                "doubtful",
                each.name,
                f"for {how_many(len(weak), 'pair', 'pairs')} of positions, the chi-squared test is not significant "
                f"(largest p = {max(weak.values()):.2f}).",
                "Do not claim that all kappas are significant.",
                plot=BarPlot.of("Pairs of positions", "p of the chi-squared test", weak, weak),
            )


def _described(each: LabelSet, found: ShuffledAgreement) -> str:
    if each.values.slider:
        return f"{found.observed:.0%} of the variance lies between items, {found.expected:.0%} by chance"
    return f"Fleiss' kappa {get_measure('fleiss_kappa')(each.ratings, None).value:.3f}"


def _weak_positions(each: LabelSet) -> dict[str, float]:
    """Pairs of positions without a significant association. Raters may share too few items for such a test."""
    many = np.bincount(each.item_number).max(initial=0) > _MOST_POSITIONS
    if each.rater is not None or each.values.slider or many:
        return {}
    # A test that cannot be computed does not show anything either.
    tests = chi_squared_tests(each.ratings)
    return {f"pair {number}": float(test.p) for number, test in enumerate(tests, 1) if not test.p < 0.05}


def indistinct_agreement(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Differences in agreement between sets of one aspect whose interval contains zero."""
    for aspect, own in by_aspect(sets).items():
        # Alpha is computed within each set, so it works even if the sets use different codes.
        alphas = {each.condition: alpha for each in own if (alpha := each.alpha) is not None}
        found = {
            f"{one} and {two}": difference_of(alphas[one], alphas[two])
            for one, two in combinations(alphas, 2)
        }
        alike = {pair: (value, half) for pair, (value, half) in found.items() if abs(value) <= half}
        if alike:
            yield Finding(
                "difference_contains_zero",
                "note",
                aspect,
                f"for {len(alike)} of {len(found)} pairs of sets, agreement (alpha) does not differ significantly: "
                "the interval of the difference contains zero.",
                "Do not rank these conditions by agreement. That would need more items.",
                {
                    pair: f"{value:+.2f} [{value - half:+.2f}, {value + half:+.2f}]"
                    for pair, (value, half) in list(alike.items())[:_MOST_SHOWN]
                },
                IntervalPlot(
                    "Pairs of sets",
                    "difference of alpha, with its interval",
                    tuple((pair, v, v - h, v + h) for pair, (v, h) in list(alike.items())[:_MOST_SHOWN]),
                ),
            )


def too_few_items(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Sets whose agreement has a wide interval."""
    alphas: dict[str, SetAlpha] = {each.name: alpha for each in sets if (alpha := each.alpha) is not None}
    wide = [each for each in sets if each.name in alphas and 2 * alphas[each.name].half_width > _WIDE]
    if wide:
        ends = {each.name: _ends(alphas[each.name]) for each in wide}
        yield Finding(
            "too_few_items",
            "doubtful",
            some_sets([each.name for each in wide], len(sets)),
            "agreement is uncertain: its interval is wider than 0.2.",
            "Report the interval; two decimals suggest more precision than the data support.",
            {
                each.name: f"{len(each.items)} items, alpha [{ends[each.name][1]:.2f}, {ends[each.name][2]:.2f}]"
                for each in wide
            },
            IntervalPlot(
                "Sets",
                "alpha, with its interval",
                tuple((name, *end) for name, end in ends.items())[:_MOST_SHOWN],
            ),
        )


def _ends(alpha: SetAlpha) -> tuple[float, float, float]:
    return alpha.value, alpha.value - alpha.half_width, min(1.0, alpha.value + alpha.half_width)


def no_majority(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Items with a tie between their most frequent codes."""
    tied = {each.name: n for each in sets if not each.values.slider and (n := _ties(each))}
    if tied:
        yield Finding(
            "no_majority",
            "note",
            some_sets(list(tied), len(sets)),
            f"{sum(tied.values())} items have no majority label.",
            "Report the tie rule, because label shares depend on it.",
            tied,
            BarPlot.of("Sets", "items without a majority", tied, tied),
        )


def _ties(each: LabelSet) -> int:
    top = each.counts.max(axis=1)
    return int((((each.counts == top[:, None]).sum(axis=1) > 1) & (top > 0)).sum())
