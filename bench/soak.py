"""A soak test: servers, a worker and PostgreSQL with simulated raters, on loopback, for an hour.

Memory and connections must not grow after the warm-up, and at the end nothing may be lost, stored twice,
or collected beyond the wanted number. Each round loads a small study and completes it through its pages.
Some raters close the page, so that leases expire and places are offered again.

    make soak                       an hour
    SOAK_MINUTES=3 make soak        shorter
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bench.soak_figures import Figures, own_megabytes, tree, turn_records
from labelwright.server.operations.laptop import LaptopPostgres, wheel_binaries
from tests.processes import Process, Server
from tests.studies import dialogues, parse, pool, study_text

if TYPE_CHECKING:
    from labelwright.outside.pages import StudyPages

SERVERS, STREAMS = 2, 2
ITEMS, RATERS, AT_ONCE = 12, 24, 12
LEASE_SECONDS = 8
HURRY = 300
"""A task of two minutes takes a careful rater less than half a second."""
DROP_OUT = 0.02
MIX = {"careful": 70.0, "hasty": 15.0, "straightliner": 10.0, "random": 5.0}
QUIET_SECONDS = 90
"""How long the worker may take to catch up at the end."""

WRONG = {
    "places with two submissions": """SELECT count(*) FROM (SELECT place_id FROM assignment
        WHERE state = 'submitted' GROUP BY 1 HAVING count(*) > 1) x""",
    "tasks over the wanted number": """SELECT count(*) FROM (SELECT task_id FROM assignment
        WHERE state = 'submitted' GROUP BY 1 HAVING count(*) > 3) x""",
    "raters who judged an item twice": """SELECT count(*) FROM (SELECT a.rater_id, t.item_id FROM assignment a
        JOIN task_item t USING (task_id) WHERE a.state = 'submitted' GROUP BY 1, 2 HAVING count(*) > 1) x""",
    "submissions without answers": """SELECT count(*) FROM assignment a WHERE a.state = 'submitted'
        AND NOT EXISTS (SELECT 1 FROM answer x WHERE x.assignment_id = a.id)""",
    "filled places without a submission": """SELECT count(*) FROM place p WHERE p.state = 'filled'
        AND NOT EXISTS (SELECT 1 FROM assignment a WHERE a.place_id = p.id AND a.state = 'submitted')""",
    "places that hang": "SELECT count(*) FROM place WHERE state = 'leased'",
    "submissions that were not counted": "SELECT count(*) FROM assignment WHERE unflagged",
    "answers missing from the tallies": """SELECT abs((SELECT coalesce(sum(n), 0) FROM tally)
        - (SELECT count(*) FROM answer WHERE code IS NOT NULL))""",
}
"""Queries that must return 0 at the end."""


@dataclass(slots=True)
class Soak:
    """A running soak test."""

    folder: Path
    seconds: float
    figures: Figures = field(default_factory=Figures)
    receipts: list[str] = field(default_factory=list)
    rounds: int = 0
    complete: int = 0
    ends: float = 0.0

    async def run(self, servers: list[Server], worker: Process, cluster: LaptopPostgres) -> None:
        """Runs streams of rounds until the time is up, and takes samples at regular intervals."""
        self.ends = time.monotonic() + self.seconds
        watched = {f"server {n + 1}": server for n, server in enumerate(servers)} | {"worker": worker}
        postmaster = int((cluster.data / "postmaster.pid").read_text().split()[0])
        roots = {name: process.process.pid for name, process in watched.items() if process.process}
        sampling = asyncio.create_task(self._sample(roots | {"postgresql": postmaster}))
        streams = [self._stream([server.root for server in servers], n) for n in range(STREAMS)]
        await asyncio.gather(*streams)
        sampling.cancel()

    async def _sample(self, roots: dict[str, int]) -> None:
        every = max(0.5, min(10.0, self.seconds / 60))
        while True:
            for name, pid in roots.items():
                self.figures.add(f"{name}, MB", sum(map(own_megabytes, tree(pid))))
            self.figures.add("connections", await asyncio.to_thread(connections))
            await asyncio.sleep(every)

    async def _stream(self, servers: list[str], stream: int) -> None:
        n = 0
        while time.monotonic() < self.ends:
            links, pages, rated_by = await asyncio.to_thread(open_round, f"soak-{stream}-{n}", servers)
            await self._round(links, pages, rated_by, seed=1000 * stream + n)
            n += 1

    async def _round(self, links: list[str], pages: StudyPages, rated_by: int, seed: int) -> None:
        """Raters return until every place is filled or the soak test ends."""
        from labelwright.outside.crowd import work
        from labelwright.simulate import crowd, default_behaviour

        self.rounds += 1
        behaviour = default_behaviour().steady(DROP_OUT)
        while time.monotonic() < self.ends:
            raters = crowd(len(links), MIX, seed, behaviour)
            await work(raters, links, lambda: None, AT_ONCE, pages=pages, hurry=HURRY, receipts=self.receipts)
            if await asyncio.to_thread(is_filled, rated_by):
                self.complete += 1
                return
            await asyncio.sleep(1)

    def faults(self, limit: int) -> list[str]:
        """Descriptions of all faults; empty if the soak test passes."""
        from labelwright.server.access.actions.receipts import receipt_of
        from tests.rows import rows

        wrong = {name: rows(sql)[0][0] for name, sql in WRONG.items()}
        stored = sorted(
            receipt_of(row[0]) for row in rows("SELECT public_id FROM assignment WHERE state = 'submitted'")
        )
        found = [f"{count:,} {name}" for name, count in wrong.items() if count]
        if sorted(self.receipts) != stored:
            found.append(f"{len(self.receipts):,} receipts for {len(stored):,} submissions")
        if not stored:
            found.append("nothing was judged")
        return found + self.figures.faults(limit)


def open_round(name: str, servers: list[str]) -> tuple[list[str], StudyPages, int]:
    """Loads a study; returns its raters' links, spread over the servers, and the possible content of its pages."""
    from django.db import connection

    from labelwright.outside.pages import StudyPages
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool
    from labelwright.server.studies.actions.loading import load_study

    now = datetime.now(UTC)
    text = study_text(
        name=name, items={"per_dialogue": 1}, pools=pool(raters=RATERS, lease_minutes=LEASE_SECONDS / 60)
    )
    study, corpus = parse(text), dialogues(ITEMS)
    loaded = load_study(study, text, corpus, now, opened=True)
    rated_by = Pool.objects.get(study=loaded.study)
    made = make_links(loaded.study, rated_by, RATERS, 60, now)
    connection.close()
    links = [f"{servers[n % len(servers)]}/w/{link.token}" for n, link in enumerate(made)]
    return links, StudyPages(study, corpus), rated_by.pk


