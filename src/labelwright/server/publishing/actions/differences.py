"""Differences: what the platform and we say about the same visit, and calls whose outcome nobody knows.

Nothing is decided here by itself. A person reads what to do, does it, and says so. A visit whose state changes again
needs another look.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.db import transaction

from labelwright.crowd import CallState
from labelwright.crowd.panel import PanelOutcome
from labelwright.crowd.publication import VisitState
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.paying.actions.calls import plan_call, settle_by_person
from labelwright.server.publishing.queries import differences as queries
from labelwright.server.publishing.queries.differences import OpenCall, VisitWork
from labelwright.server.store.models import StudyRow

MOST = 500
ALL = 1_000_000
NOBODY = "nobody who came here"


class NoSuchDifference(LabelwrightError):
    """A difference that is not there, or not any more."""

    code: ClassVar[str] = "no_such_difference"

    def __init__(self) -> None:
        super().__init__("there is no such entry any more.", do="Reload the page.")


class DifferenceKind(enum.StrEnum):
    """How the platform and we differ."""

    OTHER_RECEIPT = "other_receipt"
    NO_DATA = "no_data"
    FOUND_NO_TASK = "found_no_task"
    TIMED_OUT = "timed_out"
    RETURNED = "returned"
    APPROVED_ANYWAY = "approved_anyway"
    REJECTED_THERE = "rejected_there"
    UNKNOWN_STATE = "unknown_state"
    UNKNOWN_CALL = "unknown_call"
    REFUSED_CALL = "refused_call"


WORDS: dict[DifferenceKind, tuple[str, str]] = {
    DifferenceKind.OTHER_RECEIPT: (
        "Submitted there with a receipt that we did not give to this person",
        "Somebody may have copied or changed the form. Look at the visit and its answers before you decide on its pay.",
    ),
    DifferenceKind.NO_DATA: (
        "Submitted there, but no answers are stored here",
        "Read the messages of this person. Approve the visit there, unless you are sure that they did not work.",
    ),
    DifferenceKind.FOUND_NO_TASK: (
        "Came when no task was left",
        "The platform asked them to return the visit. If they do not within a week, approve it there.",
    ),
    DifferenceKind.TIMED_OUT: (
        "Answers are stored here, but the visit timed out there",
        "The data are used. Pay the person with a bonus, or ask them to complete the visit there.",
    ),
    DifferenceKind.RETURNED: (
        "Answers are stored here, but the person returned the visit",
        "The person is not paid there. Exclude the data under Review, or pay them with a bonus.",
    ),
    DifferenceKind.APPROVED_ANYWAY: (
        "Rejected here, but approved and paid there",
        "Platforms approve undecided visits after some time. Restore the work under Review, or leave its data out.",
    ),
    DifferenceKind.REJECTED_THERE: (
        "Rejected there, but not here",
        "Somebody rejected the visit on the platform. Reject or pay the work under Review, so that both agree.",
    ),
    DifferenceKind.UNKNOWN_STATE: (
        "The platform lists the visit in a state that we do not know",
        "Look at the visit there. Nobody is recruited in its place meanwhile.",
    ),
    DifferenceKind.UNKNOWN_CALL: (
        "The platform did not say what became of a request",
        "Look it up there, then say whether it happened.",
    ),
    DifferenceKind.REFUSED_CALL: (
        "The platform refused a request",
        "Remove the cause that it names, such as a missing balance, then try again.",
    ),
}
"""What is different, and what to do."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference, with what to do about it."""

    kind: DifferenceKind
    id: str
    """`visit-` or `call-` and a number."""
    of: str
    """The rater, or what was asked of the platform."""
    said: str
    since: datetime | None
    settled_by: str = ""

    @property
    def what(self) -> str:
        """What is different."""
        return WORDS[self.kind][0]

    @property
    def to_do(self) -> str:
        """What a person can do about it."""
        return WORDS[self.kind][1]


def get_differences(study: StudyRow, *, settled: bool = False) -> list[Difference]:
    """Every difference that waits for a person; with those that somebody dealt with, for the export."""
    visits = queries.strange_visits(study.pk, ALL if settled else MOST, settled=settled)
    return [_of_call(call) for call in queries.open_calls(study.pk)] + [_of_visit(visit) for visit in visits]


def _of_visit(visit: VisitWork) -> Difference:
    said = f"{visit.state.replace('_', ' ')} there, {visit.tasks} submitted here"
    return Difference(
        _kind(visit),
        f"visit-{visit.id}",
        visit.rater or NOBODY,
        said,
        visit.changed_at,
        visit.settled_by,
    )


def _kind(visit: VisitWork) -> DifferenceKind:
    if visit.state == VisitState.UNKNOWN:
        return DifferenceKind.UNKNOWN_STATE
    if visit.code == queries.OTHER_RECEIPT:
        return DifferenceKind.OTHER_RECEIPT
    if not visit.tasks:
        none_left = visit.code in (PanelOutcome.FULL, PanelOutcome.SCREENED_OUT)
        return DifferenceKind.FOUND_NO_TASK if none_left else DifferenceKind.NO_DATA
    return {
        VisitState.TIMED_OUT: DifferenceKind.TIMED_OUT,
        VisitState.RETURNED: DifferenceKind.RETURNED,
        VisitState.APPROVED: DifferenceKind.APPROVED_ANYWAY,
    }.get(VisitState(visit.state), DifferenceKind.REJECTED_THERE)


def _of_call(call: OpenCall) -> Difference:
    unknown = call.state == CallState.UNKNOWN
    kind = DifferenceKind.UNKNOWN_CALL if unknown else DifferenceKind.REFUSED_CALL
    return Difference(kind, f"call-{call.id}", f"{call.kind}, {call.platform}", call.said, call.sent_at)


@transaction.atomic
def settle_visit(study: StudyRow, difference: str, who: str, now: datetime) -> None:
    """A person has dealt with a visit; raises NoSuchDifference. For those who may pay."""
    if not queries.settle_visit(study.pk, _number(difference, "visit"), who, now):
        raise NoSuchDifference
    log_change(study.pk, who, "visit_settled", difference, now)


@transaction.atomic
def settle_call(study: StudyRow, difference: str, *, happened: bool, who: str, now: datetime) -> None:
    """A person says whether a request took effect; one that did not is sent again. For those who may pay."""
    wanted = _number(difference, "call")
    call = next((each for each in queries.open_calls(study.pk) if each.id == wanted), None)
    if call is None:
        raise NoSuchDifference
    request = settle_by_person(study.pk, call.id, happened=happened, now=now)
    if not happened:
        # A call can only be planned once, so the next one says which it repeats.
        plan_call(study.pk, call.platform, call.kind, f"{call.key.partition(' ')[0]} {call.id}", request, now)
    log_change(study.pk, who, "call_settled", call.kind, now, after={"happened": happened})


def _number(difference: str, of: str) -> int:
    kind, _, number = difference.partition("-")
    if kind != of or not number.isdigit() or len(number) > 18:
        raise NoSuchDifference
    return int(number)
