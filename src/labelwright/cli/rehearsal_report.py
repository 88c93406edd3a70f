"""The report of a rehearsal: printed in the terminal and written to files."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from labelwright.agreement import Estimate
from labelwright.crowd import Pay
from labelwright.simulate import RehearsalOutcome, SimulatedRater

MOST_ROWS = 40
"""The maximum number of agreement rows that are printed; files contain all rows."""
LABELS = ("item", "rater", "condition", "aspect", "question", "label", "seconds")


def print_outcome(
    outcome: RehearsalOutcome, raters: Sequence[SimulatedRater], how: str, minimum_cents: int
) -> None:
    """Prints the summary of a rehearsal."""
    # If the output is not a terminal, lines are not wrapped.
    console = Console(highlight=False, soft_wrap=True, width=None if Console().is_terminal else 160)
    console.print(f'\n[bold]Rehearsal of "{outcome.study}"[/bold], {how}: {_kinds(raters)}\n')
    for name, text in _facts(outcome):
        console.print(f"  [bold]{name:<9}[/bold] {text}")
    for warning in warnings(outcome, minimum_cents):
        console.print(f"  [yellow]Warning[/yellow]   {warning}")
    console.print()
    console.print(_by_kind(outcome))
    console.print(_agreement(outcome))


def warnings(outcome: RehearsalOutcome, minimum_cents: int) -> list[str]:
    """Problems that the requester should fix before the study starts."""
    found = []
    if not outcome.complete:
        missing = outcome.wanted - outcome.stored
        found.append(
            f"{missing:,} of {outcome.wanted:,} ratings are missing, because there are too few raters for the caps "
            "or too many dropped out. Add raters or raise the caps."
        )
    below, at_work = outcome.below(minimum_cents), len(outcome.hourly)
    if outcome.pay.cents and below:
        middle = outcome.median_hourly or 0
        found.append(
            f"{below:,} of {at_work:,} raters would earn less than {_money(minimum_cents, outcome.pay)} per hour "
            f"(median {_money(middle, outcome.pay)}). {_enough(outcome, minimum_cents)}".rstrip()
        )
    return found


def write_outcome(
    outcome: RehearsalOutcome, answers: Iterable[Mapping[str, Any]], out: Path, minimum_cents: int
) -> None:
    """Writes the chart (SVG and HTML), the figures and the labels to a folder."""
    from labelwright.charts import save
    from labelwright.simulate.charts import draw_rehearsal

    out.mkdir(parents=True, exist_ok=True)
    if outcome.stored:
        chart = draw_rehearsal(outcome, minimum_cents)
        save(chart, out / "rehearsal.svg")
        save(chart, out / "rehearsal.html")
    record = outcome.record() | {"warnings": warnings(outcome, minimum_cents)}
    figures = json.dumps(_finite(record), indent=2, ensure_ascii=False, default=str)
    (out / "rehearsal.json").write_text(figures + "\n", encoding="utf-8")
    with (out / "labels.jsonl").open("w", encoding="utf-8") as file:
        for answer in answers:
            if answer["label"] is not None and answer["role"] != "gold":
                file.write(json.dumps({name: answer[name] for name in LABELS}) + "\n")
    Console(highlight=False, soft_wrap=True).print(
        f"Wrote the chart, figures and labels to {out}: rehearsal.svg, rehearsal.html, rehearsal.json, labels.jsonl."
    )


def _facts(outcome: RehearsalOutcome) -> list[tuple[str, str]]:
    per_rater = sorted(outcome.earned.values())
    cost = " and ".join(_money(pay.cents, pay) for pay in outcome.owed) or _money(0, outcome.pay)
    facts = [
        (
            "Ratings",
            f"{outcome.stored:,} of {outcome.wanted:,} needed; {outcome.lost:,} started but not submitted",
        ),
        ("Time", _time(outcome)),
        ("Cost", f"{cost} for {_tasks(outcome)}"),
    ]
    if per_rater:
        middle, least, most = (_money(per_rater[n], outcome.pay) for n in (len(per_rater) // 2, 0, -1))
        hour = _money(outcome.median_hourly or 0, outcome.pay)
        text = f"median {middle} per rater ({least} to {most}, {len(per_rater):,} raters); median {hour} per hour"
        facts.append(("Earnings", text))
    return facts


def _tasks(outcome: RehearsalOutcome) -> str:
    applied = f" and {outcome.applied:,} qualification tasks" if outcome.applied else ""
    gold = f", {outcome.gold:,} of them gold," if outcome.gold else ""
    return (
        f"{outcome.stored + outcome.gold:,} tasks{gold} at {_money(outcome.pay.cents, outcome.pay)}{applied}"
    )


def _time(outcome: RehearsalOutcome) -> str:
    last = outcome.over_time[-1][0] - outcome.opened if outcome.over_time else timedelta()
    shares = [(share, outcome.took(share)) for share in (0.5, 0.9)]
    steps = [f"{share:.0%} after {_span(took)}" for share, took in shares if took is not None]
    return "; ".join(
        [f"{_span(last)} until the last submission", *steps, f"{outcome.work_hours:,.1f} hours of work"]
    )


def _by_kind(outcome: RehearsalOutcome) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("  kind", "raters", "tasks", "seconds", "per hour", "dropped out", "too late", "flagged"):
        table.add_column(name, justify="left" if name == "  kind" else "right")
    for kind in outcome.kinds:
        table.add_row(
            f"  {kind.kind}",
            f"{kind.raters:,}",
            f"{kind.stored:,}",
            "" if kind.seconds is None else f"{kind.seconds:.0f}",
            "" if kind.hourly_cents is None else f"{kind.hourly_cents / 100:,.2f}",
            f"{kind.left:,}",
            f"{kind.refused:,}",
            "" if kind.flagged is None else f"{kind.flagged:,}",
        )
    return table


def _agreement(outcome: RehearsalOutcome) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), title="\n  Agreement", title_justify="left")
    for name in ("  question", "condition", "percentage", "beyond chance", "", "items"):
        table.add_column(name, no_wrap=True)
    for row in outcome.agreement.rows[:MOST_ROWS]:
        share, main = row.estimates.values()
        where = [str(value) for value in row.where.values()]
        cells = [_estimate(share), _estimate(main), main.name, f"{main.items:,}"]
        table.add_row(f"  {where[0]}", *where[1:], *cells)
    if len(outcome.agreement) > MOST_ROWS:
        table.add_row(f"  and {len(outcome.agreement) - MOST_ROWS:,} more; use --out to write all rows")
    return table


def _estimate(found: Estimate) -> str:
    return "undefined" if found.undefined else found.text


def _kinds(raters: Sequence[SimulatedRater]) -> str:
    counted = Counter(rater.kind for rater in raters)
    kinds = ", ".join(f"{n} {kind}" for kind, n in counted.most_common())
    return f"{len(raters):,} raters ({kinds})"


def _enough(outcome: RehearsalOutcome, minimum_cents: int) -> str:
    """The pay per task with which nine out of ten raters would reach the minimum."""
    rates = sorted(outcome.hourly.values())
    slow = rates[len(rates) // 10]
    if not slow or slow >= minimum_cents:
        return ""
    return f"With {_money(math.ceil(outcome.pay.cents * minimum_cents / slow), outcome.pay)} per task, nine out of ten would reach it."


def _money(cents: float, pay: Pay) -> str:
    return f"{pay.currency} {cents / 100:,.2f}"


def _span(took: timedelta) -> str:
    """A duration as text.

    >>> _span(timedelta(hours=27, minutes=10)), _span(timedelta(minutes=90)), _span(timedelta(seconds=70))
    ('1 day 3 h', '1 h 30 min', '1 min')
    """
    minutes = round(took.total_seconds() / 60)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        return f"{days} day{'s' if days > 1 else ''}{f' {hours} h' if hours else ''}"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _finite(value: Any) -> Any:
    """The value with None instead of NaN, which JSON does not support."""
    if isinstance(value, dict):
        return {str(name): _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
