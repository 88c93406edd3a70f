"""Charts of a corpus: lengths of dialogues and turns, and sizes of categories."""

from __future__ import annotations

from collections.abc import Mapping

from labelwright.charts import Chart, alt, rows_of
from labelwright.corpus.statistics import Statistics

MOST_BARS = 40
"""Larger values share the last bar, so that outliers do not flatten the others."""


def category_chart(counts: Mapping[str, int]) -> Chart:
    """One bar per category in rule order, labelled with number and share."""
    total = sum(counts.values())
    rows = [
        {"category": name, "dialogues": n, "text": f"{n:,} ({n / total:.0%})" if total else "0"}
        for name, n in counts.items()
    ]
    base = alt.Chart(rows_of(rows)).encode(
        y=alt.Y("category:N", sort=list(counts), title=None),
        x=alt.X("dialogues:Q", title="dialogues", axis=alt.Axis(grid=True)),
    )
    bars = base.mark_bar(height=21)
    text = base.mark_text(align="left", dx=4, fontSize=12).encode(text="text:N")
    return (bars + text).properties(width=420, height=alt.Step(26), title="Dialogues by category")


def length_chart(found: Statistics) -> Chart:
    """Histograms of turns per dialogue, and of words per turn for each speaker."""
    panels = [_bars(found.dialogues_by_turns, "turns per dialogue", "dialogues")]
    panels += [
        _bars(counts, f"words per {speaker} turn" if speaker else "words per turn", "turns")
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
