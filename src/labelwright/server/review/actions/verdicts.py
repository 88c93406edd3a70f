"""Verdicts: whether work is paid and whether its data are used, decided separately, with a reason for the rater.

What follows from a verdict happens in its transaction: pay, the use of the data, the place that is offered again, the
message to the rater, and the jobs of these. Locks are taken in the order assignment, place, offered, case, group.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.db import transaction

from labelwright.crowd import STORED, AssignmentState, DataUse, ModelPool, PaidState
from labelwright.crowd.platform import PLATFORMS
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.actions.permission import (
    PERMITTED,
    Permission,
    access_study,
    get_role,
    studies_of,
)
from labelwright.server.paying.actions import (
    REJECTED,
    TAKEN_BACK,
    check_stoppable,
    plan_again,
    restore_pay,
    stop_pay,
)
from labelwright.server.paying.actions.planning import plan_tasks
from labelwright.server.review.actions.letters import take_back_letter, write_reason
from labelwright.server.review.actions.queue import CLAIM
from labelwright.server.review.queries import queue as queue_queries
from labelwright.server.review.queries import verdicts as queries
from labelwright.server.review.queries.queue import NewCase
from labelwright.server.review.queries.verdicts import SettledCase, TakenBack
from labelwright.server.store.models import Assignment, CaseKind, CaseState, Rater, ReviewCase, StudyRow, User
from labelwright.server.store.queue import is_in_job
from labelwright.server.store.versions import study_of
from labelwright.server.tallies.actions import add_verdict, change_data_use, lock_assignment
from labelwright.server.web.errors import NotFound

BLANK = re.compile(r"\[[^\[\]]*\]")
"""A part of a template that the reviewer has to replace."""
MOST_AT_ONCE = 2000
"""Cases that one decision can be about."""


class NotDecidable(LabelwrightError):
    """Work that was not submitted, or is already paid."""

    code: ClassVar[str] = "not_decidable"


class NoReason(LabelwrightError):
    """A verdict against the rater, or against the data, without a reason."""

    code: ClassVar[str] = "no_reason"

    def __init__(self) -> None:
        super().__init__(
            "the verdict has no reason.", do="Write one sentence for the rater about what was wrong."
        )


class UnfinishedReason(LabelwrightError):
    """A reason from a template whose blanks were not filled in."""

    code: ClassVar[str] = "unfinished_reason"

    def __init__(self, what: str, do: str | None = None) -> None:
        super().__init__(f"the reason is not finished: {what}", do=do)


class NotAPerson(LabelwrightError):
    """A rejection that no reviewer of the study has made."""

    code: ClassVar[str] = "not_a_person"
    status: ClassVar[HTTPStatus] = HTTPStatus.FORBIDDEN

    def __init__(self) -> None:
        super().__init__(
            "work can only be rejected by a reviewer of the study.",
            do="Let somebody with the role reviewer, editor or owner decide.",
        )


class NotInBulk(LabelwrightError):
    """A rejection of several tasks at once."""

    code: ClassVar[str] = "not_in_bulk"

    def __init__(self) -> None:
        super().__init__(
            "several tasks cannot be rejected at once.",
            do="Reject each task on its own, with its own reason.",
        )


class CaseTaken(LabelwrightError):
    """A case that another reviewer holds or has decided."""

    code: ClassVar[str] = "case_taken"

    def __init__(self, *, decided: bool) -> None:
        what = "this case is already decided" if decided else "another reviewer holds this case"
        super().__init__(f"{what}; nothing was changed.", do="Continue with the next case.")


class VerdictChoice(enum.StrEnum):
    """What a reviewer can choose in one step; pay and data stay separate underneath."""

    FINE = "fine"
    LEAVE_OUT = "leave_out"
    REJECT = "reject"


CHOICES: dict[VerdictChoice, tuple[bool, DataUse]] = {
    VerdictChoice.FINE: (True, DataUse.USED),
    VerdictChoice.LEAVE_OUT: (True, DataUse.LEFT_OUT),
    VerdictChoice.REJECT: (False, DataUse.LEFT_OUT),
}
"""Pay and use of the data."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The result of a verdict."""

    verdict: int
    reopened: bool
    """Whether the place is offered to another rater."""
    decision: UUID
    """What it is taken back by."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is decided, why, by whom and when. None leaves pay or data unchanged."""

    pay: bool | None
    data_use: DataUse | None
    reason: str
    author: str
    at: datetime
    decision: UUID = field(default_factory=uuid4)

    @property
    def choice(self) -> str:
        """The choice of a reviewer that it is; empty if it is none of them."""
        return next((one.value for one, parts in CHOICES.items() if parts == (self.pay, self.data_use)), "")


