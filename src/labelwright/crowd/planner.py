"""Planner: whether a study can be completed by the raters it has, how balanced it stays, and why not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labelwright.crowd._rehearsal import Rehearsal, rehearse
from labelwright.crowd.demand import Demand

MOST_REHEARSED = 10_000
"""A study with more ratings is judged by its numbers alone."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What can be said of a study before anybody is paid."""

    ratings: int
    """Valid ratings wanted."""
    raters: int
    raters_needed: int
    most_per_rater: int
    """The most tasks that the rules let one rater do."""
    drift: int
    """The conditions of a batch are never further apart than this, whoever comes and goes."""
    rehearsed_drift: int | None
    """The furthest they were apart in any rehearsal; None where none was played."""
    reasons: tuple[str, ...]
    """Why it cannot be completed, whoever comes."""
    risks: tuple[str, ...]
    """How it can get stuck though the numbers come out."""

    @property
    def completes(self) -> bool:
        """Whether the raters of the pool complete the study under its rules, if they do all they may."""
        return not self.reasons and not self.risks


def make_plan(demands: Sequence[Demand], seed: int) -> Plan:
    """The plan over all groups: by numbers, and where they come out, by rehearsal.

    That the numbers come out is needed and not enough; that each rehearsal ends with every place
    filled shows that it can be done, by the very rule that the offers follow.
    """
    reasons = [reason for demand in demands for reason in _shortfalls(demand)]
    rehearsed: list[Rehearsal] = []
    risks: list[str] = []
    if not reasons and sum(demand.needed for demand in demands) <= MOST_REHEARSED:
        for demand in demands:
            runs = rehearse(demand, seed)
            rehearsed += runs
            risks += _stuck(demand, runs)
    return Plan(
        ratings=sum(demand.wanted for demand in demands),
        raters=sum(demand.raters for demand in demands),
        raters_needed=sum(demand.raters_needed for demand in demands),
        most_per_rater=max(demand.most_per_rater for demand in demands),
        drift=max(demand.drift(batch) for demand in demands for batch in demand.batches),
        rehearsed_drift=max((run.drift for run in rehearsed), default=None),
        reasons=tuple(reasons),
        risks=tuple(risks),
    )


def describe_plan(plan: Plan) -> list[str]:
    """A plan in sentences."""
    numbers = f"{_n(plan.ratings, 'rating')}, at most {plan.most_per_rater:,} by one rater"
    told = [f"{numbers}: {_n(plan.raters_needed, 'rater')} needed, {plan.raters:,} planned."]
    if plan.drift and plan.rehearsed_drift is not None:
        told.append(
            f"Conditions of a batch were at most {_n(plan.rehearsed_drift, 'rating')} apart in rehearsals, "
            f"and can never be more than {plan.drift:,}."
        )
    elif plan.drift:
        told.append(f"Conditions of a batch can never be more than {_n(plan.drift, 'rating')} apart.")
    if plan.completes:
        return [*told, "The study can be completed under its rules."]
    verdict = "The study cannot be completed:" if plan.reasons else "The study can get stuck before its end:"
    return [*told, verdict, *(f"- {reason}" for reason in plan.reasons + plan.risks)]


def _n(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _shortfalls(demand: Demand) -> Iterator[str]:
    group = f'group "{demand.group}": ' if demand.group else ""
    most, given = demand.most_per_rater, demand.raters * demand.most_per_rater
    if given < demand.needed:
        yield (
            f"{group}{demand.raters:,} raters at {_most_told(demand)} give {given:,} ratings, and "
            f"{demand.needed:,} are needed; {math.ceil(demand.needed / most):,} raters would do."
        )
    if demand.raters_per_item > demand.raters:
        yield (
            f"{group}each item needs {demand.raters_per_item:,} different raters, because `same_item` lets "
            f"nobody judge it more often, and there are {demand.raters:,}."
        )


def _most_told(demand: Demand) -> str:
    caps, batches = demand.caps, len(demand.batches)
    if caps.tasks == demand.most_per_rater:
        return f"{caps.tasks:,} tasks"
    if caps.tasks_per_batch and demand.most_per_rater == caps.tasks_per_batch * batches:
        return f"{caps.tasks_per_batch:,} tasks a batch in {batches:,} batch{'es' if batches > 1 else ''}"
    return f"{demand.most_per_rater:,} tasks at most"


def _stuck(demand: Demand, runs: Sequence[Rehearsal]) -> Iterator[str]:
    stuck = [run for run in runs if run.left_open]
    if stuck:
        group = f'group "{demand.group}": ' if demand.group else ""
        yield (
            f"{group}in {len(stuck)} of {len(runs)} rehearsals up to {max(run.left_open for run in stuck):,} places "
            f"stayed open: the raters who had not met those items had reached a cap. More raters, or higher caps, help."
        )
