"""Values with their intervals, drawn on an axis that all rows of a table share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

EDGE = 9
ROW_HEIGHT, LINE_HEIGHT = 34, 12
WIDE = 320
ROUND_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
MOST_STEPS = 5
SAME = 1e-6
"""Values that differ by less are the same, but for rounding."""


@dataclass(frozen=True, slots=True)
class Axis:
    """The numbers from one end to the other."""

    ticks: tuple[float, ...]
    width: int = WIDE
    sides: tuple[str, str] | None = None
    """What values below and above 0 mean; written instead of the numbers."""
    bare: bool = False
    """Whether its numbers are coefficients, written without the zero that everybody expects."""

    def x(self, value: float) -> float:
        """Where a value is drawn; those beyond the ends are drawn at the ends."""
        low, high = self.ticks[0], self.ticks[-1]
        return EDGE + (self.width - 2 * EDGE) * (min(max(value, low), high) - low) / (high - low)

    @property
    def span(self) -> str:
        """Its ends in words, where there is no room for its numbers."""
        low, high = (_number(end, bare=self.bare) for end in (self.ticks[0], self.ticks[-1]))
        return f"Lines from {low} to {high}"

    @property
    def texts(self) -> list[tuple[str, float, str]]:
        """The anchor, position and text of each label."""
        if self.sides is None:
            return [("middle", self.x(tick), _number(tick, bare=self.bare)) for tick in self.ticks]
        return [
            ("start", 0, self.sides[0]),
            ("middle", self.x(0), "0"),
            ("end", self.width, self.sides[1]),
        ]


AGREEMENT = Axis((-0.5, 0.0, 0.5, 1.0), width=130, bare=True)
"""Raters who do not agree are often below 0, and rarely below -0.5."""


def fit_axis(values: Iterable[float], *, sides: tuple[str, str] | None = None, bare: bool = False) -> Axis:
    """The axis of round numbers that has room for all values.

    >>> fit_axis([3.19, 4.25]).ticks
    (3.0, 3.25, 3.5, 3.75, 4.0, 4.25)
    >>> fit_axis([0, 1]).ticks, fit_axis([-0.21, 0.21]).ticks, fit_axis([2, 2 + 1e-13]).ticks
    ((0.0, 0.2, 0.4, 0.6, 0.8, 1.0), (-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3), (2.0, 2.5))
    """
    known = list(values) or [0.0, 1.0]
    low, high = min(known), max(known)
    least = (high - low) / MOST_STEPS if high - low > SAME else 0.5
    power = 10.0 ** math.floor(math.log10(least))
    step = next(step * power for step in ROUND_STEPS if step * power >= least * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(step * n, 10) for n in range(first, max(last, first + 1) + 1))
    return Axis(ticks, sides=sides, bare=bare)


def interval_axis(axis: Axis = AGREEMENT) -> SafeString:
    """The numbers of the axis, for the head of its column."""
    texts = format_html_join(
        "",
        '<text x="{}" y="12" text-anchor="{}">{}</text>',
        ((f"{x:.1f}", anchor, text) for anchor, x, text in axis.texts),
    )
    return format_html(
        '<svg class="iv" width="{w}" height="16" viewBox="0 0 {w} 16" aria-hidden="true">{texts}</svg>',
        w=axis.width,
        texts=texts,
    )


class DrawnValue(NamedTuple):
    """A value and the ends of its interval, if it has one."""

    value: float
    low: float | None
    high: float | None


def interval(value: float, low: float, high: float, reference: float | None = None) -> SafeString:
    """A coefficient and its interval; an arrow at the end of the axis says that they go on. A reference value is dashed.

    >>> "M" in interval(0.2, -0.4, 0.7), "M" in interval(-0.47, -0.9, -0.1), "circle" in interval(-0.8, -0.9, -0.1)
    (False, True, False)
    """
    return _draw(AGREEMENT, [("dot", DrawnValue(value, low, high))], reference)


def intervals(axis: Axis, **found: Mapping[str, Any] | None) -> SafeString:
    """Several values of one row, one below the other: `hollow`, `diamond` and `dot` are their shapes.

    >>> row = intervals(fit_axis([0, 1]), hollow={"value": 0.5, "low": 0.4, "high": 0.6}, dot={"value": None})
    >>> "rect" in row, "circle" in row
    (True, False)
    """
    marks = [
        (shape, DrawnValue(each["value"], each.get("low"), each.get("high")))
        for shape, each in found.items()
        if each and each["value"] is not None
    ]
    return _draw(axis, marks) if marks else SafeString("")


def intervals_key(shape: str) -> SafeString:
    """The shape alone, for the key of a chart."""
    return format_html(
        '<svg class="iv" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">{}</svg>',
        format_html(SHAPES[shape], x="6", y="6"),
    )


def _draw(axis: Axis, marks: list[tuple[str, DrawnValue]], reference: float | None = None) -> SafeString:
    height = max(ROW_HEIGHT, LINE_HEIGHT * (len(marks) + 1))
    lines = [(tick, "z" if tick == 0 else "g") for tick in axis.ticks]
    lines += [] if reference is None else [(reference, "ref")]
    grid = format_html_join(
        "",
        '<line x1="{0}" x2="{0}" y1="0" y2="{1}" class="{2}"/>',
        ((f"{axis.x(at):.1f}", height, kind) for at, kind in lines),
    )
    drawn = format_html_join(
        "",
        "{}",
        (
            (_mark(axis, shape, mark, height * (n + 1) / (len(marks) + 1)),)
            for n, (shape, mark) in enumerate(marks)
        ),
    )
    return format_html(
        '<svg class="iv" width="{w}" height="{h}" viewBox="0 0 {w} {h}" aria-hidden="true">{grid}{drawn}</svg>',
        w=axis.width,
        h=height,
        grid=grid,
        drawn=drawn,
    )


SHAPES = {
    "dot": '<circle cx="{x}" cy="{y}" r="4" class="d"/>',
    "hollow": '<rect x="{x}" y="{y}" width="7" height="7" transform="translate(-3.5 -3.5)" class="d2"/>',
    "diamond": '<path d="M{x} {y}m0 -4.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z" class="d3"/>',
}
LINES = {"dot": "w", "hollow": "w2", "diamond": "w3"}


def _mark(axis: Axis, shape: str, mark: DrawnValue, y: float) -> SafeString:
    at, lowest = f"{y:.1f}", axis.ticks[0]
    ends = mark.value if mark.low is None else mark.low, mark.value if mark.high is None else mark.high
    return format_html(
        '<line x1="{low}" x2="{high}" y1="{y}" y2="{y}" class="{line}"/>{arrow}{point}',
        low=f"{axis.x(ends[0]):.1f}",
        high=f"{axis.x(ends[1]):.1f}",
        y=at,
        line=LINES[shape],
        arrow=format_html('<path d="M1 {}l6 -4v8z" class="d"/>', at)
        if min(mark.value, *ends) < lowest
        else "",
        point=format_html(SHAPES[shape], x=f"{axis.x(mark.value):.1f}", y=at) if mark.value >= lowest else "",
    )


def _number(tick: float, *, bare: bool) -> str:
    """A number of an axis.

    >>> _number(0.25, bare=True), _number(-0.5, bare=True), _number(0.0, bare=True), _number(-0.5, bare=False)
    ('.25', '−.5', '0', '−0.5')
    """
    text = f"{abs(tick):g}"
    text = (text.removeprefix("0") or "0") if bare else text
    return f"−{text}" if tick < 0 else text
