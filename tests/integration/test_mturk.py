"""Mechanical Turk against its emulator over HTTP: arrivals in a frame, pay, every call killed at every step, every fault."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from labelwright.crowd.platform import PLATFORMS, PayRoute
from labelwright.outside.emulators.mturk import MturkEmulator, MturkSettings
from labelwright.outside.emulators.web import EmulatorServer
from tests.at_once import at_once
from tests.desk import anyones_reviewer, client_of
from tests.integration.test_payments import ME, check_balance, loaded, run_jobs, states
from tests.integration.test_prolific import send_all
from tests.mturk import Turk, created, order, turk_settings
from tests.rows import rows
from tests.senders import POINTS, DoomedSenders

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

HERE = "http://127.0.0.1:9"
"""Where workers are sent; the test opens the path itself."""
REASON = "Every answer was given within one second, although the replies take longer to read."


class Emulated:
    """A running emulator with what it knows."""

    def __init__(self, server: EmulatorServer, emulator: MturkEmulator) -> None:
        self.emulator = emulator
        self.turk = Turk(server)
        self.settings = turk_settings(server.address)

    def publish(self, study: Any, places: int, **changed: Any) -> str:
        """A publication of a study; returns its first HIT."""
        address = f"{HERE}/p/{study.public_id}/own"
        return created(self.settings, "pub", places, address=address, **changed)[0]

    def enter(self, study: Any, assignment: str, worker: str, **changed: str) -> Any:
        """The answer to a frame that is loaded after the work was accepted."""
        told = {
            "assignmentId": assignment, "workerId": worker, "hitId": "3HIT", "turkSubmitTo": self.turk.address,
            **changed,
        }  # fmt: skip
        return client_of().get(f"/p/{study.public_id}/own", told)


@pytest.fixture
def emulated(monkeypatch: pytest.MonkeyPatch) -> Iterator[Emulated]:
    emulator = MturkEmulator(MturkSettings(visibility_seconds=0))
    with EmulatorServer(emulator) as server:
        running = Emulated(server, emulator)
        for name, value in running.settings.items():
            monkeypatch.setenv(name, value)
        yield running
        running.turk.close()


def turk_study(items: int = 3, raters: int = 9, **changes: Any) -> Any:
    own = {"platform": "mturk", "raters": raters, **changes.pop("pool", {})}
    return loaded(items=items, pool=own, **changes)


def form_in(page: str) -> dict[str, str]:
    """The fields of the form by which a worker goes back."""
    assert "/mturk/externalSubmit" in page
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))


def work_off(address: str) -> str:
    """Agrees, does the tasks that the page offers, and returns the last page."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.rating.actions.next_step import offer_next

    client, token = client_of(), address.rsplit("/", 1)[1]
    client.post(f"{address}/consent", {"agree": "yes"})
    while True:
        held = offer_next(get_visitor(token, datetime.now(UTC)), datetime.now(UTC))
        if not hasattr(held, "token"):
            return str(client.get(address).content.decode())
        submit(held.token, {"0": {"useful": 2}}, datetime.now(UTC))


def do_visit(emulated: Emulated, study: Any, hit: str, worker: str) -> str:
    """Accepts, works and submits; returns the assignment."""
    assignment = emulated.turk.accept(hit, worker)
    fields = form_in(work_off(emulated.enter(study, assignment, worker)["Location"]))
    assert fields.pop("assignmentId") == assignment
    assert emulated.turk.submit(assignment, **fields).status_code == 200
    return assignment


def test_a_preview_stores_nothing_and_keeps_nothing_for_anybody(emulated: Emulated):
    study = turk_study()
    before = rows("SELECT count(*)::int FROM rater")
    shown = emulated.enter(study, "ASSIGNMENT_ID_NOT_AVAILABLE", "A1")
    page = shown.content.decode()
    assert shown.status_code == 200
    assert "accept the work on Mechanical Turk" in page
    assert "<form" not in page
    assert f"frame-ancestors https://*.mturk.com {emulated.turk.address}" in shown["Content-Security-Policy"]
    assert not shown.cookies
    assert rows("SELECT count(*)::int FROM rater") == before
    assert rows("SELECT count(*)::int FROM arrival UNION ALL SELECT count(*)::int FROM assignment") == [
        (0,),
        (0,),
    ]


