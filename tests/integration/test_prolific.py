"""Prolific against its emulator over HTTP: from arrival to pay, every call killed at every step, and every fault."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from labelwright.crowd.platform import PLATFORMS, all_calls
from labelwright.outside.emulators.prolific import ProlificEmulator, ProlificSettings
from labelwright.outside.emulators.prolific.model import ProlificSubmission
from labelwright.outside.emulators.web import EmulatorServer
from tests.desk import anyones_reviewer, client_of
from tests.integration.test_panel import work_off
from tests.integration.test_payments import ME, check_balance, loaded, run_jobs, states
from tests.prolific import Prolific
from tests.rows import rows
from tests.senders import POINTS, DoomedSenders

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

REASON = (
    "LOW_EFFORT: "
    + "Every answer was given within one second, although the replies take longer to read. " * 2
)
HERE = "http://127.0.0.1:9"
"""Where participants are sent; the test opens the path itself."""
FAULTS: dict[str, dict[str, Any]] = {
    "502": {"kind": "refuse", "status": 502},
    "429": {"kind": "refuse", "status": 429},
    "no answer": {"kind": "lose"},
    "unknown status": {"kind": "rename"},
}
CASES = {("prolific", "approve"), ("prolific", "reject"), ("prolific", "bonus")}
"""Calls that the matrix below can plan. A new call of a platform needs a case here, or a step below."""
STEPS = {
    "create": ("POST", r"/studies/$"),
    "open": ("POST", r"/studies/\w+/transition/"),
    "pause": ("POST", r"/studies/\w+/transition/"),
    "resume": ("POST", r"/studies/\w+/transition/"),
    "places": ("PATCH", r"/studies/\w+/$"),
    "stop": ("POST", r"/studies/\w+/transition/"),
}
"""Calls about publications, in the order in which test_publishing.py kills them, with the request that each makes."""
PEOPLE = {
    "group": ("POST", r"/participant-groups/$"),
    "grant": ("POST", r"/participants/$"),
    "ask_return": ("POST", r"/request-return/$"),
    "message": ("POST", r"/messages/$"),
}
"""The same for calls about people."""
PAYS = (None, r"pay/$|transition/$")


class Emulated:
    """A running emulator with what it knows."""

    def __init__(self, server: EmulatorServer, emulator: ProlificEmulator) -> None:
        self.emulator = emulator
        self.prolific = Prolific(server.address, emulator.state.settings.token)

    @property
    def submissions(self) -> list[ProlificSubmission]:
        return list(self.emulator.state.submissions.values())

    @property
    def calls(self) -> list[str]:
        """The paths of all requests to the API."""
        return [each["path"] for each in self.emulator.requests if each["path"].startswith("/api/")]

    @property
    def ledger(self) -> list[dict[str, Any]]:
        return self.emulator.ledger()

    def fail(self, path: str, kind: str, **told: Any) -> None:
        self.prolific.control("faults", path=path, kind=kind, **told)


@pytest.fixture
def emulated(monkeypatch: pytest.MonkeyPatch) -> Iterator[Emulated]:
    emulator = ProlificEmulator(ProlificSettings(currency="GBP", paying_seconds=0))
    with EmulatorServer(emulator) as server:
        monkeypatch.setenv("LABELWRIGHT_PROLIFIC_ADDRESS", server.address)
        monkeypatch.setenv("LABELWRIGHT_PROLIFIC_TOKEN", emulator.state.settings.token)
        monkeypatch.setenv("LABELWRIGHT_PROLIFIC_WORKSPACE", emulator.state.settings.workspace)
        running = Emulated(server, emulator)
        yield running
        running.prolific.close()


def recruited(emulated: Emulated, people: int = 1) -> Any:
    """A study here and there, with people who came and handed in one task each."""
    panel = {
        "name": "Prolific", "person": "PROLIFIC_PID", "session": "SESSION_ID",
        "completed": "https://app.prolific.com/submissions/complete?cc=C7K2",
    }  # fmt: skip
    own = {"platform": "prolific", "panel": panel, "caps": {"tasks": 1}}
    study = loaded(items=people, pool=own, pay={"cents": 150, "currency": "GBP"})
    prolific = emulated.prolific
    code = {"code": "C7K2", "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]}
    there = prolific.study(
        external_study_url=f"{HERE}/p/{study.public_id}/own?PROLIFIC_PID={{{{%PROLIFIC_PID%}}}}"
        "&SESSION_ID={{%SESSION_ID%}}",
        total_available_places=people,
        estimated_completion_time=5,
        reward=150,
        completion_codes=[code],
    )["id"]
    for person in prolific.people(people):
        _, address = prolific.start(there, person)
        assert "C7K2" in work_off(client_of().get(address.removeprefix(HERE))["Location"])
        prolific.complete(person, "C7K2")
    run_jobs()
    return study


def reject_all(study: Any) -> None:
    from labelwright.server.review.actions.verdicts import VerdictChoice, decide_as_reviewer
    from labelwright.server.store.models import Assignment, User

    user = User.objects.get(username=anyones_reviewer())
    for pk in Assignment.objects.filter(study=study).values_list("pk", flat=True):
        decide_as_reviewer(user, study.public_id, pk, VerdictChoice.REJECT, REASON, datetime.now(UTC))


def planned(emulated: Emulated, call: str) -> Any:
    """A study with one planned call of this kind."""
    from labelwright.server.paying.actions.planning import give_bonus
    from labelwright.server.paying.actions.runs import release
    from labelwright.server.store.models import Payment, Rater

    study = recruited(emulated)
    if call == "reject":
        reject_all(study)
        release(study, ME, datetime.now(UTC))
    elif call == "bonus":
        bonus = give_bonus(
            study, Rater.objects.get(study=study), 200, "Thanks.", uuid4(), ME, datetime.now(UTC)
        )
        release(study, ME, datetime.now(UTC), only=[bonus.pk])
    else:
        tasks = list(Payment.objects.filter(study=study).values_list("pk", flat=True))
        release(study, ME, datetime.now(UTC), only=tasks)
    assert rows("SELECT kind FROM platform_call") == [(call,)]
    return study


def _same(at: datetime) -> datetime:
    return at


def send_all(start: datetime | None = None) -> None:
    """Sends and looks up everything that becomes due within two hours."""
    from labelwright.server.paying.jobs import send_next

    begin = start or datetime.now(UTC)
    for minutes in range(0, 124, 4):
        then = begin + timedelta(minutes=minutes)
        while send_next(then, clock=partial(_same, then)):
            pass


def effects(emulated: Emulated, call: str) -> int:
    """How often a call took effect there."""
    if call == "reject":
        return sum(one.status == "REJECTED" for one in emulated.submissions)
    return sum(line["kind"] == {"approve": "reward", "bonus": "bonus"}[call] for line in emulated.ledger)


def die(
    senders: DoomedSenders, emulated: Emulated, point: str, writes: tuple[str | None, str] = PAYS
) -> None:
    """A sender in a process of its own, killed at a point; for `after_effect` from outside, while it waits."""
    method, path = writes
    if point == "after_effect":
        emulated.fail(path, "hold", seconds=120, method=method)
    requests, before = emulated.emulator.requests, len(emulated.emulator.requests)
    senders.die(point, datetime.now(UTC), lambda: any(each["fault"] == "hold" for each in requests[before:]))


def test_every_call_has_a_case():
    steps = {("prolific", name) for name in STEPS | PEOPLE}
    assert {(name, call.name) for name, call in all_calls([PLATFORMS["prolific"]])} == CASES | steps


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("call", sorted(name for _, name in CASES))
def test_a_killed_sender_has_one_effect_at_most_and_one_after_settlement(
    emulated: Emulated, senders: DoomedSenders, call: str, point: str
):
    from labelwright.server.paying.actions.confirmations import settle
    from labelwright.server.store.models import Payment

    study = planned(emulated, call)
    die(senders, emulated, point)
    assert effects(emulated, call) <= 1
    send_all(datetime.now(UTC) + timedelta(minutes=5))
    happened = point != "before_call"
    if call == "bonus" and not happened:
        # Nobody can tell, so a person looks it up.
        assert effects(emulated, call) == 0
        assert rows("SELECT state FROM platform_call") == [("unknown",)]
        settle(study, Payment.objects.get(kind="bonus").code, paid=False, who=ME, now=datetime.now(UTC))
    else:
        assert effects(emulated, call) == 1
        assert rows("SELECT state FROM platform_call") == [("confirmed",)]
    pays = [path for path in emulated.calls if path.endswith("/pay/")]
    assert len(pays) == len(set(pays)) <= 1
    check_balance(study)
    ours = sum(cents for (cents,) in rows("SELECT cents::int FROM payment WHERE state = 'confirmed'"))
    assert ours == sum(line["cents"] for line in emulated.ledger)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("call", sorted(name for _, name in CASES))
def test_faults_have_one_effect_at_most(emulated: Emulated, call: str, fault: str):
    study = planned(emulated, call)
    emulated.fail("pay/|transition/", **FAULTS[fault])
    send_all()
    unsure = call == "bonus" and fault == "502"
    assert effects(emulated, call) == (0 if unsure else 1)
    assert rows("SELECT state FROM platform_call") == [("unknown" if unsure else "confirmed",)]
    # A list of bonuses is paid once at most. After 429, which did nothing, another list is made.
    pays = [path for path in emulated.calls if path.endswith("/pay/")]
    assert len(pays) == len(set(pays))
    check_balance(study)


def test_people_are_approved_and_paid_to_the_cent(emulated: Emulated):
    from labelwright.server.paying.actions.runs import release
    from labelwright.server.store.models import Assignment

    study = recruited(emulated, people=3)
    release(study, ME, datetime.now(UTC))
    send_all()
    assert states(study) == {"confirmed": 3}
    assert [line["cents"] for line in emulated.ledger] == [150] * 3
    assert set(Assignment.objects.values_list("paid_state", flat=True)) == {"paid"}
    check_balance(study)


def test_a_rejection_needs_a_category_and_a_hundred_characters(emulated: Emulated):
    from labelwright.server.review.actions.verdicts import UnfinishedReason, VerdictChoice, decide_as_reviewer
    from labelwright.server.store.models import Assignment, User

    study = recruited(emulated)
    user, pk = User.objects.get(username=anyones_reviewer()), Assignment.objects.get(study=study).pk
    for reason in ("Too fast.", "LOW_EFFORT: too short", REASON.partition(":")[2], "BORING:" + REASON):
        with pytest.raises(UnfinishedReason):
            decide_as_reviewer(user, study.public_id, pk, VerdictChoice.REJECT, reason, datetime.now(UTC))
    # Excluding the data needs none of it, because it takes nothing from the rater.
    decide_as_reviewer(user, study.public_id, pk, VerdictChoice.LEAVE_OUT, "Too fast.", datetime.now(UTC))
    assert states(study) == {"planned": 1}


def test_somebody_elses_submission_is_never_approved(emulated: Emulated):
    from labelwright.server.paying.actions.runs import release

    study = recruited(emulated)
    for one in emulated.submissions:
        one.participant = "somebodyelse"
    release(study, ME, datetime.now(UTC))
    send_all()
    assert (emulated.ledger, states(study)) == ([], {"planned": 1})
    assert rows("SELECT said FROM platform_call")[0] == ("the submission belongs to another participant",)


def test_two_equal_bonuses_are_told_apart(emulated: Emulated):
    from labelwright.server.paying.actions.planning import give_bonus
    from labelwright.server.paying.actions.runs import release
    from labelwright.server.store.models import Payment, Rater

    study = recruited(emulated)
    rater = Rater.objects.get(study=study)
    made = [give_bonus(study, rater, 200, "Thanks.", uuid4(), ME, datetime.now(UTC)).pk for _ in range(2)]
    release(study, ME, datetime.now(UTC), only=made[:1])
    send_all()
    release(study, ME, datetime.now(UTC), only=made[1:])
    emulated.fail("pay/", "refuse", status=502)
    send_all()
    # The second one was not paid, although a bonus of the same amount is listed.
    assert list(Payment.objects.filter(pk__in=made).order_by("pk").values_list("state", flat=True)) == [
        "confirmed", "sent",
    ]  # fmt: skip
