"""The end of a visit from a panel: who has completed it, and who goes back without work."""

from __future__ import annotations

from labelwright.crowd.panel import PanelOutcome, Return
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.actions.search import NoWork
from labelwright.server.people.actions.arrivals import get_arrived_at, get_return
from labelwright.server.store.models import Assignment
from labelwright.study import Study

NOT_OVER = (NoWork.PAUSED, NoWork.WITHDRAWN, NoWork.NOT_STARTED, NoWork.STUDY_PAUSED)


def get_panel_return(visitor: Visitor, study: Study, why: NoWork | None) -> tuple[str, Return] | None:
    """The name of the panel and the way back to it; None while there is work, and for raters who came from no panel.

    The code of completion is only for people who submitted something in this visit: a person who comes again after the
    last task does not get it again.
    """
    if study.pool_of(visitor.pool_name).panel is None or why is None or why in NOT_OVER:
        return None
    arrived = get_arrived_at(visitor.rater)
    if arrived is None:
        return None
    done = Assignment.objects.filter(rater=visitor.rater, submitted_at__gte=arrived).exists()
    outcome = PanelOutcome.COMPLETED if done else PanelOutcome.FULL
    if why is NoWork.QUIZ and not done:
        outcome = PanelOutcome.SCREENED_OUT
    return get_return(visitor.rater, study, visitor.pool_name, outcome)
