"""Benchmark of the requester's pages: 30 studies, one of them with a million judgments, 10,000 raters and 100,000 flags.

Every page of the role matrix is opened over HTTP. Its 95th percentile must be below 300 ms, and PostgreSQL may read
few rows for it, so that no page counts by scanning what raters did.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime

import httpx

from bench.harness import SMALL, main, within
from bench.pages import EMAIL, add_judgments, log_in, study_path
from bench.server import Loaded, database, load, served
from tests.desk import client_of, study_pages
from tests.processes import LABELWRIGHT, free_port

JUDGMENTS, RATERS, STUDIES = (300, 40, 3) if SMALL else (1_000_000, 10_000, 30)
JUDGMENTS_OF_OTHERS = 100 if SMALL else 1_000
BLOCK = 20_000
TIMES = 3 if SMALL else 30
MOST_MILLISECONDS = 300.0
MOST_ROWS = 25_000
"""Bounds in the code, not the size of the study, set what a page reads: at most 10,000 lines are counted, and as many sorted."""
# Of 40 durations from 20 to 59 seconds, four are flagged: a tenth.
QUALITY = [{"rule": "too_fast", "seconds": 24}]

LISTS = {
    "study-items": ("?sort=-disagreement", "?q=movie", "?state=open", "?flags=flagged"),
    "study-raters": ("?sort=-tasks", "?q=a"),
    "study-flagged": ("?verdict=open", "?rule=too_fast"),
}
"""Lists that are also opened sorted, filtered and searched."""


def addresses(loaded: Loaded) -> dict[str, str]:
    """Every page of the requester, by name."""
    from labelwright.server.store.models import StudyRow

    found = {"studies": "/studies", "studies?q=": "/studies?q=desk", "new-study": "/new-study"}
    for name, path in study_pages(StudyRow.objects.get(pk=loaded.study)).items():
        found |= {name + more: path + more for more in ("", *LISTS.get(name, ()))}
    return found


def judge(loaded: Loaded, judgments: int) -> None:
    """Adds judgments with SQL alone, flags included, and counts them as the worker does, in large blocks."""
    from labelwright.server.store.changes import note_changed_tasks
    from labelwright.server.store.rows import column, run
    from labelwright.server.tallies.actions import count_submissions

    add_judgments(loaded, judgments, datetime.now(UTC))
    run("ANALYZE")
    run(
        """INSERT INTO flag (study_id, assignment_id, rule, rule_version, "then", evidence, found_at)
           SELECT study_id, id, 'too_fast', '1', 'review', jsonb_build_object('seconds', seconds, 'at_least', 24.0), now()
           FROM assignment WHERE study_id = %s AND seconds < 24""",
        [loaded.study],
    )
    ids = column("SELECT id FROM assignment WHERE study_id = %s ORDER BY id", [loaded.study])
    for start in range(0, len(ids), BLOCK):
        count_submissions(ids[start : start + BLOCK])
        run("ANALYZE batch_work")
    run("UPDATE assignment SET unflagged = false WHERE study_id = %s", [loaded.study])
    # One note for all items and raters, instead of one for each of them in every block.
    run("DELETE FROM item_change WHERE study_id = %s", [loaded.study])
    run("DELETE FROM rater_change WHERE study_id = %s", [loaded.study])
    note_changed_tasks(loaded.study)


def fill() -> Loaded:
    """The studies; returns the large one, which belongs to the requester of the bench like all others."""
    large = load("desk", JUDGMENTS + JUDGMENTS // 10, RATERS, quality=QUALITY)
    from labelwright.server.results.jobs import compute_figures
    from labelwright.server.store.models import StudyRow
    from labelwright.server.store.rows import run
    from labelwright.server.tallies.actions.items import count_marked_items
    from labelwright.server.tallies.actions.raters import count_marked_raters

    began = time.perf_counter()
    judge(large, JUDGMENTS)
    for n in range(1, STUDIES):
        judge(load(f"desk-{n}", JUDGMENTS_OF_OTHERS + 100, 20, quality=QUALITY), JUDGMENTS_OF_OTHERS)
    run("VACUUM ANALYZE")
    while count_marked_items(5_000) + count_marked_raters(5_000):
        pass
    print(f"  judgments, flags and tallies: {time.perf_counter() - began:.0f} s", flush=True)
    for row in StudyRow.objects.order_by("id"):
        began = time.perf_counter()
        compute_figures(row)
        if row.pk == large.study:
            print(f"  figures of {JUDGMENTS:,} judgments: {time.perf_counter() - began:.0f} s", flush=True)
        study_path(row.pk)
    return large


def rows_for(path: str) -> int:
    """The rows of our tables that PostgreSQL reads for a page."""
    from django.db import transaction

    from labelwright.server.store.rows import value

    client = client_of(EMAIL)
    with transaction.atomic():
        read = "SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_xact_user_tables"
        before = int(value(read) or 0)
        client.get(path)
        return int(value(read) or 0) - before


def bench_pages() -> None:
    """Milliseconds and rows read for every page of the requester."""
    large = fill()
    now, port = datetime.now(UTC), free_port()
    ours = (LABELWRIGHT, "serve", "--port", str(port), "--processes", "1", "--threads", "4")
    pages = addresses(large)
    with (
        served(*ours, port=port) as root,
        httpx.Client(base_url=root, cookies=log_in(root), timeout=60) as client,
    ):
        times = _times(client, pages)
    read = {name: rows_for(path) for name, path in pages.items()}
    for name in pages:
        middle, high = statistics.median(times[name]), _p95(times[name])
        print(f"  {name:<40} p50 {middle:6.0f} ms  p95 {high:6.0f} ms  rows {read[name]:>9,}", flush=True)
    slowest = max(pages, key=lambda name: _p95(times[name]))
    most = max(pages, key=lambda name: read[name])
    of = f"{len(pages)} pages of the requester, {JUDGMENTS:,} judgments"
    within(f"{of}: p95 of the slowest", _p95(times[slowest]), MOST_MILLISECONDS, "ms")
    within(f"{of}: most rows read", read[most], MOST_ROWS, "rows")
    sys.stdout.write(f"  slowest {slowest}, most rows {most}; {(datetime.now(UTC) - now).seconds} s\n")


def _p95(times: list[float]) -> float:
    return sorted(times)[int(0.95 * len(times))]


def _times(client: httpx.Client, pages: Mapping[str, str]) -> dict[str, list[float]]:
    """Milliseconds of every page, in a shuffled order; the first round of each is left out."""
    found: dict[str, list[float]] = {name: [] for name in pages}
    for turn in range(TIMES + 1):
        for name in random.Random(turn).sample(sorted(pages), len(pages)):
            began = time.perf_counter()
            answer = client.get(pages[name])
            assert answer.status_code == 200, (pages[name], answer.status_code)
            if turn:
                found[name].append(1000 * (time.perf_counter() - began))
    return found


if __name__ == "__main__":
    with database():
        main({"requester": bench_pages})
