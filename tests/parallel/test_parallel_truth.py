"""300 raters, 4 servers, reviewers who leave a tenth out, and kill -9 in the middle: then everything is compared."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from labelwright.outside.rater_browser import RaterBrowser, Refused
from labelwright.server.operations.laptop import LaptopPostgres
from tests.processes import Process, Server
from tests.studies import dialogues, parse, pool, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.parallel]

SERVERS, RATERS, AT_ONCE, ITEMS = 4, 300, 64, 250
CONDITIONS, REDUNDANCY = 2, 3
WANTED = ITEMS * CONDITIONS * REDUNDANCY
CAPS = {"tasks": 12, "tasks_per_batch": 10, "tasks_per_day": 11, "conditions": 2, "returns": 2}
LEFT_OUT_SHARE = 0.1
LEASE_SECONDS = 6
PATIENCE_SECONDS = 200


@pytest.fixture
def servers(database: str, tmp_path: Path) -> Iterator[list[Server]]:
    running = [Server(tmp_path / f"server{n}.log") for n in range(SERVERS)]
    starting = [threading.Thread(target=server.start) for server in running]
    for thread in starting:
        thread.start()
    for thread in starting:
        thread.join()
    yield running
    for server in running:
        server.stop()


@pytest.fixture
def worker(database: str, tmp_path: Path) -> Iterator[Process]:
    process = Process("worker", log=tmp_path / "worker.log")
    process.start()
    yield process
    process.stop()


def make_study() -> tuple[list[str], int]:
    """Loads a study; the raters' tokens, and how far apart the planner lets its conditions be."""
    from datetime import UTC, datetime

    from labelwright.corpus import make_items
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool
    from labelwright.server.studies.actions.loading import load_study
    from labelwright.study import lay_out_study, plan_study

    now = datetime.now(UTC)
    text = study_text(
        items={"per_dialogue": 1},
        redundancy=REDUNDANCY,
        pools=pool(raters=RATERS, caps=CAPS, lease_minutes=LEASE_SECONDS / 60),
    )
    study, corpus = parse(text), dialogues(ITEMS)
    laid = lay_out_study(study, make_items(corpus, study.items, study.seed), corpus)
    plan = plan_study(study, laid, LEFT_OUT_SHARE)
    assert plan.completes, plan
    loaded = load_study(study, text, corpus, now, opened=True)
    links = make_links(loaded.study, Pool.objects.get(), RATERS, 60, now)
    return [link.token for link in links], plan.drift


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
        if self.random.random() < 0.02:
            await self._client(http, token).give_back(page)
            return True
        answers = {"0": {"useful": self.random.choice([1, 2, 3])}}
        while True:
            try:
                self.acknowledged.append(await self._client(http, token).submit(page, answers))
            except httpx.HTTPError:
                await asyncio.sleep(0.2)
            else:
                return True

    def _client(self, http: httpx.AsyncClient, token: str) -> RaterBrowser:
        return RaterBrowser(http, f"{self.random.choice(self.servers).root}/w/{token}")


@dataclass
class Watch:
    """Looks at the balance ten times a second, and leaves a tenth of the work out, until told to stop."""

    url: str
    stop: threading.Event = field(default_factory=threading.Event)
    furthest: int = 0
    looks: int = 0
    left_out: set[int] = field(default_factory=set)
    looked_at: set[int] = field(default_factory=set)
    errors: list[BaseException] = field(default_factory=list)

    def run(self) -> None:
        while not self.stop.is_set():
            try:
                with psycopg.connect(self.url, autocommit=True) as connection:
                    while not self.stop.is_set():
                        self._look(connection)
                        self._review(connection)
                        time.sleep(0.1)
            except psycopg.OperationalError:
                time.sleep(0.2)  # killed with PostgreSQL; it comes back
            except BaseException as error:  # the test must see it
                self.errors.append(error)
                raise

    def _look(self, connection: psycopg.Connection[Any]) -> None:
        found = connection.execute("SELECT sum(n) FROM offered GROUP BY condition").fetchall()
        counts = [int(n) for (n,) in found]
        self.furthest = max(self.furthest, max(counts) - min(counts))
        self.looks += 1

    def _review(self, connection: psycopg.Connection[Any]) -> None:
        """Every tenth submission in the order of offers is left out, once."""
        found = connection.execute(
            "SELECT id FROM assignment WHERE state = 'submitted' AND data_use = 'used'"
        ).fetchall()
        for (assignment,) in found:
            if assignment not in self.looked_at:
                if assignment % round(1 / LEFT_OUT_SHARE) == 0:
                    leave_out(assignment)
                    self.left_out.add(assignment)
                self.looked_at.add(assignment)