@transaction.atomic
def decide(
    assignment: int, *, pay: bool | None, data_use: DataUse | None, reason: str, author: str, now: datetime
) -> Decided:
    """A verdict on submitted work; None leaves pay or data unchanged.

    Excluding data never affects pay. Excluded data leave the tallies, and their place is offered to another
    rater unless the study says `refill: false`. A later verdict replaces an earlier one: data come back as
    long as nobody else has the place. Only a reviewer of the study can reject, and never a job.
    Raises NotDecidable, NoReason, UnfinishedReason, NotAPerson, PlaceRefilled.
    """
    done, groups = _rule(assignment, Ruling(pay, data_use, reason, author, now))
    queue_queries.count_groups(groups)
    return done


def _rule(assignment: int, ruling: Ruling) -> tuple[Decided, list[int]]:
    """Does what a ruling says; returns the result, and the groups of cases that must be counted again."""
    row = lock_assignment(assignment)
    before = {"state": row.state, "paid_state": row.paid_state, "data_use": row.data_use}
    _check(row, ruling.pay, ruling.data_use, ruling.reason)
    if ruling.pay is False:
        _check_reviewer(row.study_id, ruling.author)
        _check_platform(row, ruling.reason)
    reopened = ruling.data_use is not None and change_data_use(row, ruling.data_use)
    if ruling.pay is not None:
        _change_pay(row, ruling.author, ruling.at, pay=ruling.pay)
    verdict = add_verdict(
        row,
        pay=ruling.pay,
        data_use=ruling.data_use,
        reason=ruling.reason,
        author=ruling.author,
        now=ruling.at,
    )
    groups = _settle(row, ruling, before) if ruling.pay is not None else []
    after = {"paid": row.paid_state, "data_use": row.data_use, "reason": ruling.reason}
    logged = {"paid": before["paid_state"], "data_use": before["data_use"]}
    log_change(row.study_id, ruling.author, "verdict", _pseudonym(row), ruling.at, before=logged, after=after)
    return Decided(verdict.pk, reopened, ruling.decision), groups


def _change_pay(row: Assignment, who: str, now: datetime, *, pay: bool) -> None:
    if not pay:
        stop_pay(row.pk, who, REJECTED, now)
    if row.paid_state != PaidState.PAID:
        # Paid work stays paid: if it were owed again, it would be paid again.
        row.paid_state = PaidState.OWED if pay else PaidState.NONE
    if row.state in STORED:
        row.state = AssignmentState.APPROVED if pay else AssignmentState.REJECTED
    row.save(update_fields=["state", "paid_state"])
    if pay:
        plan_tasks([row.pk], now)
        if row.paid_state == PaidState.OWED:
            restore_pay(row.pk, who, now)


def _pseudonym(row: Assignment) -> str:
    return Rater.objects.values_list("pseudonym", flat=True).get(pk=row.rater_id)


def _settle(row: Assignment, ruling: Ruling, before: dict[str, str]) -> list[int]:
    """Decides the cases of the work, and opens one for a second opinion if it is drawn for one; returns their groups."""
    settled = queries.settle_cases(row.pk, ruling.decision, ruling.choice, before, ruling.author, ruling.at)
    groups = [case.group for case in settled]
    first = next((case for case in settled if case.kind == CaseKind.FIRST), None)
    if first is not None and _is_drawn(row):
        groups += queue_queries.open_cases(
            row.study_id, [_another(row, first, CaseKind.SECOND, ruling.author)]
        )
    return groups


def _is_drawn(row: Assignment) -> bool:
    study = study_of(row.version_id)
    if not study.review.second_opinions:
        return False
    return study.review.asks_again(seed=study.seed, work=f"{_pseudonym(row)} {row.task.content}")


def _another(row: Assignment, case: SettledCase, kind: CaseKind, away_from: str = "") -> NewCase:
    return NewCase(
        row.pk, row.rater_id, kind, case.condition, case.rules, case.weight, case.decide_by, away_from
    )


def decide_as_reviewer(
    user: User, public_id: str, assignment: int, choice: VerdictChoice, reason: str, now: datetime
) -> Decided:
    """A verdict by a reviewer of the study, who tells the rater the reason; raises NotFound for work of another study."""
    study = access_study(user, public_id, Permission.REVIEW)
    if not Assignment.objects.filter(pk=assignment, study=study).exists():
        raise NotFound
    return _decide_and_write(study, assignment, choice, reason, user.get_username(), now)


@transaction.atomic
def _decide_and_write(
    study: StudyRow, assignment: int, choice: VerdictChoice, reason: str, who: str, now: datetime
) -> Decided:
    pay, data_use = CHOICES[choice]
    done = decide(assignment, pay=pay, data_use=data_use, reason=reason, author=who, now=now)
    if reason.strip():
        write_reason(study, [assignment], reason, who, now, done.decision)
    return done


