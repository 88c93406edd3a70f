"""Benches of the server: offering and submitting against PostgreSQL alone, and against a bare Django view.

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

from bench.harness import compare, main
from bench.load import drive
from tests.processes import TURNWISE, free_port
from tests.studies import dialogue, parse, pool, study_text
from turnwise.server.laptop import LaptopPostgres

DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin/pgbench"))
CLIENTS = 8
SECONDS = 4.0
RATERS_EACH = 400
ANSWERS = {"0": {"useful": 3}}
_STATE: dict[str, Any] = {}


@dataclass(frozen=True)
class Loaded:
    """A study in the bench's database."""

    study: int
    pool: int
    first_rater: int
    tokens: list[str]


@contextmanager
def database() -> Iterator[str]:
    """A PostgreSQL of the bench's own, durable, as large as a laboratory's."""
    folder = Path(tempfile.mkdtemp(prefix="tw-bench-"))
    folder.chmod(0o755)
    settings = {"shared_buffers": "1GB", "max_wal_size": "4GB", "max_connections": "120"}
    cluster = LaptopPostgres(folder / "cluster", DEBIAN[0].parent, settings)
    cluster.start()
    try:
        os.environ |= {
            "DATABASE_URL": cluster.create("bench"),
            "TURNWISE_DEMO": "1",
            "DJANGO_SETTINGS_MODULE": "turnwise.server.settings",
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


def load(name: str, places: int, raters: int) -> Loaded:
    """A study with so many open places (2 conditions, 5 ratings) and so many raters who have agreed."""
    import django

    django.setup()
    from django.core.management import call_command

    from turnwise.server.actions.links import make_links
    from turnwise.server.actions.study import load_study
    from turnwise.server.store.models import Pool, Rater
    from turnwise.server.store.rows import run

    call_command("migrate", verbosity=0)
    text = study_text(name=name, redundancy=5, items={"per_dialogue": 1}, pools=pool(raters=raters))
    corpus = [dialogue(f"d{n}") for n in range(places // 10)]
    now = datetime.now(UTC)
    loaded = load_study(parse(text), text, corpus, now)
    pool_row = Pool.objects.get(study=loaded.study)
    links = make_links(loaded.study, pool_row, raters, 60, now)
    Rater.objects.filter(study=loaded.study).update(consented_at=now)
    first = Rater.objects.filter(study=loaded.study).order_by("id").first()
    assert first
    # Only what is full: a table that was measured while it was empty is planned as if it stayed so.
    run("VACUUM ANALYZE dialogue, item, task, task_item, place, rater, member, offered")
    return Loaded(loaded.study.pk, pool_row.pk, first.pk, [address.rsplit("/", 1)[1] for _, address in links])


# ---- (a) actions against pgbench ------------------------------------------------


def judge_for(arguments: tuple[Loaded, int, float]) -> int:
    """One client: judgments through the actions for so many seconds."""
    loaded, client, seconds = arguments
    import random

    import django

    django.setup()
    from turnwise.server.actions.assignment import Offer, offer, submit
    from turnwise.server.actions.links import Visitor
    from turnwise.server.store.rows import rows

    (version,) = rows("SELECT max(id) FROM study_version WHERE study_id = %s", [loaded.study])[0]
    first = loaded.first_rater + client * RATERS_EACH
    judged, until = 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        rater = first + random.randrange(RATERS_EACH)
        visitor = Visitor(loaded.study, loaded.pool, rater, "", consented=True, version=version)
        offered = offer(visitor, datetime.now(UTC))
        assert isinstance(offered, Offer)
        submit(offered.token, ANSWERS, datetime.now(UTC))
        judged += 1
    return judged


def bench_actions() -> None:
    """Seconds per judgment, actions / pgbench, one client and several."""
    url = os.environ["DATABASE_URL"]
    loaded = load("actions", 400_000, CLIENTS * RATERS_EACH)
    for clients in (1, CLIENTS):
        with multiprocessing.get_context("spawn").Pool(clients) as processes:
            work = [(loaded, client, SECONDS) for client in range(clients)]
            processes.map(judge_for, [(loaded, client, 0.2) for client in range(clients)])

            def ours(processes: Any = processes, work: Any = work) -> float:
                return SECONDS * 1000 / sum(processes.map(judge_for, work, chunksize=1))

            def bare(clients: int = clients) -> float:
                return 1000 / pgbench(url, loaded, clients)

            name = f"offer + submit, {clients} client{'s' if clients > 1 else ''}: actions / pgbench"
            compare(name, ours, bare, bar=4, unit="ms")


def pgbench(url: str, loaded: Loaded, clients: int) -> float:
    """Judgments per second of the same transactions without Python."""
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


# ---- (b) offering, whatever the number of places -----------------------------------


def bench_places() -> None:
    """Milliseconds per offer with 1 million open places / with 10 thousand."""
    offers = 250
    few = load("few", 10_000, 6 * offers)
    many = load("many", 1_000_000, 6 * offers)
    from turnwise.server.actions.assignment import Offer, offer
    from turnwise.server.actions.links import get_visitor

    fresh = {
        "few": iter([get_visitor(token, datetime.now(UTC)) for token in few.tokens]),
        "many": iter([get_visitor(token, datetime.now(UTC)) for token in many.tokens]),
    }

    last: dict[str, float] = {}

    def offering() -> float:
        """One offer here, one there, and so on: what the disk does in between hits both alike."""
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
        "offer with 1,000,000 open places / with 10,000", offering, lambda: last["few"], bar=1.3, unit="ms"
    )


# ---- (c) over HTTP -------------------------------------------------------------------


def wait_for_port(port: int) -> None:
    """Waits until somebody listens."""
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError(f"nobody listens on {port}")


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


def bench_http() -> None:
    """Milliseconds per judgment over HTTP, two requests each, ours / a bare Django view."""
    connections, seconds = 16, 6.0
    loaded = load("http", 400_000, 3000)
    from bench.bare import prepare

    bare_raters = prepare(loaded.study)
    ports = free_port(), free_port()
    threads = "4"
    ours = (TURNWISE, "serve", "--port", str(ports[0]), "--processes", "2", "--threads", threads)
    bare = (
        sys.executable, "-m", "granian", "bench.bare:application", "--interface", "wsgi", "--port", str(ports[1]),
        "--workers", "2", "--blocking-threads", threads, "--no-ws", "--log-level", "error",
    )  # fmt: skip
    with served(*ours, port=ports[0]) as our_root, served(*bare, port=ports[1], TURNWISE_DATABASE_CONNECTIONS="4") as bare_root:  # fmt: skip
        told: dict[str, list[Any]] = {"ours": [], "bare": []}

        def round_of(name: str, root: str, people: list[str]) -> float:
            found = drive(root, people, connections, seconds)
            told[name].append(found)
            return 1000 / found.per_second

        drive(our_root, loaded.tokens, connections, 2.0)
        drive(bare_root, bare_raters, connections, 2.0)
        compare(
            "judgment over HTTP, two requests: ours / bare Django view",
            lambda: round_of("ours", our_root, loaded.tokens),
            lambda: round_of("bare", bare_root, bare_raters),
            bar=2,
            unit="ms",
        )
        for name, runs in told.items():
            figures = {key: statistics.median(getattr(run, key) for run in runs) for key in ("per_second", "page_p50", "page_p95", "submit_p50", "submit_p95")}  # fmt: skip
            print(
                f"  {name}: {figures['per_second']:.0f} judgments/s; page p50 {figures['page_p50']:.1f} p95 "
                f"{figures['page_p95']:.1f} ms; submit p50 {figures['submit_p50']:.1f} p95 {figures['submit_p95']:.1f} ms"
            )


if __name__ == "__main__":
    # One server for all: Django reads the address of its database once.
    with database():
        main({"actions": bench_actions, "places": bench_places, "http": bench_http})
