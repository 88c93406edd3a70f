"""Checks on items: different items, different order, duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from labelwright.analysis.audit.findings import Finding
from labelwright.analysis.audit.label_sets import LabelSet


def items_differ(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Sets that do not contain the same items."""
    if len(sets) < 2:
        return
    sizes = {each.name: len(each.items) for each in sets}
    if len(set(sizes.values())) > 1:
        yield Finding(
            "item_count",
            "wrong",
            "all sets",
            "the number of items differs between sets.",
            "Compare only items that are in both sets, and report how many there are.",
            sizes,
        )
    everywhere = set.intersection(*(set(each.items) for each in sets))
    seen = Counter(item for each in sets for item in each.items)
    rare = {each.name: sum(seen[item] <= len(sets) / 2 for item in each.items) for each in sets}
    if len(everywhere) < max(sizes.values()):
        yield Finding(
            "items_differ",
            "wrong",
            "all sets",
            f"only {len(everywhere)} items are in all {len(sets)} sets; the largest set has {max(sizes.values())}.",
            "Pair items by the judged text, and report the number of common items with every comparison.",
            {"items missing from most other sets": {name: n for name, n in rare.items() if n}},
        )


def unpaired_keys(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Item ids that differ between files, and items in a different order."""
    keyed = [each for each in sets if each.keys]
    if len(keyed) < 2:
        return
    if not set.intersection(*(set(each.keys) for each in keyed)):
        yield Finding(
            "ids_differ",
            "doubtful",
            "all sets",
            "no item has the same id in all files, so items cannot be paired by id.",
            "Pair items by the judged text, as this audit does.",
        )
    usual = Counter(each.items for each in keyed).most_common(1)[0][0]
    place = {item: i for i, item in enumerate(usual)}
    for each in keyed:
        moved = sum(place.get(item, i) != i for i, item in enumerate(each.items))
        if moved:
            yield Finding(
                "item_order",
                "doubtful",
                each.name,
                f"{moved} of {len(each.items)} items are at a different position than in most files.",
                "Do not pair items by their position in the file.",
            )


def duplicates(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Items that occur twice in a file, and items judged twice by one rater."""
    for each in sets:
        if each.lists is not None and len(each.items) < len(each.keys):
            yield Finding(
                "duplicated_items",
                "wrong",
                each.name,
                f"{len(each.keys) - len(each.items)} items have the same text as another.",
                "Decide whether they are the same item. If so, combine their ratings.",
            )
        if each.rater is not None:
            twice = [pair for pair, n in Counter(zip(each.item, each.rater, strict=True)).items() if n > 1]
            if twice:
                yield Finding(
                    "rated_twice",
                    "doubtful",
                    each.name,
                    f"{len(twice)} items have several ratings with the same rater id.",
                    "Find out whether the id belongs to several people before dropping ratings.",
                    {"first": twice[:3], "rater ids": len(set(each.rater))},
                )
