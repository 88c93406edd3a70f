"""Benchmark of open study pages: raters work as fast with twenty pages open as with none.

Rounds with and without open pages alternate on one server, one worker and one PostgreSQL.
"""

from __future__ import annotations

import os
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx

from bench.harness import SMALL, compare, main, within
from bench.load import Figures, drive
from bench.server import Loaded, database, load, served
from tests.processes import LABELWRIGHT, free_port

JUDGMENTS = 300 if SMALL else 30_000
PLACES = 2_000 if SMALL else 150_000
PAGES = 3 if SMALL else 20
SECONDS = 3.0 if SMALL else 30.0
CONNECTIONS = 16
REFRESH_SECONDS = 5.0
EMAIL, PASSWORD = "bench@labelwright.example", "a long password of a bench"
LIVE = re.compile(r'data-live="([^"]*)" data-refresh-seconds="(\d+)"')


def judge(loaded: Loaded, judgments: int) -> None:
    """Adds judgments to a study, then flags and tallies them as the worker does."""
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.store.rows import run

    now = datetime.now(UTC)
    add_judgments(loaded, judgments, now)
    while flag_block(now):
        pass
    run("VACUUM ANALYZE assignment, answer, place, tally, item_tally")


def add_judgments(loaded: Loaded, judgments: int, now: datetime) -> None:
    """Adds judgments to a study with SQL alone."""
    from labelwright.server.store.rows import run

    run(
        """WITH chosen AS MATERIALIZED (
             SELECT p.id AS place, p.task_id AS task, row_number() OVER (ORDER BY p.task_id, p.ordinal) AS n,
                    b.version_id AS version
             FROM place p JOIN batch b ON b.id = p.batch_id WHERE p.study_id = %(study)s
             ORDER BY p.task_id, p.ordinal LIMIT %(judgments)s),
           filled AS (UPDATE place SET state = 'filled' FROM chosen c WHERE place.id = c.place),
           done AS (
             INSERT INTO assignment (study_id, version_id, place_id, task_id, rater_id, state, offered_at, lease_until,
               submitted_at, seconds, visit_hash, paid_state, data_use, unflagged)
             SELECT %(study)s, version, place, task, %(first)s + n %% %(raters)s, 'submitted', %(now)s, %(now)s,
               %(now)s::timestamptz - interval '1 second' * n, 20 + n %% 40, '', 'owed', 'used', true
             FROM chosen RETURNING id)
           INSERT INTO answer (study_id, assignment_id, position, question, aspect, value, code)
           SELECT %(study)s, id, 0, 'useful', 'usefulness', to_jsonb(1 + id * id %% 7 %% 3), 1 + id * id %% 7 %% 3
           FROM done""",
        {
            "study": loaded.study,
            "judgments": judgments,
            "first": loaded.first_rater,
            "raters": len(loaded.tokens),
            "now": now,
        },
    )


@dataclass
class Browser:
    """One open study page, which refreshes as its script does."""

    root: str
    path: str
    cookies: dict[str, str]
    stopped: threading.Event
    seconds: list[float] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)

    def run(self, first_seconds: float) -> None:
        """Opens the page, then asks for news as often as it says."""
        self.stopped.wait(first_seconds)
        stamp, refresh_seconds = "", REFRESH_SECONDS
        with httpx.Client(base_url=self.root, cookies=self.cookies, timeout=60) as client:
            while not self.stopped.is_set():
                began = time.perf_counter()
                answer = client.get(self.path, headers={"If-None-Match": stamp})
                self.seconds.append(time.perf_counter() - began)
                self.statuses.append(answer.status_code)
                if found := LIVE.search(answer.text):
                    stamp, refresh_seconds = found[1].replace("&quot;", '"'), float(found[2])
                self.stopped.wait(float(answer.headers.get("Retry-After", refresh_seconds)))


