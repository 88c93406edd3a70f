"""Sections about effort: time in a common unit, acceptance and cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from labelwright.analysis import ContrastTable
from labelwright.report.arrays import numbers_of
from labelwright.report.cells import (
    column,
    contrast_cell,
    figure,
    p_cells,
    plain,
    result_of,
    section,
    table,
    unknown,
)
from labelwright.report.sources import NotComputed, Sources, attempt, refusals
from labelwright.report.tree import Json
from labelwright.report.wording import amount

_QUARTERS = (0.25, 0.5, 0.75)


def time_section(sources: Sources) -> Json:
    """Working time per task, item and judgment, and the time that conditions save."""
    title = "Time and effort"
    if not sources.material.has("seconds"):
        return section("time", title, [unknown("The ratings have no column `seconds`.")])
    blocks = _time_blocks(sources)
    if sources.material.several_conditions:
        blocks += _saved_blocks(sources)
    return section("time", title, blocks)


def _time_blocks(sources: Sources) -> list[Json]:
    times = _task_times(sources)
    rows = []
    for name in [*dict.fromkeys(times["name"])]:
        own = times["name"] == name
        if not np.isfinite(times["task"][own]).any():
            continue
        row: Json = {"name": str(name), "tasks": int(own.sum())}
        for unit in ("task", "item", "judgment"):
            low, middle, high = np.nanquantile(times[unit][own], _QUARTERS).tolist()
            row |= {f"{unit}_low": plain(low), unit: plain(middle), f"{unit}_high": plain(high)}
        rows.append(row)
    if not rows:
        return [unknown("No rating has a working time.")]
    columns = [
        column("name", "Condition"),
        column("tasks", "Tasks", "count"),
        column("task_low", "First quartile", "seconds"),
        column("task", "Median per task", "seconds", "seconds"),
        column("task_high", "Third quartile", "seconds"),
        column("item", "Median per item", "seconds", "per_item"),
        column("judgment", "Median per judgment", "seconds", "per_judgment"),
    ]
    caption = "Working time in seconds: median and quartiles over tasks."
    drawn = [
        {"name": r["name"], "low": r["task_low"], "median": r["task"], "high": r["task_high"]} for r in rows
    ]
    return [
        table("time", caption, columns, rows, (), result_of("time")),
        figure("time", caption, "times", rows=drawn),
    ]


def _task_times(sources: Sources) -> dict[str, Any]:
    """One entry per task: its condition (and question, if tasks have only one), and its times in seconds."""
    material = sources.material
    kept = material.kept
    seconds = material.rows["seconds"].cast(pa.float64()).to_numpy(zero_copy_only=False)[kept]
    conditions = np.array(material.conditions)[material.columns["condition"].number[kept]]
    if not material.has("assignment"):
        parts = [
            (f"{each.asked.name} {name}", each.asked.kept.within(name).numbers.get("seconds"))
            for each in sources.questions
            for name in each.asked.kept.conditions
        ]
        known = [(name, values) for name, values in parts if values is not None]
        joined = np.repeat([name for name, _ in known], [len(values) for _, values in known])
        every = np.concatenate([values for _, values in known]) if known else seconds
        return {"name": joined, "task": every, "item": every, "judgment": every}
    task = numbers_of(material.rows["assignment"])[kept]
    items = material.columns["item"].number[kept]
    tasks, first, task = np.unique(task, return_index=True, return_inverse=True)
    judgments = np.bincount(task)
    size = len(material.columns["item"].names)
    per = np.bincount(np.unique(task.astype(np.int64) * size + items) // size, minlength=len(tasks))
    whole = seconds[first]
    return {"name": conditions[first], "task": whole, "item": whole / per, "judgment": whole / judgments}


def _saved_blocks(sources: Sources) -> list[Json]:
    made = [(each, attempt(each.after.seconds_saved)) for each in sources.questions]
    pairs = [(each, one) for each, found in made if not isinstance(found, NotComputed) for one in found]
    caption = f"Seconds saved per rating compared with {sources.material.reference}"
    whole = ContrastTable.of([one for _, one in pairs], caption)
    rows = [
        {
            "question": each.asked.name,
            "first": str(one.first),
            "second": str(one.second),
            "saved": contrast_cell(one),
            **p_cells(one.test),
            "items": one.items,
        }
        for (each, _), one in zip(pairs, whole, strict=True)
    ]
    columns = [
        column("question", "Question"),
        column("first", "From"),
        column("second", "To"),
        column("saved", "Seconds saved", "difference", "seconds"),
        column("p", "p", "p", "p"),
        column("p_holm", "p, corrected", "p", "p"),
        column("items", "Items", "count"),
    ]
    refused = [(each.asked.name, found) for each, found in made if isinstance(found, NotComputed)]
    shown = [
        table("time-saved", f"{caption}.", columns, rows, whole.notes, result_of("time", across="condition"))
    ]
    return [*(shown if rows else []), *refusals(refused)]


def cost_section(sources: Sources) -> Json:
    """Acceptance rate, cost per item and per label."""
    title = "Acceptance and cost"
    money = sources.facts.money
    if money is None:
        return section("cost", title, [unknown("What was accepted and what it cost is not known.")])
    ratings, items = len(sources.material.kept), sources.material.number_of("item")
    rows = []
    if money.submitted:
        rows.append({"what": "Submitted assignments", "value": f"{money.submitted:,}"})
        if money.accepted is not None:
            rows.append({"what": "Accepted assignments", "value": f"{money.accepted:,}"})
            share = f"{100 * money.accepted / money.submitted:.1f}%"
            rows.append({"what": "Acceptance rate", "value": share})
    if money.cost is not None:
        rows.append({"what": "All costs", "value": amount(money.cost, money.currency)})
        rows.append({"what": "Cost per item", "value": amount(money.cost / max(items, 1), money.currency)})
        per = amount(money.cost / max(ratings, 1), money.currency)
        rows.append({"what": "Cost per judgment in use", "value": per})
    columns = [column("what", "What"), column("value", "Value")]
    return section("cost", title, [table("cost", "Acceptance and cost.", columns, rows)])
