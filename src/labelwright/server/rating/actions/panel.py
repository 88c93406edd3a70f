"""The end of a visit from a panel: who has completed it, and who goes back without work."""

from __future__ import annotations

import os
from collections.abc import Mapping

from labelwright.crowd.panel import BadArrival, PanelOutcome, Return
from labelwright.crowd.platform import PLATFORMS, PlatformFrame
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.actions.search import NoWork
from labelwright.server.people.actions.arrivals import (
    get_arrived_at,
    get_newest,
    get_return,
    make_receipt,
    work_in,
)
from labelwright.server.store.models import Arrival, Assignment
from labelwright.server.store.secrets import unseal
from labelwright.study import Study

NOTHING = Return(give_back=True)
NOT_OVER = (NoWork.PAUSED, NoWork.WITHDRAWN, NoWork.NOT_STARTED, NoWork.STUDY_PAUSED)


def get_panel_return(visitor: Visitor, study: Study, why: NoWork | None) -> tuple[str, Return] | None:
    """The name of the panel and the way back to it; None while there is work, and for raters who came from no panel.

    The code of completion is only for people who submitted something in this visit: a person who comes again after the
    last task does not get it again.
    """
    pool = study.pool_of(visitor.pool_name)
    if pool.panel is None or why is None or why in NOT_OVER:
        return None
    if pool.visit_tasks is not None:
        visit = get_newest(visitor.rater)
        has_work = visit is not None and work_in(visit).exists()
        return pool.panel.name, get_form(visit, pool.platform) if visit and has_work else NOTHING
    arrived = get_arrived_at(visitor.rater)
    if arrived is None:
        return None
    done = Assignment.objects.filter(rater=visitor.rater, submitted_at__gte=arrived).exists()
    outcome = PanelOutcome.COMPLETED if done else PanelOutcome.FULL
    if why is NoWork.QUIZ and not done:
        outcome = PanelOutcome.SCREENED_OUT
    return get_return(visitor.rater, study, visitor.pool_name, outcome)


def check_way_back(frame: PlatformFrame, given: Mapping[str, str]) -> None:
    """Raises BadArrival if the form at the end would go to another site than that of the platform."""
    if given.get(frame.submit_parameter, "").rstrip("/") != frame.origin:
        raise BadArrival("the address leads back to another site.")


def count_in_visit(visitor: Visitor, study: Study) -> tuple[int, int] | None:
    """The tasks done in a rater's newest visit, and how many it has; None where one visit has all tasks of a rater."""
    most = study.pool_of(visitor.pool_name).visit_tasks
    visit = get_newest(visitor.rater) if most is not None else None
    return (work_in(visit).count(), most) if visit and most else None


def is_visit_over(visitor: Visitor, study: Study) -> bool:
    """Whether a rater has done all tasks of their newest visit."""
    counted = count_in_visit(visitor, study)
    return counted is not None and counted[0] >= counted[1]


def get_form(visit: Arrival, platform: str) -> Return:
    """The form by which a rater goes back after a visit to a platform that showed our pages in a frame."""
    return PLATFORMS[platform].return_form(unseal(visit.session_sealed), make_receipt(visit), os.environ)
