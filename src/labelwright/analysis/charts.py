"""Charts of results, drawn offline, for pages, reports and papers.

Values are printed next to the marks, estimates are drawn with their intervals, and conditions keep their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from labelwright.agreement import Estimate, UnknownOption
from labelwright.analysis.comparing.conditions import Consistency, LabelDistribution
from labelwright.analysis.ranking.systems import Ranking
from labelwright.analysis.results import EstimateTable
from labelwright.charts import (
    DARK,
    LIGHT,
    Chart,
    Colours,
    alt,
    outline,
    point_colours,
    rows_of,
    save,
    segments,
    theme,
)

Mode: TypeAlias = Literal["light", "dark"]
COLOURS: dict[str, Colours] = {"light": LIGHT, "dark": DARK}
_STEP = 26


def draw_estimates(table: EstimateTable, width: int = 356, mode: Mode = "light") -> Chart:
    """Every estimate as a point with its interval: one panel per measure, with a shared axis."""
    return _finished(estimate_panels(table, width, mode), mode, table.title or "Estimates")


def estimate_panels(table: EstimateTable, width: int = 356, mode: Mode = "light", columns: int = 1) -> Chart:
    """The panels of `draw_estimates`, for use in a larger chart, in as many columns."""
    rows: list[dict[str, Any]] = [
        {"slice": _slice_name(row.where), "measure": each.name, "value": each.value, "text": each.text}
        | _ends(each)
        for row in table
        for each in row.estimates.values()
        if not each.undefined
    ]
    if not rows:
        raise UnknownOption("there is nothing to draw, because no estimate has a value.")
    ends = [min(0.0, *(row["low"] for row in rows)), max(row["high"] for row in rows)]
    names = list(dict.fromkeys(row["measure"] for row in rows))
    panels = [
        _points([row for row in rows if row["measure"] == name], ends, name, width, mode) for name in names
    ]
    return alt.concat(*panels, columns=columns)


def _ends(estimate: Estimate) -> dict[str, float]:
    if estimate.interval is None:
        return {"low": estimate.value, "high": estimate.value}
    return {"low": estimate.interval.low, "high": estimate.interval.high}


def _points(rows: list[dict[str, Any]], ends: list[float], title: str, width: int, mode: Mode) -> Chart:
    order = list(dict.fromkeys(row["slice"] for row in rows))
    base = alt.Chart(rows_of(rows)).encode(y=alt.Y("slice:N", sort=order, title=None))
    zero = (
        alt.Chart(rows_of([{"zero": 0}]))
        .mark_rule(color=COLOURS[mode]["line-2"], strokeWidth=1)
        .encode(x="zero:Q")
    )
    span = base.mark_rule().encode(
        x=alt.X("low:Q", title=None, scale=alt.Scale(domain=ends, nice=True)), x2="high:Q"
    )
    point = base.mark_point(opacity=1).encode(x="value:Q")
    text = base.mark_text(align="left", dx=8).encode(x="high:Q", text="text:N")
    halo = base.mark_text(align="left", dx=8, stroke=COLOURS[mode]["paper"], strokeWidth=4).encode(
        x="high:Q", text="text:N"
    )
    return alt.layer(zero, span, point, halo, text).properties(
        width=width, height=alt.Step(_STEP), title=title
    )


def draw_distribution(found: Sequence[LabelDistribution], width: int = 356, mode: Mode = "light") -> Chart:
    """The share of ratings with each code: one bar per condition, one panel per aspect.

    Codes outside the order of the scale are drawn last, after a gap and without a colour.
    """
    rows = [row for each in found for row in _parts(each)]
    conditions = list(dict.fromkeys(row["condition"] for row in rows))
    aspects = list(dict.fromkeys(row["aspect"] for row in rows))
    charts = [
        _bars([row for row in rows if row["aspect"] == name], conditions, name, width, mode)
        for name in aspects
    ]
    return _finished(alt.vconcat(*charts).resolve_scale(color="independent"), mode, "Label distribution")


def _parts(found: LabelDistribution) -> list[dict[str, Any]]:
    """The parts of one bar; codes outside the order come last."""
    parts = sorted(zip(found.codes, found.shares, strict=True), key=lambda part: part[0] in found.outside)
    outside = [code in found.outside for code, _ in parts]
    ends = segments([share for _, share in parts], outside)
    return [
        {
            "condition": str(found.where.get("condition", _slice_name(found.where))),
            "aspect": str(found.where.get("aspect", "")),
            "code": str(code),
            "order": place,
            "outside": outside[place],
            "start": ends[place][0],
            "end": ends[place][1],
            "text": f"{code}: {share:.0%}" if share >= 0.12 else "",
            "middle": sum(ends[place]) / 2,
            "strong": place == len(parts) - 1 - sum(outside),
        }
        for place, (code, share) in enumerate(parts)
    ]


def _bars(rows: list[dict[str, Any]], conditions: list[str], title: str, width: int, mode: Mode) -> Chart:
    outside = dict(sorted((row["order"], row["outside"]) for row in rows))
    palette = point_colours(COLOURS[mode], list(outside.values()))
    base = alt.Chart(rows_of(rows)).encode(y=alt.Y("condition:N", sort=conditions, title=None))
    axis = alt.Axis(format="%", tickCount=5)
    bars = base.mark_bar().encode(
        x=alt.X("start:Q", title="share of ratings", axis=axis),
        x2="end:Q",
        color=alt.Color("order:O", scale=alt.Scale(domain=list(outside), range=palette), legend=None),
        stroke=outline(COLOURS[mode]),
    )
    text = base.mark_text().encode(
        x="middle:Q",
        text="text:N",
        color=alt.condition(
            "datum.strong", alt.value(COLOURS[mode]["on-s3"]), alt.value(COLOURS[mode]["ink"])
        ),
    )
    return alt.layer(bars, text).properties(width=width, height=alt.Step(_STEP), title=title)


def draw_consistency(found: Consistency, width: int = 356, mode: Mode = "light") -> Chart:
    """A heat map of the share of equal labels between conditions, with the baseline on the diagonal."""
    rows = []
    for first in found.conditions:
        for second in found.conditions:
            own = first == second
            share = found.baseline[first] if own else found.get(first, second).value
            text = f"({100 * share:.0f})" if own else f"{100 * share:.0f}"
            rows.append(
                {"first": first, "second": second, "share": share, "text": text, "strong": share > 0.85}
            )
    base = alt.Chart(rows_of(rows)).encode(
        x=alt.X(
            "second:N", sort=list(found.conditions), title=None, axis=alt.Axis(orient="top", labelAngle=0)
        ),
        y=alt.Y("first:N", sort=list(found.conditions), title=None),
    )
    scale = alt.Scale(domain=[0, 1], range=COLOURS[mode]["heat"])
    cells = base.mark_rect().encode(color=alt.Color("share:Q", scale=scale, legend=None))
    text = base.mark_text().encode(
        text="text:N",
        color=alt.condition(
            "datum.strong", alt.value(COLOURS[mode]["on-s3"]), alt.value(COLOURS[mode]["ink"])
        ),
    )
    title = f"Same label in both conditions, percent{f', {found.aspect}' if found.aspect else ''}"
    return _finished(alt.layer(cells, text).properties(width=width, height=width * 0.6), mode, title)


def draw_ranking(found: Ranking, width: int = 356, mode: Mode = "light") -> Chart:
    """Systems from best to worst with their scores and intervals."""
    rows: list[dict[str, Any]] = [
        {"system": each.system, "value": each.score.value, "text": each.score.text} | _ends(each.score)
        for each in found.systems
    ]
    base = alt.Chart(rows_of(rows)).encode(y=alt.Y("system:N", sort=list(found.order), title=None))
    layers = alt.layer(
        base.mark_rule().encode(
            x=alt.X("low:Q", title="score, 0 to 1", scale=alt.Scale(domain=[0, 1])), x2="high:Q"
        ),
        base.mark_point().encode(x="value:Q"),
        base.mark_text(align="left", dx=8).encode(x="high:Q", text="text:N"),
    )
    return _finished(layers.properties(width=width, height=alt.Step(_STEP)), mode, "Ranking of systems")


def _slice_name(where: Any) -> str:
    return " ".join(str(value) for value in where.values()) or "all"


def _finished(chart: Chart, mode: Mode, title: str) -> Chart:
    return chart.configure(**theme(COLOURS[mode])).properties(description=title)


__all__ = [
    "Mode",
    "draw_consistency",
    "draw_distribution",
    "draw_estimates",
    "draw_ranking",
    "estimate_panels",
    "save",
    "theme",
]
