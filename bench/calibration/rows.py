"""Rows of the calibration table: what is simulated, and which share of the runs counts as good."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Literal, TypeAlias

import numpy as np

from bench.calibration import TOPICS

Kind: TypeAlias = Literal["coverage", "size", "power"]


@dataclass(frozen=True)
class Outcome:
    """What the product said about one simulated data set."""

    hit: bool | None
    """Whether the interval covered the truth, or the test rejected; None if the product gave neither."""
    warned: bool = False
    """Whether the result warned, with the figure, that this case is not covered as well as it says."""


Simulate: TypeAlias = Callable[[np.random.Generator], Outcome]


@dataclass(frozen=True)
class Row:
    """One line of the table: a data-generating process, a target, and the share that is expected."""

    name: str
    """The case in words: method, size and anything unusual. Unique."""
    target: str
    """What the interval or test is about, as its result words it: "these raters, other items"."""
    nominal: float
    """0.95 for a 95% interval, 0.05 for a test at 5%."""
    kind: Kind
    simulate: Simulate

    @property
    def runs(self) -> int:
        """The number of data sets simulated at first."""
        return 1_000 if self.kind == "coverage" else 10_000

    def holds(self, observed: float) -> bool | None:
        """Whether the observed share is good enough; None for power, which is only shown."""
        if self.kind == "coverage":
            return abs(observed - self.nominal) < 0.02 + 1e-9
        return observed < self.nominal + 0.006 + 1e-9 if self.kind == "size" else None


ROWS: dict[str, Row] = {}
"""Every registered row by name."""


def _registers(kind: Kind, name: str, target: str, nominal: float) -> Callable[[Simulate], Simulate]:
    def register(simulate: Simulate) -> Simulate:
        if name in ROWS:
            raise ValueError(f"two rows are called {name!r}")
        ROWS[name] = Row(name, target, nominal, kind, simulate)
        return simulate

    return register


def coverage(name: str, target: str, nominal: float = 0.95) -> Callable[[Simulate], Simulate]:
    """Registers a simulation whose outcome is whether the interval covered the truth."""
    return _registers("coverage", name, target, nominal)


def size(name: str, target: str, nominal: float = 0.05) -> Callable[[Simulate], Simulate]:
    """Registers a simulation without an effect, whose outcome is whether the test rejected."""
    return _registers("size", name, target, nominal)


def power(name: str, target: str, nominal: float = 0.05) -> Callable[[Simulate], Simulate]:
    """Registers a simulation with an effect, whose outcome is whether the test rejected."""
    return _registers("power", name, target, nominal)


def rows(wanted: list[str]) -> list[Row]:
    """The rows of these topics and those whose names contain one of these texts; all rows if nothing is named."""
    for topic in TOPICS:
        import_module(f"bench.calibration.{topic}")
    return [row for row in ROWS.values() if not wanted or any(_fits(row, text) for text in wanted)]


def _fits(row: Row, text: str) -> bool:
    return text in row.name or text == row.simulate.__module__.rpartition(".")[2]