def decide_case(
    user: User, public_id: str, case: int, choice: VerdictChoice, reason: str, now: datetime
) -> Decided:
    """A verdict on a case of the queue, or a second opinion on it.

    Raises CaseTaken if another reviewer holds it or it is decided, and what `decide` raises.
    """
    study = access_study(user, public_id, Permission.REVIEW)
    who = user.get_username()
    found = queue_queries.case_by_id(study.pk, case)
    if found is None:
        raise NotFound
    with transaction.atomic():
        row = lock_assignment(found.assignment)
        _check_held(study.pk, case, who, now)
        if found.kind == CaseKind.SECOND:
            return _give_opinion(row, case, choice, reason, who, now)
        return _decide_and_write(study, found.assignment, choice, reason, who, now)


def _check_held(study: int, case: int, who: str, now: datetime) -> None:
    locked = queries.lock_case(study, case)
    if locked is None or locked[0] != CaseState.OPEN:
        raise CaseTaken(decided=True)
    _, holder, until = locked
    if holder != who and until is not None and until > now:
        raise CaseTaken(decided=False)


def _give_opinion(
    row: Assignment, case: int, choice: VerdictChoice, reason: str, who: str, now: datetime
) -> Decided:
    """Records a second opinion. If it differs from the verdict, somebody decides again, with both in view."""
    pay, data_use = CHOICES[choice]
    _check_reason(pay, data_use, reason)
    _check_reviewer(row.study_id, who)
    decision = uuid4()
    if not queries.settle_opinion(case, decision, choice, reason, who, now):
        raise CaseTaken(decided=False)
    groups = queue_queries.groups_of([row.pk])
    first = ReviewCase.objects.get(assignment=row, kind=CaseKind.FIRST)
    if first.choice != choice:
        settled = SettledCase(
            first.pk, first.group_id, first.kind, first.condition, first.rules, first.weight, first.decide_by
        )
        groups += queue_queries.open_cases(row.study_id, [_another(row, settled, CaseKind.DIFFERENCE)])
    queue_queries.count_groups(groups)
    log_change(row.study_id, who, "second_opinion", _pseudonym(row), now, after={"choice": choice.value})
    return Decided(0, reopened=False, decision=decision)


def ask_another_reviewer(user: User, public_id: str, case: int, now: datetime) -> None:
    """Leaves a case to the other reviewers; raises CaseTaken if one of them holds it, or has left it to this one."""
    study = access_study(user, public_id, Permission.REVIEW)
    found = queue_queries.case_by_id(study.pk, case)
    if found is None:
        raise NotFound
    who = user.get_username()
    with transaction.atomic():
        if not queries.leave_to_others(case, who):
            raise CaseTaken(decided=found.state != CaseState.OPEN)
        log_change(study.pk, who, "ask_reviewer", found.rater, now)


@dataclass(frozen=True, slots=True)
class DecidedTogether:
    """The result of one decision on many cases."""

    decision: UUID
    decided: int
    reopened: int
    """Places that are offered to other raters."""


def decide_together(
    user: User,
    public_id: str,
    group: int,
    cases: Sequence[int],
    choice: VerdictChoice,
    reason: str,
    now: datetime,
) -> DecidedTogether:
    """One verdict on several cases of a group, in one transaction, with one message to the rater.

    Raises NotInBulk for a rejection. Cases that another reviewer holds, or that are decided by now, stay as they are.
    """
    study = access_study(user, public_id, Permission.REVIEW)
    if choice == VerdictChoice.REJECT:
        raise NotInBulk
    pay, data_use = CHOICES[choice]
    ruling = Ruling(pay, data_use, reason, user.get_username(), now)
    with transaction.atomic():
        chosen = _lock_open(study.pk, group, cases, ruling.author, now)
        made = [_rule(assignment, ruling) for assignment in chosen]
        queue_queries.count_groups([each for _, groups in made for each in groups])
        if reason.strip():
            write_reason(study, chosen, reason, ruling.author, now, ruling.decision)
    return DecidedTogether(ruling.decision, len(chosen), sum(done.reopened for done, _ in made))


def _lock_open(study: int, group: int, cases: Sequence[int], who: str, now: datetime) -> list[int]:
    """The assignments of the chosen cases that this reviewer can decide, locked in order."""
    found = ReviewCase.objects.filter(
        study=study, group=group, pk__in=list(cases)[:MOST_AT_ONCE], state=CaseState.OPEN
    ).exclude(kind=CaseKind.SECOND)
    free = [
        case.assignment_id
        for case in found.exclude(away_from=who)
        if case.claimed_by == who or case.claimed_until is None or case.claimed_until <= now
    ]
    if not free:
        raise CaseTaken(decided=True)
    return _lock_all(free)


