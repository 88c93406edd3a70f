"""Shifts: how scores and times change between conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from labelwright.agreement import DEFAULT_BOOTSTRAP, UNDEFINED, Bootstrap, Floats, Ints, Significance
from labelwright.analysis.comparing.contrasts import (
    Contrast,
    ContrastTable,
    Reference,
    pairs_of,
    reference_of,
    uncertainty,
)
from labelwright.analysis.comparing.jackknife import Jackknife, grouped
from labelwright.analysis.comparing.pairing import Comparison, alone, comparisons, unit_numbers
from labelwright.analysis.comparing.permutation import shuffled_means, sum_test
from labelwright.analysis.data.labels import Labels
from labelwright.analysis.scores import ItemValues, item_values, score_map
from labelwright.seeds import generator

# Above this number of items, the t test is as good as shuffling, and much faster.
_MOST_SHUFFLED = 20_000


def positivity_shift(
    labels: Labels,
    *,
    across: str = "condition",
    reference: Reference = None,
    between: tuple[Any, Any] | None = None,
    unit: str = "item",
    margin: float | None = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
) -> ContrastTable:
    """How far labels move towards the positive end from one condition to another, per aspect and question.

    Labels count as scores from 0 (worst) to 1 (best). Compares every two conditions, the `reference` with
    each other one, or the two named in `between`; only items with ratings in both. The test shuffles the
    ratings of each item between the two conditions, and is corrected over the whole table. `margin` adds
    a test of equivalence: that the shift is smaller than the margin. `unit` and `bootstrap` are those of
    `difference`.

    >>> rows = {"item": list("abc") * 2, "condition": ["C_0"] * 3 + ["C_7"] * 3, "label": [0, 1, 0, 1, 1, 0]}
    >>> positivity_shift(Labels.read(rows)).get("C_0", "C_7").value.__round__(3)
    0.333
    """
    labels.check_codes(across, "comparing scores")
    found = []
    for where, part in labels.in_memory().slices():
        key, numbers = part.item_key((across,)), score_map(part)
        part.check_scale()
        values = {
            value: item_values(side, "label", numbers, key) for value, side in _sides(part, across).items()
        }
        pairs = pairs_of(list(values), reference_of(reference, where), between)
        found += [
            shift_of_values(values[each.first], values[each.second], "score", each, margin, bootstrap)
            for each in comparisons(part, where, pairs, across, unit)
        ]
    return ContrastTable.of(found, f"Shift of the mean score between two values of {across}", labels.caveats)


def time_saved(
    labels: Labels,
    *,
    across: str = "condition",
    reference: Reference = None,
    between: tuple[Any, Any] | None = None,
    unit: str = "item",
    margin: float | None = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
) -> ContrastTable:
    """Seconds per rating in one condition minus those in another, mean over items in both.

    Positive if the second condition of a row is faster. Arguments, test and correction are those of
    `positivity_shift`; `margin` is in seconds.
    """
    found = []
    for where, part in labels.in_memory().slices():
        key = part.item_key((across,))
        values = {
            value: item_values(side, "seconds", key=key) for value, side in _sides(part, across).items()
        }
        pairs = pairs_of(list(values), reference_of(reference, where), between)
        found += [
            shift_of_values(
                values[each.first], values[each.second], "seconds", each, margin, bootstrap
            ).reversed()
            for each in comparisons(part, where, pairs, across, unit)
        ]
    return ContrastTable.of(found, f"Seconds saved per rating between two values of {across}", labels.caveats)


def _sides(labels: Labels, across: str) -> dict[Any, Labels]:
    return {value: labels.where(**{across: value}) for value in labels.values(across)}


def shift_of_values(
    first: ItemValues,
    second: ItemValues,
    name: str,
    compared: Comparison | None = None,
    margin: float | None = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
) -> Contrast:
    """The mean over items in both conditions of the difference of an item's means, second minus first."""
    compared = compared or Comparison()
    common = sorted(set(first.values) & set(second.values))
    means = np.array([[side.means[item] for side in (first, second)] for item in common]).reshape(-1, 2)
    moved = means[:, 1] - means[:, 0]
    random = generator(bootstrap.seed, "shift")
    spread = _spread(moved, grouped(unit_numbers(common, compared.units), random))
    undefined, warning = uncertainty(spread)
    deviation = float(moved.std(ddof=1)) if len(moved) > 1 else UNDEFINED
    sides = (compared.first, compared.second)
    return Contrast(
        *sides,
        name,
        (float(means[:, 0].mean()), float(means[:, 1].mean())) if common else (UNDEFINED, UNDEFINED),
        spread.value,
        f"Mean difference of the {name} over items in both conditions, second minus first; "
        f"jackknife t interval over {compared.unit}s.",
        spread.interval(bootstrap.level, f"{compared.unit}s"),
        _test(first, second, common, spread, bootstrap),
        equivalence=None if margin is None else spread.equivalence(margin),
        margin=margin,
        effect_size=spread.value / deviation if deviation > 1e-12 else UNDEFINED,
        items=len(common),
        left_out=_left_out(first, second, sides),
        undefined=undefined if common else "no item has ratings in both conditions",
        notes=(*warning, *compared.notes),
        where=compared.where,
    )


def _left_out(first: ItemValues, second: ItemValues, sides: tuple[Any, Any]) -> dict[str, int]:
    reasons = alone(list(first.values), list(second.values), sides)
    for side in (first, second):
        for why, n in side.left_out.items():
            reasons[why] = reasons.get(why, 0) + n
    return reasons


def _spread(moved: Floats, units: Ints) -> Jackknife:
    if not len(moved):
        return Jackknife(UNDEFINED, UNDEFINED, 1.0, 0)
    sums, sizes = np.bincount(units, moved), np.bincount(units)
    rest = np.maximum(len(moved) - sizes, 1)
    return Jackknife.of(float(moved.mean()), (moved.sum() - sums) / rest)


def _test(
    first: ItemValues, second: ItemValues, common: Sequence[str], spread: Jackknife, bootstrap: Bootstrap
) -> Significance:
    if not common:
        return Significance("within-item permutation", UNDEFINED, UNDEFINED)
    if len(common) > _MOST_SHUFFLED:
        return spread.test()
    items = [shuffled_means(first.values[item], second.values[item]) for item in common]
    random = generator(bootstrap.seed, "within-item permutation")
    # Ten times as many permutations as elsewhere, because each is only a sum.
    return sum_test(items, spread.value * len(common), 10 * bootstrap.replicates, random, two_sided=True)
