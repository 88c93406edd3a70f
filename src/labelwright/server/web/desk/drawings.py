"""Figures in tables: a line of numbers, and coefficients as text."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

SPARK_WIDTH, SPARK_HEIGHT = 72, 20


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


def coefficient(value: float, digits: int = 2) -> str:
    """A coefficient up to 1, without the zero that everybody expects.

    >>> coefficient(0.512), coefficient(-0.04), coefficient(1), coefficient(0, digits=1)
    ('.51', '−.04', '1', '0')
    """
    text = f"{abs(value):.{digits}f}"
    bare = text.rstrip("0").rstrip(".") if float(text).is_integer() else text.removeprefix("0")
    return f"−{bare}" if value < 0 and float(text) else bare or "0"