def test_only_ids_of_the_service_come_in_and_only_its_site_gets_the_form(emulated: Emulated):
    study = turk_study()
    for elsewhere in (
        "https://evil.example.org",
        f"{emulated.turk.address}.example.org",
        "",
        "https://www.mturk.com",
    ):
        assert emulated.enter(study, "3A", "A1", turkSubmitTo=elsewhere).status_code == 400
    for assignment, worker in (("3A:B", "A1"), ("3A", "B:A1"), ("3A", "a1"), ("", "A1"), ("3A", "")):
        assert emulated.enter(study, assignment, worker).status_code == 400
    entered = emulated.enter(study, "3A", "A1")
    shown = client_of().get(entered["Location"])
    assert f"form-action 'self' {emulated.turk.address}" in shown["Content-Security-Policy"]
    # Pools of other platforms cannot be framed, and their forms stay here.
    other = client_of().get(f"/p/{loaded(name='other').public_id}/own")
    assert other.status_code == 404


def test_a_visit_has_its_own_tasks_and_can_be_entered_again(emulated: Emulated):
    study = turk_study()
    hit, other = emulated.publish(study, 2), created(emulated.settings, "second", 1)[0]
    (worker,) = emulated.turk.workers()
    one, two = emulated.turk.accept(hit, worker), emulated.turk.accept(other, worker)
    first = emulated.enter(study, one, worker)["Location"]
    assert emulated.enter(study, one, worker)["Location"] == first
    # The second visit is opened before any work is done, so the work belongs to it.
    assert emulated.enter(study, two, worker)["Location"] == first
    assert form_in(work_off(first))["assignmentId"] == two
    # Back in the first one, there is another task, and then the form of the first one.
    assert emulated.enter(study, one, worker)["Location"] == first
    assert form_in(work_off(first))["assignmentId"] == one
    # A form that was lost is there again, with the same receipt.
    again = form_in(emulated.enter(study, two, worker).content.decode())
    assert again["assignmentId"] == two
    assert form_in(emulated.enter(study, two, worker).content.decode()) == again
    assert rows("SELECT count(*)::int FROM rater JOIN arrival a ON a.rater_id = rater.id") == [(2,)]


def test_the_same_assignment_with_another_worker_is_another_visit(emulated: Emulated):
    from labelwright.server.paying.actions.runs import release

    study = turk_study()
    hit = emulated.publish(study, 1)
    first, second = emulated.turk.workers(2)
    given_up = emulated.turk.accept(hit, first)
    work_off(emulated.enter(study, given_up, first)["Location"])
    emulated.turk.site.post("/mturk/return", data={"assignmentId": given_up})
    assert do_visit(emulated, study, hit, second) == given_up
    assert rows("SELECT count(*)::int, count(DISTINCT rater_id)::int FROM arrival") == [(2, 2)]
    run_jobs()
    release(study, ME, datetime.now(UTC))
    send_all()
    # Only who submitted it is paid; the other work waits for a person.
    assert emulated.turk.ledger() == [("reward", 40, 8)]
    assert states(study) == {"confirmed": 1, "planned": 1}


def test_a_receipt_belongs_to_one_visit(emulated: Emulated):
    from labelwright.server.people.actions.arrivals import is_receipt_of
    from labelwright.server.store.models import Arrival

    study = turk_study()
    hit = emulated.publish(study, 2)
    for worker in emulated.turk.workers(2):
        do_visit(emulated, study, hit, worker)
    to = PLATFORMS["mturk"].connect(emulated.settings)
    one, two = (visit.code for visit in to.read("pub").visits)  # type: ignore[attr-defined]
    to.close()
    first, second = Arrival.objects.order_by("pk")
    assert (is_receipt_of(one, first), is_receipt_of(two, second)) == (True, True)
    assert not is_receipt_of(one, second)
    forged = (
        one[:-1] + ("0" if one[-1] != "0" else "1"),
        "",
        "v1..",
        one.replace(f"v1.{first.pk}", f"v1.{second.pk}"),
        "v1.1.é.é",
    )
    assert not any(is_receipt_of(each, visit) for each in forged for visit in (first, second))


def test_somebody_over_the_cap_is_told_before_any_work(emulated: Emulated):
    study = turk_study(pool={"caps": {"tasks": 1}})
    hit, other = emulated.publish(study, 2), created(emulated.settings, "second", 1)[0]
    (worker,) = emulated.turk.workers()
    do_visit(emulated, study, hit, worker)
    again = emulated.enter(study, emulated.turk.accept(other, worker), worker)
    page = client_of().get(again["Location"]).content.decode()
    assert "Please return the work on Mechanical Turk" in page
    assert "externalSubmit" not in page


