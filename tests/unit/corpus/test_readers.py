"""Every reader keeps the contract, and knows the quirks of its own format."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from labelwright.cli import register_commands
from labelwright.corpus import (
    READERS,
    BadRecord,
    CorpusPart,
    Dialogue,
    OnError,
    missing_files,
    read_dialogues,
)
from labelwright.corpus.readers.redial import resolve
from labelwright.corpus.reading import CorpusOutside
from labelwright.testing.readers import GREETING, REQUEST, ReaderContract, remember
from tests.studies import study_text

BOTH = (GREETING, REQUEST)


def lines(path: Path, *records: Any) -> Path:
    path.write_text(
        "\n".join(r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) for r in records),
        encoding="utf-8",
    )
    return path


def read(reader: str, path: Path, **options: Any) -> list[Dialogue]:
    return read_dialogues(CorpusPart(reader=reader, path=path.name, options=options), path.parent)[0]


def as_messages(dialogue: Dialogue) -> dict[str, Any]:
    roles = {"user": "user", "system": "assistant"}
    return {
        "id": dialogue.key,
        "messages": [{"role": roles[turn.speaker], "content": turn.text} for turn in dialogue.turns],
    }


def as_rows(dialogue: Dialogue) -> list[dict[str, Any]]:
    return [
        {"dialogue": dialogue.key, "position": n, "speaker": turn.speaker, "text": turn.text}
        for n, turn in enumerate(dialogue.turns)
    ]


def write_csv(path: Path, rows: list[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


class TestChatMessages(ReaderContract):
    name = "chat_messages"

    def write_good(self, folder: Path) -> Path:
        return lines(folder / "log.jsonl", *map(as_messages, BOTH))

    def write_with_bad(self, folder: Path) -> Path:
        return lines(folder / "log.jsonl", as_messages(GREETING), '{"messages": [', as_messages(REQUEST))


class TestChatMessagesInAList(TestChatMessages):
    def write_good(self, folder: Path) -> Path:
        return lines(folder / "log.json", json.dumps([*map(as_messages, BOTH)], indent=2))

    def write_with_bad(self, folder: Path) -> Path:
        listed = [as_messages(GREETING), {"messages": []}, as_messages(REQUEST)]
        return lines(folder / "log.json", json.dumps(listed, indent=2))


class TestRedial(ReaderContract):
    name = "redial"

    def _record(self, dialogue: Dialogue) -> dict[str, Any]:
        people = {"user": 7, "system": 9}
        return {
            "conversationId": dialogue.key,
            "initiatorWorkerId": 7,
            "respondentWorkerId": 9,
            "movieMentions": [],
            "messages": [{"senderWorkerId": people[t.speaker], "text": t.text} for t in dialogue.turns],
        }

    def write_good(self, folder: Path) -> Path:
        return lines(folder / "redial.jsonl", *map(self._record, BOTH))

    def write_with_bad(self, folder: Path) -> Path:
        strange = self._record(GREETING) | {"conversationId": "x", "initiatorWorkerId": 8}
        return lines(folder / "redial.jsonl", self._record(GREETING), strange, self._record(REQUEST))


class TestLetsGo(ReaderContract):
    name = "lets_go"
    options: ClassVar = {"dialogue": "call", "system_text": "asks", "user_text": "says"}

    def _rows(self, dialogue: Dialogue) -> list[dict[str, Any]]:
        user, system = dialogue.turns
        return [
            {"call": dialogue.key, "asks": "", "says": user.text},
            {"call": dialogue.key, "asks": system.text, "says": ""},
        ]

    def write_good(self, folder: Path) -> Path:
        return write_csv(folder / "calls.csv", [*self._rows(GREETING), *self._rows(REQUEST)])

    def write_with_bad(self, folder: Path) -> Path:
        silent = {"call": "x", "asks": "", "says": " "}
        return write_csv(folder / "calls.csv", [*self._rows(GREETING), silent, *self._rows(REQUEST)])


class TestCandidates(ReaderContract):
    name = "candidates"

    def _record(self, dialogue: Dialogue) -> dict[str, Any]:
        return {
            "id": dialogue.key,
            "context": [{"speaker": t.speaker, "text": t.text} for t in dialogue.turns],
            "candidates": ["Go on.", {"text": "I see.", "system": "b"}],
        }

    def write_good(self, folder: Path) -> Path:
        return lines(folder / "candidates.jsonl", *map(self._record, BOTH))

    def write_with_bad(self, folder: Path) -> Path:
        none = self._record(GREETING) | {"id": "x", "candidates": []}
        return lines(folder / "candidates.jsonl", self._record(GREETING), none, self._record(REQUEST))


class TestCast(ReaderContract):
    name = "cast"
    keeps_keys = "a topic of CAsT has a number"

    def _topic(self, number: int, dialogue: Dialogue) -> dict[str, Any]:
        user, system = dialogue.turns
        return {"number": number, "turn": [{"number": 1, "utterance": user.text, "response": system.text}]}

    def write_good(self, folder: Path) -> Path:
        topics = [self._topic(1, GREETING), self._topic(2, REQUEST)]
        return lines(folder / "topics.json", json.dumps(topics, indent=1, ensure_ascii=False))

    def write_with_bad(self, folder: Path) -> Path:
        topics = [self._topic(1, GREETING), {"number": 3, "turn": []}, self._topic(2, REQUEST)]
        return lines(folder / "topics.json", json.dumps(topics, indent=1, ensure_ascii=False))


class TestCsv(ReaderContract):
    name = "csv"

    def write_good(self, folder: Path) -> Path:
        return write_csv(folder / "turns.csv", [*as_rows(GREETING), *as_rows(REQUEST)])

    def write_with_bad(self, folder: Path) -> Path:
        bad = {"dialogue": "x", "position": 0, "speaker": "sytem", "text": "Hm"}
        return write_csv(folder / "turns.csv", [*as_rows(GREETING), bad, *as_rows(REQUEST)])


class TestJsonLines(ReaderContract):
    name = "jsonl"

    def write_good(self, folder: Path) -> Path:
        # Turns of two dialogues that ran at the same time are mixed in a product's log.
        (a, b), (c, d) = as_rows(GREETING), as_rows(REQUEST)
        return lines(folder / "turns.jsonl", a, c, b, d)

    def write_with_bad(self, folder: Path) -> Path:
        return lines(folder / "turns.jsonl", *as_rows(GREETING), {"dialogue": "x"}, *as_rows(REQUEST))


class TestParquet(ReaderContract):
    name = "parquet"

    def _write(self, path: Path, rows: list[dict[str, Any]]) -> Path:
        pq.write_table(pa.Table.from_pylist(rows), path)
        return path

    def write_good(self, folder: Path) -> Path:
        return self._write(folder / "turns.parquet", [*as_rows(GREETING), *as_rows(REQUEST)])

    def write_with_bad(self, folder: Path) -> Path:
        bad = {"dialogue": "x", "position": 0, "speaker": None, "text": "Hm"}
        return self._write(folder / "turns.parquet", [*as_rows(GREETING), bad, *as_rows(REQUEST)])


class TestRemembered(ReaderContract):
    name = "remembered"

    @pytest.fixture(autouse=True)
    def _forget(self) -> Iterator[None]:
        """Other tests compare all readers with the documentation."""
        yield
        READERS.unregister(self.name)

    def _remember(self, folder: Path, *records: Dialogue | BadRecord) -> Path:
        remember(self.name, records)
        (folder / "any").write_text("")
        return folder / "any"

    def write_good(self, folder: Path) -> Path:
        return self._remember(folder, *(Dialogue(d.key, d.turns, original=str(d.turns)) for d in BOTH))

    def write_with_bad(self, folder: Path) -> Path:
        return self._remember(folder, GREETING, BadRecord("broken.", where="any:2"), REQUEST)

    def test_refuses_unknown_options(self) -> None:
        remember(self.name, ())
        super().test_refuses_unknown_options()

    def test_says_what_it_reads(self) -> None:
        remember(self.name, ())
        super().test_says_what_it_reads()


USER = {"role": "user", "content": "A table for two?"}
REPLY = {"role": "assistant", "content": "At eight."}


def test_a_tool_call_becomes_metadata_of_the_reply_it_led_to(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "book", "arguments": "{}"}}
    messages = [
        {"role": "system", "content": "You book tables."},
        USER,
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "ok"},
        REPLY,
    ]
    (dialogue,) = read("chat_messages", lines(tmp_path / "l.jsonl", {"messages": messages, "model": "m1"}))
    assert [(turn.speaker, turn.text) for turn in dialogue.turns] == [
        ("user", "A table for two?"),
        ("system", "At eight."),
    ]
    assert dialogue.turns[1].meta["tool_calls"] == [call]
    assert dialogue.turns[1].system == "m1"
    assert [message["role"] for message in dialogue.meta["unspoken"]] == ["system", "assistant", "tool"]


def test_content_parts_are_joined_and_pictures_kept_aside(tmp_path: Path) -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:,"}}
    parts = [{"type": "text", "text": "Look:"}, picture, {"type": "text", "text": "nice?"}]
    record = {"messages": [{"role": "user", "content": parts}, {"role": "assistant", "refusal": "No."}]}
    (dialogue,) = read("chat_messages", lines(tmp_path / "l.jsonl", record))
    assert dialogue.turns[0].text == "Look:\n\nnice?"
    assert dialogue.turns[0].meta["attachments"] == [picture]
    assert dialogue.turns[1].text == "No."


EXPORTS = {
    "request and response": {
        "request": {"messages": [USER]},
        "response": {"model": "m", "choices": [{"message": REPLY}]},
    },
    "from and value": {
        "conversations": [
            {"from": "human", "value": "A table for two?"},
            {"from": "gpt", "value": "At eight."},
        ]
    },
    "sender and text": {
        "chat_messages": [
            {"sender": "human", "text": "A table for two?"},
            {"sender": "assistant", "text": "At eight."},
        ]
    },
    "tree with an abandoned branch": {
        "current_node": "n3",
        "mapping": {
            "n0": {"message": None, "parent": None, "children": ["n1"]},
            "n1": {
                "message": {"author": {"role": "user"}, "content": {"parts": ["A table for two?"]}},
                "parent": "n0",
                "children": ["n2", "n3"],
            },
            "n2": {
                "message": {"author": {"role": "assistant"}, "content": {"parts": ["Never shown"]}},
                "parent": "n1",
                "children": [],
            },
            "n3": {
                "message": {"author": {"role": "assistant"}, "content": {"parts": ["At eight."]}},
                "parent": "n1",
                "children": [],
            },
        },
    },
}


@pytest.mark.parametrize("shape", EXPORTS)
def test_exports_of_products_say_the_same(tmp_path: Path, shape: str) -> None:
    (dialogue,) = read("chat_messages", lines(tmp_path / "l.jsonl", EXPORTS[shape]))
    assert [(turn.speaker, turn.text) for turn in dialogue.turns] == [
        ("user", "A table for two?"),
        ("system", "At eight."),
    ]


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ([{"role": "user", "content": None}], "message 1 has no text"),
        ([{"role": "user", "content": [{"type": "image_url"}]}], "only a picture"),
        ([{"role": "narrator", "content": "x"}], 'the role "narrator"'),
        ([{"content": "x"}], "message 1 has no role"),
        ([{"role": "system", "content": "x"}], "no message is from a user"),
        ([{"role": "user", "content": "a\x00b"}], "a NUL"),
        ([{"role": "user", "content": "\ud800"}], "a broken character"),
    ],
)
def test_chat_messages_that_are_no_dialogue(tmp_path: Path, messages: list[Any], told: str) -> None:
    path = tmp_path / "l.jsonl"
    path.write_text("\n" + json.dumps({"messages": messages}))
    with pytest.raises(BadRecord) as bad:
        read("chat_messages", path)
    assert told in str(bad.value)
    assert bad.value.where == "l.jsonl:2"


def test_mentions_become_titles_with_their_places() -> None:
    text, mentions = resolve("Try @11 or @2 <It  (2017)>!", {"11": "Heat (1995)"}, quoted=True)
    assert text == 'Try "Heat (1995)" or "It (2017)"!'
    assert [text[m["start"] : m["end"]] for m in mentions] == ['"Heat (1995)"', '"It (2017)"']
    assert [m["title"] for m in mentions] == ["Heat (1995)", "It (2017)"]


def test_a_movie_without_title_stops_or_keeps_its_number(tmp_path: Path) -> None:
    record = {
        "conversationId": 5,
        "initiatorWorkerId": 1,
        "respondentWorkerId": 2,
        "movieMentions": {"11": None},
        "messages": [{"senderWorkerId": 2, "text": "See @11"}],
    }
    path = lines(tmp_path / "r.jsonl", record)
    with pytest.raises(BadRecord, match="@11, which has no title"):
        read("redial", path)
    (dialogue,) = read("redial", path, unknown_movies="keep")
    assert dialogue.turns[0].text == "See @11"


def test_lets_go_prompts_are_parted_and_repeats_can_be_dropped(tmp_path: Path) -> None:
    rows = [
        {"user_id": "7", "bot_text": "\u00a0From A?", "cust_text": "yes", "tag": "confirm"},
        {
            "user_id": "7",
            "bot_text": "\u00a0From A?\u00a0Right.\u00a0Where to?",
            "cust_text": "B",
            "tag": "ask",
        },
    ]
    path = write_csv(tmp_path / "c.csv", rows)
    (kept,) = read("lets_go", path, system_meta=["tag"])
    assert [turn.text for turn in kept.turns] == ["From A?", "yes", "From A? Right. Where to?", "B"]
    assert kept.turns[2].meta == {"original": "\u00a0From A?\u00a0Right.\u00a0Where to?", "tag": "ask"}
    (dropped,) = read("lets_go", path, repeated_prompts="drop")
    assert dropped.turns[2].text == "Right. Where to?"


def test_cast_questions_carry_their_passages(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("9_1 0 P1 4\n9_1 0 P2 1\n")
    lines(tmp_path / "p.jsonl", {"id": "P1", "text": "A crane is a bird."})
    topics = [{"number": 9, "turn": [{"number": 1, "raw_utterance": "What is a crane?"}]}]
    path = lines(tmp_path / "t.json", json.dumps(topics))
    (topic,) = read("cast", path, qrels="qrels.txt", passages="p.jsonl")
    assert topic.turns[0].meta["turn_id"] == "9_1"
    assert topic.turns[0].meta["passages"] == [
        {"id": "P1", "level": 4, "text": "A crane is a bird."},
        {"id": "P2", "level": 1},
    ]


def test_a_folder_is_no_file_of_passages(tmp_path: Path) -> None:
    path = tmp_path / "topics.json"
    path.write_text("[]")
    (tmp_path / "texts").mkdir()
    part = CorpusPart(path="topics.json", reader="cast", options={"qrels": "texts", "passages": "*s"})
    assert [error.place for error in missing_files(part, path)] == [
        ("corpus", "options", "qrels"),
        ("corpus", "options", "passages"),
    ]


def test_a_cast_tree_gives_one_dialogue_for_each_path(tmp_path: Path) -> None:
    nodes = [
        {"number": "1-1", "participant": "User", "utterance": "Birds?"},
        {"number": "1-2", "participant": "System", "response": "Many.", "parent": "1-1"},
        {"number": "1-3", "participant": "User", "utterance": "Cranes?", "parent": "1-2"},
        {"number": "2-1", "participant": "User", "utterance": "Ducks?", "parent": "1-2"},
    ]
    topics = lines(tmp_path / "t.json", json.dumps([{"number": 9, "turn": nodes}]))
    dialogues = read("cast", topics)
    assert [d.key for d in dialogues] == ["9", "9/2"]
    assert [[t.text for t in d.turns] for d in dialogues] == [
        ["Birds?", "Many.", "Cranes?"],
        ["Birds?", "Many.", "Ducks?"],
    ]


def test_candidates_keep_their_systems_and_named_speakers(tmp_path: Path) -> None:
    record = {"context": [{"speaker": "A", "text": "Hi"}], "candidates": ["x", {"text": "y", "system": "s"}]}
    (dialogue,) = read("candidates", lines(tmp_path / "c.jsonl", record))
    assert dialogue.turns[0].speaker == "A"
    assert dialogue.meta["candidates"] == [{"text": "x"}, {"text": "y", "system": "s"}]


def test_csv_places_are_lines_even_after_a_text_with_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('dialogue,speaker,text\nd,user,"one\ntwo"\nd,system\n')
    dialogues, left_out = read_dialogues(
        CorpusPart(reader="csv", path="t.csv"), tmp_path, on_error=OnError.SKIP
    )
    # The header is line 1 and the first row takes two lines, so the short row stands on line 4.
    assert [bad.where for bad in left_out] == ["t.csv:4"]
    assert dialogues[0].turns[0].text == "one\ntwo"


def test_a_bad_turn_leaves_out_its_whole_dialogue(tmp_path: Path) -> None:
    path = write_csv(
        tmp_path / "t.csv",
        [
            {"dialogue": "a", "speaker": "user", "text": "1"},
            {"dialogue": "b", "speaker": "user", "text": "2"},
            {"dialogue": "a", "speaker": "", "text": "3"},
        ],
    )
    part = CorpusPart(reader="csv", path="t.csv")
    dialogues, left_out = read_dialogues(part, path.parent, OnError.SKIP)
    assert [d.key for d in dialogues] == ["b"]
    assert [str(bad) for bad in left_out] == ["t.csv:4: the row has no speaker."]


def test_two_dialogues_with_one_key_are_a_bad_record(tmp_path: Path) -> None:
    path = lines(tmp_path / "l.jsonl", *[{"id": "a", "messages": [USER, REPLY]}] * 2)
    with pytest.raises(BadRecord, match="appears twice"):
        read("chat_messages", path)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A chat log beside the folder of a study, which a study file must not read."""
    (tmp_path / "study").mkdir()
    log = tmp_path / "secret.jsonl"
    messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    log.write_text(json.dumps({"id": "d1", "messages": messages}) + "\n")
    return log


