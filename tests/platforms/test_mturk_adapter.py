"""The adapter of Mechanical Turk against its emulator: publications, money, and every error that it tells apart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from labelwright.crowd.panel import PanelPart
from labelwright.crowd.platform import PLATFORMS, OutgoingCall, PlatformSilent
from labelwright.crowd.pools import Pay
from labelwright.crowd.publication import PublicationOrder, VisitState, places_wanted
from labelwright.outside.emulators.mturk import MturkEmulator, MturkSettings
from labelwright.outside.emulators.web import EmulatorServer
from labelwright.outside.platforms.mturk.connection import MTurkConnection
from labelwright.outside.platforms.mturk.marks import receipt_in, token
from labelwright.outside.platforms.mturk.service import MTurkService
from tests.mturk import FIELDS, Turk, created, order, turk_settings

PANEL = PanelPart(name="P", person="workerId", completed="submit")


class Running:
    """An emulator and a connection of ours to it."""

    def __init__(self, emulator: MturkEmulator, turk: Turk) -> None:
        self.emulator, self.turk = emulator, turk
        self.settings = turk_settings(turk.address)
        self.to: MTurkConnection = PLATFORMS["mturk"].connect(self.settings)  # type: ignore[assignment]

    def publish(self, places: int, **changed: Any) -> list[str]:
        return created(self.settings, "pub", places, **changed)

    def places(self, wanted: int, round_: int = 1) -> Any:
        request = {"publication": "pub", "places": wanted}
        return self.to.send(OutgoingCall("places", f"places|{round_}", request))

    def call(self, kind: str, worker: str, assignment: str, **more: Any) -> OutgoingCall:
        told = {"raters": ["r"], "sessions": ["1"], "reason": "Every answer was the same.", **more}
        return OutgoingCall(
            kind, f"{kind}|{assignment}", told, {"r": worker, "session 1": f"{assignment}:{worker}"}
        )

    def submitted(self, hit: str) -> tuple[str, str]:
        (worker,) = self.turk.workers()
        return worker, self.turk.work(hit, worker)

    @property
    def sizes(self) -> list[int]:
        return [hit.most for hit in self.emulator.state.hits.values()]

    @property
    def operations(self) -> list[str]:
        return [each["path"].removeprefix("/") for each in self.emulator.requests]


@pytest.fixture
def running() -> Iterator[Running]:
    emulator = MturkEmulator(MturkSettings())
    with EmulatorServer(emulator) as server:
        turk = Turk(server)
        made = Running(emulator, turk)
        yield made
        made.to.close()
        turk.close()


def preview(running: Running, places: int, cents: int, **wishes: Any) -> tuple[int, int | None]:
    wanted = PublicationOrder(
        "x", "T", "", "https://x.example.org", PANEL, places, 2, Pay(cents=cents), wishes
    )
    cost = running.to.preview_cost(wanted)
    return cost.total_cents, cost.balance_cents


def test_a_cost_preview_is_what_the_platform_holds(running: Running) -> None:
    # The table of the price list, with 16 judges at $1.50 split into 9 and 7, or in one HIT.
    assert preview(running, 16, 150) == (2880, 1_000_000)
    assert preview(running, 16, 150, assignments_per_hit=16) == (3360, 1_000_000)
    assert preview(running, 1440, 40, masters=True) == (72_000, 1_000_000)
    for name, wishes, cost in (("a", {}, 2880), ("b", {"assignments_per_hit": 16}, 3360)):
        before = float(running.turk.balance())
        created(running.settings, name, 16, cents=150, wishes=wishes)
        assert before - float(running.turk.balance()) == pytest.approx(cost / 100)


def test_a_publication_asks_for_the_people_that_the_study_wants(running: Running) -> None:
    for name in ("passed", "group"):
        assert running.to.send(OutgoingCall("group", name, {"name": name})).state == "confirmed"
    group = running.to.find(OutgoingCall("group", "group", {"name": "group"})).facts["id"]
    wishes = {
        "masters": True, "approved_percent": 97, "approved_hits": 5000, "countries": ["US"],
        "qualifications": ["passed"], "approval_days": 3, "group": group,
    }  # fmt: skip
    running.publish(3, wishes=wishes, address="https://h.example.org/p/S/own?a=1&b=2")
    (hit,) = running.emulator.state.hits.values()
    told = {each["QualificationTypeId"]: each for each in hit.type.requirements}
    assert len(told) == 6
    assert told[group]["Comparator"] == "Exists"
    assert {each["ActionsGuarded"] for each in told.values()} == {"DiscoverPreviewAndAccept"}
    assert told["000000000000000000L0"]["IntegerValues"] == [97]
    assert (hit.type.approval_seconds, hit.type.assignment_seconds) == (3 * 86_400, 1800)
    assert "a=1&amp;b=2" in hit.question
    missing = running.to.send(
        OutgoingCall("create", "c", order("other", 1, wishes={"qualifications": ["no"]}))
    )
    assert missing.state == "refused"


def test_a_lost_creation_is_found_within_a_day_by_its_token_and_later_by_its_annotation(
    running: Running,
) -> None:
    call = OutgoingCall("create", "create|pub", order("pub", 16))
    running.turk.control("faults", kind="lose", path="/CreateHIT$")
    assert running.to.send(call).state == "unknown"
    assert running.to.find(call).state == "planned"
    running.turk.control("clock", seconds=25 * 3600)
    assert running.to.send(call).facts == {"id": "pub"}
    assert running.sizes == [9, 7]


def test_a_list_that_lags_behind_makes_no_second_hit(running: Running) -> None:
    """Within a day, the token says that the HIT is there, and which one."""
    running.publish(3)
    publications = running.to._publications
    publications._make("create_hit", "pub", 0, {**FIELDS, "MaxAssignments": 3})
    assert running.sizes == [3]


def test_a_token_that_made_another_hit_is_a_conflict(running: Running) -> None:
    running.turk.hit(UniqueRequestToken=token("h", "pub", 0), RequesterAnnotation="somebody else's")
    answer = running.to.send(OutgoingCall("create", "create|pub", order("pub", 3)))
    assert (answer.state, running.sizes) == ("refused", [3])


def test_places_extend_hits_to_nine_and_then_make_new_ones(running: Running) -> None:
    running.publish(7)
    assert running.places(9).state == "confirmed"
    assert running.sizes == [9]
    assert running.places(9).state == "confirmed"
    assert running.sizes == [9]
    assert running.places(12, 2).state == "confirmed"
    assert running.sizes == [9, 3]
    # Stopped HITs are opened again with their extension.
    assert running.to.send(OutgoingCall("stop", "stop|1", {"publication": "pub"})).state == "confirmed"
    assert not running.to.read("pub").is_open
    running.places(14, 3)
    assert running.sizes == [9, 5]
    assert running.to.read("pub").is_open


def test_a_reading_has_every_assignment_with_its_receipt(running: Running) -> None:
    (hit,) = running.publish(9)
    worker, one = running.submitted(hit)
    _, two = running.submitted(hit)
    running.turk.api.reject_assignment(AssignmentId=two, RequesterFeedback="Every answer was the same.")
    holder = running.turk.workers()[0]
    running.turk.accept(hit, holder)
    reading = running.to.read("pub")
    assert (reading.status, reading.places, reading.is_open) == ("Assignable", 9, True)
    first, second = sorted(reading.visits, key=lambda visit: visit.state, reverse=True)
    assert (first.session, first.person, first.state, first.code) == (
        f"{one}:{worker}", worker, VisitState.SUBMITTED, "r",
    )  # fmt: skip
    assert second.state == VisitState.REJECTED
    assert first.ended_at is not None
    assert abs(first.ended_at - datetime.now(UTC)) < timedelta(minutes=1)
    running.turk.control("faults", kind="refuse", path="/List", status=500, times=3)
    with pytest.raises(PlatformSilent):
        running.to.read("pub")


def test_an_answer_that_is_no_plain_xml_has_no_receipt() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY x "y">]><a><Answer><QuestionIdentifier>receipt</QuestionIdentifier></Answer></a>'
    assert [receipt_in(text) for text in ("", "<a", bomb)] == ["", "", ""]


def test_a_decision_is_made_once_and_a_rejection_can_be_taken_back(running: Running) -> None:
    (hit,) = running.publish(9)
    worker, assignment = running.submitted(hit)
    approve, reject = (running.call(kind, worker, assignment) for kind in ("approve", "reject"))
    assert running.to.send(reject).state == "confirmed"
    assert running.to.send(approve).state == "confirmed"
    assert running.turk.ledger() == [("reward", 40, 8)]
    assert running.to.send(reject).state == "refused"
    # Somebody decides between our look and our call.
    worker, assignment = running.submitted(hit)
    running.turk.control("faults", kind="fail", path="/ApproveAssignment$", status=500)
    assert running.to.send(running.call("approve", worker, assignment)).state == "unknown"
    assert running.to.find(running.call("approve", worker, assignment)).state == "confirmed"


def test_one_assignment_with_two_workers_pays_only_who_submitted_it(running: Running) -> None:
    (hit,) = running.publish(1)
    first, second = running.turk.workers(2)
    given_up = running.turk.accept(hit, first)
    running.turk.site.post("/mturk/return", data={"assignmentId": given_up})
    assert running.turk.work(hit, second) == given_up
    for kind in ("approve", "bonus"):
        assert running.to.send(running.call(kind, first, given_up, cents=100, mark="X")).state == "refused"
    assert running.turk.ledger() == []
    assert running.to.send(running.call("approve", second, given_up)).state == "confirmed"


def test_work_that_is_not_visible_yet_waits_and_held_work_does_not(running: Running) -> None:
    (hit,) = running.publish(2)
    one, two = running.turk.workers(2)
    held = running.turk.accept(hit, one)
    answer = running.to.send(running.call("approve", one, held))
    assert answer.state == "refused"
    assert running.turk.address.removeprefix("http://") in answer.said
    assignment = running.turk.accept(hit, two)
    running.turk.submit(assignment)
    assert running.to.send(running.call("approve", two, assignment)).state == "planned"
    running.turk.control("clock", seconds=6)
    assert running.to.send(running.call("approve", two, assignment)).state == "confirmed"


def test_equal_bonuses_are_told_apart_and_repeats_pay_nothing(running: Running) -> None:
    (hit,) = running.publish(1)
    worker, assignment = running.submitted(hit)
    one = running.call("bonus", worker, assignment, cents=200, mark="A1")
    two = OutgoingCall("bonus", "bonus|two", {**one.request, "mark": "A2"}, one.ids)
    running.turk.control("faults", kind="lose", path="/SendBonus$")
    assert running.to.send(one).state == "unknown"
    assert running.to.find(two).state == "planned"
    assert running.to.find(one).state == "confirmed"
    assert [running.to.send(call).state for call in (one, two, two)] == ["confirmed"] * 3
    assert running.turk.ledger() == [("bonus", 200, 40)] * 2
    # The list does not show it yet, but the token is known.
    running.emulator.state.bonuses.clear()
    assert running.to.send(one).state == "confirmed"
    assert len(running.turk.ledger()) == 2


@pytest.mark.parametrize(
    ("fault", "state"),
    [({"kind": "refuse", "status": 429}, "unknown"), ({"kind": "refuse", "status": 500}, "unknown"),
     ({"kind": "drop"}, "unknown"), ({"kind": "lose"}, "unknown")],
)  # fmt: skip
def test_a_call_without_a_clear_answer_is_sent_once(running: Running, fault: Any, state: str) -> None:
    (hit,) = running.publish(1)
    worker, assignment = running.submitted(hit)
    running.turk.control("faults", path="/SendBonus$", times=9, **fault)
    assert running.to.send(running.call("bonus", worker, assignment, cents=1, mark="M")).state == state
    assert running.operations.count("SendBonus") == 1


def test_other_errors_say_what_to_do(running: Running) -> None:
    (hit,) = running.publish(1)
    worker, assignment = running.submitted(hit)
    poor = running.to.send(running.call("bonus", worker, assignment, cents=99_999_900, mark="M"))
    assert (poor.state, poor.said) == ("planned", "the account has too little money")
    wrong = MTurkConnection(MTurkService(running.turk.address, "AKIDEMULATED", "another"))
    said = wrong.send(running.call("approve", worker, assignment))
    assert (said.state, "credentials" in said.said) == ("planned", True)
    wrong.close()
    mistake = running.to.send(running.call("bonus", worker, assignment, cents=1, mark="M" * 5000))
    assert (mistake.state, "our mistake" in mistake.said) == ("refused", True)
    unheard = OutgoingCall("places", "p", {"publication": "unheard-of", "places": 3})
    assert running.to.send(unheard).state == "refused"
    texts = [poor.said, said.said, mistake.said]
    assert not any(each in text for text in texts for each in (worker, assignment, hit))


@pytest.mark.parametrize("rejected", [1, 4, 9])
def test_re_collection_ends_at_exactly_the_number_that_is_wanted(running: Running, rejected: int) -> None:
    """A rejection frees no place: nine valid assignments, although the first ones are rejected, and none too many."""
    wanted = 9
    running.publish(7)
    running.places(wanted, 0)
    to_reject = rejected
    for round_ in range(1, 9):
        for hit in list(running.emulator.state.hits.values()):
            while running.turk.status(hit.id) == "Assignable":
                running.submitted(hit.id)
        visits = running.to.read("pub").visits
        for visit in visits:
            if visit.state == VisitState.SUBMITTED:
                kind = "reject" if to_reject else "approve"
                to_reject -= kind == "reject"
                call = running.call(kind, visit.person, visit.session.partition(":")[0])
                assert running.to.send(call).state == "confirmed"
        visits = running.to.read("pub").visits
        valid = sum(visit.state == VisitState.APPROVED for visit in visits)
        if valid == wanted:
            break
        total = places_wanted(visits, wanted - valid, rejection_frees_place=False)
        assert running.places(total, round_).state == "confirmed"
        assert running.places(total, round_).state == "confirmed"
    assert (valid, len(visits)) == (wanted, wanted + rejected)
    assert sum(running.sizes) == wanted + rejected
    assert max(running.sizes) == 9
    assert len(running.turk.ledger()) == wanted
