"""Checks on certainty: agreement beyond chance, differences between sets, majorities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from labelwright.agreement import Bootstrap, chi_squared_tests, get_measure, permutation_test
from labelwright.analysis.audit.findings import Finding, some_sets
from labelwright.analysis.audit.label_sets import LabelSet, by_aspect
from labelwright.analysis.differences import difference_of_ratings

_RESAMPLE = Bootstrap(replicates=500)


def chance_agreement(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Agreement that could be due to chance, in a whole set or for a pair of positions."""
    for each in sets:
        test = permutation_test(each.ratings, get_measure("fleiss_kappa"), runs=500)
        if not test.p < 0.05:
            yield Finding(
                "chance",
                "doubtful",
                each.name,
                f"agreement is not significantly better than chance "
                f"(Fleiss' kappa {test.statistic:.3f}, p = {test.p:.3f}).",
                "Do not report these labels as reliable. Collect more ratings or change the task.",
            )
        # Two positions share every item; two raters may share too few items for a meaningful test.
        weak = (
            [pair for pair in chi_squared_tests(each.ratings) if not pair.p < 0.05]
            if each.rater is None
            else []
        )
        if weak:
            p = max(pair.p for pair in weak)
            yield Finding(
                "chance_pair",
                "doubtful",
                each.name,
                f"for {len(weak)} pairs of positions, the chi-squared test is not significant (largest p = {p:.2f}).",
                "Do not claim that all kappas are significant.",
            )


def indistinct_agreement(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Differences in agreement between sets of one aspect whose interval contains zero."""
    for aspect, own in by_aspect(sets).items():
        if len(own) < 2:
            continue
        # Alpha is computed within each set, so it works even if the sets use different codes.
        found = {
            f"{one.condition} and {two.condition}": difference_of_ratings(
                (one.ratings, one.item_names),
                (two.ratings, two.item_names),
                "alpha_nominal",
                bootstrap=_RESAMPLE,
            )
            for one, two in combinations(own, 2)
        }
        alike = {pair: each for pair, each in found.items() if not each.significant}
        if alike:
            shown = {
                pair: f"{each.value:+.2f} [{each.interval.low:+.2f}, {each.interval.high:+.2f}]"
                for pair, each in alike.items()
                if each.interval
            }
            yield Finding(
                "difference_contains_zero",
                "doubtful",
                aspect,
                f"for {len(alike)} of {len(found)} pairs of sets, agreement (alpha) does not differ significantly: "
                "the interval of the difference contains zero.",
                "Do not rank these conditions by agreement. That would need more items.",
                shown,
            )


def too_few_items(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Sets whose agreement has a wide interval."""
    widths = {}
    for each in sets:
        interval = get_measure("alpha_nominal")(each.ratings, _RESAMPLE).interval
        if interval is not None and interval.high - interval.low > 0.2:
            widths[each.name] = f"{len(each.items)} items, alpha [{interval.low:.2f}, {interval.high:.2f}]"
    if widths:
        yield Finding(
            "too_few_items",
            "doubtful",
            some_sets(list(widths), len(sets)),
            "agreement is uncertain: its interval is wider than 0.2.",
            "Report the interval; two decimals suggest more precision than the data support.",
            widths,
        )


def no_majority(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Items with a tie between their most frequent codes."""
    tied = {each.name: n for each in sets if (n := sum(label is None for label in each.majority.values()))}
    if tied:
        yield Finding(
            "no_majority",
            "note",
            some_sets(list(tied), len(sets)),
            f"{sum(tied.values())} items have no majority label.",
            "Report the tie rule, because label shares depend on it.",
            tied,
        )