class Subject:
    """Something to call a platform about: each call of a kind has one of its own."""

    def __init__(self, emulated: Emulated, study: Any) -> None:
        self.emulated, self.study, self.made = emulated, study, 0

    def plan(self, kind: str) -> None:
        """One more planned call of this kind."""
        self.made += 1
        if kind in ("approve", "reject", "bonus"):
            self._plan_review(kind)
        elif kind == "group":
            self._add_call(kind, {"name": f"group-{self.made}"})
        elif kind in ("grant", "message"):
            self._add_call(kind, self._rater(decided=kind == "message") | {"group": self._group()})
        else:
            self._plan_publication(kind)

    def effects(self, kind: str) -> float:
        """How often calls of this kind took effect there; a broken number if one took effect by half."""
        state = self.emulated.emulator.state
        ours = [hit for hit in state.hits.values() if "/pub-" in hit.annotation]
        expired = sum(hit.expires <= state.clock.now() for hit in ours)
        counted = {
            "create": sum(hit.most for hit in ours) / 16,
            "places": sum(hit.most - 2 for hit in ours) / 3,
            "open": len(ours) - expired,
            "pause": expired,
            "resume": len(ours) - expired,
            "stop": expired,
            "approve": sum(entry["kind"] == "reward" for entry in state.entries),
            "reject": sum(slot.status == "Rejected" for slot in state.slots),
            "bonus": sum(entry["kind"] == "bonus" for entry in state.entries),
            "group": sum(each["Name"].startswith("group-") for each in state.qualification_types.values()),
            "grant": sum(len(worker.qualifications) for worker in state.workers.values()),
            "message": len(state.messages),
        }
        return counted[kind]

    def _add_call(self, kind: str, request: dict[str, Any]) -> None:
        from labelwright.server.paying.actions.calls import plan_call

        assert plan_call(self.study.pk, "mturk", kind, f"{kind}|{self.made}", request, datetime.now(UTC))

    def _plan_publication(self, kind: str) -> None:
        name = f"pub-{self.made}"
        if kind == "create":
            self._add_call(kind, order(name, 16))
            return
        (hit,) = created(self.emulated.settings, name, 2)
        if kind in ("open", "resume"):
            self.emulated.turk.api.update_expiration_for_hit(HITId=hit, ExpireAt=datetime.now(UTC))
        self._add_call(kind, {"publication": name, "places": 5})

    def _rater(self, *, decided: bool = False) -> dict[str, Any]:
        (worker,) = self.emulated.turk.workers()
        (hit,) = created(self.emulated.settings, f"of-{self.made}", 1)
        assignment = do_visit(self.emulated, self.study, hit, worker)
        if decided:
            self.emulated.turk.api.approve_assignment(AssignmentId=assignment)
        ((rater,),) = rows("SELECT pseudonym FROM rater ORDER BY id DESC LIMIT 1")
        return {"raters": [rater], "body": "More opens today."}

    def _group(self) -> str:
        told = {
            "Name": f"passed-{self.made}",
            "Description": "They passed.",
            "QualificationTypeStatus": "Active",
        }
        made = self.emulated.turk.api.create_qualification_type(**told)
        return str(made["QualificationType"]["QualificationTypeId"])

    def _plan_review(self, kind: str) -> None:
        from labelwright.server.paying.actions.planning import give_bonus
        from labelwright.server.paying.actions.runs import release
        from labelwright.server.review.actions.verdicts import VerdictChoice, decide_as_reviewer
        from labelwright.server.store.models import Assignment, Payment, Rater, User

        self._rater()
        run_jobs()
        now = datetime.now(UTC)
        if kind == "reject":
            user = User.objects.get(username=anyones_reviewer())
            newest = Assignment.objects.filter(study=self.study).latest("pk").pk
            decide_as_reviewer(user, self.study.public_id, newest, VerdictChoice.REJECT, REASON, now)
            release(self.study, ME, now)
            return
        payment = Payment.objects.filter(study=self.study).latest("pk")
        if kind == "bonus":
            rater = Rater.objects.filter(study=self.study).latest("pk")
            payment = give_bonus(self.study, rater, 200, "Thanks.", uuid4(), ME, now)
        release(self.study, ME, now, only=[payment.pk])


