"""The review queue: a job puts work into it, reviewers see it in groups, and one reviewer at a time claims a case.

Locks are taken in the order assignment, case, group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.utils import timezone

from labelwright.server.access.actions.permission import Permission, access_study
from labelwright.server.review.queries import queue as queries
from labelwright.server.review.queries.queue import (
    DecidedCase,
    MarkedWork,
    NewCase,
    QueuedCase,
    QueuedGroup,
    QueueFilter,
    RuleCount,
)
from labelwright.server.store.changes import note_change
from labelwright.server.store.models import CaseKind, StudyRow, User
from labelwright.server.store.rows import planned_for_values
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions.marks import count_marked
from labelwright.server.tallies.queries.marks import CASE_MARKS

IN_A_BLOCK = 500
CLAIM = timedelta(minutes=10)
"""For how long a case stays with a reviewer who does nothing."""
MOST_GROUPS, CASES_IN_A_GROUP, MOST_DECIDED = 30, 3, 2
"""What the queue lists."""
DISPUTE_WEIGHT = 1000
"""A rater who waits for an answer comes before every doubt."""


def queue_marked_work(limit: int = IN_A_BLOCK) -> int:
    """Opens and closes the cases of the next marks; returns how many marks there were."""
    return count_marked(CASE_MARKS, _queue, limit)


def _queue(study: StudyRow, marked: Sequence[int]) -> None:
    found = queries.lock_work(study.pk, marked)
    cases = [case for work in found if (case := _case(work)) is not None]
    groups = queries.groups_of(marked)
    open_now = {(case.assignment, case.kind) for case in cases}
    for kind in (CaseKind.FIRST, CaseKind.DISPUTE):
        queries.close_cases([each for each in marked if (each, kind) not in open_now], [kind])
    queries.count_groups([*groups, *queries.open_cases(study.pk, cases)])
    note_change(study.pk)


def _case(work: MarkedWork) -> NewCase | None:
    """The case that work makes, if it belongs into the queue."""
    study = study_of(work.version)
    if work.disputed:
        kind, weight = CaseKind.DISPUTE, work.weight + DISPUTE_WEIGHT
    elif work.undecided and study.review.includes(
        work.group, flagged=bool(work.rules), seed=study.seed, work=work.drawn_as
    ):
        kind, weight = CaseKind.FIRST, work.weight
    else:
        return None
    return NewCase(work.assignment, work.rater, kind, work.condition, work.rules, weight, work.decide_by)


@dataclass(frozen=True, slots=True)
class ReviewQueue:
    """What reviewers see of the queue."""

    study: StudyRow
    groups: list[QueuedGroup]
    """The first ones."""
    cases: dict[int, list[QueuedCase]]
    """The first cases of each group."""
    by_rule: list[RuleCount]
    decided: list[DecidedCase]
    """The newest decisions of this reviewer."""
    decided_today: int
    conditions: list[str] = field(default_factory=list)

    @property
    def open(self) -> int:
        """All open cases of the study."""
        return sum(each.open for each in self.by_rule)

    @property
    def all_groups(self) -> int:
        """All groups with open cases."""
        return sum(each.groups for each in self.by_rule)


def get_queue(user: User, public_id: str, wanted: QueueFilter, now: datetime) -> ReviewQueue:
    """The queue of a study; for reviewers."""
    study = access_study(user, public_id, Permission.REVIEW)
    who = user.get_username()
    with planned_for_values():
        groups = queries.queued_groups(study.pk, wanted, now, MOST_GROUPS)
        cases: dict[int, list[QueuedCase]] = {}
        for case in queries.queued_cases([group.id for group in groups], now, CASES_IN_A_GROUP):
            cases.setdefault(case.group, []).append(case)
        midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
        return ReviewQueue(
            study,
            groups,
            cases,
            queries.open_by_rule(study.pk),
            queries.decided_last(study.pk, who, MOST_DECIDED),
            queries.decided_since(study.pk, who, midnight),
            list(study_of(study.versions.latest("n").pk).conditions),
        )


def claim_next(
    user: User, study: StudyRow, wanted: QueueFilter, skipped: Sequence[int], now: datetime
) -> int | None:
    """The next case for this reviewer, claimed: one that they hold already, or the first that nobody holds.

    None if there is nothing left for them. The caller has checked access.
    """
    who = user.get_username()
    with planned_for_values():
        held = queries.held_case(study.pk, who, wanted, skipped, now)
        if held is not None and queries.claim(study.pk, held, who, now, now + CLAIM):
            return held
        while (free := queries.free_case(study.pk, who, wanted, skipped, now)) is not None:
            # Another reviewer may be a moment faster; then there is another first one.
            if queries.claim(study.pk, free, who, now, now + CLAIM):
                return free
    return None


def claim_case(user: User, study: StudyRow, case: int, now: datetime) -> bool:
    """Claims the case that a reviewer chose; False if another reviewer holds it, or it is decided."""
    return queries.claim(study.pk, case, user.get_username(), now, now + CLAIM)


def release_case(user: User, study: StudyRow, case: int) -> None:
    """Gives a case back that a reviewer holds and does not want to decide now; the caller has checked access."""
    queries.release(study.pk, user.get_username(), case)
