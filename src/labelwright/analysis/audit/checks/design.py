"""Checks against the expected design: conditions, items, raters, and ratings per item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from labelwright.analysis.audit.design import ExpectedDesign
from labelwright.analysis.audit.findings import Finding, first_few
from labelwright.analysis.audit.label_sets import LabelSet, by_aspect
from labelwright.analysis.audit.plots import BarPlot


def check_design(sets: Sequence[LabelSet], design: ExpectedDesign) -> Iterator[Finding]:
    """Differences between the files and what the study was meant to collect."""
    if design.conditions is not None:
        yield from _conditions(sets, design.conditions)
    if design.items is not None:
        yield from _items(sets, design.items)
    if design.ratings_per_item is not None:
        yield from _ratings(sets, design.ratings_per_item)
    if design.raters is not None:
        yield from _raters(sets, design.raters)


def _conditions(sets: Sequence[LabelSet], expected: Sequence[str]) -> Iterator[Finding]:
    for aspect, own in by_aspect(sets).items():
        found = {each.condition: len(each.item) for each in own}
        missing = [name for name in expected if name not in found]
        other = [name for name in found if name not in expected]
        if missing or other:
            yield Finding(
                "expected_conditions",
                "wrong",
                aspect,
                f"missing conditions: {first_few(missing) or 'none'}; conditions that were not expected: "
                f"{first_few(other) or 'none'}.",
                "Add the missing files, or check how the conditions are named.",
                {"expected": first_few(expected, 20)},
                BarPlot.of(
                    "Conditions",
                    "number of ratings",
                    {**dict.fromkeys(missing, 0), **found},
                    [*missing, *other],
                ),
            )


def _items(sets: Sequence[LabelSet], expected: int) -> Iterator[Finding]:
    sizes = {each.name: len(each.items) for each in sets}
    wrong = [name for name, n in sizes.items() if n != expected]
    if wrong:
        yield Finding(
            "expected_items",
            "wrong",
            first_few(wrong),
            f"{len(wrong)} of {len(sizes)} sets do not have {expected} items: "
            f"{first_few(f'{name} has {sizes[name]}' for name in wrong)}.",
            "Find out which items are missing or were added.",
            plot=BarPlot.of("Sets", "number of items", sizes, wrong),
        )


def _ratings(sets: Sequence[LabelSet], expected: int) -> Iterator[Finding]:
    for each in sets:
        counts = np.bincount(each.item_number[each.labelled], minlength=len(each.items))
        fewer, more = int((counts < expected).sum()), int((counts > expected).sum())
        if fewer or more:
            numbers, items = np.unique(counts, return_counts=True)
            spread = dict(zip(numbers.tolist(), items.tolist(), strict=True))
            first = [each.items[n] for n in np.flatnonzero(counts != expected)[:5]]
            yield Finding(
                "expected_ratings",
                "wrong",
                each.name,
                f"{fewer} items have fewer than {expected} ratings, and {more} have more.",
                "Collect the missing ratings, or report the number of ratings per item.",
                {"first": first_few(first)},
                BarPlot.of(
                    "Ratings per item", "number of items", spread, [n for n in spread if n != expected]
                ),
            )


def _raters(sets: Sequence[LabelSet], expected: int) -> Iterator[Finding]:
    names = dict.fromkeys(name for each in sets for name in each.raters)
    if len(names) != expected:
        yield Finding(
            "expected_raters",
            "wrong",
            "all sets",
            f"there are {len(names)} rater ids, where {expected} raters were expected.",
            "Find out whether raters have several ids, share an id, or are missing.",
            plot=BarPlot.of("Raters", "number", {"expected": expected, "found": len(names)}, ["found"]),
        )
