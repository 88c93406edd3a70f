"""Charts: one definition for the page, the report and the paper, drawn offline.

Values stand on the marks, an estimate never without its interval, conditions keep their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

import altair as alt
import vl_convert

from turnwise.agreement import Estimate, UnknownOption
from turnwise.analysis.conditions import Consistency, Distribution
from turnwise.analysis.results import EstimateTable
from turnwise.analysis.systems import Ranking

Chart: TypeAlias = Any
"""Any Altair chart."""
Mode: TypeAlias = Literal["light", "dark"]

_FONT = "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif"
_COLOURS: dict[str, dict[str, Any]] = {
    "light": {
        "paper": "#ffffff",
        "ink": "#14181b",
        "ink2": "#434c53",
        "line": "#d8dddf",
        "line2": "#7b868d",
        "accent": "#0a5a7d",
        "scale": ["#d3d8db", "#8dbad0", "#0a5a7d"],
        "heat": ["#eaf2f6", "#c8dfe9", "#a3cadb", "#6fafc9", "#0a5a7d"],
    },
    "dark": {
        "paper": "#191d20",
        "ink": "#e8ecee",
        "ink2": "#b6bfc5",
        "line": "#30373c",
        "line2": "#76828a",
        "accent": "#74bcdd",
        "scale": ["#3d454b", "#2f6e8c", "#8ecae6"],
        "heat": ["#1c2a32", "#1f3d4c", "#25536a", "#33738f", "#9bd2ea"],
    },
}
_STEP = 26


def theme(mode: Mode = "light") -> dict[str, Any]:
    """The Vega-Lite config of every Turnwise chart."""
    colours = _COLOURS[mode]
    axis = {
        "domainColor": colours["line2"],
        "gridColor": colours["line"],
        "tickColor": colours["line2"],
        "tickSize": 4,
        "labelColor": colours["ink2"],
        "titleColor": colours["ink2"],
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": 400,
    }
    return {
        "background": colours["paper"],
        "font": _FONT,
        "padding": 0,
        "view": {"stroke": None},
        "axis": axis,
        "axisY": {"ticks": False, "domain": False},
        "legend": {
            "orient": "top",
            "labelColor": colours["ink2"],
            "titleColor": colours["ink2"],
            "titleFontWeight": 400,
        },
        "header": {"labelColor": colours["ink2"], "titleColor": colours["ink2"], "labelFontSize": 12},
        "title": {"color": colours["ink"], "fontSize": 12, "fontWeight": 600, "anchor": "start"},
        "range": {"ordinal": colours["scale"], "heatmap": colours["heat"]},
        "point": {"size": 64, "filled": True, "color": colours["accent"]},
        "rule": {"strokeWidth": 1.75, "color": colours["accent"]},
        "line": {"strokeWidth": 2, "color": colours["accent"]},
        "bar": {"height": 21, "color": colours["accent"]},
        "text": {"fontSize": 12, "color": colours["ink"]},
    }


def draw_estimates(table: EstimateTable, width: int = 356, mode: Mode = "light") -> Chart:
    """Every estimate as a point with its interval, one panel per measure, on one axis."""
    rows: list[dict[str, Any]] = [
        {"slice": _slice_name(row.where), "measure": each.name, "value": each.value, "text": each.text}
        | _ends(each)
        for row in table
        for each in row.estimates.values()
        if not each.undefined
    ]
    if not rows:
        raise UnknownOption("there is nothing to draw: no estimate has a value.")
    ends = [min(0.0, *(row["low"] for row in rows)), max(row["high"] for row in rows)]
    names = list(dict.fromkeys(row["measure"] for row in rows))
    panels = [
        _points([row for row in rows if row["measure"] == name], ends, name, width, mode) for name in names
    ]
    return _finished(alt.vconcat(*panels), mode, table.title or "Estimates")


def _ends(estimate: Estimate) -> dict[str, float]:
    if estimate.interval is None:
        return {"low": estimate.value, "high": estimate.value}
    return {"low": estimate.interval.low, "high": estimate.interval.high}


def _points(rows: list[dict[str, Any]], ends: list[float], title: str, width: int, mode: Mode) -> Chart:
    order = list(dict.fromkeys(row["slice"] for row in rows))
    base = _chart(rows).encode(y=alt.Y("slice:N", sort=order, title=None))
    zero = _chart([{"zero": 0}]).mark_rule(color=_COLOURS[mode]["line2"], strokeWidth=1).encode(x="zero:Q")
    span = base.mark_rule().encode(
        x=alt.X("low:Q", title=None, scale=alt.Scale(domain=ends, nice=True)), x2="high:Q"
    )
    point = base.mark_point(opacity=1).encode(x="value:Q")
    text = base.mark_text(align="left", dx=8).encode(x="high:Q", text="text:N")
    halo = base.mark_text(align="left", dx=8, stroke=_COLOURS[mode]["paper"], strokeWidth=4).encode(
        x="high:Q", text="text:N"
    )
    return alt.layer(zero, span, point, halo, text).properties(
        width=width, height=alt.Step(_STEP), title=title
    )


def draw_distribution(found: Sequence[Distribution], width: int = 356, mode: Mode = "light") -> Chart:
    """The share of ratings with each code, one bar per condition, aspects above each other."""
    rows: list[dict[str, Any]] = [
        {
            "condition": str(each.where.get("condition", _slice_name(each.where))),
            "aspect": str(each.where.get("aspect", "")),
            "code": str(code),
            "order": place,
            "share": share,
            "text": f"{code}: {share:.0%}" if share >= 0.12 else "",
            "middle": sum(each.shares[:place]) + share / 2,
            "strong": place == len(each.codes) - 1,
        }
        for each in found
        for place, (code, share) in enumerate(zip(each.codes, each.shares, strict=True))
    ]
    conditions = list(dict.fromkeys(row["condition"] for row in rows))
    aspects = list(dict.fromkeys(row["aspect"] for row in rows))
    charts = [
        _bars([row for row in rows if row["aspect"] == name], conditions, name, width, mode)
        for name in aspects
    ]
    return _finished(alt.vconcat(*charts).resolve_scale(color="independent"), mode, "Label distribution")


def _bars(rows: list[dict[str, Any]], conditions: list[str], title: str, width: int, mode: Mode) -> Chart:
    codes = max(row["order"] for row in rows) + 1
    palette = _shades(codes, mode)
    base = _chart(rows).encode(y=alt.Y("condition:N", sort=conditions, title=None))
    axis = alt.Axis(format="%", tickCount=5)
    bars = base.mark_bar().encode(
        x=alt.X("share:Q", stack="zero", title="share of ratings", axis=axis),
        order="order:Q",
        color=alt.Color("order:O", scale=alt.Scale(domain=list(range(codes)), range=palette), legend=None),
    )
    light_text = "#ffffff" if mode == "light" else "#14181b"
    text = base.mark_text().encode(
        x="middle:Q",
        text="text:N",
        color=alt.condition("datum.strong", alt.value(light_text), alt.value(_COLOURS[mode]["ink"])),
    )
    return alt.layer(bars, text).properties(width=width, height=alt.Step(_STEP), title=title)


def _shades(codes: int, mode: Mode) -> list[str]:
    first, middle, last = _COLOURS[mode]["scale"]
    return {2: [first, last], 3: [first, middle, last]}.get(codes) or [first, *[middle] * (codes - 2), last]


def draw_consistency(found: Consistency, width: int = 356, mode: Mode = "light") -> Chart:
    """The matrix of same labels between conditions as a heat map; the baseline is on the diagonal."""
    rows = []
    for first in found.conditions:
        for second in found.conditions:
            own = first == second
            share = found.baseline[first] if own else found.get(first, second).value
            text = f"({100 * share:.0f})" if own else f"{100 * share:.0f}"
            rows.append(
                {"first": first, "second": second, "share": share, "text": text, "strong": share > 0.85}
            )
    base = _chart(rows).encode(
        x=alt.X(
            "second:N", sort=list(found.conditions), title=None, axis=alt.Axis(orient="top", labelAngle=0)
        ),
        y=alt.Y("first:N", sort=list(found.conditions), title=None),
    )
    scale = alt.Scale(domain=[0, 1], range=_COLOURS[mode]["heat"])
    cells = base.mark_rect().encode(color=alt.Color("share:Q", scale=scale, legend=None))
    light_text = "#ffffff" if mode == "light" else "#14181b"
    text = base.mark_text().encode(
        text="text:N",
        color=alt.condition("datum.strong", alt.value(light_text), alt.value(_COLOURS[mode]["ink"])),
    )
    title = f"Same label in both conditions, percent{f', {found.aspect}' if found.aspect else ''}"
    return _finished(alt.layer(cells, text).properties(width=width, height=width * 0.6), mode, title)


def draw_ranking(found: Ranking, width: int = 356, mode: Mode = "light") -> Chart:
    """Systems from best to worst with the interval of their scores."""
    rows: list[dict[str, Any]] = [
        {"system": each.system, "value": each.score.value, "text": each.score.text} | _ends(each.score)
        for each in found.systems
    ]
    base = _chart(rows).encode(y=alt.Y("system:N", sort=list(found.order), title=None))
    layers = alt.layer(
        base.mark_rule().encode(
            x=alt.X("low:Q", title="score, 0 to 1", scale=alt.Scale(domain=[0, 1])), x2="high:Q"
        ),
        base.mark_point().encode(x="value:Q"),
        base.mark_text(align="left", dx=8).encode(x="high:Q", text="text:N"),
    )
    return _finished(layers.properties(width=width, height=alt.Step(_STEP)), mode, "Ranking of systems")


def _chart(rows: list[dict[str, Any]]) -> Chart:
    return alt.Chart(alt.Data(values=rows))  # type: ignore[no-untyped-call]


def _slice_name(where: Any) -> str:
    return " ".join(str(value) for value in where.values()) or "all"


def _finished(chart: Chart, mode: Mode, title: str) -> Chart:
    return chart.configure(**theme(mode)).properties(description=title)


def save(chart: Chart, path: Path | str) -> None:
    """Writes a chart as SVG, PNG, PDF or self-contained HTML, by its ending; nothing is fetched."""
    place = Path(path)
    spec = chart.to_json()
    version = ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])
    draw = {
        ".svg": lambda: vl_convert.vegalite_to_svg(spec, vl_version=version).encode(),
        ".png": lambda: vl_convert.vegalite_to_png(spec, vl_version=version, scale=2),
        ".pdf": lambda: vl_convert.vegalite_to_pdf(spec, vl_version=version),
        ".html": lambda: vl_convert.vegalite_to_html(spec, vl_version=version, bundle=True).encode(),
    }
    if place.suffix.lower() not in draw:
        raise UnknownOption(f"cannot draw a {place.suffix!r} file.", expected=".svg, .png, .pdf or .html.")
    place.write_bytes(draw[place.suffix.lower()]())
