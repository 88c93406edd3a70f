"""Exclusion by condition: whether quality rules and verdicts hit some conditions harder than others.

A rule such as "less than 15 seconds" excludes more work where there is less to read. The conditions that are left then
differ in their raters' care as well as in what was shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from labelwright.agreement import Estimate, Floats, Ints
from labelwright.agreement.ratings import number_names
from labelwright.analysis.clusters import ClusteredVariance, Clusters, share_interval
from labelwright.analysis.comparing.contrasts import p_text
from labelwright.analysis.pairs import PairDifference, compare_pair, correct_pairs, every_pair
from labelwright.analysis.results import html_table, text_table

_SHARE = "excluded work / all submitted work of the condition"
_CAPTION = "Excluded work by condition"


@dataclass(frozen=True)
class ExcludedShare:
    """What was excluded of one condition."""

    condition: str
    work: int
    excluded: int
    share: Estimate
    """With an interval over items, and over raters if there are enough."""


@dataclass(frozen=True)
class Exclusion:
    """What was excluded of each condition, and whether the shares differ."""

    conditions: tuple[ExcludedShare, ...]
    differences: tuple[PairDifference, ...]
    """Every two conditions, with p-values corrected over all pairs (Holm)."""
    level: float
    notes: tuple[str, ...] = ()

    @property
    def differing(self) -> tuple[PairDifference, ...]:
        """The pairs of conditions whose shares differ for certain, the clearest first."""
        certain = [pair for pair in self.differences if pair.is_certain(self.level)]
        return tuple(sorted(certain, key=lambda pair: (pair.p, -abs(pair.value))))

    @property
    def verdict(self) -> str:
        """The result in a sentence."""
        if not any(each.excluded for each in self.conditions):
            return "Nothing was excluded."
        if not self.differing:
            return "No two conditions differ for certain in the share that was excluded."
        pair = self.differing[0]
        more, less = (pair.first, pair.second) if pair.value > 0 else (pair.second, pair.first)
        return (
            f"More of {more} than of {less} was excluded, by {100 * abs(pair.value):.1f} percentage points "
            f"(p {p_text(pair.p_holm)})."
        )

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Column heads and rows as text."""
        rows = [
            [each.condition, f"{each.work:,}", f"{each.excluded:,}", each.share.text]
            for each in self.conditions
        ]
        return ["condition", "submitted", "excluded", "share"], rows

    def __repr__(self) -> str:
        return "\n".join([_CAPTION, text_table(*self.cells()), self.verdict, *self.notes])

    def _repr_html_(self) -> str:
        return html_table(*self.cells(), caption=_CAPTION, notes=[self.verdict, *self.notes])


def exclusion_by_condition(
    condition: Sequence[Any],
    excluded: Sequence[bool],
    item: Sequence[Any],
    rater: Sequence[Any] | None = None,
    *,
    level: float = 0.95,
) -> Exclusion:
    """The share of submitted work that was excluded in each condition, and tests of every two conditions.

    Each position of the sequences is one submitted piece of work. Work on the same item belongs together, and work by the
    same rater if there are at least ten raters (see `labelwright.analysis.clusters`): a rater whose work is all excluded
    counts as one case, not as many.

    >>> found = exclusion_by_condition(["C0"] * 4 + ["C7"] * 4, [True, True, True, False] + [False] * 4, range(8))
    >>> [(each.condition, each.share.value) for each in found.conditions]
    [('C0', 0.75), ('C7', 0.0)]
    """
    everything = np.ones(len(condition), dtype=bool)
    names, group = number_names(np.array(condition, dtype=object), everything)
    raters = None if rater is None else number_names(np.array(rater, dtype=object), everything)[1]
    clusters = Clusters.of(number_names(np.array(item, dtype=object), everything)[1], raters)
    return exclusion_of_work(list(map(str, names)), group, np.asarray(excluded, dtype=float), clusters, level)


def exclusion_of_work(
    names: Sequence[str], group: Ints, gone: Floats, clusters: Clusters, level: float = 0.95
) -> Exclusion:
    """The same from numbers: the condition of each piece of work, 1 if it was excluded, and its clusters."""
    work = np.bincount(group, minlength=len(names)).astype(float)
    shares = np.bincount(group, gone, len(names)) / work
    variance = _variance(group, gone, shares, work, clusters)
    units = np.eye(len(names))
    found = [
        ExcludedShare(
            str(name),
            int(work[i]),
            int(gone[group == i].sum()),
            Estimate(
                "share",
                float(shares[i]),
                _SHARE,
                share_interval(float(shares[i]), variance.spread(units[i]), level, clusters.over),
                ratings=int(work[i]),
            ),
        )
        for i, name in enumerate(names)
    ]
    pairs = [
        compare_pair(
            str(names[a]),
            str(names[b]),
            float(shares[a] - shares[b]),
            variance.spread(units[a] - units[b]),
        )
        for a, b in every_pair(list(map(str, names)))
    ]
    notes = (clusters.note,) if clusters.note else ()
    return Exclusion(tuple(found), correct_pairs(pairs), level, notes)


def _variance(
    group: Ints, gone: Floats, shares: Floats, work: Floats, clusters: Clusters
) -> ClusteredVariance:
    """The uncertainty of the shares, from how far each piece of work moves the share of its condition."""
    rows = np.arange(len(group))
    influence, present = np.zeros((len(rows), len(shares))), np.zeros((len(rows), len(shares)))
    influence[rows, group] = (gone - shares[group]) / work[group]
    present[rows, group] = 1
    return ClusteredVariance.of(influence, clusters, present)
