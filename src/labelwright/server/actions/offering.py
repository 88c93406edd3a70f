"""Which place a rater is offered: caps first, then the earliest batch, then balance. Reads and locks, writes nothing."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import Caps, order_conditions
from labelwright.crowd.qualification import CONDITION
from labelwright.server.actions.links import Visitor
from labelwright.server.store import offers
from labelwright.server.store.versions import study_of
from labelwright.study import Study


class NoWork(enum.StrEnum):
    """Why a rater is offered nothing."""

    CAP = "cap"
    CAP_TODAY = "cap_today"
    CAP_FOR_NOW = "cap_for_now"
    """As much as one rater may do in the batches that are open, or in the conditions that are left."""
    RETURNS = "returns"
    """So many tasks were given back that no more are offered."""
    NONE_LEFT = "none_left"
    PAUSED = "paused"
    EXCLUDED = "excluded"
    QUIZ = "quiz"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Found:
    """A place for a rater, locked."""

    study: Study
    take: offers.Take


def seek(visitor: Visitor, look: offers.Look, now: datetime) -> Found | NoWork:
    """The place for a rater, or why there is none; called with the rater locked."""
    if not look.conditions:
        return NoWork.NONE_LEFT
    study = study_of(max(condition.version for condition in look.conditions))
    caps = _with_qualification(study.pool_of(visitor.pool_name).caps, visitor, look)
    today = f"{now:%Y-%m-%d}"
    if why := _reached(caps, look, today):
        return why
    possible = _possible(caps, look)
    found = _find(possible, look, study.seed, visitor)
    if found is None:
        return NoWork.NONE_LEFT if len(possible) == len(look.conditions) else NoWork.CAP_FOR_NOW
    condition, place = found
    counts = _counts(caps, condition, place, today)
    return Found(study, offers.Take(place, condition, counts, caps.conditions, bool(study.assignment.spoils)))


def _with_qualification(caps: Caps, visitor: Visitor, look: offers.Look) -> Caps:
    """The caps of a pool, raised by what the rater did to qualify for it: that is no work of the study's."""
    done = [
        counted.n
        for (scope, key), counted in look.counts.items()
        if scope == "condition"
        and key.startswith(CONDITION)
        and key != CONDITION + visitor.pool_name
        and counted.n
    ]
    if not done:
        return caps
    return caps.model_copy(
        update={
            "tasks": None if caps.tasks is None else caps.tasks + sum(done),
            "conditions": None if caps.conditions is None else caps.conditions + len(done),
        }
    )


def _reached(caps: Caps, look: offers.Look, today: str) -> NoWork | None:
    """The cap that keeps a rater from all work. Reading it only spares the database's refusal."""
    if caps.tasks is not None and look.n("tasks") >= caps.tasks:
        return NoWork.CAP
    if caps.tasks_per_day is not None and look.n("day", today) >= caps.tasks_per_day:
        return NoWork.CAP_TODAY
    return NoWork.RETURNS if look.n("returns") >= caps.returns else None


def _possible(caps: Caps, look: offers.Look) -> list[offers.OpenCondition]:
    """The conditions that no cap keeps from this rater."""
    found = look.conditions
    if caps.tasks_per_batch is not None:
        found = [c for c in found if look.n("batch", str(c.batch)) < caps.tasks_per_batch]
    if caps.conditions is not None and look.n("conditions") >= caps.conditions:
        found = [c for c in found if look.n("condition", c.name)]
    return found


def _counts(
    caps: Caps, condition: offers.OpenCondition, place: offers.FoundPlace, today: str
) -> list[offers.Count]:
    # Each is counted whether it is capped or not, so that a cap of a later version finds what was done.
    return [
        offers.Count("condition", condition.name, None, place.rank),
        offers.Count("tasks", "", caps.tasks),
        offers.Count("batch", str(condition.batch), caps.tasks_per_batch),
        offers.Count("day", today, caps.tasks_per_day),
    ]


def _find(
    conditions: list[offers.OpenCondition], look: offers.Look, seed: int, visitor: Visitor
) -> tuple[offers.OpenCondition, offers.FoundPlace] | None:
    """The place in the earliest batch that has one for this rater, in the condition that balance chooses."""
    batches: dict[int, dict[str, offers.OpenCondition]] = {}
    for condition in conditions:
        batches.setdefault(condition.number, {})[condition.name] = condition
    first, *later = sorted(batches) or [0]
    if found := find_in(batches.get(first, {}), look, seed, visitor):
        return found
    left = offers.with_open_places(visitor, [c for c in conditions if c.number in later]) if later else []
    for number in later:
        named = {condition.name: condition for condition in left if condition.number == number}
        if found := find_in(named, look, seed, visitor):
            return found
    return None


def find_in(
    named: dict[str, offers.OpenCondition],
    look: offers.Look,
    seed: int,
    visitor: Visitor,
    *,
    lock: bool = True,
) -> tuple[offers.OpenCondition, offers.FoundPlace] | None:
    """The place in a batch, in the condition that balance chooses; only looked at without the lock."""
    order = order_conditions(
        {name: condition.offered for name, condition in named.items()},
        {name: look.n("condition", name) for name in named},
        seed,
        visitor.number,
    )
    for name in order:
        for behind in (True, False):
            place = offers.find_place(visitor, named[name], look.last_rank(name), behind=behind, lock=lock)
            if place:
                return named[name], place
    return None
