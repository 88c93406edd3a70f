"""A lightweight load generator: raw HTTP/1.1 over a few connections, one rater after the other."""

from __future__ import annotations

import asyncio
import itertools
import re
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

BODY = b'{"answers": {"0": {"useful": 3}}}'
VISIT = re.compile(rb'"visit": "([\w-]{43})"')
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Figures:
    """The results of a run; times are in milliseconds."""

    per_second: float
    page_p50: float
    page_p95: float
    submit_p50: float
    submit_p95: float
    acknowledged: int
    """Submissions that the server acknowledged."""


@dataclass
class Told:
    """Measurements collected during a run."""

    pages: list[float] = field(default_factory=list)
    submits: list[float] = field(default_factory=list)
    acknowledged: int = 0


def drive(
    root: str, raters: list[str], connections: int, seconds: float, think_seconds: float = 0.0
) -> Figures:
    """Makes judgments on each connection: loads the page at a link, waits, then submits."""
    parts = urlsplit(root)
    assert parts.hostname == "127.0.0.1"
    return asyncio.run(_drive(parts.port or 80, itertools.cycle(raters), connections, seconds, think_seconds))


async def _drive(
    port: int, raters: Iterator[str], connections: int, seconds: float, think_seconds: float
) -> Figures:
    told = Told()
    start = time.perf_counter()
    until = start + seconds
    await asyncio.gather(
        *(
            # Raters do not all arrive at the same moment.
            _connection(port, raters, until, told, think_seconds, think_seconds * n / connections)
            for n in range(connections)
        )
    )
    took = time.perf_counter() - start
    quantiles = (*_quantiles(told.pages), *_quantiles(told.submits))
    return Figures(len(told.submits) / took, *quantiles, told.acknowledged)


def _quantiles(times: list[float]) -> tuple[float, float]:
    return 1000 * statistics.median(times), 1000 * statistics.quantiles(times, n=20)[18]


async def _connection(
    port: int, raters: Iterator[str], until: float, told: Told, think_seconds: float, first_seconds: float
) -> None:
    await asyncio.sleep(first_seconds)
    for _ in range(100):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            break
        except ConnectionRefusedError:
            await asyncio.sleep(0.1)
    while time.perf_counter() < until:
        began = time.perf_counter()
        status, page = await _call(reader, writer, b"GET /w/" + next(raters).encode() + b" HTTP/1.1\r\n", b"")
        told.pages.append(time.perf_counter() - began)
        visit = VISIT.search(page)
        assert status == 200, page[:300]
        assert visit, page[:300]
        await asyncio.sleep(think_seconds)
        began = time.perf_counter()
        head = b"POST /t/submit HTTP/1.1\r\nX-Labelwright-Visit: " + visit[1] + b"\r\n"
        status, reply = await _call(reader, writer, head, BODY)
        told.submits.append(time.perf_counter() - began)
        # Two connections may use the same rater; then the older visit is rejected, which is a valid response.
        assert status in (200, 409), reply
        told.acknowledged += status == 200
    writer.close()


async def _call(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: bytes, body: bytes
) -> tuple[int, bytes]:
    length = b"Content-Length: %d\r\nContent-Type: application/json\r\n" % len(body) if body else b""
    writer.write(head + b"Host: 127.0.0.1\r\n" + length + b"\r\n" + body)
    headers = await reader.readuntil(b"\r\n\r\n")
    status = int(headers[9:12])
    if found := LENGTH.search(headers):
        return status, await reader.readexactly(int(found[1]))
    return status, await _chunks(reader)


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    parts = []
    while size := int(await reader.readuntil(b"\r\n"), 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readexactly(2)
    return b"".join(parts)
