"""A platform for tests that speaks HTTP and pays with paper: it has a ledger of its own, faults, and kills its callers.

`transfer` has a token and can be read back; `hand_over` pays again at every call and can be read; `post` pays again and
cannot be read.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import httpx

from labelwright.crowd import CallState
from labelwright.crowd.platform import (
    PLATFORMS,
    CallAnswer,
    CallKind,
    Connection,
    DuePayment,
    OutgoingCall,
    PayCall,
    PayRoute,
    Platform,
)

ADDRESS = "PAPER_ADDRESS"
TIMEOUT_SECONDS = 3


class PaperServer:
    """The platform itself, in a thread; `paid` counts the effects of each call."""

    def __init__(self) -> None:
        self.paid: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.fault = ""
        """What happens to the next call: kill_after_commit, lose_answer, busy or down."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Ends the thread."""
        self._server.shutdown()
        self._server.server_close()

    def _handler(paper) -> type[BaseHTTPRequestHandler]:  # noqa: N805  the handler has a self of its own
        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                """Nothing is printed."""

            def do_GET(self) -> None:
                self._answer(200, {"paid": paper.paid[self.path.removeprefix("/")]})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                fault, paper.fault = paper.fault, ""
                paper.calls[body["key"]] += 1
                if fault == "busy":
                    self._answer(429, {})
                    return
                if fault == "down":
                    self._answer(502, {})
                    return
                if body["kind"] != "transfer" or not paper.paid[body["key"]]:
                    paper.paid[body["key"]] += 1
                if fault == "kill_after_commit":
                    os.kill(int(self.headers["X-Caller"]), signal.SIGKILL)
                if fault == "lose_answer":
                    self.close_connection = True
                    return
                with suppress(OSError):
                    self._answer(200, {"paid": 1})

            def _answer(self, status: int, body: dict[str, Any]) -> None:
                text = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

        return Handler


class PaperConnection:
    """Calls the platform, once."""

    def __init__(self, address: str) -> None:
        self.address = address

    def send(self, call: OutgoingCall) -> CallAnswer:
        try:
            answer = httpx.post(
                self.address,
                json={"kind": call.kind, "key": call.key},
                headers={"X-Caller": str(os.getpid())},
                timeout=TIMEOUT_SECONDS,
            )
        except httpx.HTTPError as error:
            return CallAnswer(CallState.UNKNOWN, type(error).__name__)
        if answer.status_code == 429:
            return CallAnswer(CallState.PLANNED, "busy")
        if answer.status_code != 200:
            return CallAnswer(CallState.UNKNOWN, str(answer.status_code))
        return CallAnswer(CallState.CONFIRMED, "paid")

    def close(self) -> None:
        pass

    def find(self, call: OutgoingCall) -> CallAnswer:
        found = httpx.get(f"{self.address}/{call.key}", timeout=TIMEOUT_SECONDS).json()["paid"]
        return (
            CallAnswer(CallState.CONFIRMED, "found") if found else CallAnswer(CallState.PLANNED, "not found")
        )


class PaperPlatform(Platform):
    """Pays by one of its calls, which `way` names."""

    name: ClassVar[str] = "paper"
    pay_route: ClassVar[PayRoute] = PayRoute.CALLS
    calls: ClassVar[tuple[CallKind, ...]] = (
        CallKind("transfer", moves_money=True, repeatable=True),
        CallKind("hand_over", moves_money=True, repeatable=False),
        CallKind("post", moves_money=True, repeatable=False, readable=False),
    )
    way = "transfer"

    def connect(self, settings: Mapping[str, str]) -> Connection:
        return PaperConnection(settings[ADDRESS])

    def pay_calls(self, payments: Sequence[DuePayment]) -> list[PayCall]:
        return [
            PayCall(self.way, f"{self.way}-{each.code}-{each.round}", {"raters": [each.rater]}, (each.id,))
            for each in payments
        ]


def register() -> PaperPlatform:
    """Makes the platform known to this process."""
    made = PaperPlatform()
    PLATFORMS.register("paper", made, source=PaperPlatform, module=__name__)
    return made


def main(point: str) -> None:
    """A sender in a process of its own, which kills itself at a point on its way."""
    import sys
    from datetime import datetime

    from labelwright.server.config.startup import set_up

    set_up()
    register()
    from labelwright.server.paying.jobs import send_next

    def die() -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    class Doomed(PaperConnection):
        def send(self, call: OutgoingCall) -> CallAnswer:
            if point == "before_call":
                die()
            answer = super().send(call)
            if point == "before_commit":
                die()
            return answer

    while send_next(datetime.fromisoformat(sys.argv[2]), lambda _: Doomed(os.environ[ADDRESS])):
        pass


if __name__ == "__main__":
    import sys

    main(sys.argv[1])
