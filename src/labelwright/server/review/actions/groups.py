"""One group of the queue: its cases, and what one decision on them would lead to. Reads only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from labelwright.crowd import Pay
from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.review.actions.verdicts import MOST_AT_ONCE
from labelwright.server.review.queries import queue as queue_queries
from labelwright.server.review.queries import verdicts as queries
from labelwright.server.review.queries.queue import QueuedGroup, QueueFilter
from labelwright.server.review.queries.verdicts import GroupedCase
from labelwright.server.store.models import StudyRow, User
from labelwright.server.store.rows import planned_for_values
from labelwright.server.store.versions import study_of
from labelwright.server.web.errors import NotFound


@dataclass(frozen=True, slots=True)
class CaseConsequence:
    """What a decision on one case leads to."""

    pay: Pay
    """What the rater gets if it is paid and was not paid before."""
    answers: int
    """Answers that leave the analysis if the data are excluded."""
    refilled: bool
    """Whether the place is offered again then."""


@dataclass(frozen=True, slots=True)
class GroupPage:
    """A group and its cases."""

    study: StudyRow
    group: QueuedGroup
    cases: list[GroupedCase]
    consequences: Mapping[int, CaseConsequence]
    """By case."""

    @property
    def other_rules(self) -> Counter[str]:
        """How often each of the other rules flagged the same work."""
        return Counter(rule for case in self.cases for rule in case.rules if rule != self.group.rule)


def get_group(user: User, public_id: str, group: int, now: datetime) -> GroupPage:
    """A group of the queue; raises NotFound if it has no open case."""
    study = access_study(user, public_id, Permission.REVIEW)
    with planned_for_values():
        found = queue_queries.queued_groups(study.pk, QueueFilter(group=group), now, 1)
        if not found:
            raise NotFound
        cases = queries.grouped_cases(group, user.get_username(), now, MOST_AT_ONCE)
    return GroupPage(study, found[0], cases, {case.id: _consequence(case) for case in cases})


def _consequence(case: GroupedCase) -> CaseConsequence:
    study = study_of(case.version)
    pay = study.pool_of(case.pool).pay
    return CaseConsequence(
        Pay(cents=0 if case.paid else pay.cents, currency=pay.currency),
        case.answers,
        study.assignment.refill and not case.gold,
    )
