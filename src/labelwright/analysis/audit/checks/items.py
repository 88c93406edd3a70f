"""Checks on items: different items, different order, duplicates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from labelwright.agreement import Ints
from labelwright.analysis.audit.findings import Finding, Severity, first_few, some_sets
from labelwright.analysis.audit.label_sets import LabelSet, by_aspect
from labelwright.analysis.audit.plots import BarPlot
from labelwright.analysis.data.item_lists import normalised


def items_differ(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Conditions of one aspect that do not contain the same items. Aspects may be rated on different items."""
    for family in _families(sets):
        sizes = {each.name: len(each.items) for each in family}
        everywhere = set.intersection(*(set(each.items) for each in family))
        # Without a common item, the conditions were meant to have different ones.
        severity: Severity = "note" if not everywhere else "wrong"
        where = some_sets(list(sizes), len(sets))
        if len(set(sizes.values())) > 1:
            yield Finding(
                "item_count",
                severity,
                where,
                "the number of items differs between sets.",
                "Compare only items that are in both sets, and report how many there are.",
                sizes,
                BarPlot.of(
                    "Sets", "number of items", sizes, [n for n in sizes if sizes[n] < max(sizes.values())]
                ),
            )
        seen = Counter(item for each in family for item in each.items)
        rare = {each.name: sum(seen[item] <= len(family) / 2 for item in each.items) for each in family}
        yield Finding(
            "items_differ",
            severity,
            where,
            f"only {len(everywhere)} items are in all {len(family)} sets; the largest set has {max(sizes.values())}.",
            "Pair items by the judged text, and report the number of common items with every comparison.",
            {"items missing from most other sets": {name: n for name, n in rare.items() if n}},
            BarPlot.of(
                "Sets", "items missing from most other sets", rare, [name for name, n in rare.items() if n]
            ),
        )


def _families(sets: Sequence[LabelSet]) -> list[list[LabelSet]]:
    """The aspects whose conditions have different items; aspects that share most items are one family."""
    families: list[list[LabelSet]] = []
    for own in by_aspect(sets).values():
        items = _all_items(own)
        if all(len(each.items) == len(items) for each in own):
            continue
        related = [family for family in families if _alike_sets(_all_items(family), items)]
        if related:
            related[0].extend(own)
        else:
            families.append(list(own))
    return families


def _all_items(sets: Sequence[LabelSet]) -> set[str]:
    return set[str]().union(*(each.items for each in sets))


def _alike_sets(one: set[str], two: set[str]) -> bool:
    return len(one & two) >= 0.5 * len(one | two)


