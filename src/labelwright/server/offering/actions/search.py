"""The search for a place: caps first, then the earliest batch, then balance, then gold. Locks what it finds."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import Caps, CountScope, StudyState, order_conditions
from labelwright.crowd.qualification import CONDITION
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.actions.gold import mix_gold
from labelwright.server.offering.queries import offers
from labelwright.server.store.versions import study_of
from labelwright.study import Study


class NoWork(enum.StrEnum):
    """Why a rater gets no task."""

    CAP = "cap"
    CAP_TODAY = "cap_today"
    CAP_FOR_NOW = "cap_for_now"
    """The rater has done as much as allowed in the open batches, or in the conditions that are left."""
    VISIT = "visit"
    """The rater has done as much as one visit from a platform has."""
    RETURNS = "returns"
    """The rater has returned as many tasks as allowed."""
    NONE_LEFT = "none_left"
    PAUSED = "paused"
    QUIZ = "quiz"
    WITHDRAWN = "withdrawn"
    NOT_STARTED = "not_started"
    """The study is still a draft."""
    STUDY_PAUSED = "study_paused"
    STUDY_CLOSED = "study_closed"
    """The study is closed or archived."""


WITHOUT_OFFERS = {
    StudyState.DRAFT: NoWork.NOT_STARTED,
    StudyState.PAUSED: NoWork.STUDY_PAUSED,
    StudyState.CLOSED: NoWork.STUDY_CLOSED,
    StudyState.ARCHIVED: NoWork.STUDY_CLOSED,
}
"""Why nobody gets a task in a study that is not open."""


@dataclass(frozen=True, slots=True)
class FoundTask:
    """A place for a rater, locked."""

    study: Study
    take: offers.Take


def find_obstacle(visitor: Visitor, situation: offers.Situation, now: datetime) -> NoWork | None:
    """Why a rater gets no task, whatever places are open: the state of the study or a cap. None if there may be one."""
    if not situation.conditions:
        return WITHOUT_OFFERS.get(offers.study_state(visitor.study), NoWork.NONE_LEFT)
    caps = _caps(visitor, situation)
    reached = _reached(caps, situation, f"{now:%Y-%m-%d}")
    return reached or (None if _possible(caps, situation) else NoWork.CAP_FOR_NOW)


def find_task(visitor: Visitor, situation: offers.Situation, now: datetime) -> FoundTask | NoWork:
    """The place for a rater, or why there is none; called with the rater locked."""
    if why := find_obstacle(visitor, situation, now):
        return why
    study, caps = _newest_study(situation), _caps(visitor, situation)
    today = f"{now:%Y-%m-%d}"
    possible = _possible(caps, situation)
    found = _find(possible, situation, study.seed, visitor)
    if found is None:
        return NoWork.NONE_LEFT if len(possible) == len(situation.conditions) else NoWork.CAP_FOR_NOW
    condition, place = found
    mixed = mix_gold(study, visitor, situation, condition, place)
    take = offers.Take(
        mixed.place,
        condition,
        [*_counts(caps, condition, mixed.place, today), *mixed.counts],
        caps.conditions,
        also_spoils=bool(study.assignment.spoils) or mixed.has_gold,
        gold=mixed.is_gold,
    )
    return FoundTask(study, take)


def _newest_study(situation: offers.Situation) -> Study:
    return study_of(max(condition.version for condition in situation.conditions))


def _caps(visitor: Visitor, situation: offers.Situation) -> Caps:
    """The caps of the rater's pool, raised by the tasks of qualifications, which do not count as work of the study."""
    caps = _newest_study(situation).pool_of(visitor.pool_name).caps
    done = [
        counted.n
        for (scope, key), counted in situation.counts.items()
        if scope == CountScope.CONDITION
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


def _reached(caps: Caps, situation: offers.Situation, today: str) -> NoWork | None:
    """The cap that rules out all work. The database enforces it; checking here saves a refused statement."""
    if caps.tasks is not None and situation.n(CountScope.TASKS) >= caps.tasks:
        return NoWork.CAP
    if caps.tasks_per_day is not None and situation.n(CountScope.DAY, today) >= caps.tasks_per_day:
        return NoWork.CAP_TODAY
    return NoWork.RETURNS if situation.n(CountScope.RETURNS) >= caps.returns else None


def _possible(caps: Caps, situation: offers.Situation) -> list[offers.OpenCondition]:
    """The conditions that no cap rules out."""
    found = situation.conditions
    if caps.tasks_per_batch is not None:
        found = [c for c in found if situation.n(CountScope.BATCH, str(c.batch)) < caps.tasks_per_batch]
    if caps.conditions is not None and situation.n(CountScope.CONDITIONS) >= caps.conditions:
        found = [c for c in found if situation.n(CountScope.CONDITION, c.name)]
    return found


def _counts(
    caps: Caps, condition: offers.OpenCondition, place: offers.FoundPlace, today: str
) -> list[offers.Count]:
    # Counted whether capped or not, so that a cap of a later version sees earlier work.
    return [
        offers.Count(CountScope.CONDITION, condition.name, None, place.rank),
        offers.Count(CountScope.TASKS, "", caps.tasks),
        offers.Count(CountScope.BATCH, str(condition.batch), caps.tasks_per_batch),
        offers.Count(CountScope.DAY, today, caps.tasks_per_day),
    ]


def _find(
    conditions: list[offers.OpenCondition], situation: offers.Situation, seed: int, visitor: Visitor
) -> tuple[offers.OpenCondition, offers.FoundPlace] | None:
    """The place in the earliest batch that has one for this rater, in the condition that balance chooses."""
    batches: dict[int, dict[str, offers.OpenCondition]] = {}
    for condition in conditions:
        batches.setdefault(condition.number, {})[condition.name] = condition
    first, *later = sorted(batches) or [0]
    if found := find_in_batch(batches.get(first, {}), situation, seed, visitor):
        return found
    left = offers.with_open_places(visitor, [c for c in conditions if c.number in later]) if later else []
    for number in later:
        named = {condition.name: condition for condition in left if condition.number == number}
        if found := find_in_batch(named, situation, seed, visitor):
            return found
    return None


def find_in_batch(
    named: dict[str, offers.OpenCondition],
    situation: offers.Situation,
    seed: int,
    visitor: Visitor,
    *,
    lock: bool = True,
) -> tuple[offers.OpenCondition, offers.FoundPlace] | None:
    """The place in a batch, in the condition that balance chooses; not locked if `lock` is False."""
    order = order_conditions(
        {name: condition.offered for name, condition in named.items()},
        {name: situation.n(CountScope.CONDITION, name) for name in named},
        seed,
        visitor.number,
    )
    for name in order:
        for behind in (True, False):
            place = offers.find_place(
                visitor, named[name], situation.last_rank(name), behind=behind, lock=lock
            )
            if place:
                return named[name], place
    return None
