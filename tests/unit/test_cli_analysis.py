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


def test_audit_writes_a_page_and_checks_the_design(command, labels: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = command("audit", labels, "--html", page, "--ratings-per-item", 4, "--condition", "C_0", "--strict")
    assert done.exit_code == 1
    assert "conditions that were not expected: C_7" in done.output
    assert "12 items have fewer than 4 ratings" in done.output
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


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


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Three people on 60 of 200 items, and a model on all of them."""
    rows = ["item,rater,model,label"]
    for i in range(200):
        rows.append(f"i{i:03},judge,1,{1 + (i + i % 7 // 5) % 4}")
        rows += [
            f"i{i:03},{r},0,{1 + (i + (i * n) % 11 // 9) % 4}" for n, r in enumerate("xyz") if i % 10 < 3
        ]
    path = tmp_path / "judged.csv"
    path.write_text("\n".join(rows))
    return path


def test_judge_compare_says_whether_a_model_may_stand_in(command, judged: Path) -> None:
    done = command("judge", "compare", judged, "--replicates", 100)
    assert done.exit_code == 0, done.output
    assert "stand-in test" in done.output
    assert "Epsilon is 0.1" in done.output
    [found] = json.loads(command("judge", "compare", judged, "--json", "--replicates", 50).output)
    assert (found["model"], len(found["raters"]), found["scoring"]) == ("judge", 3, "neg_rmse")
    positions = command("judge", "compare", judged, "--positions", "--replicates", 50)
    assert "a position is not a person" in positions.output


def test_estimate_needs_to_know_how_items_were_drawn(command, judged: Path) -> None:
    from labelwright.judging import NotRandom

    assert isinstance(command("estimate", judged).exception, NotRandom)
    done = command("estimate", judged, "--random", "--wanted", "0.01")
    assert done.exit_code == 0, done.output
    assert "people only" in done.output
    assert "more rated items are expected to suffice" in done.output
    [found] = json.loads(command("estimate", judged, "--random", "--json").output)
    assert found["combined"]["low"] < found["combined"]["value"] < found["combined"]["high"]


def test_judge_probe_says_how_much_a_changed_form_matters(command, tmp_path: Path) -> None:
    # The model gives the longer form a point more in every second item, and people never do: 0.5 points.
    rows = ["item,rater,model,variant,label"]
    for i in range(60):
        rows += [f"i{i},judge,1,original,2", f"i{i},judge,1,longer,{2 + i % 2}"]
        rows += [f"i{i},ann,0,original,2", f"i{i},ann,0,longer,2"]
    path = tmp_path / "variants.csv"
    path.write_text("\n".join(rows))
    done = command("judge", "probe", path)
    assert done.exit_code == 0, done.output
    assert "judge, longer: +0.50" in done.output
    assert "A bias of 0.1 is present. People: +0.00" in done.output
    assert json.loads(command("judge", "probe", path, "--json").output)[0]["judge"]["n"] == 60
    assert "1,708 calls" in command("judge", "probe", path, "--propose").output


def test_judge_align_shows_development_items_only_and_opens_the_others_once(command, judged: Path) -> None:
    from labelwright.judging import AlreadyOpened, NotRandom, divide_items

    prompt, ledger = judged.parent / "prompt.txt", judged.parent / "versions.json"
    prompt.write_text("Judge the reply.")
    asked = ("judge", "align", judged, "--prompt", prompt, "--ledger", ledger)
    done = command(*asked, "--change", "First")
    assert done.exit_code == 0, done.output
    hidden = divide_items([f"i{n:03}" for n in range(200)], 0).held_out
    assert "held-out not opened. First" in done.output
    assert "people" in done.output
    assert not any(f"{item}:" in done.output for item in hidden)
    opened = command(*asked, "--open")
    assert "held-out 0." in opened.output
    assert isinstance(command(*asked, "--open").exception, AlreadyOpened)
    assert isinstance(command(*asked, "--seed", 1).exception, NotRandom)
    prompt.write_text("Judge the reply with care.")
    assert "Version 2" in command(*asked, "--change", "Care", "--open").output
    stored = json.loads(ledger.read_text())["versions"]
    assert [each["change"] for each in stored] == ["First", "Care"]
    assert all(each["opened_at"] for each in stored)
