"""The API of the emulated Mechanical Turk: one address, the operation in a header, JSON 1.1."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from labelwright.outside.emulators.clock import VirtualClock
from labelwright.outside.emulators.mturk import assignments, hits, qualifications
from labelwright.outside.emulators.mturk.model import (
    MturkRefusal,
    MturkSettings,
    MturkState,
    MturkWorker,
    Told,
    new_mturk_id,
)
from labelwright.outside.emulators.mturk.pages import external_address, refused_page, routes
from labelwright.outside.emulators.mturk.parameters import check_parameters
from labelwright.outside.emulators.mturk.signing import is_signed
from labelwright.outside.emulators.web import (
    EmulatedAnswer,
    EmulatedPlatform,
    EmulatedRequest,
    Route,
    route,
)

TARGET = "MTurkRequesterServiceV20170117."
Operation = Callable[[MturkState, Told], Told]
HIT_TYPE = ("AssignmentDurationInSeconds", "Reward", "Title", "Description")

OPERATIONS: dict[str, tuple[Operation, tuple[str, ...]]] = {
    "GetAccountBalance": (hits.balance, ()),
    "CreateHITType": (hits.create_type, HIT_TYPE),
    "CreateHIT": (hits.create_hit, ("LifetimeInSeconds", *HIT_TYPE)),
    "CreateHITWithHITType": (hits.create_hit_with_type, ("HITTypeId", "LifetimeInSeconds")),
    "GetHIT": (hits.get_hit, ("HITId",)),
    "ListHITs": (hits.list_hits, ()),
    "ListReviewableHITs": (hits.list_reviewable, ()),
    "UpdateHITReviewStatus": (hits.review, ("HITId",)),
    "UpdateExpirationForHIT": (hits.expire, ("HITId", "ExpireAt")),
    "DeleteHIT": (hits.delete_hit, ("HITId",)),
    "CreateAdditionalAssignmentsForHIT": (
        hits.add_assignments,
        ("HITId", "NumberOfAdditionalAssignments"),
    ),
    "ListAssignmentsForHIT": (assignments.list_assignments, ("HITId",)),
    "GetAssignment": (assignments.get_assignment, ("AssignmentId",)),
    "ApproveAssignment": (assignments.approve_assignment, ("AssignmentId",)),
    "RejectAssignment": (assignments.reject_assignment, ("AssignmentId", "RequesterFeedback")),
    "SendBonus": (assignments.send_bonus, ("WorkerId", "BonusAmount", "AssignmentId", "Reason")),
    "ListBonusPayments": (assignments.list_bonuses, ()),
    "NotifyWorkers": (assignments.notify, ("Subject", "MessageText", "WorkerIds")),
    "CreateQualificationType": (
        qualifications.create_type,
        ("Name", "Description", "QualificationTypeStatus"),
    ),
    "ListQualificationTypes": (qualifications.list_types, ("MustBeRequestable",)),
    "AssociateQualificationWithWorker": (qualifications.grant, ("QualificationTypeId", "WorkerId")),
    "DisassociateQualificationFromWorker": (qualifications.revoke, ("WorkerId", "QualificationTypeId")),
    "GetQualificationScore": (qualifications.score, ("QualificationTypeId", "WorkerId")),
    "ListWorkersWithQualificationType": (qualifications.list_granted, ("QualificationTypeId",)),
}
NOT_EMULATED = frozenset(
    {
        "AcceptQualificationRequest",
        "CreateWorkerBlock",
        "DeleteQualificationType",
        "DeleteWorkerBlock",
        "GetFileUploadURL",
        "GetQualificationType",
        "ListHITsForQualificationType",
        "ListQualificationRequests",
        "ListReviewPolicyResultsForHIT",
        "ListWorkerBlocks",
        "RejectQualificationRequest",
        "SendTestEventNotification",
        "UpdateHITTypeOfHIT",
        "UpdateNotificationSettings",
        "UpdateQualificationType",
    }
)


class MturkEmulator(EmulatedPlatform):
    """The API, the workers' pages and the controls of an emulated Mechanical Turk."""

    name = "mturk"

    def __init__(self, settings: MturkSettings | None = None, clock: VirtualClock | None = None) -> None:
        super().__init__(clock)
        self.state = MturkState(self.clock, settings or MturkSettings())

    def add_workers(self, count: int, **facts: Any) -> list[str]:
        """New workers, by their ids."""
        made = [MturkWorker(new_mturk_id("A")[:14], **facts) for _ in range(count)]
        self.state.workers |= {each.id: each for each in made}
        return [each.id for each in made]

    def routes(self) -> tuple[Route, ...]:
        """Everything it answers."""
        own = (
            route("POST", "/", self._operate),
            route("POST", "/_emu/participants/", self._add),
            route("GET", "/_emu/outbox/", lambda _request: EmulatedAnswer({"messages": self.state.messages})),
        )
        return (*own, *routes(self.state, self.address))

    def ledger(self) -> list[Told]:
        """Rewards and bonuses that were paid."""
        return self.state.entries

    def answer(self, request: EmulatedRequest) -> EmulatedAnswer:
        """The answer; what a worker cannot do is a page that says why."""
        try:
            return super().answer(request)
        except assignments.NotPossible as reason:
            return refused_page(str(reason))
        except MturkRefusal as refused:
            return self._refusal(refused)

    def place_of(self, request: EmulatedRequest) -> str:
        """The path with the operation, such as `/SendBonus`: all operations have one address."""
        target = request.headers.get("x-amz-target", "")
        return request.path + target.removeprefix(TARGET) if request.path == "/" else request.path

    def error_answer(self, status: int, detail: str) -> EmulatedAnswer:
        """A fault as the service words it: throttling with 400, everything else as its own failure."""
        if status in {400, 429}:
            return _answer({"__type": "ThrottlingException", "message": "Rate exceeded"}, 400)
        return _answer({"__type": "ServiceFault", "Message": detail}, status)

    def _add(self, request: EmulatedRequest) -> EmulatedAnswer:
        told = json.loads(request.raw)
        wanted = told.get("participants", [{} for _ in range(int(told.get("count", 1)))])
        made = [self.add_workers(1, **each)[0] for each in wanted]
        return EmulatedAnswer({"participants": made}, 201)

    def _operate(self, request: EmulatedRequest) -> EmulatedAnswer:
        settings = self.state.settings
        if not is_signed(request, settings.access_key, settings.secret_key):
            return _answer({"__type": "InvalidSignatureException", "message": "The signature is wrong."}, 403)
        name = request.headers.get("x-amz-target", "").removeprefix(TARGET)
        if name in NOT_EMULATED:
            raise MturkRefusal("NotEmulated", f"{name} is not emulated.")
        if name not in OPERATIONS:
            return _answer({"__type": "UnknownOperationException", "message": f"No operation {name}."}, 400)
        operation, required = OPERATIONS[name]
        told = json.loads(request.raw or b"{}")
        check_parameters(told, required)
        self._check_question(told.get("Question"))
        return _answer(operation(self.state, told))

    def _check_question(self, question: str | None) -> None:
        if question is None:
            return
        scheme = urlsplit(external_address(question)).scheme if "<!" not in question else ""
        if scheme != "https" and not (scheme == "http" and self.state.settings.allow_http):
            raise MturkRefusal(
                "XMLParseError", "The question is not an ExternalQuestion at an https address."
            )

    def _refusal(self, refused: MturkRefusal) -> EmulatedAnswer:
        end = " s" if self.state.settings.sandbox else ""
        milliseconds = int(self.clock.now().timestamp() * 1000)
        return _answer(
            {
                "__type": "RequestError",
                "Message": f"{refused.message} ({milliseconds}{end})",
                "TurkErrorCode": f"AWS.MechanicalTurk.{refused.code}",
            },
            400,
        )


def _answer(body: Told, status: int = 200) -> EmulatedAnswer:
    headers = {"content-type": "application/x-amz-json-1.1", "x-amzn-requestid": new_mturk_id()}
    return EmulatedAnswer(body, status, headers)
