"""Planning: which results of a report its plan names, and which planned analyses the report lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labelwright.report.facts import PlanFacts, PlannedAnalysis
from labelwright.report.tree import Json


def is_planned(plan: PlanFacts, result: Json) -> bool:
    """Whether the plan names this result. A field that the plan leaves open matches any result."""
    return any(_matches(each, result) for each in _analyses(plan))


def _analyses(plan: PlanFacts) -> list[PlannedAnalysis]:
    return [*([plan.main] if plan.main else []), *plan.secondary]


def _matches(planned: PlannedAnalysis, result: Json) -> bool:
    if planned.kind != result["kind"]:
        return False
    fields = ("aspect", "question", "across", "measure")
    wanted: dict[str, Any] = {name: getattr(planned, name) for name in fields}
    return all(not value or not result[name] or value == result[name] for name, value in wanted.items())


def mark_tables(sections: list[Json], plan: PlanFacts | None) -> None:
    """Marks every table that holds a result as planned or not; without a plan, nothing is marked."""
    if plan is None:
        return
    for block in _results(sections):
        block["planned"] = is_planned(plan, block["result"])


def missing_analyses(sections: list[Json], plan: PlanFacts) -> list[str]:
    """The planned analyses that the report has no table for, in the words of the plan."""
    results = [block["result"] for block in _results(sections)]
    return [
        each.text or f"{each.kind} {each.aspect or each.question}".strip()
        for each in _analyses(plan)
        if not any(_matches(each, result) for result in results)
    ]


def _results(sections: list[Json]) -> Iterator[Json]:
    for part in sections:
        yield from (block for block in part["blocks"] if block["type"] == "table" and block["result"])
