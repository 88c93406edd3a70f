"""A simulated crowd that works over HTTP: in real time as a load test, or in simulated time as a rehearsal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import httpx

from labelwright.outside.pages import StudyPages
from labelwright.outside.rater_browser import Page, RaterBrowser, Refused
from labelwright.simulate import (
    Act,
    End,
    Event,
    NoTask,
    SimulatedRater,
    SimulatedTask,
    Timeline,
    simulated_task,
)

TIMEOUT_SECONDS = 30
TOO_LATE = ("place_gone", "work_ended")
"""The error codes for tasks that are submitted too late."""


async def work(
    raters: Sequence[SimulatedRater],
    links: Sequence[str],
    done: Callable[[], None],
    at_once: int = 32,
    *,
    pages: StudyPages,
    hurry: float = 15,
    receipts: list[str] | None = None,
) -> None:
    """Every rater works at their link until there are no tasks left for them. `done` is called for each task.

    Raters work in real time, divided by `hurry`. Raters who drop out close the page. Receipts of
    submitted tasks are added to `receipts`.
    """
    limit = asyncio.Semaphore(at_once)
    async with _http(at_once) as http:
        await asyncio.gather(
            *(
                _rater(_AtWork(RaterBrowser(http, link), rater, pages, hurry), limit, done, receipts)
                for rater, link in zip(raters, links, strict=False)
            )
        )


@dataclass(frozen=True, slots=True)
class _AtWork:
    """A rater at their link, in real time."""

    client: RaterBrowser
    rater: SimulatedRater
    pages: StudyPages
    hurry: float

    async def task(self) -> str | None:
        """The receipt of the next task, or None if there is no task or the rater leaves; raises Refused."""
        page = await _open(self.client, self.rater, self.pages)
        if page.task is None:
            return None
        shown = _shown(page, self.pages)
        pace = self.rater.pace(shown.minutes)
        if pace.leaves:
            return None
        await asyncio.sleep(pace.seconds / self.hurry)
        return await self.client.submit(page, self.rater.answer(shown.sheets, shown.known))


async def _rater(
    at_work: _AtWork, limit: asyncio.Semaphore, done: Callable[[], None], receipts: list[str] | None
) -> None:
    async with limit:
        while True:
            try:
                receipt = await at_work.task()
            except Refused as refused:
                if refused.reply.get("code") not in TOO_LATE:
                    raise
                continue  # another rater took the place; the next page says so
            if receipt is None:
                return
            if receipts is not None:
                receipts.append(receipt)
            done()


async def _open(client: RaterBrowser, rater: SimulatedRater, pages: StudyPages) -> Page:
    """The first page after the questions before tasks."""
    tries = 0
    while (page := await client.open()).sheet is not None:
        asked, known = pages.before(page)
        await client.answer_before(page, rater.answer(asked, known, tries))
        tries += 1
    return page


def _shown(page: Page, pages: StudyPages) -> SimulatedTask:
    assert page.task is not None
    return simulated_task(page, pages.study, *pages.read(page), lease_seconds=page.task["secondsLeft"])


@dataclass(frozen=True, slots=True)
class Clockwork:
    """How simulated time affects a server that runs in real time."""

    lapse: Callable[[list[str]], None]
    """Ends the leases of these visits, because they ran out in simulated time."""
    is_over: Callable[[], bool]
    """Whether every place is filled."""


def live(
    timeline: Timeline, links: Sequence[str], pages: StudyPages, clockwork: Clockwork, at_once: int = 8
) -> None:
    """Plays a timeline in simulated time on the real pages, with `at_once` raters at a time.

    With one rater at a time, the result is reproducible. No event loop runs between calls, so that
    `clockwork` can use a database synchronously.
    """
    with asyncio.Runner() as runner:
        http = runner.run(_opened(at_once))
        clients = [RaterBrowser(http, link) for link in links]
        try:
            while events := timeline.due(at_once):
                lapsed = timeline.lapsed(events[0].at)
                if lapsed:
                    clockwork.lapse([page.task["visit"] for page in lapsed])
                said = runner.run(_all(timeline, clients, events, pages))
                for event, reply in zip(events, said, strict=True):
                    _report(timeline, event, reply, pages)
                if (
                    any(isinstance(reply, Page) and reply.task is None for reply in said)
                    and clockwork.is_over()
                ):
                    timeline.end()
        finally:
            runner.run(http.aclose())


def _report(timeline: Timeline, event: Event, reply: Page | End, pages: StudyPages) -> None:
    if isinstance(reply, End):
        timeline.ended(event, reply)
    elif reply.task is None:
        timeline.looked(event, NoTask.FOR_NOW)
    else:
        timeline.looked(event, _shown(reply, pages))


async def _all(
    timeline: Timeline, clients: Sequence[RaterBrowser], events: Sequence[Event], pages: StudyPages
) -> list[Page | End]:
    calls = [_one(clients[event.rater], timeline.raters[event.rater], event, pages) for event in events]
    return await asyncio.gather(*calls)


async def _one(client: RaterBrowser, rater: SimulatedRater, event: Event, pages: StudyPages) -> Page | End:
    match event.act:
        case Act.LOOK:
            return await _open(client, rater, pages)
        case Act.RETURN:
            await client.give_back(event.ticket)
            return End.RETURNED
    try:
        await client.submit(event.ticket, event.answers)
    except Refused as refused:
        if refused.reply.get("code") not in TOO_LATE:
            raise  # for example an answer that was valid here but not on the server: a bug
        return End.REFUSED
    return End.STORED


async def _opened(at_once: int) -> httpx.AsyncClient:
    return _http(at_once)


def _http(at_once: int) -> httpx.AsyncClient:
    return httpx.AsyncClient(timeout=TIMEOUT_SECONDS, limits=httpx.Limits(max_connections=at_once))
