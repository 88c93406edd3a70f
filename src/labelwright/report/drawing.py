"""Drawing: the figures of a report, by the same chart code as the pages of a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import count
from typing import Any

from labelwright.agreement import Estimate, Interval, Significance
from labelwright.analysis import Consistency, EstimateRow, EstimateTable, LabelDistribution
from labelwright.analysis.charts import draw_consistency, draw_distribution, estimate_panels
from labelwright.analysis.live_charts import seconds_by_condition
from labelwright.charts import LIGHT, Chart, alt, converter, rows_of, theme
from labelwright.report.tree import Json
from labelwright.report.wording import decimal
from labelwright.report.writing import clean

WIDTH = 420
_NARROW = 290
"""The width of a panel beside another one."""
_STEP = 24
_LONGEST_TEXT = 60


def has_panels(figure: Json) -> bool:
    """Whether a figure has several panels, which are side by side where there is room."""
    return figure["kind"] == "estimates" and len({row["panel"] for row in figure["rows"]}) > 1


def chart_of(figure: Json, columns: int = 2) -> Chart:
    """The chart of a figure in the tree, with its panels in as many columns."""
    safe = _harmless(figure, {})
    chart = _estimates(safe, columns) if has_panels(figure) else _KINDS[figure["kind"]](safe)
    return chart.configure(**theme(LIGHT)).properties(description=safe["caption"])


def svg_of(figure: Json, columns: int = 2) -> str:
    """The figure as an SVG element that scales with the page."""
    return str(converter.vegalite_to_svg(chart_of(figure, columns).to_dict(), vl_version=_version()))


def pictures_of(svg: str) -> dict[str, bytes]:
    """A drawing in every format, by the extension of its file."""
    return {
        "svg": svg.encode(),
        "png": bytes(converter.svg_to_png(svg, scale=2)),
        "pdf": bytes(converter.svg_to_pdf(svg)),
    }


@cache
def _version() -> str:
    return ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])


def _harmless(value: Any, names: dict[str, str]) -> Any:
    """The figure with short texts, without characters that a drawing cannot hold. Different texts stay different."""
    if isinstance(value, dict):
        return {_harmless(key, names): _harmless(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [_harmless(each, names) for each in value]
    if not isinstance(value, str):
        return value
    if value not in names:
        text = clean(value)
        short = text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…"
        taken = set(names.values())
        several = (f"{short} ({number})" for number in count(2))
        names[value] = short if short not in taken else next(each for each in several if each not in taken)
    return names[value]


def _estimates(figure: Json, columns: int = 1) -> Chart:
    """One panel per question or measure, all on one axis; values with their intervals."""
    panels = list(dict.fromkeys(row["panel"] for row in figure["rows"]))
    names = list(dict.fromkeys(row["name"] for row in figure["rows"]))
    rows = [
        EstimateRow(
            {"name": name},
            {
                row["panel"]: _estimate(row)
                for panel in panels
                for row in figure["rows"]
                if row["panel"] == panel and row["name"] == name
            },
        )
        for name in names
    ]
    if all(row["value"] is None for row in figure["rows"]):
        return _bars({"rows": [{"panel": "", "name": "nothing to draw", "value": 0}], "axis": ""})
    return estimate_panels(EstimateTable(tuple(rows)), WIDTH if columns == 1 else _NARROW, columns=columns)


def _estimate(row: Json) -> Estimate:
    value, low, high = row["value"], row.get("low"), row.get("high")
    if value is None:
        return Estimate(row["panel"], float("nan"), "", undefined="undefined")
    interval = None if low is None or high is None else Interval(low, high, 0.95, "items", 0, 0)
    return Estimate(row["panel"], value, "", interval)


def _distribution(figure: Json) -> Chart:
    found = [
        LabelDistribution(
            {"condition": bar["condition"], "aspect": figure["aspect"]},
            tuple(bar["codes"]),
            tuple(bar["ratings"]),
            (),
            0,
            outside=tuple(bar["outside"]),
        )
        for bar in figure["bars"]
    ]
    return draw_distribution(found, WIDTH)


def _matrix(figure: Json) -> Chart:
    pairs = {(row["first"], row["second"]): _estimate({"panel": "", **row["same"]}) for row in figure["rows"]}
    nothing = Significance("", float("nan"), float("nan"))
    found = Consistency(
        {"aspect": figure["aspect"]},
        tuple(figure["conditions"]),
        pairs,
        {name: float("nan") if share is None else share for name, share in figure["baseline"].items()},
        dict.fromkeys(pairs, 0.0),
        dict.fromkeys(pairs, nothing),
    )
    return draw_consistency(found, WIDTH)


def _times(figure: Json) -> Chart:
    rows = [
        {**row, "condition": row["name"], "text": f"{decimal(row['median'], 1)} s"} for row in figure["rows"]
    ]
    return seconds_by_condition(rows, [row["condition"] for row in rows]).properties(width=WIDTH)


def _bars(figure: Json) -> Chart:
    """Plain bars, one panel per kind, each with its own axis."""
    panels = list(dict.fromkeys(row["panel"] for row in figure["rows"]))
    charts = [
        _panel_bars([row for row in figure["rows"] if row["panel"] == panel], panel) for panel in panels
    ]
    return alt.vconcat(*charts)


def _panel_bars(rows: Sequence[Json], title: str) -> Chart:
    values: list[dict[str, Any]] = [
        {"name": row["name"], "value": row["value"], "text": f"{row['value']:,}"} for row in rows
    ]
    order = [row["name"] for row in values]
    base = alt.Chart(rows_of(values)).encode(
        y=alt.Y("name:N", sort=order, title=None, axis=alt.Axis(labelLimit=220))
    )
    bars = base.mark_bar(height=14).encode(
        x=alt.X("value:Q", title=None, axis=alt.Axis(tickCount=4, format=",d"))
    )
    text = base.mark_text(align="left", dx=4).encode(x="value:Q", text="text:N")
    return alt.layer(bars, text).properties(width=WIDTH - 80, height=alt.Step(_STEP), title=title)


_KINDS: dict[str, Callable[[Json], Chart]] = {
    "estimates": _estimates,
    "distribution": _distribution,
    "matrix": _matrix,
    "times": _times,
    "bars": _bars,
}
