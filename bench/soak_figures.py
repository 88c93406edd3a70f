"""Measurements of a soak test: memory of processes, number of connections, and whether they grow."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from pathlib import Path

SHARE, MEGABYTES = 0.10, 16.0
"""Memory may grow by this share or this amount, whichever is more, from the second quarter to the last."""
MORE_CONNECTIONS, SHARE_OF_CONNECTIONS = 2, 0.2
"""Connections may grow by this number or this share: threads open theirs when they are first needed at once."""
POSTGRESQL = "postgresql, MB"
WARM_SESSION_MEGABYTES = 8.0
FEWEST = 8
"""Minimum number of samples for a conclusion."""


@dataclass(slots=True)
class Figures:
    """Samples of each measurement, in order of time."""

    samples: dict[str, list[float]] = field(default_factory=dict)

    def add(self, name: str, value: float) -> None:
        """Adds a sample."""
        self.samples.setdefault(name, []).append(value)

    def quarters(self, name: str) -> tuple[float, float]:
        """The medians of the second and the last quarter; the first quarter is the warm-up."""
        values = self.samples[name]
        quarter = len(values) // 4
        return statistics.median(values[quarter : 2 * quarter]), statistics.median(values[3 * quarter :])

    def faults(self, most_connections: int) -> list[str]:
        """Descriptions of the measurements that grew."""
        found = []
        for name, values in self.samples.items():
            if len(values) < FEWEST:
                found.append(f"only {len(values)} samples of {name}")
                continue
            early, late = self.quarters(name)
            if late - early > self._allowed(name, early):
                found.append(f"{name}: grew from {early:.0f} to {late:.0f}")
        if max(self.samples.get("connections", [0])) > most_connections:
            found.append(f"connections: {max(self.samples['connections']):.0f} of at most {most_connections}")
        return found

    def _allowed(self, name: str, early: float) -> float:
        """How much a measurement may grow."""
        if name == "connections":
            return max(MORE_CONNECTIONS, SHARE_OF_CONNECTIONS * early)
        allowed = max(SHARE * early, MEGABYTES)
        if name == POSTGRESQL:
            # Each session is a process, and grows until it has seen every statement.
            _, sessions = self.quarters("connections")
            allowed = max(allowed, WARM_SESSION_MEGABYTES * sessions - early)
        return allowed


def turn_records(figures: Figures, judgments: int, seconds: float, rounds: int, complete: int) -> None:
    """Prints the measurements."""
    print(
        f"{judgments:,} judgments, {judgments / seconds:.1f} a second, in {rounds} rounds, {complete} complete"
    )
    for name, values in figures.samples.items():
        if len(values) >= FEWEST:
            early, late = figures.quarters(name)
            print(f"{name:<16} second quarter {early:7.1f}   last {late:7.1f}   most {max(values):7.1f}")


def tree(pid: int) -> list[int]:
    """A process and all its living descendants."""
    found = [pid]
    for each in found:
        try:
            children = Path(f"/proc/{each}/task/{each}/children").read_text().split()
        except OSError:
            continue
        found += [int(child) for child in children]
    return found


def own_megabytes(pid: int) -> float:
    """The private memory of a process, without PostgreSQL's fixed shared memory; 0 if the process has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return (
        sum(int(line.split()[1]) for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))
        / 1024
    )
