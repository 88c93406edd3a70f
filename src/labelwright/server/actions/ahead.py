"""What a rater will meet next, as things stand; told before they agree to take part. Reads only, locks nothing."""

from __future__ import annotations

from labelwright.crowd import BatchState
from labelwright.crowd.qualification import CONDITION
from labelwright.server.actions.links import Visitor
from labelwright.server.actions.offering import find_in
from labelwright.server.actions.pools import Door
from labelwright.server.store import offers
from labelwright.server.store.rows import rows
from labelwright.server.store.versions import study_of
from labelwright.study import Study
from labelwright.task import TaskDesign

_NOTHING_DONE = offers.Look(None, [], {})
_AHEAD = (BatchState.OPEN, BatchState.PLANNED)
"""Batches in the order in which they are met: those that are open before those to come."""


def get_working_at(visitor: Visitor) -> tuple[int, str]:
    """The version and the condition of the rater's newest work; of what comes first before there is any."""
    found = rows(
        """SELECT a.version_id, t.condition FROM assignment a JOIN task t ON t.id = a.task_id
           WHERE a.rater_id = %s ORDER BY a.id DESC LIMIT 1""",
        [visitor.rater],
    )
    return (found[0][0], found[0][1]) if found else (visitor.version, _first(visitor))


def get_first_design(visitor: Visitor) -> TaskDesign:
    """The task design that a rater who has done nothing yet will meet.

    Somebody else may be quicker, so it is what the next offer would be, not a promise.
    """
    return study_of(visitor.version).design(_first(visitor))


def behind(door: Door) -> Visitor:
    """Somebody who follows an open link and has not joined yet."""
    return Visitor(
        door.study_id, door.pool_id, 0, "", 0, consented=False, version=door.version, pool_name=door.pool
    )


def _first(visitor: Visitor) -> str:
    study = study_of(visitor.version)
    if study.pool_of(visitor.pool_name).qualification:
        return CONDITION + visitor.pool_name
    laid = offers.conditions_laid(visitor, visitor.version)
    return _open_to(visitor, study, laid) or _not_begun(study, {condition.name for condition, _ in laid})


def _open_to(visitor: Visitor, study: Study, laid: list[tuple[offers.OpenCondition, str]]) -> str | None:
    """The condition of the first place that this rater could be offered."""
    batches: dict[tuple[int, int], dict[str, offers.OpenCondition]] = {}
    for condition, state in laid:
        if state in _AHEAD:
            met = _AHEAD.index(BatchState(state)), condition.number
            batches.setdefault(met, {})[condition.name] = condition
    for _, named in sorted(batches.items()):
        if found := find_in(named, _NOTHING_DONE, study.seed, visitor, lock=False):
            return found[0].name
    return None


def _not_begun(study: Study, laid: set[str]) -> str:
    """The first condition of a stage whose items are still to come; where there is none, the study's first."""
    later = [name for name in study.conditions if laid and name not in laid]
    return later[0] if later else study.first_condition