@contextmanager
def open_pages(root: str, path: str, cookies: dict[str, str]) -> Iterator[list[Browser]]:
    """Study pages in as many browsers, until the block ends."""
    stopped = threading.Event()
    browsers = [Browser(root, path, cookies, stopped) for _ in range(PAGES)]
    threads = [
        threading.Thread(target=each.run, args=[REFRESH_SECONDS * n / PAGES])
        for n, each in enumerate(browsers)
    ]
    for thread in threads:
        thread.start()
    try:
        yield browsers
    finally:
        stopped.set()
        for thread in threads:
            thread.join()


def log_in(root: str) -> dict[str, str]:
    """The cookies of a requester."""
    with httpx.Client(base_url=root, follow_redirects=True, timeout=60) as client:
        page = client.get("/accounts/login/")
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
        assert token
        client.post(
            "/accounts/login/",
            data={"login": EMAIL, "password": PASSWORD, "csrfmiddlewaretoken": token[1]},
            headers={"Referer": f"{root}/accounts/login/"},
        )
        return dict(client.cookies)


def study_path(study: int) -> str:
    """The page of a study, which now belongs to the requester of the bench."""
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.store.models import StudyRow, User

    owner = User.objects.filter(username=EMAIL).first() or add_user(EMAIL, PASSWORD)[0]
    row = StudyRow.objects.get(pk=study)
    row.owner = owner
    row.save()
    return f"/studies/{row.public_id}"


def bench_pages() -> None:
    """Milliseconds per judgment and the 95th percentiles of raters, with open pages / without."""
    loaded = load("pages", PLACES, 3000)
    judge(loaded, JUDGMENTS)
    path, port = study_path(loaded.study), free_port()
    ours = (LABELWRIGHT, "serve", "--port", str(port), "--processes", "2", "--threads", "4")
    told: dict[str, list[Figures]] = {"open": [], "none": []}
    seen: list[Browser] = []
    with served(*ours, port=port) as root, working():
        cookies = log_in(root)
        drive(root, loaded.tokens, CONNECTIONS, 3.0)

        def round_with() -> float:
            with open_pages(root, path, cookies) as browsers:
                # Every page is open before raters are timed.
                time.sleep(REFRESH_SECONDS)
                told["open"].append(drive(root, loaded.tokens, CONNECTIONS, SECONDS))
            seen.extend(browsers)
            return 1000 / told["open"][-1].per_second

        def round_without() -> float:
            time.sleep(REFRESH_SECONDS)
            told["none"].append(drive(root, loaded.tokens, CONNECTIONS, SECONDS))
            return 1000 / told["none"][-1].per_second

        name = f"judgment over HTTP, {PAGES} study pages open on {JUDGMENTS:,} judgments / none open"
        compare(name, round_with, round_without, bar=1 / 0.9, unit="ms")
    _compare_waiting(told)
    _describe_pages(seen)


def _compare_waiting(told: dict[str, list[Figures]]) -> None:
    for part in ("page", "submit"):
        open_, none = (
            statistics.median(getattr(run, f"{part}_p95") for run in told[name]) for name in ("open", "none")
        )
        within(
            f"p95 of a rater's {part}, {PAGES} study pages open, within 1.5 times none open",
            open_,
            1.5 * none,
            "ms",
        )


def _describe_pages(seen: list[Browser]) -> None:
    times = sorted(second for each in seen for second in each.seconds)
    statuses = [status for each in seen for status in each.statuses]
    counts = {status: statuses.count(status) for status in sorted(set(statuses))}
    sys.stdout.write(
        f"  study pages: {counts}; p50 {1000 * statistics.median(times):.0f}, p95 "
        f"{1000 * times[int(0.95 * len(times))]:.0f} ms\n"
    )


@contextmanager
def working() -> Iterator[None]:
    """A worker process until the block ends."""
    process = subprocess.Popen(
        [LABELWRIGHT, "worker"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)


if __name__ == "__main__":
    with database():
        main({"pages": bench_pages})
