"""The chart of a rehearsal: progress, hourly pay and agreement."""

from __future__ import annotations

from typing import Any

from labelwright.analysis.charts import estimate_panels
from labelwright.analysis.live_charts import submissions_over_time
from labelwright.charts import LIGHT, Chart, alt, rows_of
from labelwright.simulate.outcome import RehearsalOutcome

WIDTH = 420


def draw_rehearsal(outcome: RehearsalOutcome, minimum_cents: float | None = None) -> Chart:
    """A column of panels; panels without data are left out."""
    panels = [_over_time(outcome)] if outcome.over_time else []
    if any(kind.hourly_cents for kind in outcome.kinds):
        panels.append(_hourly(outcome, minimum_cents))
    if any(not each.undefined for row in outcome.agreement for each in row.estimates.values()):
        panels.append(estimate_panels(outcome.agreement, WIDTH))
    return alt.vconcat(*panels, spacing=28).properties(description=f"Rehearsal of {outcome.study}")


def _over_time(outcome: RehearsalOutcome) -> Chart:
    points = [(outcome.opened, 0), *outcome.sampled_over_time()]
    rows = [{"at": at.isoformat(), "n": n} for at, n in points]
    return submissions_over_time(rows, outcome.wanted).properties(
        width=WIDTH, title="Submitted tasks, and the target (dashed)"
    )


def _hourly(outcome: RehearsalOutcome, minimum_cents: float | None) -> Chart:
    currency = outcome.pay.currency
    rows: list[dict[str, Any]] = [
        {"kind": kind.kind, "pay": kind.hourly_cents / 100, "text": f"{kind.hourly_cents / 100:,.2f}"}
        for kind in outcome.kinds
        if kind.hourly_cents
    ]
    base = alt.Chart(rows_of(rows)).encode(y=alt.Y("kind:N", sort=[row["kind"] for row in rows], title=None))
    bars = base.mark_bar(height=16).encode(x=alt.X("pay:Q", title=None, axis=alt.Axis(tickCount=5)))
    text = base.mark_text(align="left", dx=5).encode(x="pay:Q", text="text:N")
    title = f"Pay per hour of work, {currency}"
    layers = [bars, text]
    if minimum_cents:
        least = alt.Chart(rows_of([{"least": minimum_cents / 100}]))
        layers.append(least.mark_rule(strokeDash=[4, 3], color=LIGHT["ink"]).encode(x="least:Q"))
        title += f"; dashed: minimum of {minimum_cents / 100:,.2f}"
    return alt.layer(*layers).properties(width=WIDTH, height=alt.Step(26), title=title)
