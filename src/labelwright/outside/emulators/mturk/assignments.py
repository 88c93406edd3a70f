"""Assignments of the emulated Mechanical Turk: what workers and requesters do with them."""

from __future__ import annotations

import datetime as dt
from xml.sax.saxutils import escape

from labelwright.outside.emulators.mturk import money, qualifications
from labelwright.outside.emulators.mturk.hits import (
    cents_of,
    check_token,
    describe,
    page,
    remember_token,
    status,
)
from labelwright.outside.emulators.mturk.model import (
    Hit,
    HitStatus,
    MturkRefusal,
    MturkSlot,
    MturkState,
    MturkWorker,
    SlotStatus,
    Told,
    amount,
    epoch,
    new_mturk_id,
    wrong_state,
)

OVERRIDE_DAYS = 30
MOST_NOTIFIED = 100
SCHEMA = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/QuestionFormAnswers.xsd"


class NotPossible(Exception):
    """Something that a worker cannot do now; the page says why."""


def accept(state: MturkState, hit: Hit, worker: MturkWorker) -> MturkSlot:
    """A worker takes an assignment of a HIT."""
    if status(state, hit) is not HitStatus.ASSIGNABLE:
        raise NotPossible("There are no more assignments in this HIT.")
    if not qualifications.fits(state, worker, hit.type.requirements):
        raise NotPossible("You do not have the qualifications that this HIT asks for.")
    theirs = [slot for slot in state.of_hit(hit.id) if slot.worker == worker.id]
    if any(slot.status is not SlotStatus.GIVEN_UP for slot in theirs):
        raise NotPossible("You have already taken this HIT.")
    now = state.clock.now()
    deadline = now + dt.timedelta(seconds=hit.type.assignment_seconds)
    slot = MturkSlot(_assignment_id(state, hit), hit.id, worker.id, now, deadline)
    state.slots.append(slot)
    hit.last_activity = now
    state.clock.after(hit.type.assignment_seconds, lambda: _abandon(slot))
    return slot


def _assignment_id(state: MturkState, hit: Hit) -> str:
    """A new id, or that of a slot which was given up: the trap of one assignment with two workers."""
    slots = state.of_hit(hit.id)
    in_use = {slot.id for slot in slots if slot.status is not SlotStatus.GIVEN_UP}
    free = [slot.id for slot in slots if slot.id not in in_use]
    return free[0] if free and state.settings.reuse_assignment_ids else new_mturk_id()


def _abandon(slot: MturkSlot) -> None:
    if slot.status is SlotStatus.HELD:
        slot.status = SlotStatus.GIVEN_UP


def give_back(state: MturkState, name: str, worker: str) -> None:
    """A worker returns an assignment; its slot opens again."""
    _held(state, name, worker).status = SlotStatus.GIVEN_UP


def held_by(state: MturkState, name: str) -> MturkSlot | None:
    """Who holds this assignment now."""
    return next((slot for slot in state.slots if slot.id == name and slot.status is SlotStatus.HELD), None)


def _held(state: MturkState, name: str, worker: str | None = None) -> MturkSlot:
    slot = held_by(state, name)
    if slot is None or worker not in {None, slot.worker}:
        raise NotPossible("This assignment is not yours, or its time is over, or it was submitted before.")
    return slot


def submit(state: MturkState, name: str, answers: list[tuple[str, str]]) -> MturkSlot:
    """A worker's browser hands in the form."""
    slot = _held(state, name)
    if not answers:
        raise NotPossible("The form must have at least one field besides the assignment.")
    if state.settings.lose_submissions:
        return slot
    now = state.clock.now()
    slot.status, slot.submitted, slot.answers = SlotStatus.SUBMITTED, now, answers
    state.hits[slot.hit].last_activity = now
    state.clock.after(state.hits[slot.hit].type.approval_seconds, lambda: _approve_unattended(state, slot))
    return slot


def _approve_unattended(state: MturkState, slot: MturkSlot) -> None:
    if slot.status is SlotStatus.SUBMITTED:
        _approve(state, slot)


def _approve(state: MturkState, slot: MturkSlot) -> None:
    slot.status, slot.decided = SlotStatus.APPROVED, state.clock.now()
    money.debit_reward(state, slot)


def approve_assignment(state: MturkState, told: Told) -> Told:
    """The answer of ApproveAssignment, which can also undo a rejection for some days."""
    slot = state.find_assignment(told["AssignmentId"])
    override = bool(told.get("OverrideRejection", False))
    if slot.status is SlotStatus.REJECTED and override:
        _check_override(state, slot)
        money.check_funds(state, money.cost_of(state.hits[slot.hit].type, 1, large=False))
    elif slot.status is not SlotStatus.SUBMITTED:
        raise wrong_state("Submitted")
    slot.feedback = told.get("RequesterFeedback", "")
    _approve(state, slot)
    return {}


def _check_override(state: MturkState, slot: MturkSlot) -> None:
    late = state.clock.now() - (slot.submitted or slot.accepted) > dt.timedelta(days=OVERRIDE_DAYS)
    if late or status(state, state.hits[slot.hit]) is HitStatus.DISPOSED:
        raise MturkRefusal("InvalidAssignmentState", "This rejection can no longer be overridden.")


