"""Questions as rows of the overview: the shares of their answers, and agreement on one axis that all rows share."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from labelwright.agreement import Estimate
from labelwright.scales import Point, Scale
from labelwright.server.results.actions.agreement import OverlapFigures
from labelwright.server.results.actions.question_figures import QuestionFigures
from labelwright.server.results.actions.systems import SystemFigures

Context = dict[str, Any]
LEAST_WRITTEN = 9
"""A smaller percentage has no room inside its part of a bar."""
LETTERS_IN_A_BAR = 50
"""Letters that fit into a whole bar."""
STEP = 0.2
SHADES = {1: ("s3",), 2: ("s1", "s3"), 3: ("s1", "s2", "s3"), 4: ("h1", "h2", "h3", "h4")}
FIVE_SHADES = ("h0", "h1", "h2", "h3", "h4")


def shades(scale: Scale) -> dict[int, str]:
    """The shade of each code: from light to strong in the order of the scale.

    An unordered scale has one shade for all, because a ramp would claim an order; points outside the order are hatched.
    """
    placed = [point.code for point in scale.points if point.placed]
    if not scale.ordered:
        found = dict.fromkeys(placed, "s2")
    elif len(placed) in SHADES:
        found = dict(zip(placed, SHADES[len(placed)], strict=True))
    else:
        last = len(placed) - 1
        found = {code: FIVE_SHADES[round(4 * place / last)] for place, code in enumerate(placed)}
    return found | dict.fromkeys(scale.outside, "x")


def bar(counts: dict[int, int], points: Sequence[Point], scale: Scale) -> list[Context]:
    """The parts of a bar, in percent of its width; points outside the order come last."""
    total, start, drawn = sum(counts.values()), 0.0, shades(scale)
    parts = []
    for point in points:
        share = 100 * counts.get(point.code, 0) / total if total else 0.0
        if share:
            parts.append(
                {
                    "x": round(start, 3),
                    "width": round(share, 3),
                    "middle": round(start + share / 2, 3),
                    "shade": drawn[point.code],
                    "text": _inside(point.name, share, named=not scale.ordered),
                    "title": f"{point.name}: {counts[point.code]:,} of {total:,} ({share:.0f}%)",
                }
            )
        start += share
    return parts


def _inside(name: str, share: float, *, named: bool) -> str:
    """What is written inside a part of a bar; parts that look alike have their names, where there is room."""
    if share < LEAST_WRITTEN:
        return ""
    fits = named and len(name) <= share * LETTERS_IN_A_BAR / 100 - 5
    return f"{name} {share:.0f}%" if fits else f"{share:.0f}%"


def all_labels(question: QuestionFigures) -> dict[int, int]:
    """The labels of all conditions or systems together."""
    counts: Counter[int] = Counter()
    for given in question.labels.values():
        counts.update(given)
    return dict(counts)


def scale_in_words(scale: Scale) -> str:
    """What kind of answers a question takes.

    >>> from labelwright.scales import parse_scale
    >>> scale_in_words(parse_scale("poor, fair, good | don't know"))
    "3 points, or “don't know”"
    """
    outside = [f"“{scale.name_of(code)}”" for code in scale.outside]
    placed = len(scale.points) - len(outside)
    words = f"{placed} points" if scale.ordered else f"{placed} choices"
    return f"{words}, or {' or '.join(outside)}" if outside else words


def ties_in_words(question: QuestionFigures, comparisons: int) -> str:
    """How many comparisons there are, and the share that neither side won, which win rates do not show."""
    counts = all_labels(question)
    total = sum(counts.values())
    neither = [
        f"{counts[point.code] / total:.0%} {point.name[:1].lower()}{point.name[1:]}"
        for point in question.scale.points
        if counts.get(point.code) and (point.code == 0 or not point.placed)
    ]
    found = f"{comparisons:,} comparison{'' if comparisons == 1 else 's'}"
    return f"{', '.join([found, *neither])}; win rates below" if comparisons else ""


def axis(estimates: Sequence[Estimate], low: float = 0.0, high: float = 1.0) -> Context:
    """An axis on which all estimates fit, with its ticks; zero is marked if it is inside."""
    lows = [each.interval.low if each.interval else each.value for each in estimates]
    lowest = min([low, *(value for value in lows if not math.isnan(value))])
    first = max(math.floor(round(lowest / STEP, 6)), -5) * STEP if lowest < low else low
    span = high - first
    count = round(span / STEP) if (low, high) == (0.0, 1.0) else 4
    ticks = [first + span * n / count for n in range(count + 1)]
    return {
        "low": first,
        "high": high,
        "ticks": [
            {
                "at": _at(value, first, high),
                "text": f"{value:.2g}" if abs(value) > 1e-9 else "0",
                "zero": abs(value) < 1e-9,
            }
            for value in ticks
        ],
    }


def interval(estimate: Estimate, on: Context) -> Context | None:
    """An estimate with its interval as places on an axis; None if it is undefined."""
    if math.isnan(estimate.value):
        return None
    ends = estimate.interval
    low, high = (ends.low, ends.high) if ends else (estimate.value, estimate.value)
    return {
        "at": _at(estimate.value, on["low"], on["high"]),
        "from": _at(low, on["low"], on["high"]),
        "to": _at(high, on["low"], on["high"]),
        "text": estimate.text,
    }


def _at(value: float, low: float, high: float) -> float:
    """A value as a percentage of the axis, with some room at both ends."""
    share = (min(max(value, low), high) - low) / (high - low)
    return round(4 + 92 * share, 2)


def systems(figures: SystemFigures) -> Context:
    """The systems on one question, on an axis of their own."""
    words = {
        "title": "Win rate of systems" if figures.wins else "Systems by score",
        "about": "Share of comparisons won; a tie counts half."
        if figures.wins
        else "Mean over items, with its 95% interval.",
        "by": "system",
        "value": "Win rate" if figures.wins else "Score",
    }
    return _compared(figures.text, words, figures.systems, figures.lowest, figures.highest)


def overlaps(figures: OverlapFigures) -> Context:
    """How far raters marked the same parts, in each condition."""
    words = {
        "title": "Overlap of marked parts",
        "about": "Share of the characters marked by either of two raters that both marked, whatever their kind: "
        "mean over pairs and items, with its 95% interval. 1 is identical.",
        "by": "condition",
        "value": "Overlap",
    }
    return _compared(figures.text, words, figures.by_condition, 0.0, 1.0)


def _compared(
    text: str, words: dict[str, str], estimates: Mapping[str, Estimate], low: float, high: float
) -> Context:
    """Systems or conditions on one question, on an axis of their own."""
    ends = axis(list(estimates.values()), low, high)
    return words | {
        "text": text,
        "axis": ends,
        "rows": [
            {
                "name": name,
                "interval": interval(estimate, ends),
                "text": "–" if math.isnan(estimate.value) else estimate.text,
                "items": estimate.items,
            }
            for name, estimate in estimates.items()
        ],
    }
