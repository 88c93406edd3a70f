"""Charts of a corpus: how long dialogues and turns are, and how many each category has."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt

from labelwright.charts import Chart, rows_of
from labelwright.corpus.statistics import Statistics

MOST_BARS = 40
"""Longer values share the last bar, so that one giant does not flatten the rest."""


def category_chart(counts: Mapping[str, int]) -> Chart:
    """One bar for each category in the order of the rules, with its number and share written on it."""
    total = sum(counts.values())
    rows = [
        {"category": name, "dialogues": n, "told": f"{n:,} ({n / total:.0%})" if total else "0"}
        for name, n in counts.items()
    ]
    base = alt.Chart(rows_of(rows)).encode(
        y=alt.Y("category:N", sort=list(counts), title=None),
        x=alt.X("dialogues:Q", title="dialogues", axis=alt.Axis(grid=True)),
    )
    bars = base.mark_bar(height=21)
    told = base.mark_text(align="left", dx=4, fontSize=12).encode(text="told:N")
    return (bars + told).properties(width=420, height=alt.Step(26), title="Dialogues by category")


def length_chart(found: Statistics) -> Chart:
    """How many dialogues have how many turns, and for each speaker how many turns have how many words."""
    panels = [_bars(found.dialogues_by_turns, "turns in a dialogue", "dialogues")]
    panels += [
        _bars(counts, f"words in a turn of the {speaker}" if speaker else "words in a turn", "turns")
        for speaker, counts in found.turns_by_words.items()
    ]
    return alt.vconcat(*panels)


def _bars(counts: Mapping[int, int], x: str, y: str) -> Chart:
    grouped: dict[int, int] = {}
    for value, n in counts.items():
        grouped[min(value, MOST_BARS)] = grouped.get(min(value, MOST_BARS), 0) + n
    rows = [{"value": value, "n": n} for value, n in sorted(grouped.items())]
    label = f"datum.value == {MOST_BARS} ? '{MOST_BARS} or more' : datum.label"
    return (
        alt.Chart(rows_of(rows))
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
