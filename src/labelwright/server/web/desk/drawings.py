"""Small drawings in tables: a line of numbers, and a value with its interval on an axis that all rows share."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

SPARK_WIDTH, SPARK_HEIGHT = 72, 20
AXIS_WIDTH, ROW_HEIGHT = 130, 34
EDGE = 9
LOWEST, HIGHEST = -0.5, 1.0
"""The ends of the axis. Raters who do not agree are often below 0, and rarely below this."""
TICKS = (-0.5, 0.0, 0.5, 1.0)


def spark(values: Sequence[float], limit: float | None = None) -> SafeString:
    """A line from zero, with its last point marked and a limit dashed; empty for fewer than two values."""
    if len(values) < 2:
        return SafeString("")
    top = max([*values, limit or 0, 1])
    dashed = (
        format_html(
            '<line class="lim" x1="2" x2="{}" y1="{y}" y2="{y}"/>',
            SPARK_WIDTH - 2,
            y=f"{17 - 14 * limit / top:.1f}",
        )
        if limit
        else ""
    )
    step = (SPARK_WIDTH - 4) / (len(values) - 1)
    points = [(2 + step * n, 17 - 14 * value / top) for n, value in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    x, y = points[-1]
    return format_html(
        '<svg class="spark" width="{w}" height="{h}" viewBox="0 0 {w} {h}" aria-hidden="true">'
        '<line x1="2" x2="{end}" y1="18.5" y2="18.5"/>{dashed}<polyline points="{line}"/><circle cx="{x}" cy="{y}" r="2.5"/></svg>',
        w=SPARK_WIDTH,
        h=SPARK_HEIGHT,
        end=SPARK_WIDTH - 2,
        dashed=dashed,
        line=line,
        x=f"{x:.1f}",
        y=f"{y:.1f}",
    )


def interval_axis() -> SafeString:
    """The numbers of the axis, for the head of its column."""
    texts = format_html_join(
        "",
        '<text x="{}" y="12" text-anchor="middle">{}</text>',
        ((f"{_x(tick):.1f}", coefficient(tick, digits=1)) for tick in TICKS),
    )
    return format_html(
        '<svg class="iv" width="{w}" height="16" viewBox="0 0 {w} 16" aria-hidden="true">{texts}</svg>',
        w=AXIS_WIDTH,
        texts=texts,
    )


def interval(value: float, low: float, high: float, reference: float | None = None) -> SafeString:
    """A value and its interval; an arrow at the end of the axis says that they go on. A reference value is dashed.

    >>> "M" in interval(0.2, -0.4, 0.7), "M" in interval(-0.47, -0.9, -0.1), "circle" in interval(-0.8, -0.9, -0.1)
    (False, True, False)
    """
    lines = [(tick, "z" if tick == 0 else "g") for tick in TICKS]
    lines += [] if reference is None else [(reference, "ref")]
    grid = format_html_join(
        "",
        '<line x1="{0}" x2="{0}" y1="0" y2="{1}" class="{2}"/>',
        ((f"{_x(at):.1f}", ROW_HEIGHT, kind) for at, kind in lines),
    )
    y = ROW_HEIGHT // 2
    dot = format_html('<circle cx="{}" cy="{}" r="4" class="d"/>', f"{_x(value):.1f}", y)
    arrow = format_html('<path d="M1 {}l6 -4v8z" class="d"/>', y)
    return format_html(
        '<svg class="iv" width="{w}" height="{h}" viewBox="0 0 {w} {h}" aria-hidden="true">{grid}'
        '<line x1="{low}" x2="{high}" y1="{y}" y2="{y}" class="w"/>{arrow}{dot}</svg>',
        w=AXIS_WIDTH,
        h=ROW_HEIGHT,
        grid=grid,
        low=f"{_x(low):.1f}",
        high=f"{_x(high):.1f}",
        arrow=arrow if min(value, low) < LOWEST else "",
        dot=dot if value >= LOWEST else "",
        y=y,
    )


def coefficient(value: float, digits: int = 2) -> str:
    """A coefficient up to 1, without the zero that everybody expects.

    >>> coefficient(0.512), coefficient(-0.04), coefficient(1), coefficient(0, digits=1)
    ('.51', '−.04', '1', '0')
    """
    text = f"{abs(value):.{digits}f}"
    bare = text.rstrip("0").rstrip(".") if float(text).is_integer() else text.removeprefix("0")
    return f"−{bare}" if value < 0 and float(text) else bare or "0"


def _x(value: float) -> float:
    share = (min(max(value, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST)
    return EDGE + (AXIS_WIDTH - 2 * EDGE) * share
