"""The emulated Mechanical Turk as tests use it: over HTTP, as a requester, as workers, and by its controls."""

from __future__ import annotations

from typing import Any

import boto3
import httpx
from botocore.config import Config

from labelwright.crowd.platform import PLATFORMS, OutgoingCall
from labelwright.outside.emulators.web import EmulatorServer

QUESTION = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
    'ExternalQuestion.xsd"><ExternalURL>http://127.0.0.1:9/m/enter?pub=P&amp;x=1</ExternalURL>'
    "<FrameHeight>0</FrameHeight></ExternalQuestion>"
)
DAY = 86400


class Turk:
    """A running emulator, a requester's client without retries, and what workers do."""

    def __init__(self, server: EmulatorServer, secret: str = "emulated-secret") -> None:
        self.address = server.address
        self.api = client(server.address, secret)
        self.site = httpx.Client(base_url=server.address, timeout=10)

    def close(self) -> None:
        self.api.close()
        self.site.close()

    def control(self, path: str, /, **told: Any) -> Any:
        return self.site.post(f"/_emu/{path}/", json=told).json()

    def workers(self, count: int = 1, **facts: Any) -> list[str]:
        ids: list[str] = self.control("participants", participants=[facts] * count)["participants"]
        return ids

    def hit(self, **changed: Any) -> str:
        return str(self.api.create_hit(**{**FIELDS, **changed})["HIT"]["HITId"])

    def sign_in(self, worker: str) -> None:
        self.site.cookies.clear()
        self.site.get(f"/workers/{worker}/")

    def accept(self, hit: str, worker: str) -> str:
        self.sign_in(worker)
        answer = self.site.post("/mturk/accept", data={"hitId": hit})
        assert answer.status_code == 302, answer.text
        return str(answer.headers["location"].rsplit("/", 1)[1])

    def submit(self, assignment: str, **fields: str) -> httpx.Response:
        self.site.cookies.clear()
        return self.site.post(
            "/mturk/externalSubmit", data={"assignmentId": assignment, **(fields or {"receipt": "r"})}
        )

    def work(self, hit: str, worker: str) -> str:
        assignment = self.accept(hit, worker)
        assert self.submit(assignment).status_code == 200
        self.control("clock", seconds=6)
        return assignment

    def status(self, hit: str) -> str:
        return str(self.api.get_hit(HITId=hit)["HIT"]["HITStatus"])

    def balance(self) -> str:
        return str(self.api.get_account_balance()["AvailableBalance"])

    def ledger(self) -> list[tuple[str, int, int]]:
        entries = self.site.get("/_emu/ledger/").json()["entries"]
        return [(each["kind"], each["cents"], each["fee"]) for each in entries]


FIELDS: dict[str, Any] = {
    "LifetimeInSeconds": DAY,
    "AssignmentDurationInSeconds": 1800,
    "AutoApprovalDelayInSeconds": 3 * DAY,
    "Reward": "0.40",
    "Title": "Rate dialogues",
    "Description": "Read and rate.",
    "MaxAssignments": 3,
    "Question": QUESTION,
}


def client(address: str, secret: str) -> Any:
    return boto3.client(
        "mturk",
        endpoint_url=address,
        region_name="us-east-1",
        aws_access_key_id="AKIDEMULATED",
        aws_secret_access_key=secret,
        config=Config(retries={"total_max_attempts": 1}, read_timeout=5),
    )


def turk_settings(address: str) -> dict[str, str]:
    """The environment in which our adapter uses an emulator."""
    return {
        "LABELWRIGHT_MTURK_ADDRESS": address,
        "LABELWRIGHT_MTURK_KEY": "AKIDEMULATED",
        "LABELWRIGHT_MTURK_SECRET": "emulated-secret",
    }


def order(
    name: str, places: int, address: str = "http://127.0.0.1:9/p/S/own", **changed: Any
) -> dict[str, Any]:
    """The request of a call that publishes."""
    return {
        "name": name, "title": "Rate dialogues", "description": "Read and rate.", "address": address,
        "places": places, "minutes": 2.0, "cents": 40, "currency": "USD", "wishes": {}, **changed,
    }  # fmt: skip


def created(settings: dict[str, str], name: str, places: int, **changed: Any) -> list[str]:
    """A publication made by our adapter; returns the ids of its HITs."""
    to = PLATFORMS["mturk"].connect(settings)
    answer = to.send(OutgoingCall("create", f"create|{name}", order(name, places, **changed)))
    assert answer.state == "confirmed", answer
    found = to._publications.hits_of(name)  # type: ignore[attr-defined]
    to.close()
    return [hit["HITId"] for hit in found]