@pytest.mark.parametrize("how", ["parents", "absolute", "symlink", "folder symlink", "symlink in folder"])
def test_a_study_file_reads_no_corpus_outside_its_folder(secret: Path, how: str):
    folder = secret.parent / "study"
    (folder / "link.jsonl").symlink_to(secret)
    (folder / "linked").symlink_to(secret.parent)
    named = {
        "parents": "../secret.jsonl",
        "absolute": str(secret),
        "symlink": "link.jsonl",
        "folder symlink": "linked/secret.jsonl",
        "symlink in folder": ".",
    }[how]
    reader = "parquet" if named == "." else "chat_messages"
    part = CorpusPart(reader=reader, path=named)
    with pytest.raises(CorpusOutside, match="--corpus-root"):
        read_dialogues(part, folder)
    if named != ".":
        # The person who reads it can allow more than the file may.
        assert [d.key for d in read_dialogues(part, folder, root=secret.parent)[0]] == ["d1"]


@pytest.mark.parametrize("options", [{"qrels": "../secret.jsonl"}, {"passages": "../*.jsonl"}])
def test_nor_do_the_options_of_a_reader(secret: Path, options: dict[str, str]):
    (secret.parent / "study" / "topics.json").write_text("[]")
    with pytest.raises(CorpusOutside):
        read_dialogues(
            CorpusPart(reader="cast", path="topics.json", options=options), secret.parent / "study"
        )


def test_check_refuses_a_corpus_outside_and_the_command_line_can_allow_it(secret: Path):
    file = secret.parent / "study" / "study.yaml"
    file.write_text(study_text(corpus={"reader": "chat_messages", "path": "../secret.jsonl"}))
    refused = CliRunner().invoke(register_commands(), ["study", "check", str(file)])
    assert isinstance(refused.exception, CorpusOutside)
    allowed = ["study", "check", str(file), "--corpus-root", str(secret.parent)]
    assert CliRunner().invoke(register_commands(), allowed).exit_code == 0


def test_a_log_named_on_the_command_line_is_read_from_anywhere(secret: Path):
    link = secret.parent / "study" / "link.jsonl"
    link.symlink_to(secret)
    out = str(secret.parent / "out")
    done = ["corpus", "import", str(link), "--reader", "chat_messages", "--to", out]
    assert CliRunner().invoke(register_commands(), done).exit_code == 0
