"""The table of observed rows: bench/coverage.json, and the same as a page of the documentation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from bench.calibration.rows import Row, rows
from bench.calibration.runs import Observed

COVERAGE = Path(__file__).parents[1] / "coverage.json"
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "calibration.md"
_BEGIN, _END = "<!-- table of bench/coverage.json -->", "<!-- end of the table -->"


def read() -> list[Observed]:
    """The rows observed so far."""
    lines = json.loads(COVERAGE.read_text()) if COVERAGE.exists() else []
    return [Observed(**line) for line in lines]


def write(observed: Iterable[Observed], registered: Sequence[Row]) -> None:
    """Replaces the rows of the same names, and drops rows that are no longer registered."""
    lines = {each.name: each for each in [*read(), *observed]}
    kept = [asdict(lines[row.name]) for row in registered if row.name in lines]
    COVERAGE.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    PAGE.write_text(with_table(PAGE.read_text(), read()))


def with_table(page: str, observed: Sequence[Observed]) -> str:
    """The page with its table replaced by these rows."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    progress = f"{len(observed)} of {len(rows([]))} rows have been simulated so far."
    return f"{before}{_BEGIN}\n\n{progress}\n\n{markdown(observed)}\n{_END}{after}"


def markdown(observed: Sequence[Observed]) -> str:
    """The rows as a table."""
    head = "| case | target | nominal | observed | runs | holds |\n|---|---|---|---|---|---|\n"
    return head + "".join(_line(each) for each in observed)


def _line(each: Observed) -> str:
    holds = {True: "yes", False: "no", None: "power"}[each.holds] + (", warned" if each.warned else "")
    without = f" ({each.none:.0%} without)" if each.none >= 0.005 else ""
    return (
        f"| {each.name} | {each.target} | {each.nominal:.0%} | {each.observed:.1%}{without} "
        f"| {each.runs:,} | {holds} |\n"
    )
