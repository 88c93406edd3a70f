"""Benchmarks of the server: offering and submitting, compared with PostgreSQL alone and with a bare Django view.

Every line is the median of 5 alternating rounds in one run on one PostgreSQL with full durability.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.harness import SMALL, compare, main, within
from bench.load import drive
from labelwright.server.operations.laptop import LaptopPostgres
from tests.processes import LABELWRIGHT, free_port
from tests.studies import dialogue, parse, pool, study_text

DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin/pgbench"))
CLIENTS = 2 if SMALL else 8
SECONDS = 1.0 if SMALL else 4.0
RATERS_EACH = 400
FULL = 2_000 if SMALL else 400_000
"""Number of open places in most benchmarks."""
FEW, MANY = (200, 2_000) if SMALL else (10_000, 10_000_000)
# Every cap on offers is enabled, but none is ever reached.
CAPS = {"tasks": 1_000_000, "tasks_per_batch": 1_000_000, "tasks_per_day": 1_000_000, "conditions": 2}
ANSWERS = {"0": {"useful": 3}}


@dataclass(frozen=True)
class Loaded:
    """A study in the benchmark's database."""

    study: int
    pool: int
    first_rater: int
    tokens: list[str]


@contextmanager
def database() -> Iterator[str]:
    """A separate PostgreSQL server with full durability, sized for a laboratory."""
    folder = Path(tempfile.mkdtemp(prefix="lw-bench-"))
    folder.chmod(0o755)
    settings = {"shared_buffers": "1GB", "max_wal_size": "4GB", "max_connections": "120"}
    cluster = LaptopPostgres(folder / "cluster", DEBIAN[0].parent, settings)
    cluster.start()
    try:
        os.environ |= {
            "DATABASE_URL": cluster.create("bench"),
            "LABELWRIGHT_DEMO": "1",
            "DJANGO_SETTINGS_MODULE": "labelwright.server.config.settings",
        }
        print(
            f"one fdatasync of this disk takes {fsync_milliseconds(folder):.2f} ms (median of 200)",
            flush=True,
        )
        yield os.environ["DATABASE_URL"]
    finally:
        cluster.stop("immediate")
        shutil.rmtree(folder, ignore_errors=True)