WRITES = {
    "create": "CreateHIT", "places": "CreateAdditional", "open": "UpdateExpiration", "pause": "UpdateExpiration",
    "resume": "UpdateExpiration", "stop": "UpdateExpiration", "approve": "ApproveAssignment",
    "reject": "RejectAssignment", "bonus": "SendBonus", "group": "CreateQualificationType",
    "grant": "AssociateQualification", "message": "NotifyWorkers",
}  # fmt: skip
"""The request by which each call takes effect. A new call needs a row here."""
CALLS = {call.name: call for call in PLATFORMS["mturk"].calls}
FAULTS: dict[str, dict[str, Any]] = {
    "throttled": {"kind": "refuse", "status": 429},
    "fault before the effect": {"kind": "refuse", "status": 500},
    "fault after the effect": {"kind": "fail", "status": 500},
    "dropped": {"kind": "drop"},
    "no answer": {"kind": "lose"},
}


def check_settled(subject: Subject, kind: str, before: float, *, happened: bool) -> None:
    """One effect after settlement, and ours agrees to the cent; a message that nobody knows of waits for a person."""
    ((state,),) = rows("SELECT state FROM platform_call ORDER BY id DESC LIMIT 1")
    effects = subject.effects(kind) - before
    if CALLS[kind].readable:
        assert (effects, state) == (1, "confirmed")
    else:
        assert (effects, state) == (int(happened), "unknown")
    check_balance(subject.study)
    ours = rows(
        "SELECT coalesce(sum(cents), 0)::int, coalesce(sum(fee_cents), 0)::int FROM payment WHERE state = 'confirmed'"
    )
    theirs = subject.emulated.emulator.ledger() if kind != "message" else []
    assert ours == [(sum(line["cents"] for line in theirs), sum(line["fee"] for line in theirs))]


def test_every_call_has_a_row_in_the_matrix():
    assert CALLS.keys() == WRITES.keys()
    assert {name for name, each in PLATFORMS.items() if each.pay_route == PayRoute.CALLS} == {
        "prolific",
        "mturk",
    }


@pytest.mark.parametrize("kind", WRITES)
def test_a_killed_sender_has_one_effect_at_most_and_one_after_settlement(
    emulated: Emulated, senders: DoomedSenders, kind: str
):
    subject = Subject(emulated, turk_study(items=9))
    requests = emulated.emulator.requests
    for point in POINTS:
        subject.plan(kind)
        before, now = subject.effects(kind), datetime.now(UTC)
        if point == "after_effect":
            emulated.turk.control("faults", kind="hold", path=WRITES[kind], seconds=120)
        senders.die(point, now, lambda: any(each["fault"] == "hold" for each in requests))
        assert subject.effects(kind) - before <= 1
        send_all(now + timedelta(minutes=5))
        check_settled(subject, kind, before, happened=point != "before_call")


@pytest.mark.parametrize("kind", WRITES)
def test_faults_have_one_effect_at_most_and_one_after_settlement(emulated: Emulated, kind: str):
    subject = Subject(emulated, turk_study(items=9))
    for fault in FAULTS.values():
        subject.plan(kind)
        before = subject.effects(kind)
        emulated.turk.control("faults", path=WRITES[kind], **fault)
        send_all()
        check_settled(subject, kind, before, happened=fault["kind"] in ("fail", "lose"))


def test_two_senders_at_once_make_one_call(emulated: Emulated):
    from labelwright.server.paying.jobs import send_next

    subject = Subject(emulated, turk_study(items=9))
    subject.plan("bonus")
    now = datetime.now(UTC)
    at_once(4, lambda: send_next(now))
    assert subject.effects("bonus") == 1
    assert rows("SELECT state, attempts FROM platform_call") == [("confirmed", 1)]


def test_work_that_the_platform_does_not_show_yet_is_paid_when_it_does(emulated: Emulated):
    subject = Subject(emulated, turk_study(items=9))
    emulated.emulator.state.settings = MturkSettings(visibility_seconds=600)
    subject.plan("approve")
    send_all()
    assert (subject.effects("approve"), states(subject.study)) == (0, {"sent": 1})
    emulated.turk.control("clock", seconds=601)
    send_all(datetime.now(UTC) + timedelta(hours=3))
    check_settled(subject, "approve", 0, happened=True)