def reject_assignment(state: MturkState, told: Told) -> Told:
    """The answer of RejectAssignment. No slot opens again."""
    slot = state.find_assignment(told["AssignmentId"])
    if slot.status is not SlotStatus.SUBMITTED:
        raise wrong_state("Submitted")
    slot.status, slot.decided = SlotStatus.REJECTED, state.clock.now()
    slot.feedback = told["RequesterFeedback"]
    return {}


def get_assignment(state: MturkState, told: Told) -> Told:
    """The answer of GetAssignment; fails while the assignment is held."""
    slot = state.find_assignment(told["AssignmentId"])
    return {"Assignment": describe_assignment(state, slot), "HIT": describe(state, state.hits[slot.hit])}


def list_assignments(state: MturkState, told: Told) -> Told:
    """The answer of ListAssignmentsForHIT."""
    hit = state.find_hit(told["HITId"])
    wanted = told.get("AssignmentStatuses") or ["Submitted", "Approved", "Rejected"]
    found = [
        describe_assignment(state, slot)
        for slot in state.of_hit(hit.id)
        if state.visible(slot) and slot.status.value in wanted
    ]
    return page(told, "Assignments", found)


def describe_assignment(state: MturkState, slot: MturkSlot) -> Told:
    """An assignment as answers show it."""
    approval = state.hits[slot.hit].type.approval_seconds
    auto = slot.submitted + dt.timedelta(seconds=approval) if slot.submitted else None
    decided = {SlotStatus.APPROVED: "ApprovalTime", SlotStatus.REJECTED: "RejectionTime"}.get(slot.status)
    return {
        "AssignmentId": slot.id,
        "WorkerId": slot.worker,
        "HITId": slot.hit,
        "AssignmentStatus": slot.status.value,
        "AutoApprovalTime": epoch(auto),
        "AcceptTime": epoch(slot.accepted),
        "SubmitTime": epoch(slot.submitted),
        "Answer": answer_xml(slot.answers),
        "RequesterFeedback": slot.feedback,
        **({decided: epoch(slot.decided)} if decided else {}),
    }


def answer_xml(answers: list[tuple[str, str]]) -> str:
    """The fields of a form as the service reports them; repeated names are joined with `|`."""
    joined: dict[str, str] = {}
    for name, value in answers:
        joined[name] = f"{joined[name]}|{value}" if name in joined else value
    inner = "".join(
        f"<Answer><QuestionIdentifier>{escape(name)}</QuestionIdentifier>"
        f"<FreeText>{escape(value)}</FreeText></Answer>"
        for name, value in joined.items()
    )
    return f'<?xml version="1.0" encoding="UTF-8"?><QuestionFormAnswers xmlns="{SCHEMA}">{inner}</QuestionFormAnswers>'


def send_bonus(state: MturkState, told: Told) -> Told:
    """The answer of SendBonus: only to the worker of the assignment, and once for a token."""
    check_token(state, "bonus", told.get("UniqueRequestToken"))
    slot = state.find_assignment(told["AssignmentId"])
    if slot.worker != told["WorkerId"]:
        raise MturkRefusal("InvalidParameterValue", "This worker did not submit this assignment.")
    cents = cents_of(told["BonusAmount"])
    money.check_funds(state, cents + money.fee_of_bonus(cents))
    money.debit_bonus(state, slot, cents)
    state.bonuses.append(
        {
            "WorkerId": slot.worker,
            "BonusAmount": amount(cents),
            "AssignmentId": slot.id,
            "Reason": told["Reason"],
            "GrantTime": epoch(state.clock.now()),
        }
    )
    remember_token(state, "bonus", told.get("UniqueRequestToken"))
    return {}


def list_bonuses(state: MturkState, told: Told) -> Told:
    """The answer of ListBonusPayments, for a HIT or an assignment."""
    wanted = told.get("AssignmentId")
    of_hit = {slot.id for slot in state.of_hit(told.get("HITId", ""))}
    if wanted is None and "HITId" not in told:
        raise MturkRefusal("InvalidParameterValue", "HITId or AssignmentId is needed.")
    found = [
        each for each in state.bonuses if each["AssignmentId"] == wanted or each["AssignmentId"] in of_hit
    ]
    return page(told, "BonusPayments", found)


def notify(state: MturkState, told: Told) -> Told:
    """The answer of NotifyWorkers: mail only to workers whose work was decided on before."""
    if len(told["WorkerIds"]) > MOST_NOTIFIED:
        raise MturkRefusal("InvalidParameterValue", "At most 100 workers can be notified at once.")
    known = {slot.worker for slot in state.slots if slot.decided}
    state.messages += [
        {"to": worker, "subject": told["Subject"], "body": told["MessageText"]}
        for worker in told["WorkerIds"]
        if worker in known
    ]
    failures = [
        {
            "NotifyWorkersFailureCode": "SoftFailure" if worker in state.workers else "HardFailure",
            "NotifyWorkersFailureMessage": "You have not decided on work of this worker.",
            "WorkerId": worker,
        }
        for worker in told["WorkerIds"]
        if worker not in known
    ]
    return {"NotifyWorkersFailureStatuses": failures}
