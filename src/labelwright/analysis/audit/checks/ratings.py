"""Checks on ratings: number per item, missing labels, rater ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from labelwright.analysis.audit.findings import Finding, how_many, some_sets
from labelwright.analysis.audit.label_sets import LabelSet, usual_count
from labelwright.analysis.audit.plots import BarPlot

# Positions are few: nobody collects more ratings than this per item and forgets who gave them.
_MOST_POSITIONS = 12
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def ratings_per_item(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Items with a different number of ratings than the others."""
    for each in sets:
        given = np.bincount(each.item_number[each.labelled], minlength=len(each.items))
        counts = given[given > 0]
        usual = usual_count(counts)
        other, missing = int((counts != usual).sum()), int((~each.labelled).sum())
        if other or missing:
            spread = dict(sorted(Counter(counts.tolist()).items()))
            uneven = (
                f"{how_many(other, 'item does', 'items do')} not have {usual} ratings like the others"
                if other
                else ""
            )
            empty = f"{how_many(missing, 'rating has', 'ratings have')} no label" if missing else ""
            yield Finding(
                "ratings_per_item",
                "doubtful",
                each.name,
                f"{', and '.join(filter(None, (uneven, empty)))}.",
                "Use Krippendorff's alpha, or compare at equal numbers of ratings. The original Fleiss' kappa does not apply.",
                {"items by number of ratings": spread},
                BarPlot.of("Ratings per item", "number of items", spread, [n for n in spread if n != usual]),
            )


def left_out_rows(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Rows of our own exports that are no labels, such as free text and answers about gold items."""
    for export in dict.fromkeys(each.export for each in sets if each.export):
        counted = sum(len(each.item) for each in sets if each.export == export)
        if counted < export.rows:
            yield Finding(
                "left_out_rows",
                "note",
                export.name,
                f"{export.rows - counted} of {export.rows} rows are not audited, because they are no labels of items: free "
                "text, questions about the whole task, gold items, data that are not used, and points marked as no answer.",
                "Nothing needs to be done.",
                plot=BarPlot.of(
                    "Rows", "number", {"labels": counted, "left out": export.rows - counted}, ["left out"]
                ),
            )


def missing_ids(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Ratings without the id of an item or a rater."""
    for each in sets:
        for what, ids, names in (("item", each.item, each.items), ("rater", each.rater or (), each.raters)):
            blank = {name for name in names if not name.strip()}
            if blank:
                empty = sum(name in blank for name in ids)
                yield Finding(
                    "missing_ids",
                    "wrong",
                    each.name,
                    f"{empty} of {len(ids)} ratings have no {what} id.",
                    "Restore the ids, or leave these ratings out. Without ids they are taken for one "
                    + what
                    + ".",
                    plot=BarPlot.of(
                        "Ratings",
                        "number",
                        {f"with {what} id": len(ids) - empty, "without": empty},
                        ["without"],
                    ),
                )


def positions(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Sets without rater ids, or with rater ids that are only positions."""
    unknown = [each.name for each in sets if each.rater is None]
    if unknown:
        yield Finding(
            "positions",
            "doubtful",
            some_sets(unknown, len(sets)),
            "there are no rater ids, so the first, second and third ratings of an item are positions, not people.",
            "Report a kappa over positions as such. It does not measure how two people agree, and raters cannot be resampled.",
            plot=_number_bars([each for each in sets if each.rater is None]),
        )
    for each in sets:
        if each.rater is not None and _looks_like_positions(each):
            names = ", ".join(sorted(each.raters)[:5])
            yield Finding(
                "positions",
                "doubtful",
                each.name,
                f"the rater ids ({names}) look like positions: they are consecutive, and every item has the first of them.",
                "Treat them as positions unless you know that these people judged every item.",
                plot=BarPlot.of("Rater ids", "number of items", Counter(each.rater), each.raters),
            )
    indexed = [each for each in sets if each.lists is not None and _running_numbers(each)]
    if indexed:
        yield Finding(
            "running_number",
            "note",
            some_sets([each.name for each in indexed], len(sets)),
            "a field without a name contains consecutive numbers. It is probably an index, not a rater id.",
            "Ignore this field.",
            plot=_number_bars(indexed),
        )


def _number_bars(sets: Sequence[LabelSet]) -> BarPlot:
    return BarPlot.of(
        "Sets", "number of ratings", {each.name: len(each.item) for each in sets}, [s.name for s in sets]
    )


def _looks_like_positions(each: LabelSet) -> bool:
    """Whether ids are one word with consecutive numbers, and an item with n ratings has exactly the first n of them."""
    place = _places(each.raters)
    if place is None or not 2 <= len(each.raters) <= _MOST_POSITIONS:
        return False
    places = np.array(place)[each.rater_number]
    sizes = np.bincount(each.item_number)
    last = np.zeros(len(sizes), dtype=np.int64)
    np.maximum.at(last, each.item_number, places)
    seen = len(np.unique(each.item_number * (len(place) + 1) + places))
    return bool((last == sizes).all()) and seen == len(each.item)


def _places(names: Sequence[str]) -> list[int] | None:
    """The place of each id in a series such as judge1, judge2, judge3 or A, B, C; None if they are no series."""
    folded = [name.strip().casefold() for name in names]
    if set(folded) <= set(_ORDINALS):
        numbers = [_ORDINALS.index(name) + 1 for name in folded]
    elif all(re.fullmatch(r"[a-z]", name) for name in folded):
        numbers = [ord(name) - ord("a") + 1 for name in folded]
    else:
        parts = [re.fullmatch(r"(.*?)[ _.-]?(\d{1,2})", name) for name in folded]
        if not all(parts) or len({part[1] for part in parts if part}) > 1:
            return None
        numbers = [int(part[2]) for part in parts if part]
    start = min(numbers, default=0)
    if start > 1 or sorted(numbers) != list(range(start, start + len(numbers))):
        return None
    return [number - start + 1 for number in numbers]


def _running_numbers(each: LabelSet) -> bool:
    assert each.lists is not None
    values = [value for entry in each.lists.entries("") for value in entry]
    return bool(values) and values == [str(i) for i in range(len(values))]