def unpaired_keys(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Item ids that differ between files, and items in a different order."""
    keyed = [each for each in sets if each.keys]
    if len(keyed) < 2:
        return
    shared = set.intersection(*(set(each.keys) for each in keyed))
    if not shared:
        yield Finding(
            "ids_differ",
            "doubtful",
            some_sets([each.name for each in keyed], len(sets)),
            "no item has the same id in all files, so items cannot be paired by id.",
            "Pair items by the judged text, as this audit does.",
            plot=BarPlot.of(
                "Sets", "number of different ids", {each.name: len(set(each.keys)) for each in keyed}
            ),
        )
    usual = Counter(each.items for each in keyed).most_common(1)[0][0]
    place = {item: i for i, item in enumerate(usual)}
    moved = {each.name: sum(place.get(item, i) != i for i, item in enumerate(each.items)) for each in keyed}
    for each in keyed:
        if moved[each.name]:
            yield Finding(
                "item_order",
                "doubtful",
                each.name,
                f"{moved[each.name]} of {len(each.items)} items are at a different position than in most files.",
                "Do not pair items by their position in the file.",
                plot=BarPlot.of("Sets", "items at a different position", moved, [each.name]),
            )


def duplicates(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Items that occur twice in a file, rows that occur twice, and items judged twice by one rater."""
    for each in sets:
        if each.lists is not None and len(each.items) < len(each.keys):
            yield Finding(
                "duplicated_items",
                "wrong",
                each.name,
                f"{len(each.keys) - len(each.items)} items have the same text as another.",
                "Decide whether they are the same item. If so, combine their ratings.",
                plot=BarPlot.of(
                    "Items",
                    "number",
                    {"ids": len(each.keys), "different texts": len(each.items)},
                    ["different texts"],
                ),
            )
        yield from _repeated(each)


def _repeated(each: LabelSet) -> Iterator[Finding]:
    if each.rater is None:
        return
    pair = each.item_number * max(len(each.raters), 1) + each.rater_number
    row = _row_numbers(each)
    again = len(row) - len(np.unique(row))
    if again:
        copies = np.flatnonzero(np.bincount(row)[row] > 1)
        yield Finding(
            "duplicate_rows",
            "wrong",
            each.name,
            f"{again} of {len(row)} rows are exact copies of another row.",
            "Remove the copies, because each counts as a rating.",
            {
                "first": first_few(
                    dict.fromkeys(f"{each.item[n]} by {each.rater[n]}" for n in copies.tolist())
                )
            },
            BarPlot.of("Rows", "number", {"different rows": len(row) - again, "copies": again}, ["copies"]),
        )
    _, first = np.unique(row, return_index=True)
    pairs, counts = np.unique(pair[first], return_counts=True)
    twice = pairs[counts > 1]
    if len(twice):
        named = [
            (each.items[n // len(each.raters)], each.raters[n % len(each.raters)]) for n in twice.tolist()
        ]
        busiest = Counter(rater for _, rater in named)
        yield Finding(
            "rated_twice",
            "doubtful",
            each.name,
            f"{len(twice)} items have several ratings with the same rater id.",
            "Find out whether the id belongs to several people before dropping ratings.",
            {"first": named[:3], "rater ids": len(each.raters)},
            BarPlot.of("Raters", "items rated several times", dict(busiest.most_common()), busiest),
        )


def _row_numbers(each: LabelSet) -> Ints:
    if each.row is not None:
        return np.unique(each.row, return_inverse=True)[1].astype(np.int64)
    times = np.nan_to_num(each.times, nan=-1).tolist()
    keys = list(zip(each.item, each.rater or (), map(str, each.label), times, strict=True))
    rows = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return np.array([rows[key] for key in keys], dtype=np.int64)


def items_with_two_ids(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """One item under several ids: spelled differently, with the same text, or with the same ratings and times."""
    ids = list(dict.fromkeys(item for each in sets if each.lists is None for item in each.items))
    texts = {item: text for each in sets for item, text in each.texts.items()}
    for how, groups in (
        ("spelled in different ways", _alike(ids, _folded_id)),
        (
            "with the same text",
            _alike([item for item in ids if item in texts], lambda item: normalised(texts[item])),
        ),
        ("with the same raters, labels and times", _same_ratings(sets)),
    ):
        if groups:
            shown = [" = ".join(group) for group in groups]
            yield Finding(
                "two_ids",
                "wrong",
                some_sets([each.name for each in sets], len(sets)),
                f"{len(groups)} items seem to have several ids {how}: {first_few(shown, 3)}.",
                "Give each item one id, and combine the ratings.",
                plot=BarPlot.of(
                    "Items",
                    "number of ids",
                    {group[0]: len(group) for group in groups},
                    [g[0] for g in groups],
                ),
            )


def _alike(ids: Sequence[str], form: object) -> list[list[str]]:
    assert callable(form)
    groups: dict[str, list[str]] = {}
    for item in ids:
        groups.setdefault(form(item), []).append(item)
    return [group for key, group in groups.items() if len(group) > 1 and key]


def _folded_id(item: str) -> str:
    """An id without differences in case, spaces, joining marks and leading zeros."""
    parts = re.findall(r"\d+|[^\W\d_]+|[^\w\s]", item.casefold())
    return "|".join(
        part.lstrip("0") or "0" if part.isdigit() else part for part in parts if part not in "-_."
    )


def _same_ratings(sets: Sequence[LabelSet]) -> list[list[str]]:
    """Items of one set whose ratings are equal in rater, label and time; times must tell ratings apart."""
    found: list[list[str]] = []
    for each in sets:
        times = each.times
        if each.rater is None or not np.isfinite(times).all() or len(np.unique(times)) < 0.1 * len(times):
            continue
        facts: dict[str, list[tuple[str, str, float]]] = {item: [] for item in each.items}
        for item, rater, label, seconds in zip(
            each.item, each.rater, each.label, times.tolist(), strict=True
        ):
            facts[item].append((rater, str(label), seconds))
        groups: dict[tuple[tuple[str, str, float], ...], list[str]] = {}
        for item, ratings in facts.items():
            groups.setdefault(tuple(sorted(ratings)), []).append(item)
        found += [group for ratings, group in groups.items() if len(group) > 1 and len(ratings) > 1]
    return found
