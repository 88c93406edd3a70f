"""The application that granian serves: the event loop reads bodies and answers liveness checks, threads run Django.

A client that sends half a body holds no thread, and a liveness check waits for none.
"""

from __future__ import annotations

import asyncio
import io
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.conf import settings

from labelwright.server.config import wsgi

if TYPE_CHECKING:
    from granian._granian import RSGIHTTPStreamTransport
    from granian.rsgi import HTTPProtocol, Scope  # type: ignore[attr-defined]

THREADS_VARIABLE = "LABELWRIGHT_THREADS"
CHUNK_SECONDS = 60.0
"""How long a client may take to read one chunk of a download."""
LARGEST_DRAINED_BODY = 16_000_000
"""Larger bodies are not read; the client may lose the connection before it learns that its body was too large."""
METHODS_WITH_BODY = ("POST", "PUT")
"""Bodies of other methods are not read: a client could announce one, send nothing and keep us waiting."""
LIVENESS = "/healthz"


@dataclass(slots=True)
class _Started:
    """The status and headers that Django gives to a WSGI server."""

    status: int = 500
    headers: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, status: str, headers: list[tuple[str, str]], *_: object) -> None:
        self.status = int(status.split(" ", 1)[0])
        # RSGI wants lower-case names.
        self.headers = [(name.lower(), value) for name, value in headers]


class Application:
    """Our Django application for granian."""

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="request")

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        """Answers a request."""
        if scope.path == LIVENESS:
            protocol.response_str(HTTPStatus.OK, [("content-type", "application/json")], '{"alive": true}')
            return
        body, length = b"", 0
        if scope.method in METHODS_WITH_BODY:
            try:
                async with asyncio.timeout(settings.ENVIRONMENT.body_seconds):
                    body, length = await _read_body(scope, protocol)
            except (TimeoutError, EOFError) as error:
                late = isinstance(error, TimeoutError)
                status = HTTPStatus.REQUEST_TIMEOUT if late else HTTPStatus.BAD_REQUEST
                protocol.response_empty(status, [("connection", "close")])
                return
        loop = asyncio.get_running_loop()
        environ = _environ(scope, body, length)
        await loop.run_in_executor(self._threads, _answer, environ, protocol, loop)


async def _read_body(scope: Scope, protocol: HTTPProtocol) -> tuple[bytes, int]:
    """The body, and its length. A body that is too large is read to its end, but not kept.

    The server closes the connection to clients that are still sending when the response is ready, so they would
    never learn why they were rejected. Raises EOFError if the client left half-way: half a form may look like a
    whole one.
    """
    header = scope.headers.get("content-length") or "0"
    announced = int(header) if header.isdecimal() else 0
    if announced > LARGEST_DRAINED_BODY:
        return b"", announced
    chunks: list[bytes] = []
    length, largest = 0, _largest_body(scope)
    async for chunk in protocol:
        length += len(chunk)
        if length <= largest:
            chunks.append(chunk)
        elif length > LARGEST_DRAINED_BODY:
            break
    if length < announced:
        raise EOFError
    return b"".join(chunks), length


def _largest_body(scope: Scope) -> int:
    """The largest body that is kept for Django. A corpus may be large, but strangers may not fill the memory with it."""
    has_token = (scope.headers.get("authorization") or "").startswith("Bearer lw_")
    is_corpus = scope.path in settings.CORPUS_ROUTES and has_token
    return settings.LARGEST_CORPUS_BODY if is_corpus else settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def _environ(scope: Scope, body: bytes, length: int) -> dict[str, Any]:
    """The request as WSGI describes it."""
    host, _, port = scope.server.rpartition(":")
    return _headers(scope) | {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        # Granian has decoded the path; WSGI wants its bytes.
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "CONTENT_LENGTH": str(length),
        "SERVER_NAME": host,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


def _headers(scope: Scope) -> dict[str, str]:
    found: dict[str, str] = {"HTTP_HOST": scope.authority} if scope.authority else {}
    for name, value in scope.headers.items():
        # In WSGI, a_b and a-b would be the same header, so a client could add to those that the proxy writes.
        if "_" in name:
            continue
        key = "CONTENT_TYPE" if name == "content-type" else f"HTTP_{name.upper().replace('-', '_')}"
        separator = "; " if name == "cookie" else ","
        found[key] = f"{found[key]}{separator}{value}" if key in found and name != "host" else value
    return found


def _answer(environ: dict[str, Any], protocol: HTTPProtocol, loop: asyncio.AbstractEventLoop) -> None:
    """Runs Django and sends its response; in a thread."""
    started = _Started()
    response = wsgi.application(environ, started)
    try:
        if getattr(response, "streaming", False):
            transport = protocol.response_stream(started.status, started.headers)
            for chunk in response:
                sending = asyncio.run_coroutine_threadsafe(_send(transport, chunk), loop)
                sending.result(CHUNK_SECONDS)
        else:
            protocol.response_bytes(started.status, started.headers, b"".join(response))
    finally:
        # Tells Django that the request is over, which returns the connection to the pool.
        response.close()


async def _send(transport: RSGIHTTPStreamTransport, chunk: bytes) -> None:
    """Granian's own awaitable belongs to the loop, so it is made there."""
    await transport.send_bytes(chunk)


application = Application(int(os.environ.get(THREADS_VARIABLE, "8")))
