"""A tiny harness: two ways of doing the same work, in turns, and whether ours keeps its bar.

    compare("name", ours, other, bar=1.3)     ratio ours / other, medians of 5 alternating rounds
    within("name", value, limit, unit="GB")   one figure against a limit

A callable returns its own figure, or None to be timed. Lines are printed as they are measured
and written to bench/results.json, where lines of the same name are replaced and others kept.
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
"""Tries every bench at a small size, to see that it runs; such figures mean nothing and are not kept."""
RESULTS = Path(os.devnull) if SMALL else Path(__file__).parent / "results.json"
ROUNDS = 1 if SMALL else 5

Work = Callable[[], float | None]


def compare(name: str, ours: Work, other: Work, bar: float | None, unit: str = "s") -> dict[str, object]:
    """Both figures as medians of alternating rounds; `bar` is the largest ratio that holds, None for the record."""
    figures: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for work, found in ((ours, figures[0]), (other, figures[1])):
            found.append(_figure(work))
    return _line(name, statistics.median(figures[0]), statistics.median(figures[1]), bar, unit)


def within(name: str, value: float, limit: float, unit: str) -> dict[str, object]:
    """One figure against a limit: the ratio holds up to 1."""
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
    """Runs the benches named on the command line, or all of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", choices=[*benches, []], help="which benches to run")
    for name in parser.parse_args().names or benches:
        benches[name]()
