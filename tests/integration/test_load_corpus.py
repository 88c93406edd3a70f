"""Only what a study draws of its corpus enters the store, with the category that drew it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.studies import study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]


def test_a_loaded_study_holds_the_sample_and_nothing_else(tmp_path: Path):
    from labelwright.cli import register_commands
    from labelwright.server.store.models import DialogueRow, ItemRow

    replies = ["I am sorry.", "Here it is.", "Sorry, no.", "At nine.", "At ten."]
    records = [
        {
            "id": f"d{n}",
            "messages": [{"role": "user", "content": "A bus?"}, {"role": "assistant", "content": text}],
        }
        for n, text in enumerate(replies)
    ]
    (tmp_path / "dialogues.jsonl").write_text("\n".join(json.dumps(record) for record in records))
    corpus = {
        "reader": "chat_messages",
        "path": "dialogues.jsonl",
        "categories": {"rules": [{"category": "Sorry", "cues": ["sorry"]}], "otherwise": "Served"},
        "sample": {"method": "per_stratum", "n": 1},
    }
    study = tmp_path / "study.yaml"
    study.write_text(study_text(corpus=corpus))
    run, app = CliRunner(), register_commands()
    loaded = run.invoke(app, ["study", "load", str(study)])
    assert loaded.exit_code == 0, (loaded.output, loaded.exception)
    stored = DialogueRow.objects.values_list("key", "meta")
    assert sorted(meta["category"] for _, meta in stored) == ["Served", "Sorry"]
    assert ItemRow.objects.count() == 2
    again = run.invoke(app, ["study", "load", str(study)])
    assert "unchanged" in again.output
