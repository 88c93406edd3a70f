"""The sender of calls: killed at every step, two at once, and with every fault; nobody is paid twice.

The matrix is made from the list of a platform's calls and the points at which a process can die.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest

from labelwright.crowd.platform import PLATFORMS
from tests.integration.test_payments import LATER, ME, check_balance, loaded, states
from tests.paper import ADDRESS, PaperConnection, PaperPlatform, PaperServer, register
from tests.rows import rows
from tests.studies import NOW

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

POINTS = ("before_call", "kill_after_commit", "before_commit")
"""Before the call; after the platform has committed and before its answer; after the answer and before our commit."""


@pytest.fixture
def paper(monkeypatch: pytest.MonkeyPatch) -> Iterator[PaperServer]:
    """The platform, and its address in the environment."""
    server = PaperServer()
    monkeypatch.setenv(ADDRESS, server.address)
    yield server
    server.close()
    PLATFORMS.unregister("paper")


def released(way: str, payments: int = 1) -> Any:
    """A study with payments that wait for their calls."""
    from uuid import uuid4

    from labelwright.server.paying.actions.planning import give_bonus
    from labelwright.server.paying.actions.runs import release
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.store.models import Payment, Rater

    register().way = way
    study = loaded(items=1)
    make_links(study, get_pool(study, "own"), 1, 60, NOW)
    for _ in range(payments):
        give_bonus(study, Rater.objects.get(study=study), 100, "A reason.", uuid4(), ME, NOW)
    Payment.objects.update(platform="paper")
    (run,) = release(study, ME, LATER)
    assert run.payments == payments
    return study


def send_until_quiet(paper: PaperServer, now: datetime = LATER + timedelta(minutes=10)) -> None:
    """Sends and looks up everything that becomes due within two hours."""
    from labelwright.server.paying.jobs import send_next

    for minutes in range(0, 120, 2):
        then = now + timedelta(minutes=minutes)
        while send_next(then, lambda _: PaperConnection(paper.address), partial(_same, then)):
            pass


def _same(at: datetime) -> datetime:
    return at


def die(point: str) -> None:
    """A sender in another process, which dies at this point."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.paper", point, LATER.isoformat()],
        env=os.environ, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert ended.returncode == -9, ended.stderr


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("call", PaperPlatform.calls, ids=lambda call: call.name)
def test_a_killed_sender_pays_once_or_leaves_it_to_a_person(call: Any, point: str, paper: PaperServer):
    from labelwright.server.paying.actions.confirmations import settle
    from labelwright.server.store.models import Payment

    study = released(call.name)
    paper.fault = point if point == "kill_after_commit" else ""
    die(point)
    assert states(study) == {"sent": 1}
    send_until_quiet(paper)
    key = f"{call.name}-{Payment.objects.get().code}-1"
    happened = point != "before_call"
    assert paper.paid[key] == int(happened or call.repeatable)
    settled_itself = call.repeatable or (call.readable and happened)
    if not settled_itself:
        assert rows("SELECT state FROM platform_call") == [("unknown",)]
        settle(study, Payment.objects.get().code, paid=happened, who=ME, now=LATER)
        send_until_quiet(paper)
    if not happened and not call.repeatable:
        # The person said that it was not paid, so it waits for another run, with a call of its own.
        assert (states(study), paper.paid.total()) == ({"planned": 1}, 0)
    else:
        assert (states(study), paper.paid.total()) == ({"confirmed": 1}, 1)
    check_balance(study)


@pytest.mark.parametrize("fault", ["lose_answer", "busy", "down"])
@pytest.mark.parametrize("call", PaperPlatform.calls, ids=lambda call: call.name)
def test_faults_of_the_platform_never_pay_twice(call: Any, fault: str, paper: PaperServer):
    study = released(call.name)
    paper.fault = fault
    send_until_quiet(paper, LATER)
    assert paper.paid.total() <= 1
    ours = states(study)
    if call.repeatable or fault == "busy" or (call.readable and fault == "lose_answer"):
        assert (ours, paper.paid.total()) == ({"confirmed": 1}, 1)
    else:
        assert ours == {"sent": 1}
        assert rows("SELECT state FROM platform_call") == [("unknown",)]
        # A call with a second effect was made once, whatever happened.
        assert max(paper.calls.values()) == 1


def test_two_senders_at_once_send_every_call_once(paper: PaperServer):
    from django.db import connections

    from labelwright.server.paying.jobs import send_next

    study = released("post", payments=40)

    def run() -> None:
        while send_next(LATER, lambda _: PaperConnection(paper.address), lambda: LATER):
            pass
        connections.close_all()

    senders = [threading.Thread(target=run) for _ in range(4)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert (states(study), max(paper.calls.values()), paper.paid.total()) == ({"confirmed": 40}, 1, 40)
    check_balance(study)


def test_a_run_taken_back_and_a_stopped_payment_send_nothing(paper: PaperServer):
    from labelwright.server.paying.actions.runs import release, withdraw_run

    study = released("post", payments=2)
    withdraw_run(study, 1, ME, LATER)
    send_until_quiet(paper)
    assert (states(study), paper.calls.total()) == ({"planned": 2}, 0)
    (again,) = release(study, ME, LATER)
    assert again.run == 2
    send_until_quiet(paper)
    assert (states(study), paper.paid.total()) == ({"confirmed": 2}, 2)
    check_balance(study)
