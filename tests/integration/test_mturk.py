"""Mechanical Turk against its emulator over HTTP: arrivals in a frame, pay, every call killed at every step, every fault."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from labelwright.crowd.platform import PLATFORMS
from labelwright.outside.emulators.mturk import MturkEmulator, MturkSettings
from labelwright.outside.emulators.web import EmulatorServer
from tests.desk import client_of
from tests.integration.test_payments import ME, loaded, run_jobs, states
from tests.integration.test_prolific import send_all
from tests.mturk import Turk, created, turk_settings
from tests.rows import rows

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


def test_only_the_site_of_the_service_gets_the_form(emulated: Emulated):
    study = turk_study()
    for elsewhere in (
        "https://evil.example.org",
        f"{emulated.turk.address}.example.org",
        "",
        "https://www.mturk.com",
    ):
        assert emulated.enter(study, "3A", "A1", turkSubmitTo=elsewhere).status_code == 400
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
    from labelwright.server.rating.actions.panel import is_receipt_of
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
