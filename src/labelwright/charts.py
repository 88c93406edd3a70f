"""The theme shared by all charts, and saving a chart to a file without network access."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from labelwright.errors import LabelwrightError
from labelwright.lazily import LazyModule

if TYPE_CHECKING:
    import altair  # noqa: ICN001  an import with an alias is not exported
    import vl_convert

    alt, converter = altair, vl_convert
else:
    alt, converter = LazyModule("altair"), LazyModule("vl_convert")

Chart: TypeAlias = Any
"""An Altair chart. Layered and concatenated charts have different types, so this is Any."""

Colours: TypeAlias = dict[str, Any]
FONT = '-apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif'
LIGHT: Colours = {
    "ink": "#14181b",
    "ink-2": "#434c53",
    "line": "#d8dddf",
    "line-2": "#7b868d",
    "paper": "#ffffff",
    "accent": "#0a5a7d",
    "s1": "#d3d8db",
    "s2": "#8dbad0",
    "s3": "#0a5a7d",
    "on-s3": "#ffffff",
    "heat": ["#eaf2f6", "#c8dfe9", "#a3cadb", "#6fafc9", "#0a5a7d"],
}
DARK: Colours = {
    "ink": "#e8ecee",
    "ink-2": "#b6bfc5",
    "line": "#30373c",
    "line-2": "#76828a",
    "paper": "#191d20",
    "accent": "#74bcdd",
    "s1": "#3d454b",
    "s2": "#2f6e8c",
    "s3": "#8ecae6",
    "on-s3": "#07202c",
    "heat": ["#1c2a32", "#1f3d4c", "#25536a", "#33738f", "#9bd2ea"],
}


def theme(colours: Colours = LIGHT) -> dict[str, Any]:
    """The Vega-Lite configuration of a chart in the given colours."""
    c = colours
    axis = {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": 400}
    return {
        "font": FONT,
        "padding": {"left": 0, "right": 2, "top": 2, "bottom": 4},
        "background": c["paper"],
        "view": {"stroke": None},
        "axis": {
            **axis,
            "labelColor": c["ink-2"],
            "titleColor": c["ink-2"],
            "domainColor": c["line-2"],
            "gridColor": c["line"],
            "tickColor": c["line-2"],
            "tickSize": 4,
        },
        "axisY": {"ticks": False, "domain": False},
        "header": {**axis, "labelColor": c["ink"], "titleColor": c["ink-2"]},
        "legend": {**axis, "labelColor": c["ink-2"], "titleColor": c["ink-2"], "orient": "top"},
        "title": {"fontSize": 12, "fontWeight": 400, "color": c["ink-2"], "anchor": "start"},
        "range": {
            "ordinal": [c["s1"], c["s2"], c["s3"]],
            "heatmap": c["heat"],
            "category": [c["accent"], c["ink"]],
        },
        "bar": {"color": c["accent"]},
        "line": {"color": c["accent"], "strokeWidth": 2},
        "point": {"color": c["accent"], "size": 64, "filled": True},
        "rule": {"color": c["accent"], "strokeWidth": 1.75},
        "text": {"fill": c["ink"], "fontSize": 12},
        "area": {"color": c["accent"]},
    }


class NoPicture(LabelwrightError):
    """A file name whose extension is not a supported picture format."""

    code = "no_picture"


def save(chart: Chart, path: Path | str, scale: float = 2) -> None:
    """Writes a chart as SVG, PNG, PDF or self-contained HTML, depending on the file extension. Works offline."""
    place, spec = Path(path), themed(chart)
    version = ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])
    draw: dict[str, Callable[[], bytes]] = {
        ".svg": lambda: converter.vegalite_to_svg(spec, vl_version=version).encode(),
        ".png": lambda: converter.vegalite_to_png(spec, vl_version=version, scale=scale),
        ".pdf": lambda: converter.vegalite_to_pdf(spec, vl_version=version),
        ".html": lambda: converter.vegalite_to_html(spec, vl_version=version, bundle=True).encode(),
    }
    if place.suffix.lower() not in draw:
        raise NoPicture(
            f'cannot save a chart as "{place.suffix}".',
            where=str(place),
            expected="a file name ending in .svg, .png, .pdf or .html.",
        )
    place.write_bytes(draw[place.suffix.lower()]())


def themed(chart: Chart, colours: Colours = LIGHT) -> dict[str, Any]:
    """The chart's specification with our theme; settings of the chart itself take precedence."""
    spec = chart.to_dict()
    # Altair adds a default `view` to every chart, which would override the theme.
    own = {name: value for name, value in spec.get("config", {}).items() if name != "view"}
    return {**spec, "config": {**theme(colours), **own}}


GAP = 0.025
"""The space between the ordered points of a bar and those outside the order, as a share of the bar."""


def segments(shares: Sequence[float], outside: Sequence[bool]) -> list[tuple[float, float]]:
    """Start and end of each part of a bar, with a gap before the first point that is outside the order.

    Points outside the order must come last.

    >>> segments([0.25, 0.5, 0.25], [False, False, True])
    [(0.0, 0.25), (0.25, 0.75), (0.775, 1.025)]
    """
    ends = np.cumsum(shares) + GAP * np.asarray(outside, dtype=float)
    return [
        (round(float(end) - share, 6), round(float(end), 6)) for end, share in zip(ends, shares, strict=True)
    ]


def point_colours(colours: Colours, outside: Sequence[bool]) -> list[str]:
    """One colour per point: from light to strong in the order of the scale, and that of the page outside it."""
    strong = iter(ramp(colours, sum(not each for each in outside)))
    return [colours["paper"] if each else next(strong) for each in outside]


def outline(colours: Colours) -> Any:
    """The outline of a part of a bar, which only points outside the order have. Rows need outside, start and end."""
    return alt.condition(
        "datum.outside && datum.end > datum.start", alt.value(colours["line-2"]), alt.value("transparent")
    )


def ramp(colours: Colours, points: int) -> list[str]:
    """One colour per point of an ordered scale, from light to strong.

    >>> ramp(LIGHT, 3) == [LIGHT["s1"], LIGHT["s2"], LIGHT["s3"]]
    True
    """
    stops = [_channels(colours[name]) for name in ("s1", "s2", "s3")]
    at = np.linspace(0, 2, points)
    mixed = [np.interp(at, [0, 1, 2], [stop[channel] for stop in stops]) for channel in range(3)]
    return ["#" + "".join(f"{round(value):02x}" for value in colour) for colour in zip(*mixed, strict=True)]


def _channels(colour: str) -> list[int]:
    return [int(colour[start : start + 2], 16) for start in (1, 3, 5)]


def rows_of(values: list[dict[str, Any]]) -> Any:
    """Rows as inline data of a chart."""
    return alt.InlineData(values=values)