def _lock_all(assignments: Sequence[int]) -> list[int]:
    """Locks assignments in order, before anything else of them: another order could end in a deadlock."""
    locked = Assignment.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=assignments)
    return list(locked.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def take_back(user: User, public_id: str, decision: UUID, now: datetime) -> list[int]:
    """Takes back what was decided in one step; returns the cases that are open again.

    The work has the states from before the verdict, and the reviewer who takes it back holds the cases. Raises NotDecidable once the work
    is paid, PlaceRefilled once another rater has the place, and NotFound if there is nothing to take back.
    """
    study = access_study(user, public_id, Permission.REVIEW)
    who = user.get_username()
    found = queries.cases_of_decision(study.pk, decision)
    if not found:
        raise NotFound
    _lock_all([case.assignment for case in found])
    groups: list[int] = []
    for case in found:
        row = lock_assignment(case.assignment)
        groups += queue_queries.groups_of([row.pk])
        if case.kind != CaseKind.SECOND:
            _restore(row, case, who, now)
        queries.delete_opened(row.pk, _opened_by(case))
        queries.reopen_case(case.id, who, now + CLAIM)
    queue_queries.count_groups(groups)
    for message in sorted({case.message for case in found if case.message is not None}):
        take_back_letter(study, message, who, now)
    return [case.id for case in found]


def _opened_by(case: TakenBack) -> list[str]:
    """The kinds of cases that a decision may have opened."""
    return [CaseKind.DIFFERENCE] if case.kind == CaseKind.SECOND else [CaseKind.SECOND, CaseKind.DIFFERENCE]


def _restore(row: Assignment, case: TakenBack, who: str, now: datetime) -> None:
    before: dict[str, Any] = case.before
    if row.paid_state == PaidState.PAID and before["paid_state"] != PaidState.PAID:
        raise NotDecidable(
            "this work is already paid, so the verdict stays.", do="You can still decide on its data."
        )
    # Also if the verdict was in the rater's favour: the case is open again, so nobody may pay meanwhile.
    check_stoppable(row.pk)
    after = {"paid": before["paid_state"], "data_use": before["data_use"]}
    logged = {"paid": row.paid_state, "data_use": row.data_use}
    change_data_use(row, DataUse(before["data_use"]))
    row.state, row.paid_state = before["state"], before["paid_state"]
    row.save(update_fields=["state", "paid_state"])
    if row.paid_state == PaidState.OWED:
        plan_again(row.pk, who, TAKEN_BACK, now)
    else:
        stop_pay(row.pk, who, TAKEN_BACK, now)
    # Verdicts are only added: this one says nothing, so it takes the reason of the one before away.
    add_verdict(row, pay=None, data_use=None, reason="", author=who, now=now)
    log_change(row.study_id, who, "undo_verdict", _pseudonym(row), now, before=logged, after=after)


def _check(row: Assignment, pay: bool | None, data_use: DataUse | None, reason: str) -> None:
    late = row.state == AssignmentState.EXPIRED_ANSWERED
    if row.state not in STORED and not late:
        raise NotDecidable("this work was not submitted.", expected="work with answers.")
    if late and data_use == DataUse.USED:
        raise NotDecidable("these answers came after the place was taken.", do="Decide on pay only.")
    if pay is False and row.paid_state == PaidState.PAID:
        raise NotDecidable("this work is already paid.", do="Decide on its data only.")
    _check_reason(pay, data_use, reason)


def _check_reason(pay: bool | None, data_use: DataUse | None, reason: str) -> None:
    if pay is not False and data_use != DataUse.LEFT_OUT:
        return
    if not reason.strip():
        raise NoReason
    blank = BLANK.search(reason)
    if blank:
        raise UnfinishedReason(f"{blank.group()}.", "Replace the part in square brackets.")


def _check_platform(row: Assignment, reason: str) -> None:
    """Raises UnfinishedReason if the platform of the rater demands more of a rejection."""
    pool = study_of(row.version_id).pool_of(row.place.pool.name)
    # A model is nobody's worker, so there is no platform to ask.
    problem = None if isinstance(pool, ModelPool) else PLATFORMS[pool.platform].rejection_problem(reason)
    if problem:
        raise UnfinishedReason(problem)


def _check_reviewer(study: int, author: str) -> None:
    """Raises NotAPerson unless the author is a user who may review the study now, and acts outside of jobs."""
    user = User.objects.filter(username=author, is_active=True).first()
    row = studies_of(user).filter(pk=study).first() if user else None
    if is_in_job() or user is None or row is None or Permission.REVIEW not in PERMITTED[get_role(user, row)]:
        raise NotAPerson
