"""One definition of what counts, for everything that reads an export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

from labelwright.analysis import (
    UnknownReason,
    candidate_labels,
    measure_agreement,
    preferences,
    rank_preferences,
    read_export,
    reason_left_out,
)
from labelwright.analysis.audit import audit
from labelwright.analysis.data.counting import counted, counted_rows
from labelwright.cli import register_commands
from labelwright.tables import fetch, read

COUNTS = {
    "study": "s",
    "version": 1,
    "condition": "C_0",
    "aspect": "use",
    "question": "useful",
    "data_use": "used",
    "role": "item",
    "rater_kind": "person",
}


def row(item: str, rater: str, label: int, **changes: Any) -> dict[str, Any]:
    return {**COUNTS, "item": item, "rater": rater, "label": label, **changes}


# Two raters agree on both items. Nobody else is a rating: an excluded rater, a qualification, gold, a model, an
# attention check, and a question that measures no aspect.
ROWS = [
    row("a", "x", 1),
    row("a", "y", 1),
    row("b", "x", 2),
    row("b", "y", 2),
    row("a", "z", 2, data_use="left_out"),
    row("b", "z", 1, data_use="left_out"),
    row("a", "q", 2, role="qualification", condition="qualification:new"),
    row("g", "x", 1, role="gold"),
    row("g", "y", 2, role="gold"),
    row("a", "m", 2, rater_kind="model"),
    row("a", "x", 0, role="attention", aspect="", question="look"),
    row("a", "x", 3, aspect="", question="familiar"),
    row("a", "x", 3, role="task", aspect="", question="payment"),
]
LEFT_OUT = {
    "left_out": 2,
    "gold": 2,
    "attention": 1,
    "qualification": 1,
    "task": 1,
    "no_aspect": 1,
    "model": 1,
}


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = tmp_path / "answers.csv"
    pa_csv.write_csv(pa.Table.from_pylist(ROWS), path)
    return path


def test_excluded_data_and_qualifications_are_not_pooled(export: Path):
    labels = read_export(export)
    assert measure_agreement(labels, ["percentage"]).get().value == 1
    assert labels.left_out == LEFT_OUT
    assert "Left out: 2 answers in excluded data, 2 about gold items, 1 to attention checks" in repr(labels)


def test_more_is_asked_for_by_name(export: Path):
    # Over a and b: the excluded rater differs from both others on each item, so 1 of 3 pairs agrees.
    with_excluded = read_export(export, include=("left_out",))
    assert measure_agreement(with_excluded, ["percentage"]).get().value == pytest.approx(1 / 3)
    assert "left_out" not in with_excluded.left_out
    assert read_export(export, include=("model",)).values("rater_kind") == ["model", "person"]
    with pytest.raises(UnknownReason, match='Did you mean "gold"'):
        read_export(export, include=("golden",))


def test_agreement_and_audit_read_an_export_as_read_export_does(export: Path):
    app, run = register_commands(), CliRunner()
    done = run.invoke(app, ["agreement", str(export), "-m", "percentage", "--json"])
    [found] = json.loads(done.output)
    assert (found["value"], found["items"], found["answers_left_out"]) == (1, 2, LEFT_OUT)
    done = run.invoke(app, ["agreement", str(export), "-m", "percentage", "--include", "left_out"])
    assert "0.33" in done.output
    assert "Left out: 2 answers about gold items, 1 to attention checks" in done.output
    done = run.invoke(app, ["agreement", str(export), "-m", "percentage", "--positions", "--json"])
    assert json.loads(done.output)[0]["value"] == 1
    assert [finding for finding in audit([export]) if finding.severity == "wrong"] == []


def test_the_twins_for_rows_and_for_tables_agree():
    table = pa.Table.from_pylist(ROWS)
    for include in ((), ("gold",), ("left_out", "no_aspect"), ("model", "attention", "task", "no_aspect")):
        kept, left_out = counted(read(table), include)
        wanted = counted_rows(ROWS, include)
        assert fetch(kept).to_pylist() == wanted
        assert len(wanted) + sum(left_out.values()) == len(ROWS)


def test_the_first_reason_in_order_is_given():
    both = row("g", "z", 1, data_use="left_out", role="gold", rater_kind="model")
    assert reason_left_out(both) == "left_out"
    assert reason_left_out(both, ["left_out"]) == "gold"
    assert reason_left_out(both, ["left_out", "gold"]) == "model"
    assert reason_left_out({"item": "a", "label": 1}) == ""


def test_comparisons_leave_out_what_does_not_count():
    pair = {"question": "better", "aspect": "", "candidates": '["alpha", "beta"]'}
    rows = [row("a", f"r{n}", -1, **pair) for n in range(3)]
    rows += [row("a", "bad", 1, **pair, data_use="left_out"), row("g", "r0", 1, **pair, role="gold")]
    assert preferences(rows, "better").winner == ("alpha",) * 3
    assert preferences(rows, "better", include=("left_out",)).winner == ("alpha",) * 3 + ("beta",)
    order = {**pair, "question": "order"}
    ranked = [row("a", "r0", 1, **order, value="[1, 2]")]
    ranked.append(row("a", "bad", 1, **order, value="[2, 1]", data_use="left_out"))
    assert rank_preferences(ranked, "order").winner == ("alpha",)
    grid = [
        row("a", "x", 1, question="quality.c0.fit"),
        row("a", "z", 0, question="quality.c0.fit", role="gold"),
    ]
    assert candidate_labels(grid)["label"] == [1]


def _scale(*codes: int) -> dict[str, Any]:
    """A scale whose code 9 means that there is no answer."""
    return {"points": [{"code": code, "name": f"n{code}", "no_answer": code == 9} for code in codes]}


def test_versions_are_joined_where_the_codes_are_the_same(tmp_path: Path):
    rows = [
        *(row("a", rater, 1, question="quality.c0.fit") for rater in "xy"),
        *(row("a", rater, 2, question="quality.c1.fit", version=2) for rater in "uv"),
        row("a", "w", 9, question="quality.c1.fit", version=2),
        row("a", "x", 7, question="kept"),
        row("a", "x", 7, question="dropped"),
    ]
    path = tmp_path / "answers.parquet"
    pa.parquet.write_table(pa.Table.from_pylist(rows), path)
    old = {"quality.*.fit": _scale(1, 2, 9), "kept": _scale(5, 7), "dropped": _scale(1, 7)}
    new = {"quality.*.fit": _scale(1, 2, 9), "kept": _scale(1, 2)}
    # The aspect has two scales, so only its questions have one.
    versions = [{"version": n, "questions": each, "aspects": {}} for n, each in ((1, old), (2, new))]
    path.with_suffix(".scales.json").write_text(json.dumps({"versions": versions}))
    labels = read_export(path)
    assert labels.left_out == {"earlier_version": 2}
    assert labels.values("question") == ["quality.fit"]
    assert labels.values("item") == ["a/c0", "a/c1"]
    # "No answer" is no rating, whether labels are sliced or taken as they are.
    assert measure_agreement(labels, ["percentage"]).get().ratings == 4
    assert labels.ratings().codes == (1, 2)
    assert len(labels.ratings().code) == 4
