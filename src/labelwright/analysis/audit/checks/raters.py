"""Checks on single raters: labels that contradict the others, that are random, or that never vary."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy

from labelwright.agreement import Ints
from labelwright.analysis.audit.associations import critical
from labelwright.analysis.audit.crossing import Crossing
from labelwright.analysis.audit.evidence import RaterEvidence
from labelwright.analysis.audit.findings import Finding
from labelwright.analysis.audit.plots import BarPlot, StripPlot

# Over all raters of an audit, a sound file has this chance of one wrong finding, or one doubtful one.
_WRONG, _DOUBTFUL = 0.001, 0.05
# Honest raters may prefer a code, so this level is stricter.
_CONSTANT = 0.01
_CONSTANT_SHARE = 0.97
_FEWEST_CONSTANT = 8


def contradicting_raters(evidence: RaterEvidence) -> Iterator[Finding]:
    """Raters whose labels go against those of the others, as if they had reversed the scale."""
    found, raters = evidence.associations, evidence.crossing.raters
    tests = int(found.tested.sum())
    limit = critical(_WRONG, tests) / np.sqrt(np.maximum(found.ratings - 1, 1))
    for number in np.flatnonzero(found.tested & (found.value < -limit)):
        name = raters[number]
        yield Finding(
            "reversed_rater",
            "wrong",
            f"rater {name}",
            f"the labels go against those of the other raters: the correlation is {found.value[number]:+.2f} over "
            f"{found.ratings[number]} shared items, where {found.usual:+.2f} is usual.",
            "Check whether this rater read the scale in the opposite direction, or whether the codes were reversed on import.",
            {"limit for chance": f"{-limit[number]:+.2f}, corrected for {tests} raters"},
            _association_plot(evidence, name),
        )


def random_raters(evidence: RaterEvidence) -> Iterator[Finding]:
    """Raters whose labels have nothing to do with those of the others, and who are too far below the usual.

    The comparison is with 60% of the usual correlation, so a rater who is merely less accurate is not reported.
    """
    found, raters = evidence.associations, evidence.crossing.raters
    if not found.usual > 0.2:
        return
    tests = int(found.tested.sum())
    distance = (0.6 * found.usual - found.value) / found.error
    weak = found.tested & (distance > critical(_DOUBTFUL, tests)) & (found.value < 0.3 * found.usual)
    limit = critical(_WRONG, tests) / np.sqrt(np.maximum(found.ratings - 1, 1))
    explained = {shift.rater for shift in evidence.shifts}
    for number in np.flatnonzero(weak & ~(found.value < -limit)):
        name = raters[number]
        if name in explained:
            continue
        yield Finding(
            "random_rater",
            "doubtful",
            f"rater {name}",
            f"the labels look random: their correlation with those of the other raters is {found.value[number]:+.2f} "
            f"over {found.ratings[number]} shared items, where {found.usual:+.2f} is usual.",
            "Look at this rater's work, and report the results with and without it.",
            {"corrected for": f"{tests} raters"},
            _association_plot(evidence, name),
        )


def _association_plot(evidence: RaterEvidence, name: str) -> StripPlot:
    found, raters = evidence.associations, evidence.crossing.raters
    values = {raters[number]: found.value[number] for number in np.flatnonzero(found.tested)}
    return StripPlot.of("Each rater", "correlation with the other raters", values, [name], found.usual)


def shifted_rows(evidence: RaterEvidence) -> Iterator[Finding]:
    """Raters whose labels agree with the others once they are moved by some rows."""
    for shift in evidence.shifts:
        rows = "row" if abs(shift.lag) == 1 else "rows"
        yield Finding(
            "shifted_rows",
            "wrong",
            f"rater {shift.rater}",
            f"the labels of {shift.part} seem to be {abs(shift.lag)} {rows} too {'high' if shift.lag > 0 else 'low'}: their "
            f"correlation with the other raters is {shift.own:+.2f} as they stand and {shift.moved:+.2f} once moved "
            f"({shift.rows} rows).",
            "Compare with the original file: a row was probably lost or added in one column.",
            plot=BarPlot.of(
                "Labels moved by this number of rows",
                "correlation with the other raters",
                {f"{lag:+d}" if lag else "0": value for lag, value in sorted(shift.by_lag.items())},
                [f"{shift.lag:+d}"],
            ),
        )


def constant_raters(evidence: RaterEvidence) -> Iterator[Finding]:
    """Raters who always, or nearly always, gave one code, where others used several.

    The test is binomial, with the share of that code among the other ratings of the same items.
    """
    crossing = evidence.crossing
    cell = crossing.rater * (int(crossing.code.max()) + 1) + crossing.code
    given = np.bincount(cell, minlength=len(crossing.raters) * (int(crossing.code.max()) + 1))
    table = given.reshape(len(crossing.raters), -1)
    most, total = table.max(axis=1), crossing.ratings_of
    near = (most >= _CONSTANT_SHARE * total) & (total >= _FEWEST_CONSTANT)
    shares = {crossing.raters[n]: most[n] / total[n] for n in np.flatnonzero(total >= _FEWEST_CONSTANT)}
    found = []
    for number in np.flatnonzero(near).tolist():
        code = int(table[number].argmax())
        others = _share_of_others(crossing, number, code)
        p = scipy.stats.binom.sf(most[number] - 1, total[number], others) * max(len(shares), 1)
        # A rater may honestly prefer a code that everybody prefers, as long as it is not the only one.
        if p < _CONSTANT and (most[number] == total[number] or others <= 0.85):
            found.append((number, others, float(p)))
    for number, others, p in found:
        name = crossing.raters[number]
        yield Finding(
            "constant_rater",
            "doubtful",
            f"rater {name}",
            f"gave the same code to {most[number]} of {total[number]} items; other raters gave it to {others:.0%} of "
            f"the same items (p = {p:.1g}, corrected for {len(shares)} raters).",
            "Look at this rater's work, and report the results with and without it.",
            plot=StripPlot.of("Each rater", "share of the most frequent code", shares, [name], None),
        )


def _share_of_others(crossing: Crossing, rater: int, code: int) -> float:
    """How often others gave a code to the items of a rater; never quite 0 or 1."""
    own: Ints = np.unique(crossing.unit[crossing.rater == rater])
    there = np.isin(crossing.unit, own) & (crossing.rater != rater)
    return float((np.count_nonzero(crossing.code[there] == code) + 1) / (np.count_nonzero(there) + 2))
