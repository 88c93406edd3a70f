"""HTTP for emulators: routes, one request at a time, faults, and a record of every request."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

from labelwright.outside.emulators.clock import VirtualClock
from labelwright.outside.emulators.faults import Fault, FaultType, changed_answer, take_fault

LARGEST_BODY = 5_000_000
TICK_SECONDS = 0.05
"""How often effects that became due are run, if no request does so."""


@dataclass(frozen=True, slots=True)
class EmulatedRequest:
    """A request as handlers see it."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    """Names in lower case."""
    raw: bytes
    cookies: dict[str, str]

    @property
    def form(self) -> dict[str, str]:
        """The fields of a form."""
        return dict(parse_qsl(self.raw.decode("utf-8", "replace"), keep_blank_values=True))


@dataclass(frozen=True, slots=True)
class EmulatedAnswer:
    """An answer: JSON, a page or a redirect."""

    body: object = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    html: str | None = None

    def content(self) -> tuple[bytes, str]:
        """The bytes and their type."""
        if self.html is not None:
            return self.html.encode(), "text/html; charset=utf-8"
        if self.body is None:
            return b"", "text/plain"
        return json.dumps(self.body).encode(), self.headers.get("content-type", "application/json")


def redirect(address: str, **cookies: str) -> EmulatedAnswer:
    """A redirect to another address, which may set a cookie."""
    headers = {"location": address}
    for name, value in cookies.items():
        headers["set-cookie"] = f"{name}={value}; Path=/; SameSite=Lax"
    return EmulatedAnswer(status=302, headers=headers)


Handler = Callable[..., EmulatedAnswer]
"""Given the request and the named parts of its path."""


@dataclass(frozen=True, slots=True)
class Route:
    """A method and a path with named parts, such as `/studies/{study}/`."""

    method: str
    pattern: re.Pattern[str]
    handler: Handler


def route(method: str, path: str, handler: Handler) -> Route:
    """A route from a path with named parts."""
    pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", re.escape(path).replace(r"\{", "{").replace(r"\}", "}"))
    return Route(method, re.compile(f"^{pattern}$"), handler)


class EmulatedPlatform:
    """What an emulator answers. A subclass adds its own routes and turns its refusals into answers."""

    name = "platform"

    def __init__(self, clock: VirtualClock | None = None) -> None:
        self.clock = clock or VirtualClock()
        self.faults: list[Fault] = []
        self.requests: list[dict[str, Any]] = []
        self.address = ""
        """Set when it is served."""

    def routes(self) -> Iterable[Route]:
        """The platform's own routes, in the order in which they are tried."""
        return ()

    def ledger(self) -> list[dict[str, Any]]:
        """Every movement of money, oldest first."""
        return []

    def unknown(self, request: EmulatedRequest) -> EmulatedAnswer:
        """The answer if no route fits."""
        return EmulatedAnswer({"detail": f"No such address: {request.path}"}, 404)

    def place_of(self, request: EmulatedRequest) -> str:
        """What faults are matched against: the path, unless a platform names its operations elsewhere."""
        return request.path

    def error_answer(self, status: int, detail: str) -> EmulatedAnswer:
        """How this platform says that something went wrong."""
        return EmulatedAnswer({"detail": detail}, status)

    def control_routes(self) -> tuple[Route, ...]:
        """What every emulator offers under `/_emu/`."""
        return (
            route("GET", "/_emu/", lambda _request: self._about()),
            route("POST", "/_emu/clock/", self._advance),
            route("POST", "/_emu/faults/", self._add_faults),
            route("DELETE", "/_emu/faults/", lambda _request: self._clear_faults()),
            route("GET", "/_emu/ledger/", lambda _request: EmulatedAnswer({"entries": self.ledger()})),
            route("GET", "/_emu/requests/", lambda _request: EmulatedAnswer({"requests": self.requests})),
        )

    def _about(self) -> EmulatedAnswer:
        return EmulatedAnswer({"emulator": self.name, "now": self.clock.now().isoformat()})

    def _advance(self, request: EmulatedRequest) -> EmulatedAnswer:
        self.clock.advance(float(json.loads(request.raw)["seconds"]))
        self.clock.settle()
        return self._about()

    def _add_faults(self, request: EmulatedRequest) -> EmulatedAnswer:
        told = json.loads(request.raw)
        self.faults.extend(Fault.read(each) for each in (told if isinstance(told, list) else [told]))
        return EmulatedAnswer({"faults": len(self.faults)}, 201)

    def _clear_faults(self) -> EmulatedAnswer:
        self.faults.clear()
        return EmulatedAnswer(status=204)

    def answer(self, request: EmulatedRequest) -> EmulatedAnswer:
        """The answer of the first route that fits."""
        for each in (*self.control_routes(), *self.routes()):
            found = each.pattern.match(request.path) if each.method == request.method else None
            if found:
                return each.handler(request, **found.groupdict())
        return self.unknown(request)


