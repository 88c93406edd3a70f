"""Drawing the plots of findings as SVG, in the theme of all charts."""

from __future__ import annotations

import json
import math
from typing import Any

from labelwright.analysis.audit.plots import BarPlot, IntervalPlot, Plot, PointPlot, StripPlot
from labelwright.charts import LIGHT, Chart, alt, converter, rows_of, themed

_WIDTH = 300
_STEP = 22
_SPREAD_HEIGHT = 80
_QUIET = LIGHT["s2"]
_STRONG = LIGHT["accent"]


def draw(plot: Plot) -> str:
    """The plot as an SVG element."""
    version = ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])
    return str(converter.vegalite_to_svg(themed(_chart(plot)), vl_version=version))


def _chart(plot: Plot) -> Chart:
    if isinstance(plot, BarPlot):
        return _bars(plot)
    if isinstance(plot, StripPlot):
        return _spread(plot)
    if isinstance(plot, IntervalPlot):
        return _intervals(plot)
    return _cloud(plot)


def _colour(field: str = "datum.strong") -> Any:
    return alt.condition(field, alt.value(_STRONG), alt.value(_QUIET))


def _bars(plot: BarPlot) -> Chart:
    rows: list[dict[str, Any]] = [
        # Two long names may be cut to the same text, so rows are told apart by their place.
        {"place": f"{place:03d}", "name": name, "value": value, "text": _text(value), "strong": strong}
        for place, (name, value, strong) in enumerate(plot.rows)
    ]
    names = {row["place"]: row["name"] for row in rows}
    base = alt.Chart(rows_of(rows)).encode(y=_names(names, plot.title))
    bars = base.mark_bar().encode(x=alt.X("value:Q", title=plot.unit, axis=_axis()), color=_colour())
    text = base.mark_text(align="left", dx=4).encode(x="value:Q", text="text:N")
    return alt.layer(bars, text).properties(width=_WIDTH, height=alt.Step(_STEP))


def _names(names: dict[str, str], title: str) -> Any:
    """The axis of names. They are data, so they go through a lookup and never into an expression as code."""
    lookup = alt.Axis(labelExpr=f"({json.dumps(names)})[datum.value]", labelLimit=180)
    return alt.Y("place:N", title=title, axis=lookup, sort=None)


def _axis() -> Any:
    return alt.Axis(tickCount=4, format=",.2~f")


def _text(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.2f}"


def _spread(plot: StripPlot) -> Chart:
    rows = [{"name": name, "value": value, "strong": strong} for name, value, strong in plot.rows]
    across = alt.X("value:Q", title=plot.unit, axis=_axis(), scale=alt.Scale(zero=False, padding=12))
    quiet = alt.Chart(rows_of([row for row in rows if not row["strong"]]))
    ticks = quiet.mark_tick(color=_QUIET, thickness=1.5, height=24).encode(x=across)
    marked = alt.Chart(rows_of([row for row in rows if row["strong"]]))
    point = marked.mark_point(color=_STRONG, shape="diamond", size=90, opacity=1).encode(x=across)
    layers = [ticks, point]
    if plot.usual is not None and math.isfinite(plot.usual):
        usual = alt.Chart(rows_of([{"value": plot.usual, "text": "usual"}]))
        rule = usual.mark_rule(color=LIGHT["ink-2"], strokeDash=[3, 3])
        layers.append(rule.encode(x=across, y=alt.value(14), y2=alt.value(_SPREAD_HEIGHT)))
        layers.append(usual.mark_text(y=7, color=LIGHT["ink-2"]).encode(x=across, text="text:N"))
    if sum(strong for *_, strong in plot.rows) == 1:
        layers.append(marked.mark_text(dy=26).encode(x=across, text="name:N"))
    return alt.layer(*layers).properties(width=_WIDTH, height=_SPREAD_HEIGHT, title=plot.title)


def _intervals(plot: IntervalPlot) -> Chart:
    rows = [
        {"place": f"{place:03d}", "value": value, "low": low, "high": high}
        for place, (_, value, low, high) in enumerate(plot.rows)
    ]
    names = {f"{place:03d}": name for place, (name, *_) in enumerate(plot.rows)}
    base = alt.Chart(rows_of(rows)).encode(y=_names(names, plot.title))
    zero = (
        alt.Chart(rows_of([{"zero": 0}])).mark_rule(color=LIGHT["line-2"], strokeWidth=1).encode(x="zero:Q")
    )
    span = base.mark_rule().encode(x=alt.X("low:Q", title=plot.unit, axis=_axis()), x2="high:Q")
    point = base.mark_point(opacity=1).encode(x="value:Q")
    return alt.layer(zero, span, point).properties(width=_WIDTH, height=alt.Step(_STEP))


def _cloud(plot: PointPlot) -> Chart:
    rows = [{"x": x, "y": y, "strong": strong} for x, y, strong in plot.points]
    return (
        alt.Chart(rows_of(rows))
        .mark_point(size=28, opacity=0.6)
        .encode(
            x=alt.X("x:Q", title=plot.across, axis=_axis()),
            y=alt.Y("y:Q", title=plot.up, axis=_axis()),
            color=_colour(),
        )
        .properties(width=_WIDTH, height=180, title=plot.title)
    )
