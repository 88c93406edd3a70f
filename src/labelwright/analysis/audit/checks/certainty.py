"""What the labels can show: agreement beyond chance, differences, and a majority."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from labelwright.agreement import Bootstrap, chi_squared_tests, get_measure, permutation_test
from labelwright.analysis.audit.findings import Finding, some_sets
from labelwright.analysis.audit.label_sets import LabelSet, by_aspect
from labelwright.analysis.differences import difference

_RESAMPLE = Bootstrap(replicates=500)


def told_from_chance(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Agreement that could be chance, as a whole or for one pair of raters or positions."""
    for each in sets:
        test = permutation_test(each.ratings, get_measure("fleiss_kappa"), runs=500)
        if not test.p < 0.05:
            yield Finding(
                "chance",
                "doubtful",
                each.name,
                f"agreement cannot be told from chance (Fleiss' kappa {test.statistic:.3f}, p = {test.p:.3f}).",
                "Do not report these labels as agreed upon; collect more ratings or change the task.",
            )
        # Two positions share every item; two raters may share too few for a test to mean anything.
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
                f"{len(weak)} pairs of positions are not significant by chi-squared (largest p = {p:.2f}).",
                "A sentence such as 'all kappas are significant' does not hold here.",
            )


def told_apart(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Differences of agreement between sets of one aspect whose interval contains zero."""
    for aspect, own in by_aspect(sets).items():
        if len(own) < 2:
            continue
        # Alpha compares sets whose codes differ in name only: it is computed within each.
        found = {
            f"{one.condition} and {two.condition}": difference(
                (one.ratings, one.item_names),
                (two.ratings, two.item_names),
                get_measure("alpha_nominal"),
                _RESAMPLE,
            )
            for one, two in combinations(own, 2)
        }
        alike = {pair: each for pair, each in found.items() if not each.told_apart}
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
                f"agreement (alpha) of {len(alike)} of {len(found)} pairs of sets cannot be told apart: the interval of "
                "the difference contains zero.",
                "Do not rank these conditions by agreement; more items are needed for that.",
                shown,
            )


def too_few_items(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Sets whose agreement is known only to a wide interval."""
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
            "agreement is known to no better than an interval wider than 0.2.",
            "Two digits after the point claim more than the data hold; print the interval.",
            widths,
        )


def no_majority(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Items whose most frequent codes are equally frequent."""
    tied = {each.name: n for each in sets if (n := sum(label is None for label in each.majority.values()))}
    if tied:
        yield Finding(
            "no_majority",
            "note",
            some_sets(list(tied), len(sets)),
            f"{sum(tied.values())} items have no majority label.",
            "Declare a tie rule; shares of labels depend on it.",
            tied,
        )
