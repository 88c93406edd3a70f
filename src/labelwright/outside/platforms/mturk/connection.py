"""Calls to a service that speaks the protocol of Mechanical Turk.

Every call first reads what is there, so that one whose answer was lost is not made twice; requests also carry a token
that is always the same for the same call, because a request may still be on its way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from labelwright.crowd.ledger import CallState
from labelwright.crowd.mturk import mturk_fee, split
from labelwright.crowd.platform import CallAnswer, OutgoingCall, PlatformSilent
from labelwright.crowd.publication import (
    CostPreview,
    PlatformVisit,
    PublicationOrder,
    PublicationReading,
    VisitState,
)
from labelwright.outside.platforms.mturk.hits import Publications, amount, cents_of, find_type, part_of
from labelwright.outside.platforms.mturk.marks import (
    bonus_mark,
    read_session,
    receipt_in,
    session_name,
    token,
)
from labelwright.outside.platforms.mturk.service import MTurkFailure, MTurkService

MOST_NOTIFIED = 100
LONGEST_FEEDBACK = 1024
SUBJECT = "A message about your work"
STATES = {
    "Submitted": VisitState.SUBMITTED,
    "Approved": VisitState.APPROVED,
    "Rejected": VisitState.REJECTED,
}
DONE = CallAnswer(CallState.CONFIRMED)
Handler = Callable[[OutgoingCall], CallAnswer]


class MTurkConnection:
    """Makes each call once, and reads what became of it."""

    def __init__(self, service: MTurkService) -> None:
        self._service = service
        self._publications = Publications(service)
        self._sent: dict[str, Handler] = {
            "create": self._publications.create,
            "places": self._publications.add_places,
            "open": self._publications.open,
            "pause": self._publications.stop,
            "resume": self._publications.open,
            "stop": self._publications.stop,
            "approve": self._decide,
            "reject": self._decide,
            "bonus": self._pay_bonus,
            "group": self._make_group,
            "grant": self._grant,
            "message": self._notify,
        }
        self._found: dict[str, Handler] = {
            "create": self._publications.find_created,
            "places": self._publications.find_places,
            "open": self._publications.find_open,
            "pause": self._publications.find_stopped,
            "resume": self._publications.find_open,
            "stop": self._publications.find_stopped,
            "approve": self._find_decision,
            "reject": self._find_decision,
            "bonus": self._find_bonus,
            "group": self._find_group,
            "grant": self._find_grant,
        }

    def send(self, call: OutgoingCall) -> CallAnswer:
        """Makes a call. A failure while it only reads did nothing, so the call can be sent again."""
        try:
            return self._sent[call.kind](call)
        except MTurkFailure as failure:
            return CallAnswer(failure.state, failure.said)

    def find(self, call: OutgoingCall) -> CallAnswer:
        """What became of a call; unknown if it cannot be read."""
        look = self._found.get(call.kind)
        if look is None:
            return CallAnswer(CallState.UNKNOWN, "the service does not list messages")
        try:
            return look(call)
        except MTurkFailure as failure:
            # A refusal of the question says nothing about the call.
            return CallAnswer(CallState.UNKNOWN, failure.said)

    def close(self) -> None:
        """Ends the connection."""
        self._service.close()

    def read(self, external: str) -> PublicationReading:
        """The HITs of a publication as one, with everything that was submitted. Work in progress is not listed there."""
        try:
            hits = self._publications.hits_of(external)
            visits = [
                _visit(each)
                for hit in hits
                for each in self._service.pages("list_assignments_for_hit", "Assignments", HITId=hit["HITId"])
            ]
        except MTurkFailure as failure:
            raise PlatformSilent(f"Mechanical Turk could not be read: {failure.said}.") from None
        statuses = sorted({hit["HITStatus"] for hit in hits})
        return PublicationReading(
            status=", ".join(statuses) or "absent",
            is_open="Assignable" in statuses,
            places=sum(hit["MaxAssignments"] for hit in hits),
            visits=tuple(visits),
        )

    def preview_cost(self, order: PublicationOrder) -> CostPreview:
        """Pay and fees of every HIT that the order would make, and the balance."""
        part = part_of(order.wishes)
        sizes = split(order.places, part.assignments_per_hit)
        fees = sum(
            size * mturk_fee(order.pay.cents, part.model_copy(update={"assignments_per_hit": size}))
            for size in sizes
        )
        try:
            balance = self._service.read("get_account_balance")["AvailableBalance"]
        except MTurkFailure as failure:
            raise PlatformSilent(f"Mechanical Turk could not be read: {failure.said}.") from None
        return CostPreview(order.places * order.pay.cents, fees, order.pay.currency, cents_of(balance))

    def _decide(self, call: OutgoingCall) -> CallAnswer:
        """Approves or rejects an assignment, after a look at whose it is and what was decided before."""
        seen = self._assignment(call)
        if isinstance(seen, CallAnswer):
            return seen
        known = _decision(call.kind, seen["AssignmentStatus"])
        if known.state != CallState.PLANNED:
            return known
        name = seen["AssignmentId"]
        try:
            if call.kind == "reject":
                feedback = str(call.request["reason"])[:LONGEST_FEEDBACK]
                self._service.write("reject_assignment", AssignmentId=name, RequesterFeedback=feedback)
            else:
                # Whoever releases the pay of rejected work has taken the rejection back; that works for 30 days.
                taken_back = seen["AssignmentStatus"] == "Rejected"
                self._service.write("approve_assignment", AssignmentId=name, OverrideRejection=taken_back)
        except MTurkFailure as failure:
            if failure.code != "invalidassignmentstate" or failure.state != CallState.REFUSED:
                raise
            # Somebody, or the service itself after its delay, decided meanwhile.
            now = self._find_decision(call)
            return now if now.state == CallState.CONFIRMED else CallAnswer(CallState.REFUSED, now.said)
        return DONE

    def _find_decision(self, call: OutgoingCall) -> CallAnswer:
        seen = self._assignment(call)
        return seen if isinstance(seen, CallAnswer) else _decision(call.kind, seen["AssignmentStatus"])

    def _assignment(self, call: OutgoingCall) -> dict[str, Any] | CallAnswer:
        """The assignment of a call, or why nothing can be done. One id may have had two workers: only one submitted it."""
        session = call.ids.get(f"session {call.request['sessions'][0]}", "")
        name, worker = read_session(session)
        if not session:
            return CallAnswer(CallState.REFUSED, "this rater did not come from Mechanical Turk")
        seen: dict[str, Any] = self._service.read("get_assignment", AssignmentId=name)["Assignment"]
        if {seen["WorkerId"]} != {worker, call.ids.get(call.request["raters"][0], "")}:
            return CallAnswer(CallState.REFUSED, "the assignment was submitted by another worker")
        return seen

    def _pay_bonus(self, call: OutgoingCall) -> CallAnswer:
        seen = self._assignment(call)
        if isinstance(seen, CallAnswer):
            return seen
        if self._is_listed(call, seen):
            return DONE
        mark = bonus_mark(call.request["mark"])
        try:
            self._service.write(
                "send_bonus",
                WorkerId=seen["WorkerId"],
                AssignmentId=seen["AssignmentId"],
                BonusAmount=amount(call.request["cents"]),
                Reason=f"{call.request['reason']} {mark}",
                UniqueRequestToken=token("b", call.key),
            )
        except MTurkFailure as failure:
            if failure.code != "repeated":
                raise
        return DONE

    def _find_bonus(self, call: OutgoingCall) -> CallAnswer:
        seen = self._assignment(call)
        if isinstance(seen, CallAnswer):
            return seen
        listed = self._is_listed(call, seen)
        return DONE if listed else CallAnswer(CallState.PLANNED, "the bonus is not listed")

    def _is_listed(self, call: OutgoingCall, seen: Mapping[str, Any]) -> bool:
        """Whether a bonus with our mark is in the service's list; equal bonuses have different marks."""
        mark = bonus_mark(call.request["mark"])
        listed = self._service.pages(
            "list_bonus_payments", "BonusPayments", AssignmentId=seen["AssignmentId"]
        )
        return any(str(each.get("Reason", "")).endswith(mark) for each in listed)

    def _make_group(self, call: OutgoingCall) -> CallAnswer:
        """Makes a qualification of ours, by its name; one that is there is taken."""
        name = str(call.request["name"])
        made = find_type(self._service, name)
        if made is None:
            try:
                told = self._service.write(
                    "create_qualification_type",
                    Name=name,
                    Description=f"Workers who qualified: {name}",
                    QualificationTypeStatus="Active",
                )
                made = str(told["QualificationType"]["QualificationTypeId"])
            except MTurkFailure as failure:
                if failure.code != "qualificationtypealreadyexists":
                    raise
                # It was made meanwhile, or an answer was lost.
                return self._find_group(call)
        return CallAnswer(CallState.CONFIRMED, "", {"id": made})

    def _find_group(self, call: OutgoingCall) -> CallAnswer:
        found = find_type(self._service, str(call.request["name"]))
        if found is None:
            return CallAnswer(CallState.PLANNED, "there is no such qualification")
        return CallAnswer(CallState.CONFIRMED, "", {"id": found})

    def _grant(self, call: OutgoingCall) -> CallAnswer:
        """Gives raters a qualification of ours."""
        for rater in call.request["raters"]:
            self._service.write(
                "associate_qualification_with_worker",
                QualificationTypeId=str(call.request["group"]),
                WorkerId=call.ids.get(rater, ""),
                IntegerValue=1,
                SendNotification=False,
            )
        return DONE

    def _find_grant(self, call: OutgoingCall) -> CallAnswer:
        kind = str(call.request["group"])
        has = [self._score(kind, call.ids.get(rater, "")) for rater in call.request["raters"]]
        return DONE if all(one == 1 for one in has) else CallAnswer(CallState.PLANNED, "not granted")

    def _score(self, kind: str, worker: str) -> int | None:
        try:
            found = self._service.read("get_qualification_score", QualificationTypeId=kind, WorkerId=worker)
        except MTurkFailure as failure:
            if failure.code != "qualificationdoesnotexist":
                raise
            return None
        return int(found["Qualification"].get("IntegerValue", 1))

    def _notify(self, call: OutgoingCall) -> CallAnswer:
        """Writes to workers, once: the service has no token for it and keeps no list."""
        workers = [call.ids[rater] for rater in call.request["raters"] if rater in call.ids]
        if not 0 < len(workers) <= MOST_NOTIFIED:
            return CallAnswer(CallState.REFUSED, f"a message goes to 1 to {MOST_NOTIFIED} workers")
        answer = self._service.write(
            "notify_workers",
            Subject=SUBJECT,
            MessageText=str(call.request["body"])[:4096],
            WorkerIds=workers,
        )
        failed = len(answer.get("NotifyWorkersFailureStatuses", []))
        said = f"{failed} of {len(workers)} workers could not be reached" if failed else ""
        return CallAnswer(CallState.CONFIRMED, said, {"failed": failed})


def _decision(kind: str, status: str) -> CallAnswer:
    """What the state of an assignment says about an approval or a rejection."""
    said = f"the assignment is {status}"
    if status == ("Approved" if kind == "approve" else "Rejected"):
        return CallAnswer(CallState.CONFIRMED, said)
    if status == "Submitted" or (kind == "approve" and status == "Rejected"):
        return CallAnswer(CallState.PLANNED, said)
    return CallAnswer(CallState.REFUSED if status == "Approved" else CallState.UNKNOWN, said)


def _visit(told: Mapping[str, Any]) -> PlatformVisit:
    return PlatformVisit(
        session=session_name(told["AssignmentId"], told["WorkerId"]),
        person=told["WorkerId"],
        state=STATES.get(told["AssignmentStatus"], VisitState.UNKNOWN),
        began_at=told.get("AcceptTime"),
        ended_at=told.get("SubmitTime"),
        code=receipt_in(told.get("Answer", "")),
    )
