"""Checks on codes: different codes for one aspect, and unused codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from labelwright.agreement import Floats, Ints
from labelwright.analysis.audit.findings import Finding, Severity, first_few
from labelwright.analysis.audit.label_sets import LabelSet, by_aspect
from labelwright.analysis.audit.label_values import MANY_CODES
from labelwright.analysis.audit.plots import BarPlot
from labelwright.analysis.data.codes import CodeSets

if TYPE_CHECKING:
    from labelwright.tables import Code

# A code that a set never uses is not just rare if this is the chance of its absence.
_LEVEL = 0.001
_MOST = 0.5


def mixed_codes(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Sets of one aspect that use different codes, and the effect of comparing them without recoding.

    A code that is missing by chance, because it is rare, is no difference. If only one of two sets has codes
    that the other lacks, and not on most items, it may be an effect of the condition, and the finding is doubtful.
    """
    for aspect, own in by_aspect(sets).items():
        undeclared = [each for each in own if each.scale is None]
        severity = _difference(undeclared)
        if severity is None:
            continue
        codes = CodeSets(aspect, {each.name: each.codes for each in undeclared})
        evidence: dict[str, object] = {"codes": first_few(codes.describe().split("; "), 12)}
        drop = _largest_drop(undeclared, codes)
        if drop is not None:
            first, second, raw, shifted = drop
            evidence["same label, original codes"] = f"{first} against {second}: {raw:.2f} percent of items"
            evidence["same label, recoded"] = f"{first} against {second}: {shifted:.2f} percent of items"
        lowest = {each.name: float(_numbers(each).mean()) for each in undeclared if each.values.numeric}
        numbers = {each.name: len(each.codes) for each in undeclared}
        yield Finding(
            "mixed_codes",
            severity,
            aspect,
            "the sets use different codes, so comparing or pooling them could mix codes with different meanings.",
            codes.advice(),
            evidence,
            BarPlot.of("Sets", "mean code", lowest, lowest)
            if lowest
            else BarPlot.of("Sets", "number of codes", numbers),
        )


def _difference(sets: Sequence[LabelSet]) -> Severity | None:
    """Whether two sets each have codes that the other should have but lacks (wrong), or only one has (doubtful)."""
    found: Severity | None = None
    tests = max(1, len(sets) * (len(sets) - 1))
    for one, two in combinations(sets, 2):
        if one.codes == two.codes:
            continue
        if one.values.numeric and two.values.numeric and max(len(one.codes), len(two.codes)) > MANY_CODES:
            if _other_units(one, two):
                return "wrong"
            continue
        shares = [_share_of_other_codes(one, two), _share_of_other_codes(two, one)]
        # Ratings of one item are alike, so the chance of absence counts items.
        absent = [(1 - share) ** len(each.items) for share, each in zip(shares, (one, two), strict=True)]
        both = max(absent) < 0.05 and absent[0] * absent[1] * tests < _LEVEL
        # No condition makes raters give up a code that they gave to most items.
        if both or (max(shares) >= _MOST and min(absent) * tests < _LEVEL):
            return "wrong"
        found = "doubtful" if min(absent) * tests < _LEVEL else found
    return found


def _share_of_other_codes(one: LabelSet, two: LabelSet) -> float:
    """The share of items in the second set with a code that the first never uses; 0 if they are only a few items."""
    only = [number for number, code in enumerate(two.codes) if code not in one.codes]
    with_code = int((two.counts[:, only].sum(axis=1) > 0).sum())
    return with_code / len(two.items) if with_code >= 3 else 0.0


def _other_units(one: LabelSet, two: LabelSet) -> bool:
    """Whether two sets of many numbers are on different scales, such as 0 to 1 and 0 to 100."""
    spans = [np.quantile(_numbers(each), [0.05, 0.95]) for each in (one, two)]
    widths = sorted(float(high - low) for low, high in spans)
    apart = spans[0][1] < spans[1][0] or spans[1][1] < spans[0][0]
    return bool(apart or widths[1] > 5 * max(widths[0], 1e-9))


def _numbers(each: LabelSet) -> Floats:
    return np.asarray(np.asarray(each.codes, dtype=float)[each.code[each.labelled]])


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


def unused_codes(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Codes within the range of a short scale that were never or rarely used."""
    for each in sets:
        used = _used(each)
        whole = [code for code in used if isinstance(code, int)]
        if len(whole) < 2 or len(whole) != len(used) or max(whole) - min(whole) > MANY_CODES:
            continue
        gaps = [code for code in range(min(whole), max(whole) + 1) if not used.get(code)]
        if each.scale is not None:
            gaps = [code for code in each.scale.labels if not used[code]]
        rare = [code for code in whole if 0 < used[code] < max(2, 0.01 * len(each.label))]
        if gaps or rare:
            yield Finding(
                "unused_code",
                "doubtful" if gaps and each.scale is None else "note",
                each.name,
                f"codes never used: {gaps or 'none'}; codes rarely used: {rare or 'none'}.",
                "Declare the scale, because chance agreement depends on it, and check whether raters understood the option.",
                {"used": {str(code): n for code, n in used.items() if n}},
                BarPlot.of("Codes", "number of ratings", used | dict.fromkeys(gaps, 0), [*gaps, *rare]),
            )


def _used(each: LabelSet) -> dict[Code, int]:
    counts: Ints = np.bincount(each.code[each.labelled], minlength=len(each.codes))
    used: dict[Code, int] = dict(zip(each.codes, counts.tolist(), strict=True))
    return used if each.scale is None else {code: used.get(code, 0) for code in each.scale.labels}
