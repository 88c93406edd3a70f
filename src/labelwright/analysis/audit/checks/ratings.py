"""Checks on ratings: number per item, raters, speed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from labelwright.analysis.audit.findings import Finding, some_sets
from labelwright.analysis.audit.label_sets import LabelSet


def ratings_per_item(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Items with a different number of ratings than the others."""
    for each in sets:
        counts = Counter(item for item, label in zip(each.item, each.label, strict=True) if label is not None)
        usual = Counter(counts.values()).most_common(1)[0][0] if counts else 0
        other = {item: n for item, n in counts.items() if n != usual}
        missing = sum(label is None for label in each.label)
        if other or missing:
            spread = dict(sorted(Counter(counts.values()).items()))
            yield Finding(
                "ratings_per_item",
                "doubtful",
                each.name,
                f"{len(other)} items do not have {usual} ratings like the others, and {missing} ratings have no label.",
                "Use Krippendorff's alpha, or compare at equal numbers of ratings. The original Fleiss' kappa does not apply.",
                {"items by number of ratings": spread},
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
        )
    for each in sets:
        if each.rater is not None and _looks_like_positions(each):
            yield Finding(
                "positions",
                "doubtful",
                each.name,
                f"the rater ids ({', '.join(sorted(set(each.rater))[:5])}) look like positions: each occurs on every item.",
                "Treat them as positions unless you know that these people judged every item.",
            )
    indexed = [each.name for each in sets if each.lists is not None and _running_numbers(each)]
    if indexed:
        yield Finding(
            "running_number",
            "note",
            some_sets(indexed, len(sets)),
            "a field without a name contains consecutive numbers. It is probably an index, not a rater id.",
            "Ignore this field.",
        )


def _looks_like_positions(each: LabelSet) -> bool:
    assert each.rater is not None
    names = set(each.rater)
    numbered = all(
        re.fullmatch(r"(rater|annotator|worker|r|a|w)?[ _-]?\d{1,2}", name.lower()) for name in names
    )
    return numbered and len(each.item) == len(names) * len(each.items)


def _running_numbers(each: LabelSet) -> bool:
    assert each.lists is not None
    values = [value for entry in each.lists.entries("") for value in entry]
    return bool(values) and values == [str(i) for i in range(len(values))]


def fast_ratings(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Ratings that took less time than reading the text would."""
    times = [value for each in sets for value in each.seconds or () if value is not None]
    fast = [value for value in times if value < 5]
    if times and len(fast) >= max(3, 0.01 * len(times)):
        yield Finding(
            "fast_ratings",
            "doubtful",
            "all sets",
            f"{len(fast)} of {len(times)} ratings took less than 5 seconds, the shortest {min(times):.1f}; the median is "
            f"{np.median(times):.1f} and the mean {np.mean(times):.1f}.",
            "Find out what the recorded time measures before you compute an hourly rate.",
        )
