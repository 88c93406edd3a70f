"""Charts of a running study: progress, label distribution, agreement and working time.

Colours come from the theme, so that the same chart works on a light and a dark page. A chart that
needs further colours takes them as an argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from labelwright.charts import LIGHT, Chart, Colours, ramp, rows_of

ChartRow = dict[str, Any]
FEWEST_JUDGMENTS = 10
"""The minimum number of judgments for drawing shares; a bar of three judgments is meaningless."""


def judgments_over_time(rows: list[ChartRow], wanted: int, marks: Sequence[ChartRow] = ()) -> Chart:
    """Cumulative number of stored judgments, with the target. Rows: at (ISO time), n.

    `marks` are rules across the axis, where the study changed: at, name.
    """
    line = (
        alt.Chart(rows_of(rows))
        .mark_line(interpolate="step-after")
        .encode(
            x=alt.X("at:T", title=None, axis=alt.Axis(grid=False, tickCount=5)),
            y=alt.Y(
                "n:Q",
                title=None,
                axis=alt.Axis(tickCount=4, format=",d"),
                scale=alt.Scale(domain=[0, wanted]),
            ),
        )
    )
    goal = (
        alt.Chart(rows_of([{"wanted": wanted}]))
        .mark_rule(strokeDash=[4, 3], opacity=0.7)
        .encode(y="wanted:Q")
    )
    last = alt.Chart(rows_of(rows[-1:])).mark_point().encode(x="at:T", y="n:Q")
    drawn = line + goal + last
    if marks:
        changed = alt.Chart(rows_of(list(marks))).encode(x="at:T")
        name = changed.mark_text(align="left", baseline="top", dx=4).encode(y=alt.value(2), text="name:N")
        drawn = drawn + changed.mark_rule(opacity=0.7) + name
    return drawn.properties(width="container", height=170)


def labels_by_condition(
    rows: list[ChartRow], conditions: Sequence[str], points: Sequence[str], colours: Colours = LIGHT
) -> Chart:
    """Share of each scale point per condition. Rows: condition, point, n, share, order, text, last."""
    base = alt.Chart(rows_of(rows)).encode(
        y=alt.Y("condition:N", sort=list(conditions), title=None, axis=alt.Axis(domain=False)),
        order=alt.Order("order:Q"),
    )
    bars = base.mark_bar(height=21).encode(
        x=alt.X("share:Q", stack="zero", title=None, scale=alt.Scale(domain=[0, 1]), axis=None),
        color=alt.Color(
            "point:O",
            sort=list(points),
            title=None,
            scale=alt.Scale(domain=list(points), range=ramp(colours, len(points))),
            legend=alt.Legend(symbolType="square", labelLimit=200, columns=len(points)),
        ),
        tooltip=["condition:N", "point:N", "n:Q"],
    )
    x = alt.X("share:Q", stack="zero", bandPosition=0.5)
    # The strongest colour needs light text; the normal text colour is readable on the others.
    ink = alt.condition("datum.last", alt.value(colours["on-s3"]), alt.value(colours["ink"]))
    text = base.mark_text().encode(x=x, text="text:N", color=ink)
    return (bars + text).properties(width="container", height=alt.Step(26))


def agreement_by_condition(rows: list[ChartRow], conditions: Sequence[str], title: str) -> Chart:
    """An estimate with its interval per condition. Rows: condition, value, low, high, text."""
    base = alt.Chart(rows_of(rows)).encode(
        y=alt.Y("condition:N", sort=list(conditions), title=None, axis=alt.Axis(domain=False))
    )
    x = alt.X(
        "low:Q", title=title, scale=alt.Scale(domain=[min(0.0, *_lows(rows)), 1]), axis=alt.Axis(tickCount=5)
    )
    interval = base.mark_rule().encode(x=x, x2="high:Q")
    value = base.mark_point().encode(x=alt.X("value:Q"))
    text = base.mark_text(align="left", dx=6, dy=-9, fontWeight=600).encode(x="value:Q", text="text:N")
    return (interval + value + text).properties(width="container", height=alt.Step(36))


def seconds_by_condition(rows: list[ChartRow], conditions: Sequence[str]) -> Chart:
    """Median seconds per task with the interquartile range. Rows: condition, low, median, high, text."""
    base = alt.Chart(rows_of(rows)).encode(
        y=alt.Y("condition:N", sort=list(conditions), title=None, axis=alt.Axis(domain=False))
    )
    x = alt.X("low:Q", title="seconds: median and interquartile range", axis=alt.Axis(tickCount=5))
    half = base.mark_bar(height=8, opacity=0.35).encode(x=x, x2="high:Q")
    median = base.mark_tick(thickness=3, height=18).encode(x="median:Q")
    text = base.mark_text(align="left", dx=6, dy=-11, fontWeight=600).encode(x="median:Q", text="text:N")
    return (half + median + text).properties(width="container", height=alt.Step(36))


def _lows(rows: list[ChartRow]) -> list[float]:
    return [row["low"] for row in rows if row["low"] is not None] or [0.0]
