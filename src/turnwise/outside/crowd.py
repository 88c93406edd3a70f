"""A simulated crowd at work over real HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import httpx

from turnwise.outside.client import RaterClient, Refused
from turnwise.simulate import SimulatedRater


async def work(
    raters: Sequence[SimulatedRater], links: Sequence[str], done: Callable[[], None], at_once: int = 32
) -> None:
    """Every rater works at their link until there is nothing left for them; `done` is called for each task."""
    gate = asyncio.Semaphore(at_once)
    async with httpx.AsyncClient(timeout=30) as http:
        await asyncio.gather(
            *(
                _rater(RaterClient(http, link), rater, gate, done)
                for rater, link in zip(raters, links, strict=False)
            )
        )


async def _rater(
    client: RaterClient, rater: SimulatedRater, gate: asyncio.Semaphore, done: Callable[[], None]
) -> None:
    async with gate:
        while (page := await client.open()).task is not None:
            await asyncio.sleep(rater.seconds())
            try:
                await client.submit(page, rater.answer(page.target, page.questions))
            except Refused:
                continue  # somebody else took the place; the next page says so
            done()
