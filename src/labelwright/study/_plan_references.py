"""Names in the analysis plan that the study does not define."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from labelwright.errors import listed, with_hint
from labelwright.study.analysis_plan import MainComparison, SecondaryAnalysis
from labelwright.study.model import Study

PlanProblem = tuple[tuple[Any, ...], str]
"""The path in the study file, and the problem."""


def broken_plan(study: Study) -> Iterator[PlanProblem]:
    """Every name in the plan that is not defined; systems are named by the corpus, so they are not checked here."""
    if study.plan is None:
        return
    for place, analysis in study.plan.placed:
        yield from _broken_analysis(study, place, analysis)
    rules = [rule.rule for rule in study.quality]
    for number, name in enumerate(study.plan.exclude or ()):
        yield from _unknown(("plan", "exclude", number), "quality rule", name, rules)


def _broken_analysis(
    study: Study, place: tuple[Any, ...], analysis: MainComparison | SecondaryAnalysis
) -> Iterator[PlanProblem]:
    judged = [column for design in study.designs.values() for column in design.judgments(study.scales)]
    if analysis.aspect:
        yield from _unknown((*place, "aspect"), "aspect", analysis.aspect, study.aspects)
    if analysis.question:
        yield from _unknown(
            (*place, "question"),
            "question that measures an aspect",
            analysis.question,
            dict.fromkeys(column.name for column in judged),
        )
    for number, name in enumerate(analysis.conditions):
        yield from _unknown((*place, "conditions", number), "condition", name, study.conditions)
    if analysis.across == "condition":
        for number, name in enumerate(analysis.between):
            yield from _unknown((*place, "between", number), "condition", name, study.conditions)


def _unknown(place: tuple[Any, ...], noun: str, name: str, known: Iterable[str]) -> Iterator[PlanProblem]:
    names = list(known)
    if name not in names:
        said = f'the analysis plan names the {noun} "{name}", which is not defined. Defined: {listed(names)}.'
        yield place, with_hint(said, name, names)
