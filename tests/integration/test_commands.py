"""The command line from a study file to an export, as a requester types it."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.processes import LABELWRIGHT
from tests.studies import NOW, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once]

FORMULA = "=HYPERLINK(1)"


def labelwright(
    *arguments: str, unset: Sequence[str] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return subprocess.run(
        [LABELWRIGHT, *arguments],
        capture_output=True,
        text=True,
        env=kept | environment,
        check=False,
        timeout=240,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "study.yaml").write_text(study_text(), encoding="utf-8")
    turns = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    record = json.dumps({"id": "d1", "system": "alpha", "messages": turns})
    (tmp_path / "dialogues.jsonl").write_text(record + '\n{"id": "d2"}\n', encoding="utf-8")
    return tmp_path


def test_from_a_study_file_to_an_export(database: str, folder: Path):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit

    bad = labelwright("study", "load", str(folder / "study.yaml"))
    assert bad.returncode == 1
    assert (
        bad.stderr.strip()
        == 'dialogues.jsonl:2: the record has no "messages". Expected a list of {role, content}.'
    )
    loaded = labelwright("study", "load", str(folder / "study.yaml"), "--on-error", "skip", "--open")
    assert loaded.stdout.strip() == '"tiny" version 1: 1 items in 2 conditions, 6 ratings needed.'
    assert "Left out 1 of 2 records." in loaded.stderr
    links = labelwright("study", "links", "tiny").stdout.splitlines()
    assert links == labelwright("study", "links", "tiny").stdout.splitlines()
    assert len(links) == 4
    for number, line in enumerate(links[:2]):
        visitor = get_visitor(line.rsplit("/", 1)[1], NOW)
        submit(offer(visitor, NOW).token, {"0": {"useful": 1 + number, "comment": FORMULA}}, NOW)
    for ending in ("jsonl", "csv", "parquet"):
        done = labelwright("study", "export", "tiny", str(folder / f"out.{ending}"))
        assert done.stdout.startswith("Wrote 4 answers to "), done.stderr
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    pseudonyms = {line.split("\t")[0] for line in links[:2]}
    assert {row["rater"] for row in rows} == pseudonyms
    judged = [(row["item"], row["system"], row["label"], row["name"]) for row in rows if row["aspect"]]
    assert sorted(judged) == [("d1#1", "alpha", 1, "Not useful"), ("d1#1", "alpha", 2, "Somewhat useful")]
    table = pq.read_table(folder / "out.parquet").to_pylist()
    assert table == rows
    with (folder / "out.csv").open(newline="") as file:
        cells = [row["value"] for row in csv.DictReader(file) if row["question"] == "comment"]
    # A spreadsheet shows the text; it does not run it.
    assert cells == ["'" + FORMULA] * 2
    scales = json.loads((folder / "out.scales.json").read_text())
    assert scales["versions"][0]["questions"]["useful"]["points"][0]["name"] == "Not useful"


def test_mistakes_end_with_one_clear_sentence(database: str, folder: Path):
    unknown = labelwright("study", "links", "nobody")
    assert (
        unknown.stderr.strip() == 'there is no study "nobody". Load one with `labelwright study load FILE`.'
    )
    away = labelwright("migrate", DATABASE_URL="postgresql://nobody@127.0.0.1:1/none")
    assert away.returncode == 1
    assert "the database is not responding" in away.stderr
    assert "DATABASE_URL" in away.stderr
    assert "Traceback" not in away.stderr
    missing = labelwright("study", "links", "tiny", DATABASE_URL="")
    assert missing.stderr.startswith("DATABASE_URL is missing")
    weak = labelwright("study", "links", "tiny", LABELWRIGHT_DEMO="0", LABELWRIGHT_SECRET_KEY="short")
    assert weak.stderr.startswith("LABELWRIGHT_SECRET_KEY is missing, too short or the demo key.")
    ending = labelwright("study", "export", "tiny", "out.xls")
    assert (
        ending.stderr.strip()
        == '"out.xls" has an unknown file extension. Expected one of jsonl, csv, parquet.'
    )


def test_a_pool_is_filled_and_thinned_from_the_command_line(database: str):
    from typer.testing import CliRunner

    from labelwright.cli import register_commands
    from labelwright.errors import LabelwrightError
    from tests.integration.test_qualification import answers_with_mistakes, load, qualifying, work

    app = register_commands()

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(app, arguments)
        if isinstance(done.exception, LabelwrightError):
            return str(done.exception)
        assert done.exit_code == 0, done.output
        return done.output

    load(**qualifying(rule={"at_least": 0.8}))
    invited = run("pool", "invite", "tiny", "applicants").split()
    work(invited[1].rsplit("/", 1)[1], answers_with_mistakes(1))
    assert "/j/v1." in run("pool", "open-link", "tiny", "applicants", "--most", "5")
    assert "requires a qualification" in run("pool", "invite", "tiny", "experts")
    assert run("pool", "ranking", "tiny", "applicants") == f"1\t{invited[0]}\t0.900\tpicked\n"
    assert run("pool", "qualify", "tiny", "applicants") == "Qualified applicants: 1. They join experts.\n"
    links = run("study", "links", "tiny", "--pool", "experts")
    assert links.startswith(invited[0])
    run("pool", "exclude", "tiny", "experts", invited[0], "--reason", "asked to leave")
    listed = run("pool", "list", "tiny").splitlines()
    assert listed == [
        f"{invited[0]}\tapplicants\tactive\t10\t0.90\tqualified",
        f"{invited[0]}\texperts\texcluded\t0\t-\t-",
    ]
    assert "Deleted" in run("pool", "forget", "tiny", invited[0], "--yes")
    assert "no pool" in run("pool", "list", "tiny", "nowhere")
