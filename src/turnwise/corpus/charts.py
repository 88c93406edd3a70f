"""Charts of a corpus: how long dialogues and turns are, and how many each category has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import altair as alt

from turnwise.corpus.statistics import Statistics

Chart: TypeAlias = Any
"""An Altair chart; its layers and concatenations have types of their own."""
INK, INK_2, LINE, LINE_2, ACCENT = "#14181b", "#434c53", "#d8dddf", "#7b868d", "#0a5a7d"
MOST_BARS = 40
"""Longer values share the last bar, so that one giant does not flatten the rest."""
THEME: dict[str, Any] = {
    "font": "Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif",
    "padding": 0,
    "view": {"stroke": None},
    "axis": {
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": 400,
        "labelColor": INK_2,
        "titleColor": INK_2,
        "domainColor": LINE_2,
        "gridColor": LINE,
        "tickSize": 4,
    },
    "axisY": {"ticks": False},
    "bar": {"color": ACCENT},
    "title": {"fontSize": 12, "fontWeight": 400, "color": INK_2, "anchor": "start"},
}


def category_chart(counts: Mapping[str, int]) -> Chart:
    """One bar for each category in the order of the rules, with its number and share written on it."""
    total = sum(counts.values())
    rows = [
        {"category": name, "dialogues": n, "told": f"{n:,} ({n / total:.0%})" if total else "0"}
        for name, n in counts.items()
    ]
    base = alt.Chart(_data(rows)).encode(
        y=alt.Y("category:N", sort=list(counts), title=None),
        x=alt.X("dialogues:Q", title="dialogues", axis=alt.Axis(grid=True)),
    )
    bars = base.mark_bar(height=21)
    told = base.mark_text(align="left", dx=4, fontSize=12, color=INK).encode(text="told:N")
    chart = (bars + told).properties(width=420, height=alt.Step(26), title="Dialogues by category")
    return chart.configure(**THEME)


def length_chart(found: Statistics) -> Chart:
    """How many dialogues have how many turns, and for each speaker how many turns have how many words."""
    panels = [_bars(found.dialogues_by_turns, "turns in a dialogue", "dialogues")]
    panels += [
        _bars(counts, f"words in a turn of the {speaker}" if speaker else "words in a turn", "turns")
        for speaker, counts in found.turns_by_words.items()
    ]
    return alt.vconcat(*panels).configure(**THEME)


def _bars(counts: Mapping[int, int], x: str, y: str) -> Chart:
    grouped: dict[int, int] = {}
    for value, n in counts.items():
        grouped[min(value, MOST_BARS)] = grouped.get(min(value, MOST_BARS), 0) + n
    rows = [{"value": value, "n": n} for value, n in sorted(grouped.items())]
    label = f"datum.value == {MOST_BARS} ? '{MOST_BARS} or more' : datum.label"
    return (
        alt.Chart(_data(rows))
        .mark_bar(size=9)
        .encode(
            x=alt.X(
                "value:Q",
                title=x,
                scale=alt.Scale(domain=[0, MOST_BARS]),
                axis=alt.Axis(grid=False, tickCount=8, labelExpr=label),
            ),
            y=alt.Y("n:Q", title=y, axis=alt.Axis(tickCount=4, format="~s")),
        )
        .properties(width=420, height=120)
    )


def _data(rows: list[dict[str, Any]]) -> Any:
    return alt.InlineData(values=rows)
