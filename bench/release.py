"""Benchmark of releases: memory and time of the process that writes one, for 100,000 and a million judgments.

`large` measures 10 million too; it needs about 40 GB of disk in TMPDIR. Every step runs in a process of its own, whose
peak memory is that of the step.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bench.harness import SMALL, compare, main, within
from bench.large import RATINGS, fill, load
from bench.server import database

JUDGMENTS = (500, 5_000) if SMALL else (100_000, 1_000_000)
LARGE = 10_000_000
MOST_GIGABYTES = 1.0


class Written(NamedTuple):
    """What a release needed."""

    seconds: float
    gigabytes: float
    """Peak memory of the process."""
    megabytes: float
    """Size of the folder."""


def bench_release(sizes: tuple[int, ...] = JUDGMENTS) -> None:
    """Memory and time per judgment at each size."""
    found = {}
    for judgments in sizes:
        for step in ("load", "fill"):
            _apart(step, judgments)
        found[judgments] = Written(*_apart("release", judgments))
        size = found[judgments]
        print(
            f"  {judgments:,} judgments: {size.seconds:.0f} s, {size.megabytes:,.0f} MB written", flush=True
        )
    few, *more = sizes
    for many in more:
        compare(
            f"release: peak memory, {many:,} / {few:,} judgments",
            lambda n=many: found[n].gigabytes,
            lambda: found[few].gigabytes,
            bar=1.5,
            unit="GB",
        )
        within(f"release: memory, {many:,} judgments", found[many].gigabytes, MOST_GIGABYTES, "GB")
        compare(
            f"release: seconds per 1,000 judgments, {many:,} / {few:,}",
            lambda n=many: 1000 * found[n].seconds / n,
            lambda: 1000 * found[few].seconds / few,
            bar=1.5,
        )


def _apart(step: str, judgments: int) -> list[float]:
    command = [sys.executable, "-m", "bench.release", "--apart", step, str(judgments)]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return [float(figure) for figure in told]


def run_apart(step: str, judgments: int) -> None:
    """Runs one step in this process, and prints what it needed."""
    import django

    django.setup()
    tasks = judgments // RATINGS
    if step == "load":
        load(tasks)
    elif step == "fill":
        fill(tasks)
        count(tasks)
    else:
        start = time.perf_counter()
        megabytes = release(tasks)
        gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(time.perf_counter() - start, gigabytes, megabytes)


def count(tasks: int) -> None:
    """Fills the counts that labels are made from, as the worker would, and takes numbers out of comments."""
    from labelwright.server.store.rows import run
    from labelwright.server.studies.actions.loading import get_study

    study = {"study": get_study(f"tasks-{tasks}").pk}
    run(
        """INSERT INTO item_tally (study_id, item_id, version_id, rater_kind, condition, question, code, n)
           SELECT study_id, item_id, version_id, rater_kind, condition, question, code, count(*) FROM counted_answer
           WHERE study_id = %(study)s AND code IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7""",
        study,
    )
    if tasks * RATINGS >= LARGE:
        # Numbers of eight digits look like phone numbers.
        run(
            """UPDATE answer SET value = to_jsonb('comment ' || id %% 9999)
               WHERE study_id = %(study)s AND code IS NULL""",
            study,
        )


def release(tasks: int) -> float:
    """Writes the release of a filled study; returns its size."""
    from labelwright.server.releasing.actions.folder import write_release
    from labelwright.server.studies.actions.loading import get_study

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "release"
        write_release(get_study(f"tasks-{tasks}"), out, datetime.now(UTC))
        return sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) / 1e6


if __name__ == "__main__":
    if "--apart" in sys.argv:
        run_apart(sys.argv[2], int(sys.argv[3]))
    else:
        with database():
            from labelwright.server.config.startup import migrate, set_up

            set_up()
            migrate()
            large = "large" in sys.argv
            sys.argv = sys.argv[:1]
            main({"release": lambda: bench_release((*JUDGMENTS, LARGE) if large else JUDGMENTS)})
