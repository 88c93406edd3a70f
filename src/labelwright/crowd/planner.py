"""Planner: whether the raters of a study can complete it, how balanced it stays, and what is missing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labelwright.crowd._rehearsal import Rehearsal, rehearse
from labelwright.crowd.demand import Demand

MOST_REHEARSED = 10_000
"""The maximum number of ratings to rehearse; larger studies are planned by numbers alone."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known about a study before it starts."""

    ratings: int
    """The number of valid ratings still needed."""
    raters: int
    raters_needed: int
    most_per_rater: int
    """The maximum number of ratings per rater under the rules."""
    drift: int
    """The maximum difference in ratings between the conditions of a batch at any time."""
    rehearsed_drift: int | None
    """The largest difference in any rehearsal; None without rehearsals."""
    reasons: tuple[str, ...]
    """Why the study cannot be completed."""
    risks: tuple[str, ...]
    """Why the study may get stuck although there are enough raters."""
    gold: int = 0
    """About how many gold tasks raters do along with the ratings."""
    warnings: tuple[str, ...] = ()
    """What does not keep the study from being completed."""

    @property
    def tasks(self) -> int:
        """The number of tasks to pay, and to publish on a platform: ratings and gold tasks."""
        return self.ratings + self.gold

    @property
    def completes(self) -> bool:
        """Whether the raters of the pool can complete the study under its rules."""
        return not self.reasons and not self.risks


def make_plan(demands: Sequence[Demand], seed: int) -> Plan:
    """The plan for all groups, by numbers and, if those suffice, by rehearsal.

    Enough raters are necessary but not sufficient. Rehearsals use the same rule as real offers, so if
    every rehearsal fills every place, the study can be completed.
    """
    reasons = [reason for demand in demands for reason in _shortfalls(demand)]
    rehearsed: list[Rehearsal] = []
    risks: list[str] = []
    gold = sum(demand.gold_needed for demand in demands)
    # A rehearsal starts from nothing, so a study that has begun is planned by numbers alone.
    begun = any(demand.progress.done for demand in demands)
    if not reasons and not begun and sum(demand.needed for demand in demands) <= MOST_REHEARSED:
        gold = 0
        for demand in demands:
            runs = rehearse(demand, seed)
            rehearsed += runs
            risks += _stuck(demand, runs)
            gold += max(run.gold for run in runs)
    return Plan(
        ratings=sum(demand.wanted - demand.progress.kept for demand in demands),
        raters=sum(demand.raters for demand in demands),
        raters_needed=sum(demand.raters_needed for demand in demands),
        most_per_rater=max(demand.most_per_rater for demand in demands),
        drift=max(demand.drift(batch) for demand in demands for batch in demand.batches),
        rehearsed_drift=max((run.drift for run in rehearsed), default=None),
        reasons=tuple(reasons),
        risks=tuple(risks),
        gold=gold,
    )


def describe_plan(plan: Plan) -> list[str]:
    """The plan as sentences."""
    numbers = f"{_n(plan.ratings, 'rating')}, at most {plan.most_per_rater:,} per rater"
    lines = [f"{numbers}: {_n(plan.raters_needed, 'rater')} needed, {plan.raters:,} planned."]
    if plan.gold:
        lines.append(
            f"About {_n(plan.gold, 'gold task')} on top, paid and counted for caps: {plan.tasks:,} tasks in all."
        )
    if plan.drift and plan.rehearsed_drift is not None:
        lines.append(
            f"The conditions of a batch differed by at most {_n(plan.rehearsed_drift, 'rating')} in rehearsals, "
            f"and can never differ by more than {plan.drift:,}."
        )
    elif plan.drift:
        lines.append(f"The conditions of a batch can never differ by more than {_n(plan.drift, 'rating')}.")
    lines += [f"Warning: {warning}" for warning in plan.warnings]
    if plan.completes:
        return [*lines, "The study can be completed under its rules."]
    verdict = (
        "The study cannot be completed:" if plan.reasons else "The study can get stuck before it is complete:"
    )
    return [*lines, verdict, *(f"- {reason}" for reason in plan.reasons + plan.risks)]


def _n(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _shortfalls(demand: Demand) -> Iterator[str]:
    group = f'group "{demand.group}": ' if demand.group else ""
    begun = len(demand.progress.done)
    if demand.possible < demand.needed and begun:
        further = math.ceil((demand.needed - demand.most_of_known) / demand.most_per_rater)
        yield (
            f"{group}the {begun:,} raters who have begun can give {demand.most_of_known:,} more ratings, because they "
            f"judge no item twice and caps count all versions. With the raters planned, {demand.possible:,} are "
            f"possible, but {demand.needed:,} are needed. {_n(further, 'further rater')} would be enough."
        )
    elif demand.possible < demand.needed:
        enough = math.ceil(demand.needed / demand.most_per_rater)
        yield (
            f"{group}{demand.raters:,} raters with {_limit(demand)} give {demand.possible:,} ratings, but "
            f"{demand.needed:,} are needed. {enough:,} raters would be enough."
        )
    if demand.raters_per_item > demand.raters:
        yield (
            f"{group}each item needs {demand.raters_per_item:,} different raters because of `same_item`, "
            f"but there are only {demand.raters:,}."
        )


def _limit(demand: Demand) -> str:
    caps, batches, most = demand.caps, len(demand.batches), demand.most_tasks
    gold = f" ({most - demand.most_per_rater:,} of them gold)" if most > demand.most_per_rater else ""
    if caps.tasks == most:
        return f"{caps.tasks:,} tasks each{gold}"
    if caps.tasks_per_batch and most == caps.tasks_per_batch * batches:
        return f"{caps.tasks_per_batch:,} tasks per batch in {batches:,} batch{'es' if batches > 1 else ''}{gold}"
    return f"at most {most:,} tasks each{gold}"


def _stuck(demand: Demand, runs: Sequence[Rehearsal]) -> Iterator[str]:
    stuck = [run for run in runs if run.left_open]
    if stuck:
        group = f'group "{demand.group}": ' if demand.group else ""
        yield (
            f"{group}in {len(stuck)} of {len(runs)} rehearsals, up to {max(run.left_open for run in stuck):,} places "
            "stayed open, because the raters who had not seen those items had reached a cap. "
            "Add raters or raise the caps."
        )
