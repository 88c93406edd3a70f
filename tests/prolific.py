"""The emulated Prolific as tests use it: over HTTP, as a researcher, as participants, and by its controls."""

from __future__ import annotations

from typing import Any

import httpx


class Prolific:
    """A running emulator, a researcher's client, and what participants do."""

    def __init__(self, address: str, token: str) -> None:
        self.api = httpx.Client(
            base_url=f"{address}/api/v1/", headers={"authorization": f"Token {token}"}, timeout=10
        )
        self.site = httpx.Client(base_url=address, timeout=10)
        self.visitors: dict[str, httpx.Client] = {}

    def close(self) -> None:
        for client in (self.api, self.site, *self.visitors.values()):
            client.close()

    def control(self, path: str, /, **told: Any) -> Any:
        return self.site.post(f"/_emu/{path}/", json=told).json()

    def people(self, count: int = 1, **facts: Any) -> list[str]:
        told = {"participants": [facts for _ in range(count)]} if facts else {"count": count}
        ids: list[str] = self.control("participants", **told)["participants"]
        return ids

    def study(self, publish: bool = True, **changed: Any) -> dict[str, Any]:
        made = self.api.post("studies/", json=study_fields(**changed))
        assert made.status_code == 201, made.text
        if publish:
            self.move(made.json()["id"], "PUBLISH")
            self.control("clock", seconds=1)
        return dict(made.json())

    def move(self, study: str, action: str) -> httpx.Response:
        return self.api.post(f"studies/{study}/transition/", json={"action": action})

    def read(self, path: str, **query: Any) -> Any:
        return self.api.get(path, params=query).json()

    def visitor(self, participant: str) -> httpx.Client:
        if participant not in self.visitors:
            self.visitors[participant] = httpx.Client(base_url=self.site.base_url, timeout=10)
            assert self.visitors[participant].get(f"/participants/{participant}/").status_code == 302
        return self.visitors[participant]

    def start(self, study: str, participant: str) -> tuple[str, str]:
        """Reserves a place and opens the study; returns the submission and the address of the study."""
        visitor = self.visitor(participant)
        reserved = visitor.post(f"/studies/{study}/reserve")
        assert reserved.status_code == 302, reserved.text
        place = reserved.headers["location"]
        opened = visitor.post(f"{place}/start")
        assert opened.status_code == 302
        return str(place.rsplit("/", 1)[1]), str(opened.headers["location"])

    def complete(self, participant: str, code: str) -> None:
        back = self.visitor(participant).get("/submissions/complete", params={"cc": code})
        assert back.status_code == 302

    def take_part(self, study: str, participant: str, code: str | None = "DONE1234") -> str:
        submission, _ = self.start(study, participant)
        if code:
            self.complete(participant, code)
        return submission

    def decide(self, submission: str, action: str, **told: Any) -> httpx.Response:
        return self.api.post(f"submissions/{submission}/transition/", json={"action": action, **told})

    def reject(self, submission: str, message: str) -> httpx.Response:
        return self.decide(submission, "REJECT", message=message, rejection_category="LOW_EFFORT")

    def status(self, submission: str) -> str:
        return str(self.read(f"submissions/{submission}/")["status"])

    def ledger(self) -> list[dict[str, Any]]:
        return list(self.site.get("/_emu/ledger/").json()["entries"])


def study_fields(**changed: Any) -> dict[str, Any]:
    address = "http://127.0.0.1:9/enter?PROLIFIC_PID={{%PROLIFIC_PID%}}&SESSION_ID={{%SESSION_ID%}}"
    return {
        "name": "Rate short dialogues",
        "description": "Read and rate.",
        "external_study_url": address,
        "prolific_id_option": "url_parameters",
        "completion_codes": [
            {"code": "DONE1234", "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]},
            {"code": "NOCON", "code_type": "NO_CONSENT", "actions": [{"action": "REQUEST_RETURN"}]},
        ],
        "total_available_places": 5,
        "estimated_completion_time": 10,
        "reward": 240,
        **changed,
    }
