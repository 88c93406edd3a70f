"""Charts of a running study: progress, label distribution, agreement and working time.

Colours come from the theme, so that the same chart works on a light and a dark page. A chart that
needs further colours takes them as an argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from labelwright.charts import LIGHT, Chart, Colours, alt, outline, point_colours, rows_of

ChartRow = dict[str, Any]
FEWEST_JUDGMENTS = 10
"""The minimum number of judgments for drawing shares; a bar of three judgments is meaningless."""


PHONE_WIDTH, SYMBOL_WIDTH = 42, 4
"""The width of a legend on a phone, and that of the symbol of an entry, in characters."""


def submissions_over_time(rows: list[ChartRow], wanted: int, marks: Sequence[ChartRow] = ()) -> Chart:
    """Cumulative number of stored submissions, with the target. Rows: at (ISO time), n. Times are drawn as UTC.

    `marks` are rules across the axis, where the study changed: at, name.
    """
    line = (
        alt.Chart(rows_of(rows))
        .mark_line(interpolate="step-after")
        .encode(
            x=alt.X(
                "at:T",
                title=None,
                axis=alt.Axis(grid=False, tickCount=5, format=_time_format(rows)),
                scale=_utc(),
            ),
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
    last = alt.Chart(rows_of(rows[-1:])).mark_point().encode(x=alt.X("at:T", scale=_utc()), y="n:Q")
    drawn = line + goal + last
    if marks:
        changed = alt.Chart(rows_of(list(marks))).encode(x=alt.X("at:T", scale=_utc()))
        name = changed.mark_text(align="left", baseline="top", dx=4).encode(y=alt.value(2), text="name:N")
        drawn = drawn + changed.mark_rule(opacity=0.7) + name
    return drawn.properties(width="container", height=170)


def _time_format(rows: Sequence[ChartRow]) -> str:
    """How the ticks of a time axis are written, so that each can be read without its neighbours.

    >>> _time_format([{"at": "2026-11-16T10:46:18+00:00"}, {"at": "2026-11-16T10:46:26+00:00"}])
    '%H:%M:%S'
    """
    times = [datetime.fromisoformat(row["at"]) for row in rows]
    span = max(times) - min(times) if times else timedelta(0)
    if span < timedelta(minutes=5):
        return "%H:%M:%S"
    if span < timedelta(days=1):
        return "%H:%M"
    return "%-d %b %H:%M" if span < timedelta(days=4) else "%-d %b"


def labels_by_condition(
    rows: list[ChartRow],
    conditions: Sequence[str],
    outside: Mapping[str, bool],
    colours: Colours = LIGHT,
    *,
    ordered: bool = True,
) -> Chart:
    """Share of each scale point per condition. Rows: condition, point, n, start, end, middle, outside, text, last, href.

    `outside` names the points, and tells which have no place in the order of the scale; those are drawn without
    a colour. Points of an unordered scale have one colour, because a ramp would claim an order.
    """
    drawn = point_colours(colours, list(outside.values()))
    if not ordered:
        drawn = [colours["paper"] if apart else colours["s2"] for apart in outside.values()]
    base = alt.Chart(rows_of(rows)).encode(
        y=alt.Y("condition:N", sort=list(conditions), title=None, axis=alt.Axis(domain=False)),
    )
    ends = alt.Scale(domain=[0, max(1, *(row["end"] for row in rows))], nice=False)
    bars = base.mark_bar(height=21).encode(
        x=alt.X("start:Q", title=None, scale=ends, axis=None),
        x2="end:Q",
        color=alt.Color(
            "point:O",
            sort=list(outside),
            title=None,
            scale=alt.Scale(domain=list(outside), range=drawn),
            legend=alt.Legend(
                symbolType="square",
                symbolStrokeColor=colours["line-2"],
                symbolStrokeWidth=1,
                labelLimit=200,
                columns=_columns(list(outside)),
            ),
        ),
        stroke=outline(colours) if ordered else alt.value(colours["paper"]),
        tooltip=["condition:N", "point:N", "n:Q"],
        **({"href": "href:N"} if any(row.get("href") for row in rows) else {}),
    )
    x = alt.X("middle:Q")
    # The strongest colour needs light text; the normal text colour is readable on the others.
    ink = alt.condition("datum.last", alt.value(colours["on-s3"]), alt.value(colours["ink"]))
    text = base.mark_text().encode(x=x, text="text:N", color=ink)
    return (bars + text).properties(width="container", height=alt.Step(26))


def agreement_by_condition(rows: list[ChartRow], conditions: Sequence[str], title: list[str]) -> Chart:
    """An estimate with its interval per condition; the title has lines. Rows: condition, value, low, high, text."""
    base = alt.Chart(rows_of(rows)).encode(
        y=alt.Y("condition:N", sort=list(conditions), title=None, axis=alt.Axis(domain=False))
    )
    x = alt.X(
        "low:Q", title=title, scale=alt.Scale(domain=[min(0.0, *_lows(rows)), 1]), axis=alt.Axis(tickCount=5)
    )
    interval = base.mark_rule().encode(x=x, x2="high:Q")
    zero = alt.Chart(rows_of([{"zero": 0}])).mark_rule(opacity=0.7, strokeWidth=1).encode(x="zero:Q")
    value = base.mark_point().encode(
        x=alt.X("value:Q"), tooltip=["condition:N", "value:Q", "low:Q", "high:Q"]
    )
    text = base.mark_text(align="left", dx=6, dy=-9, fontWeight=600).encode(x="value:Q", text="text:N")
    return (interval + zero + value + text).properties(width="container", height=alt.Step(36))


def seconds_by_condition(rows: list[ChartRow], conditions: Sequence[str]) -> Chart:
    """Median seconds per task with the interquartile range. Rows: condition, low, median, high, text."""
    base = alt.Chart(rows_of(rows)).encode(
        y=alt.Y("condition:N", sort=list(conditions), title=None, axis=alt.Axis(domain=False))
    )
    x = alt.X("low:Q", title="seconds: median and interquartile range", axis=alt.Axis(tickCount=5))
    half = base.mark_bar(height=8, opacity=0.35).encode(x=x, x2="high:Q")
    median = base.mark_tick(thickness=3, height=18).encode(
        x="median:Q", tooltip=["condition:N", "low:Q", "median:Q", "high:Q"]
    )
    text = base.mark_text(align="left", dx=6, dy=-11, fontWeight=600).encode(x="median:Q", text="text:N")
    return (half + median + text).properties(width="container", height=alt.Step(36))


def _columns(names: Sequence[str]) -> int:
    """How many entries of a legend fit next to each other on a phone.

    >>> _columns(["Bad", "Fair", "Good"]), _columns(["the other one is better", "tie", "this one is better", "bad"])
    (3, 2)
    """
    for columns in range(len(names), 1, -1):
        widths = [max(map(len, names[start::columns])) for start in range(columns)]
        if sum(widths) + SYMBOL_WIDTH * columns <= PHONE_WIDTH:
            return columns
    return 1


def _lows(rows: list[ChartRow]) -> list[float]:
    return [row["low"] for row in rows if row["low"] is not None] or [0.0]


def _utc() -> Any:
    return alt.Scale(type="utc")