def is_filled(pool: int) -> bool:
    """Whether a round is done."""
    from django.db import connection

    from labelwright.server.rehearsal.queries import is_complete

    filled = is_complete(pool)
    connection.close()
    return filled


def connections() -> int:
    """Connections to PostgreSQL of all processes but this one."""
    from django.db import connection

    from tests.rows import rows

    found = rows(
        """SELECT count(*) FROM pg_stat_activity
           WHERE backend_type = 'client backend' AND application_name <> 'soak'"""
    )
    connection.close()
    return int(found[0][0])


def wait_until_quiet() -> None:
    """Gives the worker time to release abandoned places and to count the submissions."""
    from tests.rows import rows

    pending = [WRONG["places that hang"], WRONG["submissions that were not counted"]]
    until = time.monotonic() + QUIET_SECONDS
    while any(rows(sql)[0][0] for sql in pending) and time.monotonic() < until:
        time.sleep(0.5)


@contextmanager
def everything(folder: Path) -> Iterator[tuple[list[Server], Process, LaptopPostgres]]:
    """Starts PostgreSQL, the servers and the worker, and always stops them."""
    cluster = LaptopPostgres(folder / "cluster", wheel_binaries(), {"max_connections": "120"})
    cluster.start()
    servers = [Server(folder / f"server{n}.log", DATABASE_URL=cluster.url("soak")) for n in range(SERVERS)]
    worker = Process("worker", log=folder / "worker.log", DATABASE_URL=cluster.url("soak"))
    try:
        address = cluster.create("soak")
        os.environ |= {"LABELWRIGHT_DEMO": "1", "DATABASE_URL": f"{address}&application_name=soak"}
        for process in (*servers, worker):
            process.environment |= {"LABELWRIGHT_DEMO": "1"}
        from labelwright.server.config.startup import migrate, set_up

        set_up()
        migrate()
        for process in (*servers, worker):
            process.start()
        yield servers, worker, cluster
    finally:
        for process in (worker, *servers):
            process.stop()
        cluster.stop()


def main() -> int:
    """Exit code 0 if the soak test passes."""
    minutes = float(os.environ.get("SOAK_MINUTES", "60"))
    folder = Path(tempfile.mkdtemp(prefix="lw-soak-"))
    folder.chmod(0o755)
    soak = Soak(folder, 60 * minutes)
    try:
        with everything(folder) as (servers, worker, cluster):
            print(f"{minutes:g} minutes, {SERVERS} servers, {STREAMS} x {AT_ONCE} raters at once", flush=True)
            asyncio.run(soak.run(servers, worker, cluster))
            wait_until_quiet()
            # A server keeps up to 8 connections, a worker 8 and those of its queue.
            faults = soak.faults(limit=8 * SERVERS + 16)
        turn_records(soak.figures, len(soak.receipts), soak.seconds, soak.rounds, soak.complete)
        for fault in faults:
            print(f"FAULT: {fault}")
        print(
            "steady: nothing grew, nothing lost, nothing twice" if not faults else f"the logs are in {folder}"
        )
        return 1 if faults else 0
    finally:
        if sys.exc_info()[0] is None and not (soak.rounds and faults):
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    raise SystemExit(main())
