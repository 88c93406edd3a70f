"""What a rater would work on next, shown before they agree to take part. Reads only, locks nothing."""

from __future__ import annotations

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


def get_first_design(visitor: Visitor) -> TaskDesign:
    """The task design that a new rater would get now.

    Another rater may take that place first, so this is a preview of the next offer, not a promise.
    """
    return study_of(visitor.version).design(_first(visitor))


def visitor_at(door: Door) -> Visitor:
    """Somebody who follows an open link and has not joined yet."""
    return Visitor(
        door.study_id, door.pool_id, 0, "", 0, consented=False, version=door.version, pool_name=door.pool
    )


def _first(visitor: Visitor) -> str:
    study = study_of(visitor.version)
    if study.pool_of(visitor.pool_name).qualification:
        return CONDITION + visitor.pool_name
    planned = offers.all_conditions(visitor, visitor.version)
    return _open_to(visitor, study, planned) or _not_begun(study, {condition.name for condition in planned})


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


def _not_begun(study: Study, planned: set[str]) -> str:
    """The first condition of a stage that has no items yet; otherwise the study's first condition."""
    later = [name for name in study.conditions if planned and name not in planned]
    return later[0] if later else study.first_condition
