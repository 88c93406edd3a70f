"""Differences: whether agreement differs between two conditions, or between any two sets of ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from labelwright.agreement import (
    DEFAULT_BOOTSTRAP,
    UNDEFINED,
    Bootstrap,
    CountMeasure,
    Estimate,
    Floats,
    Ints,
    Measure,
    Ratings,
    Significance,
    Sums,
    get_measure,
)
from labelwright.agreement.counts import features_of
from labelwright.analysis.aggregation import item_counts
from labelwright.analysis.comparing.contrasts import (
    Contrast,
    ContrastTable,
    Reference,
    pairs_of,
    reference_of,
    uncertainty,
)
from labelwright.analysis.comparing.jackknife import Jackknife, grouped, jackknife_errors
from labelwright.analysis.comparing.pairing import Comparison, Pairing, comparisons, unit_numbers
from labelwright.analysis.comparing.permutation import METHOD, drawn_counts
from labelwright.analysis.data.labels import Labels
from labelwright.analysis.errors import NothingShared
from labelwright.seeds import generator

NamedRatings: TypeAlias = tuple[Ratings, Sequence[str]]
"""Ratings and the names of their items, as returned by `Labels.named_ratings`."""
# Above this number of items, the t test is as good as shuffling, and much faster.
_MOST_SHUFFLED = 2_000
_NUMBERS_AT_ONCE = 4_000_000
# With fewer items that have a label other than the most frequent one, intervals are too short or too long.
FEWEST_VARIED = 10
_RARE = (
    "Only {} items of one condition have any label other than the most frequent one: with so few, 95% intervals "
    "covered the true difference in 91 to 99% of simulated cases."
)
_UNPAIRED = "Fewer than half of the items are in both sets, so all items are compared, and not in pairs."


def difference(
    labels: Labels,
    measure: str,
    *,
    across: str = "condition",
    reference: Reference = None,
    between: tuple[Any, Any] | None = None,
    unit: str = "item",
    margin: float | None = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
) -> ContrastTable:
    """How much agreement differs between conditions, per aspect and question.

    Compares every two conditions, each with the `reference`, or the two named in `between`. Only items judged
    in both are compared, unless that would be fewer than half of them. The interval is a t interval that
    leaves out one item at a time, in both conditions; `unit` names a column to leave out instead, such as
    the dialogue that several items belong to. The test shuffles the ratings of each item between the two
    conditions, and is corrected over the whole table. `margin` adds a test of equivalence: that the
    difference is smaller than the margin. `bootstrap` gives the level, the seed, and the number of
    permutations.

    >>> rows = {"item": list("aabbcc") * 2, "condition": ["C_0"] * 6 + ["C_7"] * 6}
    >>> rows["label"] = [1, 2, 2, 1, 1, 1, 1, 1, 2, 2, 1, 2]
    >>> difference(Labels.read(rows), "percentage").get("C_0", "C_7").value.__round__(3)
    0.333
    """
    found = []
    for where, part in labels.in_memory().slices():
        values = part.values(across)
        sets = {value: part.where(**{across: value}).named_ratings((across,)) for value in values}
        pairs = pairs_of(values, reference_of(reference, where), between)
        found += [
            difference_of_ratings(
                sets[each.first], sets[each.second], measure, each, margin=margin, bootstrap=bootstrap
            )
            for each in comparisons(part, where, pairs, across, unit)
        ]
    return ContrastTable.of(found, f"Difference of {measure} between two values of {across}", labels.caveats)


def difference_of_ratings(
    first: NamedRatings,
    second: NamedRatings,
    measure: str,
    compared: Comparison | None = None,
    *,
    margin: float | None = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
) -> Contrast:
    """How much agreement differs between two sets of ratings, second minus first.

    If both judge the same items, these are left out together; otherwise each set's separately. If
    the sets have different numbers of ratings per item, ratings are dropped at random to reach the smaller
    number. Raises NoOrder if the measure needs an order and the codes have none.
    """
    compared, chosen = compared or Comparison(), get_measure(measure)
    if getattr(chosen, "needs_order", False):
        first, second = ((ratings.in_order(), names) for ratings, names in (first, second))
    pairing = Pairing.of(first, second, (compared.first, compared.second))
    if any(not each.items for each in pairing.sets):
        raise NothingShared("one of the two sets has no ratings.", expected="two sets with ratings.")
    pairing, equal = _at_equal_n(pairing, bootstrap.seed)
    one, two = (chosen(each, None) for each in pairing.sets)
    spread = _spread(pairing, chosen, two.value - one.value, compared.units, bootstrap.seed)
    undefined, warning = uncertainty(spread)
    test, why = _test(pairing, chosen, spread, compared.units, bootstrap)
    return Contrast(
        compared.first,
        compared.second,
        measure,
        (one.value, two.value),
        spread.value,
        _definition(pairing, measure, equal, compared.unit),
        spread.interval(bootstrap.level, f"{compared.unit}s"),
        test,
        equivalence=None if margin is None else spread.equivalence(margin),
        margin=margin,
        items=pairing.items,
        paired=pairing.paired,
        ratings_per_item=equal,
        left_out=pairing.left_out,
        undefined=one.undefined or two.undefined or undefined,
        notes=(*_notes_on(pairing), *warning, *why, *_notes(one, two), *compared.notes),
        where=compared.where,
    )


def _definition(pairing: Pairing, measure: str, equal: int | None, unit: str) -> str:
    how = (
        f"items in both sets, each {unit} left out of both together"
        if pairing.paired
        else f"each set's items, each {unit} left out separately"
    )
    at = f", at {equal} ratings per item" if equal else ""
    return f"Difference of {measure}, second minus first: {how}{at}; jackknife t interval."


def _notes_on(pairing: Pairing) -> list[str]:
    """Caveats about the items: whether they are paired, and whether labels vary at all."""
    notes = [] if pairing.paired else [_UNPAIRED]
    varied = min(_varied(each) for each in pairing.sets)
    return [*notes, _RARE.format(varied)] if varied < FEWEST_VARIED else notes


def _varied(ratings: Ratings) -> int:
    """The number of items with any label other than the most frequent one."""
    counts = item_counts(ratings)
    return int((np.delete(counts, counts.sum(axis=0).argmax(), axis=1).sum(axis=1) > 0).sum())


def _notes(one: Estimate, two: Estimate) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*one.notes, *two.notes]))


def _at_equal_n(pairing: Pairing, seed: int) -> tuple[Pairing, int | None]:
    """Both sets at the smaller of their usual numbers of ratings per item."""
    sizes = [np.bincount(each.item, minlength=each.items) for each in pairing.sets]
    usual = [int(np.median(each)) for each in sizes]
    if usual[0] == usual[1]:
        return pairing, None
    n = min(usual)
    kept = pairing.only(sizes[0] >= n, sizes[1] >= n, f"item with fewer than {n} ratings")
    return kept.replaced([equalise_ratings(each, n, seed) for each in kept.sets]), n


def _spread(
    pairing: Pairing, measure: Measure, value: float, units: Mapping[str, str] | None, seed: int
) -> Jackknife:
    numbers = [grouped(unit_numbers(names, units), generator(seed, "jackknife")) for names in pairing.names]
    without = [_without(each, measure, number) for each, number in zip(pairing.sets, numbers, strict=True)]
    if pairing.paired:
        return Jackknife.of(value, without[1] - without[0])
    one, two = (
        Jackknife.of(measure(each, None).value, left)
        for each, left in zip(pairing.sets, without, strict=True)
    )
    return two.minus(one)


def _without(ratings: Ratings, measure: Measure, units: Ints) -> Floats:
    """The value of the measure without each unit."""
    if isinstance(measure, CountMeasure):
        return np.asarray(_values(measure, ratings.codes, item_counts(ratings)[None], units)[1][0])
    size = int(units.max(initial=-1)) + 1
    return np.array([measure(_leaving_out(ratings, units == left), None).value for left in range(size)])


def _leaving_out(ratings: Ratings, items: np.ndarray) -> Ratings:
    kept = ~items[ratings.item]
    number = np.cumsum(~items) - 1
    return Ratings(
        number[ratings.item[kept]],
        ratings.rater[kept],
        ratings.code[kept],
        ratings.codes,
        int((~items).sum()),
        ratings.raters,
        ratings.positions,
    )


def _values(
    measure: CountMeasure, codes: tuple[Any, ...], tables: Ints, units: Ints
) -> tuple[Floats, Floats]:
    """The value of every set of counts (runs x items x codes), and its values without each unit."""
    features = _features(tables)
    if len(units) > int(units.max(initial=-1)) + 1:
        member = units == np.arange(int(units.max()) + 1)[:, None]
        features = member.astype(float) @ features
    total = features.sum(axis=1)
    rest = (total[:, None] - features).reshape(-1, total.shape[-1])
    value = measure.of(Sums.unpacked(codes, total))
    without = measure.of(Sums.unpacked(codes, rest)).reshape(features.shape[:2])
    return np.asarray(value), np.asarray(without)


def _features(tables: Ints) -> Floats:
    """The numbers that measures add up over items: runs x items x numbers; 0 for items without two ratings."""
    counts = tables.reshape(-1, tables.shape[-1]).astype(float)
    ratings = counts.sum(axis=1)
    rated = ratings >= 2
    counts, ratings = counts[rated], ratings[rated]
    pairs = counts[:, :, None] * counts[:, None, :]
    diagonal = np.arange(counts.shape[1])
    pairs[:, diagonal, diagonal] -= counts
    found = features_of(counts, pairs, ratings, ratings * (ratings - 1))
    every = np.zeros((len(rated), found.shape[1]))
    every[rated] = found
    return every.reshape(*tables.shape[:-1], -1)


def _test(
    pairing: Pairing,
    measure: Measure,
    spread: Jackknife,
    units: Mapping[str, str] | None,
    bootstrap: Bootstrap,
) -> tuple[Significance, tuple[str, ...]]:
    """The permutation test where ratings can be shuffled; otherwise the t test, and why."""
    if not isinstance(measure, CountMeasure) or not pairing.paired or pairing.items > _MOST_SHUFFLED:
        return spread.test(), ()
    if pairing.sets[0].codes != pairing.sets[1].codes:
        reason = "The sets use different codes, so their ratings cannot be shuffled between them."
        return spread.test(), (reason,)
    return _permutation_test(pairing, measure, spread, units, bootstrap), ()


def _permutation_test(
    pairing: Pairing,
    measure: CountMeasure,
    spread: Jackknife,
    units: Mapping[str, str] | None,
    bootstrap: Bootstrap,
) -> Significance:
    """Tests the difference divided by its standard error, which is computed anew in every permutation.

    Dividing makes the test valid also if conditions differ in something else than agreement, such as the
    share of each code (Janssen 1997; Chung and Romano 2013).
    """
    runs = bootstrap.replicates
    method = f"{METHOD} of the studentised difference, {runs:,} at random"
    if not spread.certain:
        return Significance(method, UNDEFINED, UNDEFINED)
    first, second = (item_counts(each) for each in pairing.sets)
    numbers = grouped(unit_numbers(pairing.names[0], units), generator(bootstrap.seed, "jackknife"))
    random = generator(bootstrap.seed, "within-item permutation")
    observed = spread.value / spread.error
    as_far = 0
    codes = pairing.sets[0].codes
    step = max(1, _NUMBERS_AT_ONCE // (len(first) * (1 + len(codes) + 2 * len(codes) ** 2)))
    for start in range(0, runs, step):
        drawn = drawn_counts(first, second, min(step, runs - start), random)
        value, without = (
            two - one
            for one, two in zip(
                _values(measure, codes, drawn, numbers),
                _values(measure, codes, first + second - drawn, numbers),
                strict=True,
            )
        )
        error, _ = jackknife_errors(value, without)
        # A permutation in which the difference is undefined counts as extreme, so that p is never too small.
        as_far += int((~(np.abs(value) < (abs(observed) - 1e-9) * error)).sum())
    return Significance(method, (1 + as_far) / (1 + runs), observed, runs, bootstrap.seed)


def equalise_ratings(ratings: Ratings, n: int, seed: int = 0) -> Ratings:
    """Ratings reduced to n per item, drawn at random; items with fewer ratings are left out.

    Measures that look at all ratings of an item together (majority, J) depend on the number of
    raters, so sets must have the same number before they are compared.
    """
    draw = generator(seed, "equal_n")
    order = np.lexsort((draw.random(len(ratings.item)), ratings.item))
    sizes = np.bincount(ratings.item, minlength=ratings.items)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    rank = np.arange(len(order)) - starts[ratings.item[order]]
    kept = np.sort(order[(rank < n) & (sizes[ratings.item[order]] >= n)])
    names, item = np.unique(ratings.item[kept], return_inverse=True)
    dropped = ratings.items - len(names)
    left_out = {**ratings.left_out, **({f"item with fewer than {n} ratings": dropped} if dropped else {})}
    return Ratings(
        item.astype(np.int64),
        ratings.rater[kept],
        ratings.code[kept],
        ratings.codes,
        len(names),
        ratings.raters,
        ratings.positions,
        left_out,
    )