def test_without_a_service_nothing_is_sent_and_the_call_waits(
    emulated: Emulated, monkeypatch: pytest.MonkeyPatch
):
    subject = Subject(emulated, turk_study(items=9))
    subject.plan("bonus")
    monkeypatch.setenv("LABELWRIGHT_MTURK_ADDRESS", "https://mturk-requester.us-east-1.amazonaws.com")
    send_all()
    ((state, said),) = rows("SELECT state, said FROM platform_call")
    assert (state, "LABELWRIGHT_MTURK_ALLOW_LIVE" in said) == ("planned", True)
    monkeypatch.setenv("LABELWRIGHT_MTURK_ADDRESS", emulated.turk.address)
    send_all(datetime.now(UTC) + timedelta(hours=3))
    check_settled(subject, "bonus", 0, happened=True)


def test_a_published_pool_ends_at_exactly_the_ratings_that_it_wants(emulated: Emulated):
    """Twelve ratings are HITs of 9 and 3; rejected work is collected again, although its place is not freed."""
    from labelwright.server.store.models import Assignment, Publication
    from tests.integration.test_publishing import preview_of, read

    study = turk_study(items=12, raters=99)
    preview, cost = preview_of(study)
    # 12 tasks of 0.40, each with a fee of 20%.
    assert (preview.order.places, cost.total_cents, cost.balance_cents) == (12, 576, 1_000_000)
    publish_on_mturk(preview, cost)
    state, to_reject = emulated.emulator.state, 3
    assert [hit.most for hit in state.hits.values()] == [9, 3]
    for _ in range(6):
        for hit in list(state.hits.values()):
            while emulated.turk.status(hit.id) == "Assignable":
                do_visit(emulated, study, hit.id, emulated.turk.workers()[0])
        run_jobs()
        for pk in (
            Assignment.objects.filter(study=study, state="submitted")
            .order_by("pk")
            .values_list("pk", flat=True)
        ):
            if to_reject:
                to_reject -= 1
                reject(study, pk)
        pay_all(study)
        read()
        send_all()
    assert sum(slot.status == "Approved" for slot in state.slots) == 12
    assert sum(slot.status == "Rejected" for slot in state.slots) == 3
    assert sum(hit.most for hit in state.hits.values()) == 15
    assert states(study)["confirmed"] == 12
    assert Publication.objects.get().state in ("full", "open")
    check_balance(study)


def test_a_copied_or_forged_receipt_is_told(emulated: Emulated):
    from tests.integration.test_publishing import kinds, preview_of, read

    study = turk_study(items=4, raters=99)
    publish_on_mturk(*preview_of(study))
    (hit,) = emulated.emulator.state.hits
    honest, thief, forger, silent = emulated.turk.workers(4)
    assignment = emulated.turk.accept(hit, honest)
    form = form_in(work_off(emulated.enter(study, assignment, honest)["Location"]))
    emulated.turk.submit(assignment, receipt=form["receipt"])
    # Entered, but not worked on: the receipt is that of another person.
    stolen = emulated.turk.accept(hit, thief)
    emulated.enter(study, stolen, thief)
    emulated.turk.submit(stolen, receipt=form["receipt"])
    # Worked on, but with a receipt that nobody gave them.
    forged = emulated.turk.accept(hit, forger)
    work_off(emulated.enter(study, forged, forger)["Location"])
    emulated.turk.submit(forged, receipt="v1.1.x.y")
    # A form that lost its receipt is no sign of anything.
    lost = emulated.turk.accept(hit, silent)
    work_off(emulated.enter(study, lost, silent)["Location"])
    emulated.turk.submit(lost, other="x")
    read()
    assert kinds(study) == ["other_receipt", "other_receipt"]


def publish_on_mturk(preview: Any, cost: Any) -> None:
    from labelwright.server.publishing.actions.publications import carry_on, publish

    now = datetime.now(UTC)
    publish(preview, cost, ME, now)
    send_all(now)
    assert carry_on(now) == 1
    send_all(now)


def reject(study: Any, assignment: int) -> None:
    from labelwright.server.review.actions.verdicts import VerdictChoice, decide_as_reviewer
    from labelwright.server.store.models import User

    user = User.objects.get(username=anyones_reviewer())
    decide_as_reviewer(user, study.public_id, assignment, VerdictChoice.REJECT, REASON, datetime.now(UTC))


def pay_all(study: Any) -> None:
    from labelwright.server.paying.actions.runs import release

    release(study, ME, datetime.now(UTC))
    send_all()
