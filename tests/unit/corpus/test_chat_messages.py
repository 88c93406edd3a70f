"""Chat messages are read strictly, with the place of every bad record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from labelwright.corpus import BadRecord, CorpusPart, ItemsPart, OnError, make_items, read_dialogues

PART = CorpusPart(reader="chat_messages", path="d.jsonl")


def write(folder: Path, *records: Any) -> None:
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    (folder / "d.jsonl").write_text("\n".join(lines), encoding="utf-8", errors="surrogateescape")


def say(role: str, content: Any = "text") -> dict[str, Any]:
    return {"role": role, "content": content}


def test_roles_become_speakers_and_unspoken_messages_are_kept_apart(tmp_path: Path):
    write(
        tmp_path,
        {"id": "a", "system": "m1", "messages": [say("system", "Be nice."), say("user"), say("assistant")]},
    )
    (dialogue,), left_out = read_dialogues(PART, tmp_path)
    assert [(turn.speaker, turn.system) for turn in dialogue.turns] == [("user", None), ("system", "m1")]
    assert dialogue.meta == {"unspoken": [{"role": "system", "content": "Be nice."}]}
    assert left_out == []


@pytest.mark.parametrize(
    ("record", "what"),
    [
        ("{", "this is not JSON."),
        ("[]", "this is not an object."),
        ({"id": "a"}, 'the record has no "messages".'),
        ({"messages": [{"content": "x"}]}, "message 1 has no role."),
        ({"messages": [say("narrator")]}, 'message 1 has the role "narrator".'),
        ({"messages": [say("user", None)]}, "message 1 has no text."),
        ({"messages": [say("user", "a\x00b")]}, "the text has a NUL or a broken character."),
        ({"id": {}, "messages": [say("user")]}, '"id" cannot be used.'),
        ({"messages": [say("user", "\udcff")]}, "the text has a NUL or a broken character."),
    ],
)
def test_a_bad_record_is_reported_with_its_place(tmp_path: Path, record: Any, what: str):
    write(tmp_path, {"messages": [say("user")]}, record)
    with pytest.raises(BadRecord) as bad:
        read_dialogues(PART, tmp_path)
    assert (bad.value.where, bad.value.what) == ("d.jsonl:2", what)
    dialogues, left_out = read_dialogues(PART, tmp_path, OnError.SKIP)
    assert (len(dialogues), len(left_out)) == (1, 1)


def test_a_dialogue_that_stands_twice_is_a_bad_record(tmp_path: Path):
    write(tmp_path, {"id": "a", "messages": [say("user")]}, {"id": "a", "messages": [say("user")]})
    with pytest.raises(BadRecord, match='the dialogue "a" appears twice'):
        read_dialogues(PART, tmp_path)


def test_items_are_exchanges_with_enough_history_drawn_by_seed(tmp_path: Path):
    turns = [say("assistant"), say("user"), say("assistant"), say("assistant"), say("user"), say("assistant")]
    write(tmp_path, *({"id": f"d{n}", "messages": turns} for n in range(20)))
    dialogues, _ = read_dialogues(PART, tmp_path)
    assert [i.target for i in make_items(dialogues[:1], ItemsPart(), 1)] == [2, 5]
    assert [i.target for i in make_items(dialogues[:1], ItemsPart(turns_before=2), 1)] == [5]
    one_each = make_items(dialogues, ItemsPart(per_dialogue=1), 1)
    assert len(one_each) == 20
    assert {i.target for i in one_each} == {2, 5}
    assert one_each == make_items(dialogues, ItemsPart(per_dialogue=1), 1)
    assert one_each != make_items(dialogues, ItemsPart(per_dialogue=1), 2)
    assert len(make_items(dialogues, ItemsPart(sample=7), 1)) == 7
