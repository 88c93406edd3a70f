"""The table of docs/explanation/scale.md, made from bench/results.json: `python -m bench.figures` writes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench.harness import RESULTS

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "scale.md"
_BEGIN, _END = "<!-- figures of bench/results.json -->", "<!-- end of the figures -->"


class Figure(NamedTuple):
    """A line of the table: a figure of a result, in words."""

    about: str
    result: str
    unit: str
    field: str = "ours"


FIGURES = (
    Figure(
        "one judgment over HTTP, two requests, 16 connections",
        "judgment over HTTP, two requests, all rules on: ours / bare Django view",
        "ms",
    ),
    Figure(
        "page with an offer, 95th percentile, 200 raters at work",
        "p95 of offering over HTTP, 200 raters at work: ours / bare Django view",
        "ms",
    ),
    Figure("offer with 10,000 open places", "offer with 10,000,000 open places / with 10,000", "ms", "other"),
    Figure("offer with 10,000,000 open places", "offer with 10,000,000 open places / with 10,000", "ms"),
    Figure(
        "quality rules of one submission, study of 1,000 assignments",
        "flags of one submission, 1,000,000 assignments / 1,000",
        "ms",
        "other",
    ),
    Figure(
        "quality rules of one submission, study of 1,000,000 assignments",
        "flags of one submission, 1,000,000 assignments / 1,000",
        "ms",
    ),
    Figure(
        "loading, 1,000 tasks of a study of 10,000",
        "loading: seconds per 1,000 tasks, 100,000 / 10,000",
        "s",
        "other",
    ),
    Figure(
        "loading, 1,000 tasks of a study of 100,000",
        "loading: seconds per 1,000 tasks, 100,000 / 10,000",
        "s",
    ),
    Figure(
        "loading, 1,000 tasks of a study of 1,000,000",
        "loading: seconds per 1,000 tasks, 1,000,000 / 10,000",
        "s",
    ),
    Figure("loading 1,000,000 tasks, memory", "loading: memory, 1,000,000 tasks", "GB"),
    Figure(
        "export to CSV, 1,000 answers of a study of 100,000",
        "export to csv: seconds per 1,000 answers, 1,000,000 / 100,000",
        "s",
        "other",
    ),
    Figure(
        "export to CSV, 1,000 answers of a study of 1,000,000",
        "export to csv: seconds per 1,000 answers, 1,000,000 / 100,000",
        "s",
    ),
    Figure(
        "export to CSV, 1,000 answers of a study of 10,000,000",
        "export to csv: seconds per 1,000 answers, 10,000,000 / 100,000",
        "s",
    ),
    Figure("export of 1,000,000 answers to CSV, memory", "export to csv: memory, 1,000,000 answers", "GB"),
    Figure("export of 10,000,000 answers to CSV, memory", "export to csv: memory, 10,000,000 answers", "GB"),
    Figure(
        "agreement per item of 10,000,000 labels, DuckDB",
        "per-item measures, 10M labels, named items / plain SQL",
        "s",
    ),
    Figure(
        "agreement per item of 100,000,000 labels, DuckDB, memory",
        "memory, per-item measures, 100M labels, named items",
        "GB",
    ),
    Figure(
        "agreement per item of 1,000,000,000 labels, DuckDB",
        "time, per-item measures, 1,000M labels, spilling",
        "s",
    ),
    Figure(
        "agreement per item of 1,000,000,000 labels, DuckDB, memory",
        "memory, per-item measures, 1,000M labels, spilling",
        "GB",
    ),
    Figure(
        "classifying and sampling 10,000,000 dialogues, each",
        "corpus: time per dialogue at 10 million / at 1 million",
        "µs",
    ),
    Figure(
        "classifying and sampling 10,000,000 dialogues, memory",
        "corpus: memory at 10 million dialogues",
        "GB",
    ),
    Figure(
        "agreement by condition of 10,000,000 labels, DuckDB",
        "agreement by condition, 10,000,000 labels: DuckDB / Spark on a cluster of two workers",
        "s",
    ),
    Figure(
        "agreement by condition of 10,000,000 labels, Spark with two workers",
        "agreement by condition, 10,000,000 labels: DuckDB / Spark on a cluster of two workers",
        "s",
        "other",
    ),
    Figure(
        "agreement by condition of 100,000,000 labels, DuckDB",
        "agreement by condition, 100,000,000 labels: DuckDB / Spark on a cluster of two workers",
        "s",
    ),
    Figure(
        "agreement by condition of 100,000,000 labels, Spark with two workers",
        "agreement by condition, 100,000,000 labels: DuckDB / Spark on a cluster of two workers",
        "s",
        "other",
    ),
)


def with_figures(page: str, results: Sequence[dict[str, Any]]) -> str:
    """The page with its table replaced by these results; what has not been measured is left out."""
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    found = {line["name"]: line for line in results}
    lines = [
        f"| {figure.about} | {found[figure.result][figure.field]:.3g} {figure.unit} |\n"
        for figure in FIGURES
        if figure.result in found
    ]
    return f"{before}{_BEGIN}\n\n| what | measured |\n|---|---|\n{''.join(lines)}\n{_END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_figures(PAGE.read_text(), json.loads(RESULTS.read_text())))
