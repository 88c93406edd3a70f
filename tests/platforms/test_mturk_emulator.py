"""The emulated Mechanical Turk through boto3: the behaviours of platforms.md (4.13) that adapters rely on."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError

from labelwright.outside.emulators.mturk import MturkEmulator, MturkSettings
from labelwright.outside.emulators.web import EmulatorServer
from tests.mturk import DAY, FIELDS, QUESTION, Turk, client

MASTERS = "2F1QJWKUDD8XADTFD2Q0G6UTO95ALH"


@pytest.fixture
def settings() -> MturkSettings:
    return MturkSettings()


@pytest.fixture
def turk(settings: MturkSettings) -> Iterator[Turk]:
    with EmulatorServer(MturkEmulator(settings)) as server:
        running = Turk(server)
        yield running
        running.close()


def code(error: pytest.ExceptionInfo[ClientError]) -> str:
    return str(error.value.response["TurkErrorCode"]).removeprefix("AWS.MechanicalTurk.")


def refused(call: Any, **told: Any) -> str:
    with pytest.raises(ClientError) as error:
        call(**told)
    return code(error)


def test_only_signed_requests_for_known_operations_are_answered(turk: Turk) -> None:
    wrong = client(turk.address, "another-secret")
    with pytest.raises(ClientError) as error:
        wrong.get_account_balance()
    assert error.value.response["ResponseMetadata"]["HTTPStatusCode"] == 403
    wrong.close()
    assert turk.site.post("/", headers={"x-amz-target": "X.GetHIT"}).status_code == 403
    assert refused(turk.api.list_worker_blocks) == "NotEmulated"


def test_patterns_and_ranges_are_checked(turk: Turk) -> None:
    for name, value in {
        "Reward": "0.405",
        "MaxAssignments": 0,
        "LifetimeInSeconds": 29,
        "UniqueRequestToken": "t" * 65,
        "Title": "t" * 129,
    }.items():
        assert refused(turk.api.create_hit, **{**FIELDS, name: value}) == "InvalidParameterValue"
    assert refused(turk.api.get_hit, HITId="lower-case") == "InvalidParameterValue"
    assert refused(turk.api.get_hit, HITId="3UNKNOWN") == "HITDoesNotExist"
    bad = [{"QualificationTypeId": MASTERS, "Comparator": "Exists", "IntegerValues": [1]}]
    told = {**FIELDS, "QualificationRequirements": bad}
    assert refused(turk.api.create_hit, **told) == "InvalidParameterValue"
    insecure = QUESTION.replace("http://127.0.0.1:9", "ftp://host")
    assert refused(turk.api.create_hit, **{**FIELDS, "Question": insecure}) == "XMLParseError"


def test_the_same_type_has_the_same_id_and_a_token_makes_one_hit_a_day(turk: Turk) -> None:
    kind = {name: FIELDS[name] for name in ("AssignmentDurationInSeconds", "Reward", "Title", "Description")}
    assert turk.api.create_hit_type(**kind)["HITTypeId"] == turk.api.create_hit_type(**kind)["HITTypeId"]
    first = turk.hit(UniqueRequestToken="b7-i12-r1")
    with pytest.raises(ClientError) as error:
        turk.hit(UniqueRequestToken="b7-i12-r1")
    assert code(error) == "HitAlreadyExists"
    assert first in error.value.response["Error"]["Message"]
    assert re.fullmatch("3[A-Z0-9]{29}", first)
    turk.control("clock", seconds=DAY + 1)
    assert turk.hit(UniqueRequestToken="b7-i12-r1") != first


def test_a_hit_and_its_counters_follow_its_assignments(turk: Turk) -> None:
    hit = turk.hit(MaxAssignments=2)
    one, two = turk.workers(2)
    turk.work(hit, one)
    held = turk.accept(hit, two)
    shown = turk.api.get_hit(HITId=hit)["HIT"]
    counts = [shown[f"NumberOfAssignments{name}"] for name in ("Available", "Pending", "Completed")]
    assert (shown["HITStatus"], counts) == ("Unassignable", [0, 1, 0])
    assert refused(turk.api.get_assignment, AssignmentId=held) == "AssignmentDoesNotExist"
    turk.control("clock", seconds=1801)
    assert turk.status(hit) == "Assignable"
    assert turk.submit(held).status_code == 400
    turk.work(hit, two)
    assert turk.status(hit) == "Reviewable"
    turk.api.update_hit_review_status(HITId=hit)
    assert turk.status(hit) == "Reviewing"
    assert refused(turk.api.delete_hit, HITId=hit) == "InvalidHITState"


def test_expiration_waits_for_whoever_works_and_reopening_needs_both_calls(turk: Turk) -> None:
    hit = turk.hit(MaxAssignments=1)
    worker, other = turk.workers(2)
    turk.accept(hit, worker)
    now = datetime.now(UTC)
    turk.api.update_expiration_for_hit(HITId=hit, ExpireAt=now)
    assert refused(turk.api.update_expiration_for_hit, HITId=hit, ExpireAt=now) == "DuplicateRequest"
    assert turk.status(hit) == "Unassignable"
    turk.control("clock", seconds=1801)
    assert turk.status(hit) == "Reviewable"
    turk.api.create_additional_assignments_for_hit(HITId=hit, NumberOfAdditionalAssignments=1)
    assert turk.status(hit) == "Reviewable"
    turk.api.update_expiration_for_hit(HITId=hit, ExpireAt=now + timedelta(days=1))
    assert turk.status(hit) == "Assignable"
    turk.work(hit, other)


def test_a_submission_appears_after_a_while_and_is_decided_once(turk: Turk) -> None:
    hit = turk.hit()
    assignment = turk.accept(hit, turk.workers()[0])
    turk.submit(assignment, receipt="v1.x", tick="a")
    with pytest.raises(ClientError, match="status of: null"):
        turk.api.approve_assignment(AssignmentId=assignment)
    assert turk.api.list_assignments_for_hit(HITId=hit)["Assignments"] == []
    turk.control("clock", seconds=6)
    found = turk.api.list_assignments_for_hit(HITId=hit)["Assignments"][0]
    assert "<QuestionIdentifier>receipt</QuestionIdentifier><FreeText>v1.x</FreeText>" in found["Answer"]
    assert found["AutoApprovalTime"] - found["SubmitTime"] == timedelta(days=3)
    turk.api.approve_assignment(AssignmentId=assignment)
    with pytest.raises(ClientError, match="status of: Submitted"):
        turk.api.approve_assignment(AssignmentId=assignment)
    told = {"AssignmentId": assignment, "RequesterFeedback": "Late."}
    assert refused(turk.api.reject_assignment, **told) == "InvalidAssignmentState"
    assert turk.ledger() == [("reward", 40, 8)]


def test_a_rejection_frees_nothing_and_can_be_overridden_for_thirty_days(turk: Turk) -> None:
    hit = turk.hit(MaxAssignments=2, LifetimeInSeconds=60 * DAY)
    one, two = (turk.work(hit, worker) for worker in turk.workers(2))
    for each in (one, two):
        turk.api.reject_assignment(AssignmentId=each, RequesterFeedback="Always the same answer.")
    assert turk.status(hit) == "Reviewable"
    turk.control("clock", seconds=4 * DAY)
    assert turk.ledger() == []  # nothing is approved by itself after a rejection
    turk.api.approve_assignment(AssignmentId=one, OverrideRejection=True)
    turk.control("clock", seconds=27 * DAY)
    told = {"AssignmentId": two, "OverrideRejection": True}
    assert refused(turk.api.approve_assignment, **told) == "InvalidAssignmentState"
    assert turk.ledger() == [("reward", 40, 8)]


def test_undecided_work_is_approved_by_itself(turk: Turk) -> None:
    hit = turk.hit()
    turk.work(hit, turk.workers()[0])
    turk.control("clock", seconds=3 * DAY)
    assert turk.ledger() == [("reward", 40, 8)]


def test_ten_assignments_cost_more_and_cannot_be_reached_later(turk: Turk) -> None:
    small = turk.hit(MaxAssignments=9)
    told = {"HITId": small, "NumberOfAdditionalAssignments": 1}
    assert (
        refused(turk.api.create_additional_assignments_for_hit, **told) == "InvalidMaximumAssignmentsIncrease"
    )
    large = turk.hit(MaxAssignments=10)
    turk.api.create_additional_assignments_for_hit(HITId=large, NumberOfAdditionalAssignments=5)
    turk.api.approve_assignment(AssignmentId=turk.work(large, turk.workers()[0]))
    assert turk.ledger() == [("reward", 40, 16)]  # 20% and 20% for ten or more


@pytest.mark.parametrize("settings", [MturkSettings(balance_cents=100)])
def test_money_is_held_and_a_lack_of_it_leaves_no_trace(turk: Turk) -> None:
    masters = [{"QualificationTypeId": MASTERS, "Comparator": "Exists"}]
    assert (
        refused(turk.api.create_hit, **{**FIELDS, "QualificationRequirements": masters})
        == "InsufficientFunds"
    )
    hit = turk.hit(MaxAssignments=2, QualificationRequirements=masters)  # 2 * (0.40 + 0.10) is all there is
    assert turk.balance() == "0.00"
    assignment = turk.work(hit, turk.workers(masters=True)[0])
    turk.api.approve_assignment(AssignmentId=assignment)
    worker = turk.api.get_assignment(AssignmentId=assignment)["Assignment"]["WorkerId"]
    told = {"WorkerId": worker, "AssignmentId": assignment, "BonusAmount": "0.50", "Reason": "Thanks."}
    assert refused(turk.api.send_bonus, **told) == "InsufficientFunds"
    assert turk.ledger() == [("reward", 40, 10)]
    assert turk.api.list_bonus_payments(AssignmentId=assignment)["BonusPayments"] == []


def test_a_slot_that_was_given_up_keeps_its_id_for_the_next_worker(turk: Turk) -> None:
    hit = turk.hit(MaxAssignments=1)
    one, two = turk.workers(2)
    first = turk.accept(hit, one)
    turk.site.post("/mturk/return", data={"assignmentId": first})
    assert turk.work(hit, two) == first
    turk.sign_in(two)
    assert turk.site.post("/mturk/accept", data={"hitId": hit}).status_code == 400


def test_the_task_is_framed_with_the_four_parameters(turk: Turk) -> None:
    hit = turk.hit()
    turk.sign_in(turk.workers()[0])
    preview = turk.site.get("/mturk/preview", params={"hitId": hit}).text
    assert "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE" in preview
    assert "workerId" not in preview
    assert turk.api.get_hit(HITId=hit)["HIT"]["NumberOfAssignmentsPending"] == 0
    worker = turk.workers()[0]
    assignment = turk.accept(hit, worker)
    task = turk.site.get(f"/mturk/task/{assignment}").text.replace("&amp;", "&")
    assert f"http://127.0.0.1:9/m/enter?pub=P&x=1&assignmentId={assignment}&hitId={hit}&turkSubmitTo=" in task
    assert f"workerId={worker}" in task


@pytest.mark.parametrize("settings", [MturkSettings(lose_submissions=True)])
def test_a_submission_can_be_lost(turk: Turk) -> None:
    hit = turk.hit()
    assignment = turk.accept(hit, turk.workers()[0])
    assert turk.submit(assignment).status_code == 200
    turk.control("clock", seconds=6)
    assert turk.api.list_assignments_for_hit(HITId=hit)["NumResults"] == 0


def test_a_bonus_goes_to_the_worker_of_the_assignment_once_for_a_token(turk: Turk) -> None:
    hit = turk.hit()
    worker, other = turk.workers(2)
    assignment = turk.work(hit, worker)
    told = {
        "AssignmentId": assignment,
        "BonusAmount": "2.00",
        "Reason": "A whole batch.",
        "UniqueRequestToken": "b1",
    }
    assert refused(turk.api.send_bonus, WorkerId=other, **told) == "InvalidParameterValue"
    turk.api.send_bonus(WorkerId=worker, **told)
    assert refused(turk.api.send_bonus, WorkerId=worker, **told) == "DuplicateRequest"
    assert turk.ledger() == [("bonus", 200, 40)]
    paid = turk.api.list_bonus_payments(HITId=hit)["BonusPayments"]
    assert [(each["WorkerId"], each["BonusAmount"]) for each in paid] == [(worker, "2.00")]


def test_a_granted_qualification_opens_a_hit(turk: Turk) -> None:
    made = turk.api.create_qualification_type(
        Name="Chosen", Description="The best.", QualificationTypeStatus="Active"
    )["QualificationType"]["QualificationTypeId"]
    again = {"Name": "Chosen", "Description": "d", "QualificationTypeStatus": "Active"}
    assert refused(turk.api.create_qualification_type, **again) == "QualificationTypeAlreadyExists"
    wanted = [
        {"QualificationTypeId": made, "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [80]},
        {
            "QualificationTypeId": "000000000000000000L0",
            "Comparator": "GreaterThanOrEqualTo",
            "IntegerValues": [98],
        },
        {
            "QualificationTypeId": "00000000000000000071",
            "Comparator": "In",
            "LocaleValues": [{"Country": "US"}],
        },
    ]
    hit = turk.hit(QualificationRequirements=wanted)
    worker = turk.workers()[0]
    assert refused(turk.api.get_qualification_score, QualificationTypeId=made, WorkerId=worker) == (
        "QualificationDoesNotExist"
    )
    turk.api.associate_qualification_with_worker(QualificationTypeId=made, WorkerId=worker, IntegerValue=80)
    abroad = turk.workers(country="FR")[0]
    turk.api.associate_qualification_with_worker(QualificationTypeId=made, WorkerId=abroad, IntegerValue=90)
    turk.accept(hit, worker)
    turk.sign_in(abroad)
    assert turk.site.post("/mturk/accept", data={"hitId": hit}).status_code == 400


def test_faults_before_and_after_the_effect(turk: Turk) -> None:
    hit = turk.hit()
    worker = turk.workers()[0]
    assignment = turk.work(hit, worker)
    told = {"AssignmentId": assignment, "WorkerId": worker, "BonusAmount": "1.00", "Reason": "Thanks."}
    turk.control("faults", kind="refuse", path="^/", status=429)
    with pytest.raises(ClientError, match="Rate exceeded"):
        turk.api.send_bonus(**told)
    turk.control("faults", kind="refuse", path="^/", status=500)
    with pytest.raises(ClientError) as error:
        turk.api.send_bonus(**told)
    assert error.value.response["Error"]["Code"] == "ServiceFault"
    assert turk.ledger() == []
    turk.control("faults", kind="lose", path="^/")
    with pytest.raises(ConnectionClosedError):
        turk.api.send_bonus(**told)
    turk.control("faults", kind="fail", path="^/", status=500)
    with pytest.raises(ClientError):
        turk.api.send_bonus(**told)
    assert len(turk.ledger()) == 2  # without a token, every call that arrives pays
    turk.control("faults", kind="hold", path="^/", seconds=0.2)
    before = time.monotonic()
    turk.balance()
    assert time.monotonic() - before >= 0.2


@pytest.mark.parametrize("settings", [MturkSettings(sandbox=True)])
def test_the_sandbox_has_its_own_masters_balance_and_messages(turk: Turk) -> None:
    assert turk.balance() == "10000.00"
    with pytest.raises(ClientError, match=r"\(\d+ s\)"):
        turk.api.get_hit(HITId="3UNKNOWN")
    masters = [{"QualificationTypeId": MASTERS, "Comparator": "Exists"}]
    hit = turk.hit(QualificationRequirements=masters)
    turk.sign_in(turk.workers(masters=True)[0])
    assert turk.site.post("/mturk/accept", data={"hitId": hit}).status_code == 400


def test_lists_of_hits_and_qualifications_come_in_pages(turk: Turk) -> None:
    hits = {turk.hit(RequesterAnnotation=f"item-{number}") for number in range(12)}
    pages = turk.api.get_paginator("list_hits").paginate()
    assert {hit["HITId"] for page in pages for hit in page["HITs"]} == hits
    assert turk.api.list_reviewable_hits()["NumResults"] == 0
    kind = turk.api.get_hit(HITId=next(iter(hits)))["HIT"]["HITTypeId"]
    more = turk.api.create_hit_with_hit_type(HITTypeId=kind, LifetimeInSeconds=60, Question=QUESTION)
    assert more["HIT"]["HITTypeId"] == kind
    told = {"HITTypeId": "3UNKNOWN", "LifetimeInSeconds": 60}
    assert refused(turk.api.create_hit_with_hit_type, **told) == "HITTypeDoesNotExist"
    group = more["HIT"]["HITGroupId"]
    turk.sign_in(turk.workers()[0])
    assert "iframe" in turk.site.get("/mturk/preview", params={"groupId": group}).text
    assert turk.site.get("/mturk/preview", params={"groupId": "3NONE"}).status_code == 400
    assert "Rate dialogues" in turk.site.get("/mturk/").text


def test_a_qualification_is_listed_and_revoked(turk: Turk) -> None:
    made = turk.api.create_qualification_type(
        Name="Chosen", Description="The best.", QualificationTypeStatus="Active"
    )["QualificationType"]["QualificationTypeId"]
    found = turk.api.list_qualification_types(Query="Chosen", MustBeRequestable=False)
    assert [each["QualificationTypeId"] for each in found["QualificationTypes"]] == [made]
    worker = turk.workers()[0]
    both = {"QualificationTypeId": made, "WorkerId": worker}
    turk.api.associate_qualification_with_worker(**both, IntegerValue=7)
    assert turk.api.get_qualification_score(**both)["Qualification"]["IntegerValue"] == 7
    assert turk.api.list_workers_with_qualification_type(QualificationTypeId=made)["NumResults"] == 1
    absent = [{"QualificationTypeId": made, "Comparator": "DoesNotExist"}]
    hit = turk.hit(QualificationRequirements=absent)
    turk.sign_in(worker)
    assert turk.site.post("/mturk/accept", data={"hitId": hit}).status_code == 400
    turk.api.disassociate_qualification_from_worker(**both)
    assert refused(turk.api.disassociate_qualification_from_worker, **both) == "QualificationDoesNotExist"
    turk.accept(hit, worker)
    unknown = {"QualificationTypeId": "3UNKNOWN", "WorkerId": worker}
    assert refused(turk.api.get_qualification_score, **unknown) == "QualificationTypeDoesNotExist"
    stranger = {"QualificationTypeId": made, "WorkerId": "ASTRANGER"}
    assert refused(turk.api.associate_qualification_with_worker, **stranger) == "InvalidParameterValue"


def test_messages_reach_only_workers_whose_work_was_decided(turk: Turk) -> None:
    hit = turk.hit()
    known, other = turk.workers(2)
    turk.api.approve_assignment(AssignmentId=turk.work(hit, known))
    told = {"Subject": "Thanks", "MessageText": "Well done."}
    failed = turk.api.notify_workers(WorkerIds=[known, other, "ASTRANGER"], **told)[
        "NotifyWorkersFailureStatuses"
    ]
    assert [each["NotifyWorkersFailureCode"] for each in failed] == ["SoftFailure", "HardFailure"]
    assert [each["to"] for each in turk.site.get("/_emu/outbox/").json()["messages"]] == [known]
    assert refused(turk.api.notify_workers, WorkerIds=["ASTRANGER"] * 101, **told) == "InvalidParameterValue"


def test_a_finished_hit_is_deleted_and_a_worker_sees_what_is_not_possible(turk: Turk) -> None:
    hit = turk.hit(MaxAssignments=1)
    worker, other = turk.workers(2)
    assignment = turk.accept(hit, worker)
    turk.sign_in(other)
    assert turk.site.get(f"/mturk/task/{assignment}").status_code == 400
    assert turk.site.post("/mturk/return", data={"assignmentId": assignment}).status_code == 400
    turk.sign_in(worker)
    assert "Rate dialogues" in turk.site.get("/mturk/").text
    answer = turk.site.post("/mturk/externalSubmit", data={"assignmentId": assignment})
    assert answer.status_code == 400  # a form without a field of its own
    turk.submit(assignment)
    turk.control("clock", seconds=6)
    turk.api.reject_assignment(AssignmentId=assignment, RequesterFeedback="Nothing was read.")
    turk.api.update_hit_review_status(HITId=hit)
    turk.api.update_hit_review_status(HITId=hit, Revert=True)
    turk.api.delete_hit(HITId=hit)
    assert turk.status(hit) == "Disposed"
    assert refused(turk.api.approve_assignment, AssignmentId=assignment, OverrideRejection=True) == (
        "InvalidAssignmentState"
    )
    turk.site.cookies.clear()
    assert turk.site.get("/mturk/").status_code == 400
    assert worker in turk.site.get("/").text
