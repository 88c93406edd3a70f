"""An OpenAI-compatible endpoint on this machine, for tests: it replies or fails as programmed, and counts."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.request import Request, urlopen


@dataclass(frozen=True, slots=True)
class EndpointReply:
    """A reply of the endpoint: complete, cut off, or delayed."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang_seconds: float = 0
    announced_bytes: int | None = None
    """A length larger than the body, to cut the connection off."""


def completion(text: str | None, tokens: tuple[int, int] = (50, 20)) -> EndpointReply:
    """A chat completion with this text."""
    told = {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]},
    }
    return EndpointReply(json.dumps(told).encode())


class LlmEmulator:
    """Replies to each request by a function of its body and of how often the same request came before."""

    def __init__(self, answer: Callable[[dict[str, Any], int], EndpointReply]) -> None:
        self.answer = answer
        self.asked: Counter[str] = Counter()
        """How often each request was sent, by the hash of its body."""
        self.bodies: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def address(self) -> str:
        """The address for a study file."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def count(self, raw: bytes) -> tuple[dict[str, Any], int]:
        """The request, and how often it came before."""
        body = json.loads(raw)
        key = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        with self._lock:
            self.bodies.append(body)
            self.asked[key] += 1
            return body, self.asked[key] - 1

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        emulator = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["content-length"]))
                answer = emulator.answer(*emulator.count(raw))
                if answer.hang_seconds:
                    time.sleep(answer.hang_seconds)
                self.send_response(answer.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(answer.announced_bytes or len(answer.body)))
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(answer.body)
                except (BrokenPipeError, ConnectionResetError):
                    return
                self.close_connection = answer.announced_bytes is not None

            def log_message(self, *_: object) -> None:
                """Nothing is logged; requests are in `bodies`."""

        return Handler


def counting_proxy(upstream: str, seconds: float = 120) -> LlmEmulator:
    """Forwards every request to a real model at an address that ends in `/v1`, and counts it."""

    def forward(body: dict[str, Any], _before: int) -> EndpointReply:
        request = Request(  # noqa: S310  the test's own server
            f"{upstream}/chat/completions",
            data=json.dumps(body).encode(),
            headers={"content-type": "application/json"},
        )
        with urlopen(request, timeout=seconds) as response:  # noqa: S310
            return EndpointReply(response.read())

    return LlmEmulator(forward)