class EmulatorServer:
    """Serves an emulated platform on this machine. One request is handled at a time, as in one transaction."""

    def __init__(self, platform: EmulatedPlatform, port: int = 0) -> None:
        self.platform = platform
        self._lock = threading.RLock()
        self._stopping = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler_of(self))
        self._server.daemon_threads = True
        self._threads = [
            threading.Thread(target=self._server.serve_forever, args=(TICK_SECONDS,), daemon=True),
            threading.Thread(target=self._tick, daemon=True),
        ]
        platform.address = self.address

    @property
    def address(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()
        for thread in self._threads:
            thread.join()

    def wait(self) -> None:
        """Serves until the process is stopped."""
        self._stopping.wait()

    def _tick(self) -> None:
        while not self._stopping.wait(TICK_SECONDS):
            with self._lock:
                self.platform.clock.settle()

    def handle(self, request: EmulatedRequest) -> EmulatedAnswer | None:
        """The answer to a request; None if the connection closes without one."""
        control = request.path.startswith("/_emu/")
        place = self.platform.place_of(request)
        with self._lock:
            fault = None if control else take_fault(self.platform.faults, request.method, place)
        if fault and fault.kind is FaultType.DELAY:
            time.sleep(fault.seconds)
        answer = self._faulty(request, fault)
        if not control:
            self._record(request, answer, fault)
        if fault and fault.kind is FaultType.HOLD:
            time.sleep(fault.seconds)
        return answer

    def _faulty(self, request: EmulatedRequest, fault: Fault | None) -> EmulatedAnswer | None:
        kind = fault.kind if fault else None
        if fault and kind is FaultType.REFUSE:
            return self.platform.error_answer(fault.status, "The service did not answer.")
        if kind is FaultType.DROP:
            return None
        with self._lock:
            self.platform.clock.settle()
            answer = self.platform.answer(request)
        if fault and kind is FaultType.FAIL:
            return self.platform.error_answer(fault.status, "The service did not answer.")
        if kind is FaultType.LOSE:
            return None
        if fault and kind in {FaultType.RENAME, FaultType.ADD}:
            return EmulatedAnswer(changed_answer(fault, answer.body), answer.status, answer.headers)
        return answer

    def _record(self, request: EmulatedRequest, answer: EmulatedAnswer | None, fault: Fault | None) -> None:
        with self._lock:
            self.platform.requests.append(
                {
                    "at": self.platform.clock.now().isoformat(),
                    "method": request.method,
                    "path": self.platform.place_of(request),
                    "body": request.raw.decode("utf-8", "replace"),
                    "status": answer.status if answer else None,
                    "fault": fault.kind.value if fault else None,
                }
            )


def _handler_of(emulator: EmulatorServer) -> type[BaseHTTPRequestHandler]:
    class AnsweringHandler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1
        """An answer leaves in one piece; head and body apart would wait for each other for 40 ms."""

        def _respond(self) -> None:
            answer = emulator.handle(self._read())
            if answer is None:
                self.close_connection = True
                return
            content, kind = answer.content()
            try:
                self._send(answer, content, kind)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def _read(self) -> EmulatedRequest:
            parts = urlsplit(self.path)
            length = min(int(self.headers.get("content-length") or 0), LARGEST_BODY)
            return EmulatedRequest(
                self.command,
                parts.path,
                dict(parse_qsl(parts.query, keep_blank_values=True)),
                {name.lower(): value for name, value in self.headers.items()},
                self.rfile.read(length),
                {name: morsel.value for name, morsel in SimpleCookie(self.headers.get("cookie", "")).items()},
            )

        def _send(self, answer: EmulatedAnswer, content: bytes, kind: str) -> None:
            self.send_response(answer.status)
            for name, value in {"content-type": kind, **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_HEAD = _respond  # noqa: N815  names of the standard library

        def log_message(self, *_: object) -> None:
            """Nothing is printed; requests are under `/_emu/requests/`."""

    return AnsweringHandler