def fsync_milliseconds(folder: Path) -> float:
    """The time of one durable write, which every commit waits for."""
    times = []
    with (folder / "probe").open("wb") as file:
        for _ in range(200):
            file.write(b"x" * 8192)
            file.flush()
            start = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def load(name: str, places: int, raters: int, **changes: Any) -> Loaded:
    """Loads a study with this number of open places (2 conditions, 5 ratings) and of raters who gave consent."""
    import django

    django.setup()
    from labelwright.server.config.startup import migrate
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool, Rater
    from labelwright.server.store.rows import run
    from labelwright.server.studies.actions.loading import load_study

    migrate()
    text = study_text(
        name=name, redundancy=5, items={"per_dialogue": 1}, pools=pool(raters=raters, caps=CAPS), **changes
    )
    corpus = [dialogue(f"d{n}") for n in range(places // 10)]
    now = datetime.now(UTC)
    loaded = load_study(parse(text), text, corpus, now, opened=True)
    pool_row = Pool.objects.get(study=loaded.study)
    links = make_links(loaded.study, pool_row, raters, 60, now)
    Rater.objects.filter(study=loaded.study).update(consented_at=now)
    first = Rater.objects.filter(study=loaded.study).order_by("id").first()
    assert first
    # Only tables with rows: if a table is analyzed while empty, PostgreSQL plans as if it stayed empty.
    run("VACUUM ANALYZE dialogue, item, task, task_item, place, rater, member, offered")
    return Loaded(loaded.study.pk, pool_row.pk, first.pk, [link.token for link in links])


# ---- (a) actions against pgbench ------------------------------------------------


def judge_for(arguments: tuple[Loaded, int, float]) -> int:
    """One client that makes judgments through the actions for a number of seconds."""
    loaded, client, seconds = arguments
    import random

    import django

    django.setup()
    from labelwright.server.access.queries import Visitor
    from labelwright.server.offering.actions.leases import Offer, offer
    from labelwright.server.rating.actions.answers import submit
    from tests.rows import rows

    (version,) = rows("SELECT max(id) FROM study_version WHERE study_id = %s", [loaded.study])[0]
    first = loaded.first_rater + client * RATERS_EACH
    judged, until = 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        rater = first + random.randrange(RATERS_EACH)
        visitor = Visitor(
            loaded.study, loaded.pool, rater, "", rater - loaded.first_rater, consented=True, version=version
        )
        offered = offer(visitor, datetime.now(UTC))
        assert isinstance(offered, Offer)
        submit(offered.token, ANSWERS, datetime.now(UTC))
        judged += 1
    return judged


def bench_actions() -> None:
    """Seconds per judgment, actions / pgbench, one client and several."""
    url = os.environ["DATABASE_URL"]
    loaded = load("actions", FULL, CLIENTS * RATERS_EACH)
    for clients in (1, CLIENTS):
        with multiprocessing.get_context("spawn").Pool(clients) as processes:
            work = [(loaded, client, SECONDS) for client in range(clients)]
            processes.map(judge_for, [(loaded, client, 0.2) for client in range(clients)])

            def ours(processes: Any = processes, work: Any = work) -> float:
                return SECONDS * 1000 / sum(processes.map(judge_for, work, chunksize=1))

            def bare(clients: int = clients) -> float:
                return 1000 / pgbench(url, loaded, clients)

            name = f"offer + submit, {clients} client{'s' if clients > 1 else ''}: actions / pgbench"
            compare(name, ours, bare, bar=5, unit="ms")


def pgbench(url: str, loaded: Loaded, clients: int) -> float:
    """Judgments per second with the same transactions in pgbench."""
    script = Path(__file__).parent / "offering.sql"
    values = {
        "first_rater": loaded.first_rater,
        "raters_each": RATERS_EACH,
        "pool": loaded.pool,
        "study": loaded.study,
    }
    done = subprocess.run(
        [
            str(DEBIAN[0]), "-n", "-M", "prepared", "-c", str(clients), "-j", "2", "-T", str(int(SECONDS)),
            "-f", str(script), *(f"-D{name}={value}" for name, value in values.items()), url,
        ],
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    assert found, done.stdout
    assert "number of failed transactions: 0 " in done.stdout, done.stdout
    return float(found[1])


# ---- (b) offering with few and with many places ------------------------------------


def grow(loaded: Loaded, places: int) -> None:
    """Adds items, tasks and open places to a study with SQL alone, ten places per item."""
    from labelwright.server.store.rows import run
    from tests.rows import rows

    (batch, dialogue_row) = rows(
        """SELECT b.id, (SELECT min(id) FROM dialogue WHERE study_id = b.study_id)
           FROM batch b WHERE b.study_id = %s""",
        [loaded.study],
    )[0]
    ids = {
        "study": loaded.study,
        "pool": loaded.pool,
        "batch": batch,
        "dialogue": dialogue_row,
    }
    step = 100_000
    for first in range(0, places // 10, step):
        part = ids | {"first": first, "last": min(first + step, places // 10) - 1}
        run(
            """WITH new_item AS (
                 INSERT INTO item (study_id, key, kind, dialogue_id, target, system, payload)
                 SELECT %(study)s, 'grown-' || n, 'exchange', %(dialogue)s, 4, '', '{}'
                 FROM generate_series(%(first)s::bigint, %(last)s) AS n RETURNING id, key),
               new_task AS (
                 SELECT nextval(pg_get_serial_sequence('task', 'id')) AS task, i.id AS item, i.key, c.condition,
                        1000000 + substr(i.key, 7)::bigint AS rank
                 FROM new_item i CROSS JOIN (VALUES ('SECRET0'), ('SECRET3')) AS c(condition)),
               tasks AS (
                 INSERT INTO task (id, study_id, content, condition, items)
                 SELECT task, %(study)s, md5(condition) || md5(key), condition, 1 FROM new_task),
               items AS (
                 INSERT INTO task_item (study_id, task_id, position, item_id, spoil_key, role)
                 SELECT %(study)s, task, 0, item, key, 'item' FROM new_task)
               INSERT INTO place (study_id, task_id, ordinal, batch_id, pool_id, rater_group, condition, rank, state)
               SELECT %(study)s, task, o, %(batch)s, %(pool)s, '', condition, rank * 5 + o, 'open'
               FROM new_task, generate_series(0, 4) AS o ORDER BY condition, rank, o""",
            part,
        )
    run("VACUUM ANALYZE item, task, task_item, place")


def bench_places() -> None:
    """Milliseconds per offer with 10 million open places / with 10 thousand."""
    offers = 10 if SMALL else 250
    few = load("few", FEW, 7 * offers)
    many = load("many", FEW, 7 * offers)
    grow(many, MANY - FEW)
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import Offer, offer

    fresh = {
        "few": iter([get_visitor(token, datetime.now(UTC)) for token in few.tokens]),
        "many": iter([get_visitor(token, datetime.now(UTC)) for token in many.tokens]),
    }

    last: dict[str, float] = {}

    def offering() -> float:
        """Alternates single offers between the two studies, so that disk activity affects both equally."""
        times: dict[str, list[float]] = {"few": [], "many": []}
        for _ in range(offers):
            for name, found in times.items():
                visitor = next(fresh[name])
                start = time.perf_counter()
                assert isinstance(offer(visitor, datetime.now(UTC)), Offer)
                found.append(time.perf_counter() - start)
        last["few"] = 1000 * statistics.median(times["few"])
        return 1000 * statistics.median(times["many"])

    offering()
    compare(
        f"offer with {MANY:,} open places / with {FEW:,}", offering, lambda: last["few"], bar=1.3, unit="ms"
    )


# ---- (c) over HTTP -------------------------------------------------------------------


def wait_for_port(port: int) -> None:
    """Waits until a server listens on the port."""
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError(f"no server listens on port {port}")


@contextmanager
def served(*command: str, port: int, **environment: str) -> Iterator[str]:
    """A server process on a port until the block ends."""
    process = subprocess.Popen(
        command,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for_port(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)


@contextmanager
def both_served(loaded: Loaded, connections: int) -> Iterator[tuple[str, str, list[str]]]:
    """Our server and the bare view, side by side: their addresses, and the bare view's raters."""
    from bench.bare import prepare

    bare_raters = prepare(loaded.study)
    ports, threads = (free_port(), free_port()), "4"
    ours = (LABELWRIGHT, "serve", "--port", str(ports[0]), "--processes", "2", "--threads", threads)
    bare = (
        sys.executable, "-m", "granian", "bench.bare:application", "--interface", "wsgi", "--port", str(ports[1]),
        "--workers", "2", "--blocking-threads", threads, "--no-ws", "--log-level", "error",
    )  # fmt: skip
    with (
        served(*ours, port=ports[0]) as our_root,
        served(*bare, port=ports[1], LABELWRIGHT_DATABASE_CONNECTIONS="4") as bare_root,
    ):
        drive(our_root, loaded.tokens, connections, 2.0)
        drive(bare_root, bare_raters, connections, 2.0)
        yield our_root, bare_root, bare_raters


def bench_http() -> None:
    """Milliseconds per judgment over HTTP, two requests each, ours / a bare Django view; and nothing lost."""
    connections, seconds = 16, SECONDS * 1.5
    loaded = load("http", FULL, 3000)
    with both_served(loaded, connections) as (our_root, bare_root, bare_raters):
        before = stored(loaded)
        told: dict[str, list[Any]] = {"ours": [], "bare": []}

        def round_of(name: str, root: str, people: list[str]) -> float:
            found = drive(root, people, connections, seconds)
            told[name].append(found)
            return 1000 / found.per_second

        compare(
            "judgment over HTTP, two requests, all rules on: ours / bare Django view",
            lambda: round_of("ours", our_root, loaded.tokens),
            lambda: round_of("bare", bare_root, bare_raters),
            bar=2.5,
            unit="ms",
        )
        for name, runs in told.items():
            figures = {key: statistics.median(getattr(run, key) for run in runs) for key in ("per_second", "page_p50", "page_p95", "submit_p50", "submit_p95")}  # fmt: skip
            print(
                f"  {name}: {figures['per_second']:.0f} judgments/s; page p50 {figures['page_p50']:.1f} p95 "
                f"{figures['page_p95']:.1f} ms; submit p50 {figures['submit_p50']:.1f} p95 {figures['submit_p95']:.1f} ms"
            )
        acknowledged = sum(run.acknowledged for run in told["ours"])
        within(
            "acknowledged and not stored, or stored twice",
            abs(stored(loaded) - before - acknowledged),
            0.5,
            "",
        )
        within("ratings over the wanted number", over(loaded), 0.5, "")


def bench_at_work() -> None:
    """95th percentile of a page with an offer while 200 raters are active, ours / the bare view."""
    raters, think, seconds = (20, 0.2, 2.0) if SMALL else (200, 4.0, 20.0)
    loaded = load("work", FULL, 3000)
    with both_served(loaded, 16) as (our_root, bare_root, bare_raters):
        compare(
            f"p95 of offering over HTTP, {raters} raters at work: ours / bare Django view",
            lambda: drive(our_root, loaded.tokens, raters, seconds, think).page_p95,
            lambda: drive(bare_root, bare_raters, raters, seconds, think).page_p95,
            bar=3,
            unit="ms",
        )


def stored(loaded: Loaded) -> int:
    """Assignments with answers, each counted once."""
    from tests.rows import rows

    return int(
        rows(
            """SELECT count(DISTINCT s.id) FROM assignment s JOIN answer a ON a.assignment_id = s.id
               WHERE s.study_id = %s AND s.state = 'submitted'""",
            [loaded.study],
        )[0][0]
    )


def over(loaded: Loaded) -> int:
    """Ratings of tasks beyond the wanted number."""
    from tests.rows import rows

    return int(
        rows(
            """SELECT coalesce(sum(n - 5), 0) FROM (SELECT count(*) AS n FROM assignment
               WHERE study_id = %s AND state = 'submitted' GROUP BY task_id HAVING count(*) > 5) x""",
            [loaded.study],
        )[0][0]
    )


if __name__ == "__main__":
    # One database server for all benchmarks, because Django reads its address only once.
    with database():
        main({"actions": bench_actions, "places": bench_places, "http": bench_http, "work": bench_at_work})
