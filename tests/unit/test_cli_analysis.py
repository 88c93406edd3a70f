"""`labelwright agreement` and `labelwright audit`, as a shell sees them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from labelwright.agreement import measure_names
from labelwright.cli import register_commands

CSV = "item,rater,condition,label\n" + "".join(
    f"i{i},{r},{c},{(i + (r == 'z' and i % 3 == 0)) % 3}\n"
    for c in ("C_0", "C_7")
    for i in range(12)
    for r in "xyz"
)


@pytest.fixture(scope="module")
def command():
    app = register_commands()
    return lambda *words: CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text(CSV)
    return path


def test_agreement_prints_a_table(command, labels: Path) -> None:
    done = command("agreement", labels, "--by", "condition", "-m", "alpha_nominal", "--replicates", 100)
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[1].split() == ["condition", "alpha_nominal", "items"]


def test_agreement_prints_json(command, labels: Path) -> None:
    done = command("agreement", labels, "--json", "--replicates", 50, "--seed", 3, "--memory", "1GB")
    [first, *_] = json.loads(done.output)
    assert first["name"] == "percentage"
    assert first["interval"]["seed"] == 3
    assert first["definition"]


def test_every_measure_can_be_asked_for_other_raters(command, labels: Path, tmp_path: Path) -> None:
    wanted = [word for name in measure_names() for word in ("-m", name)]
    few = command("agreement", labels, "--by", "condition", "--raters", "--replicates", 50, *wanted)
    assert few.exit_code == 0, few.output
    assert "95% intervals for these raters and other items." in few.output
    assert "these 3 raters and other items: fewer than 10 raters" in few.output
    many = tmp_path / "many.csv"
    rows = [f"i{i},r{r},{(i * r) % 5 % 3}" for i in range(20) for r in range(12)]
    many.write_text("\n".join(["item,rater,label", *rows]))
    both = command("agreement", many, "--raters", "--replicates", 50, *wanted)
    assert both.exit_code == 0, both.output
    assert "95% intervals for other items and other raters." in both.output
    theirs = command("agreement", many, "--raters", "--these-items", "-m", "alpha_nominal")
    assert "95% intervals for these items and other raters." in theirs.output
    assert "neither items nor raters" in str(command("agreement", many, "--these-items").exception)


def test_agreement_draws_a_chart(command, labels: Path, tmp_path: Path) -> None:
    done = command("agreement", labels, "--replicates", 50, "--chart", tmp_path / "a.svg")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "a.svg").read_text().startswith("<svg")


def test_columns_can_be_renamed(command, tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text(CSV.replace("item,rater", "dialogue,person", 1))
    done = command(
        "agreement", path, "--column", "item=dialogue", "--column", "rater=person", "--replicates", 0
    )
    assert done.exit_code == 0, done.output
    assert command("agreement", path, "--column", "item").exit_code == 2


def test_measures_are_listed(command) -> None:
    assert "fleiss_kappa" in command("measures").output
    assert "cohen_kappa" in json.loads(command("measures", "--json").output)


def test_audit_lists_findings_and_can_fail(command, labels: Path) -> None:
    mixed = labels.with_name("mixed.csv")
    mixed.write_text(CSV.replace("C_7,2", "C_7,3"))
    done = command("audit", mixed, "--json")
    assert any(finding["kind"] == "mixed_codes" for finding in json.loads(done.output)["findings"])
    assert command("audit", mixed, "--strict").exit_code == 1
    assert command("audit", labels, "--strict").exit_code == 0


def test_an_error_is_printed_without_a_traceback(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from labelwright.cli import main; main()",
            "agreement",
            str(tmp_path / "none.csv"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "there is no such file" in done.stderr
    assert "Traceback" not in done.stderr
