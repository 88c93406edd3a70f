"""Figures of raters: the agreement of each with the others, and what the audit's tests find, for quality rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from labelwright.agreement import ChanceDistance, Floats, Ints, agreement_with_others
from labelwright.analysis.audit.checks.rater_pairs import find_copied_pairs
from labelwright.analysis.audit.checks.raters import constant_raters, contradicting_raters, random_raters
from labelwright.analysis.audit.crossing import Crossing, cross
from labelwright.analysis.audit.evidence import RaterEvidence
from labelwright.analysis.audit.label_sets import LabelSet
from labelwright.quality import RaterFigures
from labelwright.quality.rules.several_accounts import SAME_SOURCE

_TESTS = {"constant": constant_raters, "random": random_raters, "reversed": contradicting_raters}


# A rater who was the first on nearly all shared items cannot have copied them.
_SOURCE_SHARE = 0.9
_FEWEST_ITEMS = 8


def measure_raters(sets: Sequence[LabelSet]) -> dict[str, RaterFigures]:
    """The figures of every rater whose labels can be compared with those of others, by name.

    The rows of each set are in the order in which they were submitted. The agreement of the pool is that of its middle
    rater, which a minority of bad raters hardly moves.
    """
    crossing = cross([each for each in sets if each.codes])
    if crossing is None:
        return {}
    evidence = RaterEvidence(crossing)
    findings: dict[str, dict[str, Mapping[str, Any]]] = {}
    for kind, check in _TESTS.items():
        for finding in check(evidence):
            findings.setdefault(finding.where.removeprefix("rater "), {})[kind] = {"what": finding.what}
    for name, group in _groups(evidence):
        what = (
            f"agrees with {', '.join(other for other in group['accounts'] if other != name)} on {group['agreed']} of "
            f"{group['shared']} shared items, where at most {group['expected']:.0%} is expected."
        )
        findings.setdefault(name, {}).update({SAME_SOURCE: group, "copied": {"what": what}})
    apart = _distances(crossing)
    known = np.isfinite(apart)
    own = [apart[known & (crossing.rater == number)] for number in range(len(crossing.raters))]
    compared = [1 - float(each.mean()) for each in own if len(each) >= _FEWEST_ITEMS]
    pool = float(np.median(compared)) if compared else None
    # Distances are shares of the expected one already.
    chance = ChanceDistance({(0, 1): float(apart[known].max(initial=0.0))}, 1.0)
    return {
        name: _figures(own[number], chance, pool, findings.get(name, {}))
        for number, name in enumerate(crossing.raters)
    }


def _figures(
    apart: Floats, chance: ChanceDistance, pool: float | None, findings: Mapping[str, Mapping[str, Any]]
) -> RaterFigures:
    if not len(apart):
        return RaterFigures(findings=findings)
    found = agreement_with_others(apart, chance)
    limits = found.interval
    return RaterFigures(
        found.value,
        limits.low if limits else None,
        limits.high if limits else None,
        found.items,
        pool,
        findings,
    )


def _distances(crossing: Crossing) -> Floats:
    """For each rating, the mean squared distance to the others of its unit, over that expected by chance; or nan."""
    apart = np.full(len(crossing.unit), np.nan)
    for number in range(len(crossing.sets)):
        rows = np.flatnonzero(crossing.of_set == number)
        apart[rows] = _distances_in_set(crossing.unit[rows], crossing.vector[rows])
    return apart


def _distances_in_set(unit: Ints, vector: Floats) -> Floats:
    place = np.unique(unit, return_inverse=True)[1]
    sizes = np.bincount(place)
    sums = np.column_stack([np.bincount(place, column) for column in vector.T])
    squares = np.bincount(place, (vector**2).sum(axis=1))
    own = (vector**2).sum(axis=1)
    # The sum over the others of |own - other|^2, opened out.
    total = sizes[place] * own - 2 * (vector * sums[place]).sum(axis=1) + squares[place]
    compared = vector[sizes[place] > 1]
    if len(compared) < 2:
        return np.full(len(unit), np.nan)
    # The mean squared distance of two different ratings of any units.
    expected = 2 * float(compared.var(axis=0, ddof=1).sum())
    if not expected:
        return np.full(len(unit), np.nan)
    return np.asarray(np.where(sizes[place] > 1, total / np.maximum(sizes[place] - 1, 1) / expected, np.nan))


def _groups(evidence: RaterEvidence) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each rater of a copied pair, with the accounts that such pairs connect and the figures of their clearest pair.

    Raters who were the first on nearly all shared items are named, but not told of: others copied from them.
    """
    pairs, raters = evidence.pairs, evidence.crossing.raters
    if not len(pairs.one):
        return
    places = find_copied_pairs(pairs).places
    group = {number: number for place in places for number in (int(pairs.one[place]), int(pairs.two[place]))}

    def root(number: int) -> int:
        while group[number] != number:
            number = group[number]
        return number

    clearest: dict[int, int] = {}
    for place in places:
        one, two = int(pairs.one[place]), int(pairs.two[place])
        group[root(one)] = root(two)
        first = _share_first(evidence.crossing, one, two)
        if first < _SOURCE_SHARE:
            clearest.setdefault(one, int(place))
        if first > 1 - _SOURCE_SHARE:
            clearest.setdefault(two, int(place))
    members: dict[int, list[str]] = {}
    for number in sorted(group):
        members.setdefault(root(number), []).append(raters[number])
    for number, place in sorted(clearest.items()):
        yield (
            raters[number],
            {
                "accounts": members[root(number)],
                "shared": int(pairs.shared[place]),
                "agreed": int(pairs.agreed[place]),
                "expected": round(float(min(pairs.expected[place], pairs.most[place])), 3),
            },
        )


def _share_first(crossing: Crossing, one: int, two: int) -> float:
    """The share of their common units on which the first rater was earlier."""
    rows_one, rows_two = np.flatnonzero(crossing.rater == one), np.flatnonzero(crossing.rater == two)
    _, at_one, at_two = np.intersect1d(crossing.unit[rows_one], crossing.unit[rows_two], return_indices=True)
    return float((rows_one[at_one] < rows_two[at_two]).mean())