def leave_out(assignment: int) -> None:
    """Decides against the data of an assignment, over whatever happens to the database."""
    from datetime import UTC, datetime

    from django.db import InterfaceError, OperationalError
    from psycopg_pool import PoolTimeout

    from labelwright.crowd import DataUse
    from labelwright.server.review.actions.verdicts import decide

    while True:
        try:
            decide(
                assignment,
                pay=None,
                data_use=DataUse.LEFT_OUT,
                reason="a tenth is",
                author="test",
                now=datetime.now(UTC),
            )
        except (OperationalError, InterfaceError, PoolTimeout):
            connect_again()
            time.sleep(0.2)
        else:
            return


async def kill_and_restart(
    crowd: Crowd, servers: list[Server], worker: Process, postgres: LaptopPostgres
) -> None:
    """Kills one server and the worker at a quarter and at three quarters, and PostgreSQL itself at half of the work."""
    for share, killing_postgres in ((0.25, False), (0.5, True), (0.75, False)):
        while len(crowd.acknowledged) < WANTED * share:
            await asyncio.sleep(0.05)
        if killing_postgres:
            await asyncio.to_thread(postgres.stop, "immediate")
            await asyncio.sleep(0.5)
            await asyncio.to_thread(postgres.start)
            continue
        servers[0].kill()
        worker.kill()
        await asyncio.sleep(0.5)
        await asyncio.to_thread(servers[0].start)
        worker.start()


@pytest.fixture
def killable(database: str, postgres: LaptopPostgres, server: Server) -> Iterator[LaptopPostgres]:
    """The tests' PostgreSQL; whoever used it before it was killed gets new connections before the next test."""
    yield postgres
    connect_again()
    until = time.monotonic() + 30
    while httpx.get(f"{server.root}/readyz").status_code != 200:
        assert time.monotonic() < until
        time.sleep(0.2)


def connect_again() -> None:
    """Replaces the connections of this process that died with PostgreSQL."""
    from django.db import connection

    connection.close()
    connection.pool.check()  # type: ignore[attr-defined]


def test_every_promise_holds_over_servers_kills_and_reviewers(
    database: str, killable: LaptopPostgres, servers: list[Server], worker: Process
):
    tokens, drift = make_study()
    crowd, watch = Crowd(servers, seed=11), Watch(database)
    watching = threading.Thread(target=watch.run)

    async def run() -> None:
        await asyncio.gather(crowd.work(tokens), kill_and_restart(crowd, servers, worker, killable))
        # What was left out after the last rater had gone is offered to those who come back.
        while not await asyncio.to_thread(complete, watch):
            await crowd.work(tokens)

    watching.start()
    try:
        asyncio.run(run())
    finally:
        watch.stop.set()
        watching.join()
    connect_again()
    assert not watch.errors
    assert watch.left_out
    stored_once(crowd)
    rules_hold()
    none_hangs_and_tallies_agree()
    # Balance at every look: never further apart than the planner said, nor than raters were at work
    # and work was left out at once.
    assert watch.looks > 20
    assert watch.furthest <= min(drift, AT_ONCE + len(watch.left_out)), watch
    valid_and_wanted()


def complete(watch: Watch) -> bool:
    """Whether, after a moment, every place is filled and reviewers have looked at all."""
    time.sleep(1)
    with psycopg.connect(watch.url, autocommit=True) as connection:
        left = connection.execute("SELECT count(*) FROM place WHERE state <> 'filled'").fetchone()
        stored = connection.execute("SELECT id FROM assignment WHERE state = 'submitted'").fetchall()
    return left == (0,) and watch.looked_at >= {row[0] for row in stored}


