"""What a rater meets at their link: a question before tasks, a task, or the end."""

from __future__ import annotations

from datetime import datetime

from labelwright.crowd import MemberState
from labelwright.server.actions import before
from labelwright.server.actions.assignment import NoWork, Offer, offer
from labelwright.server.actions.before import Due
from labelwright.server.actions.links import Visitor


def offer_next(visitor: Visitor, now: datetime) -> Due | Offer | NoWork:
    """What comes next for a rater who agreed to take part; asked again, it is the same.

    The topic of a batch is known only with a task of it, so what is asked about it comes after the offer;
    the place is held meanwhile.
    """
    if visitor.withdrawn:
        return NoWork.WITHDRAWN
    if visitor.state == MemberState.EXCLUDED:
        return NoWork.EXCLUDED
    due = before.get_due(visitor)
    if due is not None:
        return due
    offered = offer(visitor, now)
    if isinstance(offered, NoWork):
        return NoWork.PAUSED if visitor.state == MemberState.PAUSED else offered
    return before.get_batch_due(visitor, offered.assignment) or offered
