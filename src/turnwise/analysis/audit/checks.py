"""The checks: each looks at all label sets and yields what it finds."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np

from turnwise.agreement import Bootstrap, chi_squared_tests, get, permutation_test
from turnwise.analysis.audit.findings import Finding
from turnwise.analysis.audit.sets import LabelSet
from turnwise.analysis.codes import CodeSets
from turnwise.analysis.differences import difference

Check: TypeAlias = Callable[[Sequence[LabelSet]], Iterator[Finding]]
_PLACEHOLDERS = {"select", "choose", "n/a", "na", "none", "null", "nan", "-", "please select"}
_RESAMPLE = Bootstrap(replicates=500)


def _by_aspect(sets: Sequence[LabelSet]) -> dict[str, list[LabelSet]]:
    grouped: dict[str, list[LabelSet]] = {}
    for each in sets:
        grouped.setdefault(each.aspect, []).append(each)
    return grouped


def mixed_codes(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Sets of one aspect that use different codes, and what comparing them raw would give."""
    for aspect, own in _by_aspect(sets).items():
        codes = CodeSets(aspect, {each.name: each.codes for each in own})
        if not codes.mixed:
            continue
        evidence: dict[str, object] = {"codes": codes.describe()}
        drop = _largest_drop(own, codes)
        if drop is not None:
            first, second, raw, shifted = drop
            evidence["same label, raw codes"] = f"{first} against {second}: {raw:.2f} percent of items"
            evidence["same label, recoded"] = f"{first} against {second}: {shifted:.2f} percent of items"
        yield Finding(
            "mixed_codes",
            "wrong",
            aspect,
            "the sets do not use the same codes; comparing or pooling them would compare codes of different meaning.",
            codes.advice(),
            evidence,
        )


def _largest_drop(sets: Sequence[LabelSet], codes: CodeSets) -> tuple[str, str, float, float] | None:
    found = []
    for one, two in combinations(sets, 2):
        if one.codes == two.codes:
            continue
        shifts = [codes.shift(each.name) or {} for each in (one, two)]
        if not any(shifts):
            continue
        common = set(one.majority) & set(two.majority)
        pairs = [(one.majority[item], two.majority[item]) for item in common]
        raw = [a is not None and a == b for a, b in pairs]
        recoded = [
            a is not None and b is not None and shifts[0].get(a, a) == shifts[1].get(b, b) for a, b in pairs
        ]
        if pairs:
            found.append((one.name, two.name, 100 * float(np.mean(raw)), 100 * float(np.mean(recoded))))
    return max(found, key=lambda each: each[3] - each[2], default=None)


