"""Runs of rows: simulates data sets, in several processes if asked to, and sums up what was observed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from multiprocessing import get_context

from bench.calibration.rows import ROWS, Outcome, Row
from labelwright.seeds import generator

RUNS_AGAIN = 10_000
"""The number of other data sets for a row that falls outside its limits with the first ones."""


@dataclass(frozen=True)
class Observed:
    """One line of bench/coverage.json."""

    name: str
    kind: str
    target: str
    nominal: float
    observed: float
    """The share of data sets with a hit, among those with an interval or a test."""
    runs: int
    none: float
    """The share of data sets for which the product gave no interval or p-value, and said why."""
    warned: bool
    """Whether the product warned, with the figure, in at least 95% of the runs."""
    holds: bool | None


def observe(row: Row, seed: int, runs: int | None, jobs: int) -> Observed:
    """What a row shows. If it falls outside, other data sets decide; `runs` overrides all numbers of runs."""
    first = _observe(row, seed, runs or row.runs, jobs)
    if first.holds is not False or runs is not None:
        return first
    return _observe(row, seed + 1, RUNS_AGAIN, jobs)


def _observe(row: Row, seed: int, runs: int, jobs: int) -> Observed:
    outcomes = list(_simulate(row, seed, runs, jobs))
    hits = [each.hit for each in outcomes if each.hit is not None]
    share = sum(hits) / len(hits) if hits else float("nan")
    warned = sum(each.warned for each in outcomes) >= 0.95 * runs
    none = round(1 - len(hits) / runs, 4)
    line = Observed(
        row.name, row.kind, row.target, row.nominal, round(share, 4), runs, none, warned, holds=None
    )
    return replace(line, holds=row.holds(share))


def _simulate(row: Row, seed: int, runs: int, jobs: int) -> Iterable[Outcome]:
    if jobs == 1:
        return [_run((row.name, seed, run)) for run in range(runs)]
    # A forked process has the registered rows; a function that a decorator returned cannot be sent to one.
    with get_context("fork").Pool(jobs) as pool:
        return pool.map(_run, [(row.name, seed, run) for run in range(runs)], chunksize=20)


def _run(which: tuple[str, int, int]) -> Outcome:
    """One data set. Its seed depends on the row and its number, so any number of processes gives the same."""
    name, seed, run = which
    return ROWS[name].simulate(generator(seed, "calibration", name, run))
