"""A load generator that costs little: raw HTTP/1.1 over a few connections, one rater after the other."""

from __future__ import annotations

import asyncio
import itertools
import re
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

BODY = b'{"answers": {"0": {"useful": 3}}}'
VISIT = re.compile(rb'"visit": "([\w-]{43})"')
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Figures:
    """What a run came to; times in milliseconds."""

    per_second: float
    page_p50: float
    page_p95: float
    submit_p50: float
    submit_p95: float


def drive(root: str, raters: list[str], connections: int, seconds: float) -> Figures:
    """Judgments as fast as they go: the page at a link, then the submission, on each connection."""
    parts = urlsplit(root)
    assert parts.hostname == "127.0.0.1"
    return asyncio.run(_drive(parts.port or 80, itertools.cycle(raters), connections, seconds))


async def _drive(port: int, raters: Iterator[str], connections: int, seconds: float) -> Figures:
    pages: list[float] = []
    submits: list[float] = []
    until = time.perf_counter() + seconds
    start = time.perf_counter()
    await asyncio.gather(*(_connection(port, raters, until, pages, submits) for _ in range(connections)))
    took = time.perf_counter() - start
    return Figures(len(submits) / took, *_quantiles(pages), *_quantiles(submits))


def _quantiles(times: list[float]) -> tuple[float, float]:
    return 1000 * statistics.median(times), 1000 * statistics.quantiles(times, n=20)[18]


async def _connection(
    port: int, raters: Iterator[str], until: float, pages: list[float], submits: list[float]
) -> None:
    for _ in range(100):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            break
        except ConnectionRefusedError:
            await asyncio.sleep(0.1)
    while time.perf_counter() < until:
        began = time.perf_counter()
        status, page = await _call(reader, writer, b"GET /w/" + next(raters).encode() + b" HTTP/1.1\r\n", b"")
        pages.append(time.perf_counter() - began)
        visit = VISIT.search(page)
        assert status == 200, page[:300]
        assert visit, page[:300]
        began = time.perf_counter()
        head = b"POST /t/submit HTTP/1.1\r\nX-Turnwise-Visit: " + visit[1] + b"\r\n"
        status, reply = await _call(reader, writer, head, BODY)
        submits.append(time.perf_counter() - began)
        # Two connections may meet at one rater; the older visit is refused, which is an answer too.
        assert status in (200, 409), reply
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