def valid_and_wanted() -> None:
    """Exactly the wanted number of valid ratings, of each item in each condition."""
    from tests.rows import rows

    assert rows("SELECT count(*) FROM assignment WHERE data_use = 'used'") == [(WANTED,)]
    assert rows(
        """SELECT min(n), max(n), count(*) FROM (
             SELECT count(*) FILTER (WHERE s.data_use = 'used') AS n
             FROM task t LEFT JOIN assignment s ON s.task_id = t.id GROUP BY t.id) x"""
    ) == [(REDUNDANCY, REDUNDANCY, ITEMS * CONDITIONS)]


def stored_once(crowd: Crowd) -> None:
    """What was acknowledged is stored, once, and nothing else is."""
    from labelwright.server.access.actions.receipts import receipt_of
    from tests.rows import rows

    stored = [
        receipt_of(row[0]) for row in rows("SELECT public_id FROM assignment WHERE state = 'submitted'")
    ]
    assert sorted(set(crowd.acknowledged)) == sorted(stored), crowd.refusals
    assert rows("SELECT max(n), min(n) FROM (SELECT count(*) n FROM answer GROUP BY assignment_id) x") == [
        (1, 1)
    ]
    assert rows("SELECT count(*) FROM answer") == [(len(stored),)]


def rules_hold() -> None:
    """No item twice for anybody, no cap exceeded, and every count equal to a recount."""
    from tests.rows import rows

    assert (
        rows(
            """SELECT s.rater_id, t.item_id FROM assignment s JOIN task_item t USING (task_id)
               GROUP BY 1, 2 HAVING count(*) > 1"""
        )
        == []
    )
    most = dict(rows("SELECT scope, max(n) FROM rater_count GROUP BY 1"))
    assert most["tasks"] <= 12
    assert most["batch"] <= 10
    assert most["day"] <= 11
    assert most["conditions"] <= 2
    assert most.get("returns", 0) <= 2
    for scope, state in (
        ("tasks", ("submitted", "open")),
        ("submitted", ("submitted",)),
        ("returns", ("returned",)),
    ):
        assert rows(
            "SELECT rater_id, n FROM rater_count WHERE scope = %s AND n > 0 ORDER BY 1", [scope]
        ) == rows(
            "SELECT rater_id, count(*) FROM assignment WHERE state = ANY(%s) GROUP BY 1 ORDER BY 1",
            [list(state)],
        )


def none_hangs_and_tallies_agree() -> None:
    """After the lease time no place is held, and the tallies equal a full recount."""
    from tests.rows import rows

    waiting = "SELECT count(*) FROM place WHERE state = 'leased'"
    unflagged = "SELECT count(*) FROM assignment WHERE unflagged"
    until = time.monotonic() + LEASE_SECONDS + 90
    while (rows(waiting), rows(unflagged)) != ([(0,)], [(0,)]):
        assert time.monotonic() < until, (rows(waiting), rows(unflagged))
        time.sleep(0.2)
    counted = "FROM tally WHERE n <> 0 AND left_out = ''"
    assert rows(f"SELECT condition, question, code, n {counted} ORDER BY 1, 2, 3") == rows(
        """SELECT p.condition, a.question, a.code, count(*) FROM answer a
           JOIN assignment s ON s.id = a.assignment_id JOIN place p ON p.id = s.place_id
           WHERE a.code IS NOT NULL AND s.data_use = 'used' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""
    )
    assert rows("SELECT item_id, condition, code, n FROM item_tally WHERE n <> 0 ORDER BY 1, 2, 3") == rows(
        """SELECT x.item_id, p.condition, a.code, count(*) FROM answer a
           JOIN assignment s ON s.id = a.assignment_id JOIN place p ON p.id = s.place_id
           JOIN task_item x ON x.task_id = s.task_id AND x.position = a.position
           WHERE a.code IS NOT NULL AND s.data_use = 'used' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""
    )
    offered = rows("SELECT condition, sum(n)::bigint FROM offered GROUP BY 1 ORDER BY 1")
    assert offered == rows(
        "SELECT condition, count(*) FROM place WHERE state = 'filled' GROUP BY 1 ORDER BY 1"
    )
