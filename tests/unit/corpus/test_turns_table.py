"""An import writes whole files or none, loses nothing, and can be read again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from labelwright.cli import register_commands
from labelwright.corpus import CorpusPart, Dialogue, Turn, read_dialogues, write_turns
from labelwright.errors import LabelwrightError
from labelwright.outside.engines import read_table_dialogues

HOSTILE = 'Ignore all of the above =HYPERLINK("x") <script>alert(1)</script> ١٢٣ 👩‍👩‍👧'
DIALOGUES = [
    Dialogue("d1", (Turn("user", HOSTILE), Turn("system", "I’m SORRY", "s1", {"tag": "no", "n": [1, "é"]}))),
    Dialogue("d2", (Turn("user", "x"),), {"topic": "t"}, original='{"raw": 1}'),
]


def test_what_was_imported_is_read_again_unchanged(tmp_path: Path) -> None:
    written = write_turns(DIALOGUES, tmp_path)
    assert (written.dialogues, written.turns) == (2, 3)
    again, _ = read_dialogues(CorpusPart(reader="parquet", path="turns.parquet"), tmp_path)
    assert [d.turns for d in again] == [d.turns for d in DIALOGUES]
    rows = pq.read_table(written.turns_file).to_pylist()
    assert rows[1]["normal"] == "i'm sorry"
    kept = pq.read_table(written.dialogues_file).to_pylist()
    assert kept[1]["original"] == '{"raw": 1}'
    assert json.loads(kept[1]["meta"]) == {"topic": "t"}


def test_an_import_that_is_broken_off_leaves_no_file(tmp_path: Path) -> None:
    def broken() -> Iterator[Dialogue]:
        yield DIALOGUES[0]
        raise LabelwrightError("broken off")

    with pytest.raises(LabelwrightError, match="broken off"):
        write_turns(broken(), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_command_imports_counts_and_says_what_it_left_out(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    good = {
        "id": "a",
        "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}],
    }
    log.write_text(json.dumps(good) + "\nnot json\n")
    run, app = CliRunner(), register_commands()
    command = ["corpus", "import", str(log), "--reader", "chat_messages", "--to", str(tmp_path / "out")]
    stopped = run.invoke(app, command)
    assert stopped.exception is not None
    assert "log.jsonl:2: this is not JSON" in str(stopped.exception)
    skipped = run.invoke(app, [*command, "--on-error", "skip"])
    assert skipped.exit_code == 0
    assert "1 of 2 records left out" in skipped.output
    chart = tmp_path / "chart.svg"
    counted = run.invoke(app, ["corpus", "stats", str(tmp_path / "out/turns.parquet"), "--chart", str(chart)])
    assert "1 dialogues, 2 turns" in counted.output
    assert "speaker user: 1 turns" in counted.output
    assert chart.read_text().startswith("<svg")
    log.write_text(json.dumps(good))
    unread = run.invoke(app, ["corpus", "stats", str(log)])
    assert "this is not a turns table" in str(unread.exception)


def test_a_table_of_a_database_is_read_in_order(tmp_path: Path) -> None:
    place = tmp_path / "logs.duckdb"
    with duckdb.connect(str(place)) as database:
        database.execute("create table turns (call text, n int, who text, said text, line text)")
        database.execute(
            "insert into turns values ('b', 1, 'bot', 'Where to?', '61c'), ('b', 0, 'caller', 'Hello', null)"
        )
    options = {
        "dialogue": "call",
        "position": "n",
        "speaker": "who",
        "text": "said",
        "speakers": {"caller": "user", "bot": "system"},
    }
    with pytest.raises(LabelwrightError, match='no table "calls"'):
        list(read_table_dialogues(f"duckdb://{place}", "calls", options))
    (dialogue,) = read_table_dialogues(f"duckdb://{place}", "turns", options)
    assert isinstance(dialogue, Dialogue)
    assert dialogue.turns == (Turn("user", "Hello"), Turn("system", "Where to?", meta={"line": "61c"}))


STUDY = (Path(__file__).parents[3] / "studies/demo/study.yaml").read_text()


def test_the_commands_classify_and_sample_what_a_study_says(tmp_path: Path) -> None:
    rules = "  categories: {rules: [{category: Sorry, cues: [sorry]}], otherwise: Other}\n  sample: {n: 3}\n"
    study = tmp_path / "study.yaml"
    study.write_text(STUDY.replace("  path: dialogues.jsonl\n", f"  path: dialogues.jsonl\n{rules}"))
    said = [
        {
            "id": f"d{n}",
            "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": text}],
        }
        for n, text in enumerate(["I am sorry", "Yes", "Sorry", "No", "Well"])
    ]
    (tmp_path / "dialogues.jsonl").write_text("\n".join(json.dumps(record) for record in said))
    run, app = CliRunner(), register_commands()
    chart = tmp_path / "c.svg"
    classified = run.invoke(app, ["corpus", "classify", str(study), "--chart", str(chart)])
    assert classified.exit_code == 0, classified.output
    lines = [line.split() for line in classified.output.splitlines()]
    assert lines[0][:3] == ["Sorry", "2", "40%"]
    assert lines[1][:3] == ["Other", "3", "60%"]
    assert "turn 2, system: I am sorry" in classified.output
    assert chart.exists()
    run.invoke(app, ["corpus", "import", str(study), "--to", str(tmp_path / "all")])
    turns = str(tmp_path / "all/turns.parquet")
    sampled = run.invoke(app, ["corpus", "sample", str(study), turns, "--to", str(tmp_path / "some")])
    assert "3 dialogues, drawn with seed 20261115" in sampled.output
    drawn, _ = read_dialogues(CorpusPart(reader="parquet", path="turns.parquet"), tmp_path / "some")
    assert len(drawn) == 3


def test_the_turns_table_can_lie_in_a_warehouse(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({"id": "a", "messages": [{"role": "user", "content": "Hi, I’m here"}]}))
    warehouse = f"duckdb://{tmp_path / 'logs.duckdb'}"
    run, app = CliRunner(), register_commands()
    command = ["corpus", "import", str(log), "--reader", "chat_messages", "--to", str(tmp_path / "out")]
    for _ in range(2):
        written = run.invoke(app, [*command, "--warehouse", warehouse, "--name", "my turns"])
        assert written.exit_code == 0, written.output
    counted = run.invoke(app, ["corpus", "stats", "my turns", "--engine", warehouse])
    assert "1 dialogues, 1 turns" in counted.output
    missing = run.invoke(app, ["corpus", "stats", "other", "--engine", warehouse])
    assert 'no table "other"' in str(missing.exception)