def items_differ(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Files that should hold the same items, and do not."""
    if len(sets) < 2:
        return
    sizes = {each.name: len(each.items) for each in sets}
    if len(set(sizes.values())) > 1:
        yield Finding(
            "item_count",
            "wrong",
            "all sets",
            "the number of items differs between sets.",
            "Compare only the items that both sets hold, and say how many that are.",
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
            "Pair items by what was judged and report the number of common items with every comparison.",
            {"items that most other sets lack": {name: n for name, n in rare.items() if n}},
        )


def unpaired_keys(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Item ids that differ from file to file, and items in another order."""
    keyed = [each for each in sets if each.keys]
    if len(keyed) < 2:
        return
    if not set.intersection(*(set(each.keys) for each in keyed)):
        yield Finding(
            "ids_differ",
            "doubtful",
            "all sets",
            "no item has the same id in all files, so ids cannot pair items.",
            "Pair items by the text that was judged; here that was done.",
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
                f"{moved} of {len(each.items)} items stand in another place than in most files.",
                "Never pair items by their place in the file.",
            )


def ratings_per_item(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Items with more or fewer ratings than the rest."""
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
                f"{len(other)} items do not have {usual} ratings, and {missing} ratings have no label.",
                "Use Krippendorff's alpha, or compare at equal numbers of ratings; not Fleiss' kappa as published.",
                {"items by number of ratings": spread},
            )


def duplicates(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Items that occur twice in a file, and raters who judged an item twice."""
    for each in sets:
        if each.lists is not None and len(each.items) < len(each.keys):
            yield Finding(
                "duplicated_items",
                "wrong",
                each.name,
                f"{len(each.keys) - len(each.items)} items have the same text as another.",
                "Decide whether they are one item; if so, join their ratings.",
            )
        if each.rater is not None:
            twice = [pair for pair, n in Counter(zip(each.item, each.rater, strict=True)).items() if n > 1]
            if twice:
                yield Finding(
                    "rated_twice",
                    "doubtful",
                    each.name,
                    f"{len(twice)} items have two ratings under one rater id.",
                    "Find out whether the id stands for several people before leaving one out.",
                    {"first": twice[:3], "rater ids": len(set(each.rater))},
                )


def positions(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Sets whose raters are not known, or whose rater ids are only places in a list."""
    unknown = [each.name for each in sets if each.rater is None]
    if unknown:
        yield Finding(
            "positions",
            "doubtful",
            _some(unknown, len(sets)),
            "there are no rater ids: the first, second and third rating of an item are positions, not people.",
            "Call a kappa over positions that; it does not say how two persons agree, and raters cannot be resampled.",
        )
    for each in sets:
        if each.rater is not None and _looks_like_positions(each):
            yield Finding(
                "positions",
                "doubtful",
                each.name,
                f"the rater ids ({', '.join(sorted(set(each.rater))[:5])}) are places in a list: each occurs on every item.",
                "Treat them as positions unless you know that these few people judged everything.",
            )
    indexed = [each.name for each in sets if each.lists is not None and _running_numbers(each)]
    if indexed:
        yield Finding(
            "running_number",
            "note",
            _some(indexed, len(sets)),
            "a field without a name holds a running number; it is a leftover index, not a rater id.",
            "Leave it out.",
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


def unused_codes(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Codes inside the range of a set that nobody used, or hardly anybody."""
    for each in sets:
        whole = [code for code in each.codes if isinstance(code, int)]
        if len(whole) < 2 or len(whole) != len(each.codes):
            continue
        gaps = sorted(set(range(min(whole), max(whole) + 1)) - set(whole))
        used = Counter(each.label)
        rare = [code for code in whole if used[code] < max(2, 0.01 * len(each.label))]
        if gaps or rare:
            yield Finding(
                "unused_code",
                "doubtful",
                each.name,
                f"codes that nobody used: {gaps or 'none'}; codes used hardly ever: {rare or 'none'}.",
                "Declare the scale, and ask whether raters understood the option; agreement by chance depends on it.",
                {"used": dict(sorted(used.items(), key=str))},
            )


def told_from_chance(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Agreement that could be chance, as a whole or for one pair of raters or positions."""
    for each in sets:
        test = permutation_test(each.ratings, get("fleiss_kappa"), runs=500)
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
    for aspect, own in _by_aspect(sets).items():
        if len(own) < 2:
            continue
        # Alpha compares sets whose codes differ in name only: it is computed within each.
        found = {
            f"{one.condition} and {two.condition}": difference(
                (one.ratings, one.item_names), (two.ratings, two.item_names), get("alpha_nominal"), _RESAMPLE
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
        interval = get("alpha_nominal")(each.ratings, _RESAMPLE).interval
        if interval is not None and interval.high - interval.low > 0.2:
            widths[each.name] = f"{len(each.items)} items, alpha [{interval.low:.2f}, {interval.high:.2f}]"
    if widths:
        yield Finding(
            "too_few_items",
            "doubtful",
            _some(list(widths), len(sets)),
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
            _some(list(tied), len(sets)),
            f"{sum(tied.values())} items have no majority label.",
            "Declare a tie rule; shares of labels depend on it.",
            tied,
        )


def placeholder_answers(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Answers that are the text of an unanswered form field."""
    for each in sets:
        if each.lists is None:
            continue
        for name in each.lists.fields:
            values = [value for entry in each.lists.entries(name) for value in entry]
            short = [value for value in values if value.strip().lower() in _PLACEHOLDERS]
            if short and len(set(values)) <= 20:
                yield Finding(
                    "placeholder",
                    "doubtful",
                    each.name,
                    f'{len(short)} answers to "{name}" are the placeholder "{short[0]}".',
                    "Count them as missing, never as an answer.",
                )


def misspelled_fields(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Fields of different files whose names differ by a letter and never occur together."""
    where: dict[str, set[str]] = {}
    for each in sets:
        for name in each.lists.fields if each.lists else ():
            where.setdefault(name, set()).add(each.name)
    for one, two in combinations([name for name in where if len(name) > 5], 2):
        alike = difflib.SequenceMatcher(None, one, two).ratio() > 0.93
        numbered = re.sub(r"\d+", "", one) == re.sub(r"\d+", "", two)
        if alike and not numbered and not where[one] & where[two]:
            yield Finding(
                "misspelled_field",
                "note",
                _some(sorted(where[two]), len(sets)),
                f'the field "{two}" seems to be "{one}" of other files, misspelled.',
                "Read both as one question.",
            )


def fast_ratings(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Ratings given faster than a text can be read."""
    times = [value for each in sets for value in each.seconds or () if value is not None]
    fast = [value for value in times if value < 5]
    if times and len(fast) >= max(3, 0.01 * len(times)):
        yield Finding(
            "fast_ratings",
            "doubtful",
            "all sets",
            f"{len(fast)} of {len(times)} ratings took less than 5 seconds, the shortest {min(times):.1f}; the median is "
            f"{np.median(times):.1f} and the mean {np.mean(times):.1f}.",
            "Ask what the recorded time measures before computing an hourly rate from it.",
        )


def _some(names: Sequence[str], total: int) -> str:
    if len(names) == total and total > 1:
        return "all sets"
    return ", ".join(names) if len(names) <= 6 else f"{len(names)} sets"


CHECKS: tuple[Check, ...] = (
    mixed_codes,
    items_differ,
    unpaired_keys,
    ratings_per_item,
    duplicates,
    positions,
    unused_codes,
    told_from_chance,
    told_apart,
    too_few_items,
    no_majority,
    placeholder_answers,
    misspelled_fields,
    fast_ratings,
)
