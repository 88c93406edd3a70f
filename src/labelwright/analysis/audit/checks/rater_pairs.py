"""Checks on pairs of raters: labels that one copied from the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from labelwright.agreement import Floats, Ints
from labelwright.analysis.audit.evidence import RaterEvidence
from labelwright.analysis.audit.findings import Finding, Severity
from labelwright.analysis.audit.plots import StripPlot
from labelwright.analysis.audit.rater_pairs import RaterPairs

# Over all pairs of an audit, a sound file has at most this chance of one wrong finding, or one doubtful one.
_WRONG, _DOUBTFUL = 0.001, 0.05
_STRICT = 1e-6
_FEWEST_CLOSE = 50
_MOST_SINGLE = 10
_MOST_SHOWN = 400


@dataclass(frozen=True, eq=False)
class CopiedPairs:
    """Pairs of raters who agree far more often than two people who work alone, as places among all pairs."""

    places: Ints
    """The clearest first."""
    p: Floats
    certain: NDArray[np.bool_]
    """Of all pairs: whether two experts could not give the same labels either."""


def find_copied_pairs(pairs: RaterPairs) -> CopiedPairs:
    """The pairs whose agreement two people who work alone do not reach.

    The test is binomial and corrected for the number of pairs. The excess must also cover at least half of the
    way from the expected agreement to 1, which raters who are merely alike do not reach. Raters who agree on
    nearly all of many items are found too, unless they agree with others nearly as often.
    """
    rate, p = pairs.agreed / pairs.shared, pairs.p(pairs.expected)
    close = (rate >= 0.95) & (pairs.shared >= _FEWEST_CLOSE) & (pairs.p(pairs.most) < _STRICT)
    sure = ((p < _DOUBTFUL) & (rate >= (1 + pairs.expected) / 2)) | close
    # Two experts may be right nearly always, so the same labels everywhere must be impossible for them too.
    certain = (pairs.agreed == pairs.shared) & pairs.modelled & (pairs.p((1 + pairs.expected) / 2) < _WRONG)
    p = np.minimum(p, pairs.p(pairs.most))
    places = np.flatnonzero(sure)
    return CopiedPairs(places[np.argsort(p[places], kind="stable")], p, certain)


def copied_raters(evidence: RaterEvidence) -> Iterator[Finding]:
    """Pairs of raters who agree far more often than two people who work alone; see `find_copied_pairs`."""
    pairs, raters = evidence.pairs, evidence.crossing.raters
    if not len(pairs.one):
        return
    found, tests = find_copied_pairs(pairs), len(pairs.one)
    places, p, certain = found.places, found.p, found.certain
    names = {place: f"{raters[pairs.one[place]]} and {raters[pairs.two[place]]}" for place in np.sort(places)}
    near = " (within 2% of the scale)" if evidence.crossing.close.any() else ""
    for place in places[:_MOST_SINGLE]:
        finding = Finding(
            "near_copies",
            "doubtful",
            f"raters {names[place]}",
            f"agree{near} on {pairs.agreed[place]} of {pairs.shared[place]} shared items, where {pairs.usual:.0%} is usual "
            f"and at most {min(pairs.expected[place], pairs.most[place]):.0%} is expected of these two (p = {p[place]:.1g}, "
            f"corrected for {tests} pairs).",
            "Find out whether one copied from the other, whether they worked together, or whether one person has two ids. "
            "Until then, count them as one rater.",
            plot=_pair_plot(evidence, [int(place)]),
        )
        if pairs.agreed[place] == pairs.shared[place]:
            severity: Severity = "wrong" if certain[place] else "doubtful"
            finding = replace(finding, kind="copied_rater", severity=severity)
        yield finding
    if len(places) > _MOST_SINGLE:
        yield Finding(
            "near_copies",
            "doubtful",
            f"{len(places)} pairs of raters",
            f"agree far more often than two people who work alone; the {_MOST_SINGLE} clearest pairs are listed separately.",
            "Find out whether these raters share a source, such as a model, an answer key or an earlier file.",
            {"pairs": ", ".join(list(names.values())[:30])},
            _pair_plot(evidence, np.sort(places).tolist()),
        )


def _pair_plot(evidence: RaterEvidence, strong: list[int]) -> StripPlot:
    pairs, raters = evidence.pairs, evidence.crossing.raters
    some = np.linspace(0, len(pairs.one) - 1, min(len(pairs.one), _MOST_SHOWN)).astype(int)
    names = {
        int(place): f"{raters[pairs.one[place]]} and {raters[pairs.two[place]]}" for place in [*strong, *some]
    }
    values = {name: pairs.agreed[place] / pairs.shared[place] for place, name in names.items()}
    unit = "share of shared items with the same label"
    return StripPlot.of("Each pair of raters", unit, values, [names[place] for place in strong], pairs.usual)
