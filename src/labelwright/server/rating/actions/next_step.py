"""What a rater gets at their link: a questionnaire, a task, or the end."""

from __future__ import annotations

from datetime import datetime

from labelwright.crowd import MemberState, StudyState
from labelwright.server.access.queries import Visitor
from labelwright.server.offering.actions import leases
from labelwright.server.offering.actions.leases import Offer, offer
from labelwright.server.offering.actions.search import NoWork
from labelwright.server.rating.actions import questionnaire
from labelwright.server.rating.actions.panel import is_visit_over
from labelwright.server.rating.actions.questionnaire import Due
from labelwright.server.store.versions import study_of


def offer_next(visitor: Visitor, now: datetime) -> Due | Offer | NoWork:
    """The next step of a rater who agreed to take part; asked again, it is the same.

    The topic of a batch is known only with a task of it, so questions about it come after the offer,
    while the place is held.
    """
    if visitor.withdrawn:
        return NoWork.WITHDRAWN
    if is_visit_over(visitor, study_of(visitor.version)):
        return NoWork.VISIT
    # Nobody answers questions before tasks that there are not; work that has begun can be finished.
    due = questionnaire.get_due(visitor) if visitor.study_state == StudyState.OPEN else None
    if due is not None:
        return due
    offered = offer(visitor, now)
    if isinstance(offered, NoWork):
        return NoWork.PAUSED if _is_paused(visitor) else offered
    return questionnaire.get_batch_due(visitor, offered.assignment) or offered


def get_obstacle(visitor: Visitor, now: datetime) -> NoWork | None:
    """Why a rater who stops would get no other task; None if there may be one. Offers nothing."""
    if visitor.withdrawn:
        return NoWork.WITHDRAWN
    if is_visit_over(visitor, study_of(visitor.version)):
        return NoWork.VISIT
    return NoWork.PAUSED if _is_paused(visitor) else leases.get_obstacle(visitor, now)


def _is_paused(visitor: Visitor) -> bool:
    """Whether the rater is paused in a study that goes on."""
    return visitor.state == MemberState.PAUSED and visitor.study_state == StudyState.OPEN
