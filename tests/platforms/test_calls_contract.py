"""Platforms that are called keep the contract of calls over HTTP, against their emulators."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest

from labelwright.crowd.platform import PLATFORMS, OutgoingCall, PayRoute
from labelwright.outside.emulators.mturk import MturkEmulator, MturkSettings
from labelwright.outside.emulators.prolific import ProlificEmulator, ProlificSettings
from labelwright.outside.emulators.web import EmulatorServer
from labelwright.testing.platforms import PlatformCallsContract
from tests.mturk import Turk, created, order, turk_settings
from tests.prolific import Prolific

REASON = "LOW_EFFORT: " + "Every answer was given within one second, although reading takes longer. " * 2


class MTurkWorld:
    """An emulated Mechanical Turk with one publication; every example has a worker of its own."""

    def __init__(self, emulator: MturkEmulator, turk: Turk) -> None:
        self.emulator, self.turk = emulator, turk
        self.settings = turk_settings(turk.address)
        self.nowhere = turk_settings("http://127.0.0.1:9")
        self.made: dict[str, OutgoingCall] = {}
        made = turk.api.create_qualification_type(
            Name="passed", Description="They passed.", QualificationTypeStatus="Active"
        )
        self.group = made["QualificationType"]["QualificationTypeId"]

    def example(self, kind: str) -> OutgoingCall:
        if kind not in self.made:
            self.made[kind] = self._example(kind)
        return self.made[kind]

    def _example(self, kind: str) -> OutgoingCall:
        if kind == "create":
            return OutgoingCall(kind, "create|p0", order("p0", 16))
        if kind == "group":
            return OutgoingCall(kind, "group|1", {"name": "qualified"})
        publication = f"of-{kind}"
        (hit, *_) = created(self.settings, publication, 7)
        if kind in ("open", "resume"):
            self.turk.api.update_expiration_for_hit(HITId=hit, ExpireAt=datetime.now(UTC))
        if kind in ("places", "open", "pause", "resume", "stop"):
            return OutgoingCall(kind, f"{kind}|1", {"publication": publication, "places": 11})
        (worker,) = self.turk.workers()
        assignment = self.turk.work(hit, worker)
        if kind == "message":
            self.turk.api.approve_assignment(AssignmentId=assignment)
        told = {
            "raters": ["amber-finch"], "sessions": ["1"], "cents": 200, "mark": "7C21-98AF", "group": self.group,
            "reason": "Every answer was the same.", "body": "The next part opens today.",
        }  # fmt: skip
        return OutgoingCall(
            kind, f"{kind}|1", told, {"amber-finch": worker, "session 1": f"{assignment}:{worker}"}
        )

    def effects(self, kind: str) -> int:
        state = self.emulator.state
        hits = [hit for hit in state.hits.values() if f"/of-{kind}/" in hit.annotation]
        mine = [slot for slot in state.slots if slot.hit in {hit.id for hit in hits}]
        return {
            # 16 assignments are two HITs, of 9 and of 7.
            "create": lambda: sorted(hit.most for hit in state.hits.values() if "/p0/" in hit.annotation) == [7, 9],
            "places": lambda: sum(hit.most for hit in hits) == 11,
            "open": lambda: all(hit.expires > state.clock.now() for hit in hits),
            "pause": lambda: all(hit.expires <= state.clock.now() for hit in hits),
            "resume": lambda: all(hit.expires > state.clock.now() for hit in hits),
            "stop": lambda: all(hit.expires <= state.clock.now() for hit in hits),
            "approve": lambda: sum(slot.status == "Approved" for slot in mine),
            "reject": lambda: sum(slot.status == "Rejected" for slot in mine),
            "bonus": lambda: len(state.bonuses),
            "group": lambda: sum(each["Name"] == "qualified" for each in state.qualification_types.values()),
            "grant": lambda: sum(bool(worker.qualifications) for worker in state.workers.values()),
            "message": lambda: len(state.messages),
        }[kind]()  # fmt: skip


class TestMTurkCalls(PlatformCallsContract):
    """Every call of Mechanical Turk."""

    name: ClassVar[str] = "mturk"

    @pytest.fixture
    def world(self) -> Iterator[MTurkWorld]:
        emulator = MturkEmulator(MturkSettings())
        with EmulatorServer(emulator) as server:
            turk = Turk(server)
            yield MTurkWorld(emulator, turk)
            turk.close()


class ProlificWorld:
    """An emulated Prolific with one study; every example has a participant of its own."""

    def __init__(self, emulator: ProlificEmulator, prolific: Prolific) -> None:
        self.emulator, self.prolific = emulator, prolific
        token = emulator.state.settings.token
        self.settings = {
            "LABELWRIGHT_PROLIFIC_ADDRESS": emulator.address,
            "LABELWRIGHT_PROLIFIC_TOKEN": token,
        }
        self.nowhere = self.settings | {"LABELWRIGHT_PROLIFIC_ADDRESS": "http://127.0.0.1:9"}
        self.study = prolific.study(total_available_places=9)["id"]
        self.made: dict[str, OutgoingCall] = {}

    def example(self, kind: str) -> OutgoingCall | None:
        if kind not in ("approve", "reject", "bonus"):
            return None
        if kind not in self.made:
            self.made[kind] = self._example(kind)
        return self.made[kind]

    def _example(self, kind: str) -> OutgoingCall:
        (person,) = self.prolific.people()
        submission = self.prolific.take_part(self.study, person)
        told: dict[str, Any] = {"raters": ["amber-finch"], "sessions": ["1"], "cents": 200, "reason": REASON}
        return OutgoingCall(kind, f"{kind}|1", told, {"amber-finch": person, "session 1": submission})

    def effects(self, kind: str) -> int:
        if kind == "reject":
            return sum(one.status == "REJECTED" for one in self.emulator.state.submissions.values())
        wanted = {"approve": "reward", "bonus": "bonus"}[kind]
        return sum(line["kind"] == wanted for line in self.emulator.ledger())


class TestProlificCalls(PlatformCallsContract):
    """The calls of Prolific that pay."""

    name: ClassVar[str] = "prolific"

    @pytest.fixture
    def world(self) -> Iterator[ProlificWorld]:
        emulator = ProlificEmulator(ProlificSettings(paying_seconds=0))
        with EmulatorServer(emulator) as server:
            prolific = Prolific(server.address, emulator.state.settings.token)
            yield ProlificWorld(emulator, prolific)
            prolific.close()


def test_every_platform_with_calls_keeps_the_contract_over_http() -> None:
    called = {name for name, each in PLATFORMS.items() if each.pay_route == PayRoute.CALLS}
    assert called == {each.name for each in PlatformCallsContract.__subclasses__()}
