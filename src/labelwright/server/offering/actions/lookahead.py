"""What a rater would work on next, shown before they agree to take part. Reads only, locks nothing."""

from __future__ import annotations

from dataclasses import replace

from labelwright.crowd import BatchState
from labelwright.crowd.qualification import CONDITION
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.actions.search import find_in_batch
from labelwright.server.offering.queries import offers
from labelwright.server.people.actions.joining import Door
from labelwright.server.store.versions import study_of
from labelwright.study import Study
from labelwright.task import TaskDesign

_NOTHING_DONE = offers.Situation(None, [], {})
_UPCOMING = (BatchState.OPEN, BatchState.PLANNED)
"""Open batches come before planned ones."""


def get_working_at(visitor: Visitor) -> tuple[int, str]:
    """The version and the condition of the rater's newest work, or of their first task if there is none yet."""
    found = offers.newest_work(visitor.rater)
    return (found.version, found.condition) if found else (visitor.version, _first(visitor))


def get_first_design(visitor: Visitor) -> TaskDesign | None:
    """The task design that a new rater would get now; None if others have taken all tasks.

    Another rater may take that place first, so this is a preview of the next offer, not a promise.
    """
    study = study_of(visitor.version)
    name = _upcoming(visitor, study)
    return study.design(name) if name else None


def get_first_design_at(door: Door) -> TaskDesign | None:
    """The same for somebody who follows an open link and could join any group of the pool."""
    groups = door.study.pool_of(door.pool).groups or [""]
    designs = (get_first_design(replace(visitor_at(door), group=group)) for group in groups)
    return next((design for design in designs if design), None)


def visitor_at(door: Door) -> Visitor:
    """Somebody who follows an open link and has not joined yet."""
    return Visitor(
        door.study_id, door.pool_id, 0, "", 0, consented=False, version=door.version, pool_name=door.pool
    )


def _first(visitor: Visitor) -> str:
    study = study_of(visitor.version)
    qualifies = study.pool_of(visitor.pool_name).qualification is not None
    return _upcoming(visitor, study) or (
        CONDITION + visitor.pool_name if qualifies else study.first_condition
    )


def _upcoming(visitor: Visitor, study: Study) -> str | None:
    """The condition of a rater's first task; None if all tasks are taken and none is to come."""
    planned = offers.all_conditions(visitor, visitor.version)
    if found := _open_to(visitor, study, planned):
        return found
    if offers.has_waiting_places(visitor, planned):
        return planned[0].name
    if study.pool_of(visitor.pool_name).qualification:
        return None
    named = {condition.name for condition in planned}
    # Conditions of a stage that has no items yet.
    return next((name for name in study.conditions if planned and name not in named), None)


def _open_to(visitor: Visitor, study: Study, planned: list[offers.OpenCondition]) -> str | None:
    """The condition of the first place that this rater could be offered."""
    batches: dict[tuple[int, int], dict[str, offers.OpenCondition]] = {}
    for condition in planned:
        if condition.state in _UPCOMING:
            met = _UPCOMING.index(BatchState(condition.state)), condition.number
            batches.setdefault(met, {})[condition.name] = condition
    for _, named in sorted(batches.items()):
        if found := find_in_batch(named, _NOTHING_DONE, study.seed, visitor, lock=False):
            return found[0].name
    return None
