"""Benchmarks of the audit: 147,000 ratings, on a scale of five points and on a slider, within ten seconds.

The data is generated and the same on every run: 9,800 items with five ratings in each of three conditions, by 300
raters, or 490 items judged by all 300 raters.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import duckdb

from bench.harness import ROUNDS, SMALL, main, within
from labelwright.analysis.audit import audit

DATA = Path(__file__).parent / ".data"
ITEMS = 98 if SMALL else 9_800
SCALES = {
    "five points": "case when hash(i * 10 + r * 100 + c) % 100 < 55 then hash(i) % 5 else hash(i * 31 + r * 7 + c) % 5 end",
    "slider": "least(300, greatest(0, (hash(i) % 301)::int + (hash(i * 10 + r + c) % 81)::int - 40))",
}


def labels_file(scale: str, *, complete: bool = False) -> Path:
    """A CSV file with 147,000 labels, if the benchmark is not run at a small size."""
    DATA.mkdir(exist_ok=True)
    path = DATA / f"audit-{scale.replace(' ', '-')}-{'complete' if complete else 'crowd'}-{ITEMS}.csv"
    raters, items, conditions = (300, ITEMS // 20, 1) if complete else (5, ITEMS, 3)
    # The five raters of an item are at equal distances of at most 59, so none of the 300 judges it twice.
    rater = "r" if complete else "(hash(i * 3 + c) % 300 + r * (1 + hash(i * 3 + 1) % 59)) % 300"
    if not path.exists():
        duckdb.connect().sql(
            f"""copy (select 'd' || i as item, 'p' || ({rater}) as rater, 'C' || c as condition,
                ({SCALES[scale]})::int as label, round(5 + (hash(i * 7 + r + c) % 4000) / 100, 1) as seconds
                from range({items}) t(i), range({raters}) s(r), range({conditions}) u(c) order by c, i, r)
                to '{path}' (header)"""
        )
    return path


def bench_audit() -> None:
    """From a file to all findings, as the median of five audits."""
    for scale, complete in (
        ("five points", False),
        ("five points", True),
        ("slider", False),
        ("slider", True),
    ):
        path, seconds = labels_file(scale, complete=complete), []
        for _ in range(ROUNDS):
            start = time.perf_counter()
            audit([path])
            seconds.append(time.perf_counter() - start)
        design = "300 raters of every item" if complete else "5 of 300 raters per item"
        within(f"audit, 147,000 ratings, {scale}, {design}", statistics.median(seconds), 10, "s")


BENCHES = {"audit": bench_audit}

if __name__ == "__main__":
    main(BENCHES)
