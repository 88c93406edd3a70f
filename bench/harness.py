"""A small benchmark harness: alternates two ways of doing the same work, and checks the ratio against a limit.

    compare("name", ours, other, bar=1.3)     ratio ours / other, medians of 5 alternating rounds
    within("name", value, limit, unit="GB")   one figure against a limit

A callable returns its own figure, or None to be timed. Each line is printed when it is measured
and written to bench/results.json, where it replaces the line of the same name.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path

SMALL = bool(os.environ.get("LABELWRIGHT_BENCH_SMALL"))
"""Runs every benchmark at a small size to check that it works; the figures are meaningless and not kept."""
RESULTS = Path(os.devnull) if SMALL else Path(__file__).parent / "results.json"
ROUNDS = 1 if SMALL else 5

Work = Callable[[], float | None]


def compare(name: str, ours: Work, other: Work, bar: float | None, unit: str = "s") -> dict[str, object]:
    """Both figures as medians of alternating rounds; `bar` is the largest accepted ratio, or None for no limit."""
    figures: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for work, found in ((ours, figures[0]), (other, figures[1])):
            found.append(_figure(work))
    return _line(name, statistics.median(figures[0]), statistics.median(figures[1]), bar, unit)


def within(name: str, value: float, limit: float, unit: str) -> dict[str, object]:
    """One figure compared with a limit; the ratio must be at most 1."""
    return _line(name, value, limit, 1.0, unit)


def _figure(work: Work) -> float:
    start = time.perf_counter()
    returned = work()
    return time.perf_counter() - start if returned is None else returned


def _line(name: str, ours: float, other: float, bar: float | None, unit: str) -> dict[str, object]:
    ratio = ours / other if other else float("inf")
    holds = None if bar is None else bool(ratio <= bar)
    word = "for the record" if bar is None else "holds" if holds else "falls short"
    limit = "" if bar is None else f"  bar {bar:g}"
    print(
        f"{name:<68} ours {ours:9.3f} {unit}  other {other:9.3f} {unit}  ratio {ratio:6.3f}{limit}  {word}",
        flush=True,
    )
    line = {
        "name": name,
        "ours": round(ours, 4),
        "other": round(other, 4),
        "ratio": round(ratio, 4),
        "bar": bar,
    }
    _record(line | {"holds": holds})
    return line | {"holds": holds}


def _record(line: Mapping[str, object]) -> None:
    if SMALL:
        return
    lines = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    lines = [each for each in lines if each["name"] != line["name"]] + [dict(line)]
    RESULTS.write_text(json.dumps(lines, indent=1, ensure_ascii=False) + "\n")


def main(benches: Mapping[str, Callable[[], None]]) -> None:
    """Runs the benchmarks named on the command line, or all of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", choices=[*benches, []], help="which benchmarks to run")
    for name in parser.parse_args().names or benches:
        benches[name]()
