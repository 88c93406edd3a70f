"""`python -m bench.calibration`: runs rows and writes bench/coverage.json and the table in the documentation."""

from __future__ import annotations

import argparse
import sys
import time

from bench.calibration.rows import rows
from bench.calibration.runs import Observed, observe
from bench.calibration.table import read, write


def main() -> int:
    """Runs the named rows. Fails if a row neither holds nor warns."""
    parser = argparse.ArgumentParser(prog="python -m bench.calibration", description=__doc__)
    parser.add_argument("names", nargs="*", help="topics, or texts that names of rows contain; all without")
    parser.add_argument("--runs", type=int, help="data sets per row, without running any row again")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--dry", action="store_true", help="print without writing any file")
    parser.add_argument("--missing", action="store_true", help="only rows that bench/coverage.json lacks")
    parser.add_argument("--page", action="store_true", help="only write the table of the page anew")
    asked = parser.parse_args()
    if asked.page:
        write([], rows([]))
        return 0
    observed = []
    known = {each.name for each in read()} if asked.missing else set()
    for row in (row for row in rows(asked.names) if row.name not in known):
        start = time.perf_counter()
        observed.append(observe(row, asked.seed, asked.runs, asked.jobs))
        print(
            f"{_word(observed[-1]):<12} {_text(observed[-1])}  {time.perf_counter() - start:.1f} s",
            flush=True,
        )
        if not asked.dry:
            write(observed, rows([]))
    return int(any(each.holds is False and not each.warned for each in observed))


def _text(each: Observed) -> str:
    without = f"  {each.none:.1%} without" if each.none else ""
    return f"{each.observed:7.2%} of {each.runs:6,}  {each.name} ({each.target}){without}"


def _word(each: Observed) -> str:
    word = {True: "holds", False: "falls short", None: "power"}[each.holds]
    return "warned" if each.holds is False and each.warned else word


if __name__ == "__main__":
    sys.exit(main())
