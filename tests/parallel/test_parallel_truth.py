"""Many raters, several server processes, kill -9 in the middle: then every acknowledgement is compared."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.processes import Process, Server
from tests.studies import dialogues, parse, pool, study_text
from turnwise.outside.client import RaterClient, Refused

pytestmark = [pytest.mark.postgres, pytest.mark.parallel]

RATERS, TASKS, AT_ONCE, ITEMS = 200, 10, 64, 333
LEASE_SECONDS = 6
PATIENCE_SECONDS = 150


@pytest.fixture
def servers(database: str, tmp_path: Path) -> Iterator[list[Server]]:
    running = [Server(tmp_path / f"server{n}.log") for n in range(3)]
    for server in running:
        server.start()
    yield running
    for server in running:
        server.stop()


@pytest.fixture
def worker(database: str, tmp_path: Path) -> Iterator[Process]:
    process = Process("worker", log=tmp_path / "worker.log")
    process.start()
    yield process
    process.stop()


def make_study() -> list[str]:
    """Loads a study; the raters' tokens."""
    from datetime import UTC, datetime

    from turnwise.server.actions.links import make_links
    from turnwise.server.actions.study import load_study
    from turnwise.server.store.models import Pool

    now = datetime.now(UTC)
    text = study_text(
        items={"per_dialogue": 1},
        pools=pool(raters=RATERS, caps={"tasks": TASKS}, lease_minutes=LEASE_SECONDS / 60),
    )
    loaded = load_study(parse(text), text, dialogues(ITEMS), now)
    links = make_links(loaded.study, Pool.objects.get(), RATERS, 60, now)
    return [address.rsplit("/", 1)[1] for _, address in links]


class Crowd:
    """Raters who never give up: what a server did not answer is sent again to another."""

    def __init__(self, servers: list[Server], seed: int) -> None:
        self.servers = servers
        self.random = random.Random(seed)
        self.acknowledged: list[str] = []
        self.refusals: Counter[str] = Counter()

    async def work(self, tokens: list[str]) -> None:
        gate = asyncio.Semaphore(AT_ONCE)
        async with httpx.AsyncClient(timeout=20, limits=httpx.Limits(max_connections=AT_ONCE)) as http:
            await asyncio.gather(*(self._rater(http, token, gate) for token in tokens))

    async def _rater(self, http: httpx.AsyncClient, token: str, gate: asyncio.Semaphore) -> None:
        async with gate:
            until = time.monotonic() + PATIENCE_SECONDS
            while time.monotonic() < until:
                try:
                    if not await self._task(http, token):
                        return
                except Refused as refused:
                    self.refusals[refused.reply["code"]] += 1
                except httpx.HTTPError:
                    await asyncio.sleep(0.2)
            raise AssertionError("a rater ran out of patience")

    async def _task(self, http: httpx.AsyncClient, token: str) -> bool:
        page = await self._client(http, token).open()
        if page.task is None:
            return False
        answers = {"0": {"useful": self.random.choice([1, 2, 3])}}
        while True:
            try:
                self.acknowledged.append(await self._client(http, token).submit(page, answers))
            except httpx.HTTPError:
                await asyncio.sleep(0.2)
            else:
                return True

    def _client(self, http: httpx.AsyncClient, token: str) -> RaterClient:
        return RaterClient(http, f"{self.random.choice(self.servers).root}/w/{token}")


async def kill_and_restart(crowd: Crowd, victim: Server, worker: Process) -> None:
    """Kills one server and the worker when a third and two thirds of the work is done."""
    for share in (1 / 3, 2 / 3):
        while len(crowd.acknowledged) < ITEMS * 2 * 3 * share:
            await asyncio.sleep(0.05)
        victim.kill()
        worker.kill()
        await asyncio.sleep(0.5)
        await asyncio.to_thread(victim.start)
        worker.start()


def test_every_acknowledged_submission_is_stored_exactly_once(servers: list[Server], worker: Process):
    from turnwise.server.actions.receipts import receipt_of
    from turnwise.server.store.rows import rows

    tokens = make_study()
    crowd = Crowd(servers, seed=11)

    async def run() -> None:
        await asyncio.gather(crowd.work(tokens), kill_and_restart(crowd, servers[0], worker))

    asyncio.run(run())

    stored = [receipt_of(row[0]) for row in rows("SELECT id FROM assignment WHERE state = 'submitted'")]
    assert sorted(set(crowd.acknowledged)) == sorted(stored)
    # Nearly all of the 1,998 places are filled; raters at the end may have seen what is left.
    assert len(stored) > 1950, crowd.refusals
    assert rows("SELECT max(n), min(n) FROM (SELECT count(*) n FROM answer GROUP BY assignment_id) x") == [
        (1, 1)
    ]
    assert rows("SELECT count(*) FROM answer") == [(len(stored),)]
    over = rows(
        """SELECT count(*) FROM (SELECT task_id FROM assignment WHERE state = 'submitted'
                                 GROUP BY task_id HAVING count(*) > 3) x"""
    )
    twice = rows(
        """SELECT count(*) FROM (SELECT s.rater_id, t.item_id FROM assignment s JOIN task_item t USING (task_id)
                                 WHERE s.state = 'submitted' GROUP BY 1, 2 HAVING count(*) > 1) x"""
    )
    capped = rows("SELECT max(n) FROM rater_count WHERE scope = 'tasks'")
    assert (over, twice, capped) == ([(0,)], [(0,)], [(TASKS,)])
    none_hangs_and_tallies_agree()


def none_hangs_and_tallies_agree() -> None:
    """After the lease time no place is held, and the tallies equal a full recount."""
    from turnwise.server.store.rows import rows

    waiting = "SELECT count(*) FROM place WHERE state = 'leased'"
    unflagged = "SELECT count(*) FROM assignment WHERE unflagged"
    until = time.monotonic() + LEASE_SECONDS + 90
    while (rows(waiting), rows(unflagged)) != ([(0,)], [(0,)]):
        assert time.monotonic() < until, (rows(waiting), rows(unflagged))
        time.sleep(0.2)
    assert rows("SELECT condition, question, code, n FROM tally ORDER BY 1, 2, 3") == rows(
        """SELECT t.condition, a.question, a.code, count(*) FROM answer a
           JOIN assignment s ON s.id = a.assignment_id JOIN task t ON t.id = s.task_id
           WHERE a.code IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""
    )
    assert rows("SELECT item_id, condition, code, n FROM item_tally ORDER BY 1, 2, 3") == rows(
        """SELECT x.item_id, t.condition, a.code, count(*) FROM answer a
           JOIN assignment s ON s.id = a.assignment_id JOIN task t ON t.id = s.task_id
           JOIN task_item x ON x.task_id = t.id AND x.position = a.position
           WHERE a.code IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""
    )
    offered = rows("SELECT condition, sum(n)::bigint FROM offered GROUP BY 1 ORDER BY 1")
    assert offered == rows(
        "SELECT condition, count(*) FROM place WHERE state = 'filled' GROUP BY 1 ORDER BY 1"
    )
