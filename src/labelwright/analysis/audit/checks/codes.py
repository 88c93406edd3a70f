"""Checks on codes: different codes for one aspect, and unused codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from labelwright.analysis._codes import CodeSets
from labelwright.analysis.audit.findings import Finding
from labelwright.analysis.audit.label_sets import LabelSet, by_aspect


def mixed_codes(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Sets of one aspect that use different codes, and the effect of comparing them without recoding."""
    for aspect, own in by_aspect(sets).items():
        codes = CodeSets(aspect, {each.name: each.codes for each in own})
        if not codes.mixed:
            continue
        evidence: dict[str, object] = {"codes": codes.describe()}
        drop = _largest_drop(own, codes)
        if drop is not None:
            first, second, raw, shifted = drop
            evidence["same label, original codes"] = f"{first} against {second}: {raw:.2f} percent of items"
            evidence["same label, recoded"] = f"{first} against {second}: {shifted:.2f} percent of items"
        yield Finding(
            "mixed_codes",
            "wrong",
            aspect,
            "the sets use different codes, so comparing or pooling them could mix codes with different meanings.",
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


def unused_codes(sets: Sequence[LabelSet]) -> Iterator[Finding]:
    """Codes within the range of a set that were never or rarely used."""
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
                f"codes never used: {gaps or 'none'}; codes rarely used: {rare or 'none'}.",
                "Declare the scale, because chance agreement depends on it, and check whether raters understood the option.",
                {"used": dict(sorted(used.items(), key=str))},
            )
