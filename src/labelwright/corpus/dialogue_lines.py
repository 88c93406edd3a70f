"""Dialogues exactly as they are, one per line of JSON: to hand drawn dialogues on, not to import a corpus."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from labelwright.corpus.dialogues import Dialogue, Turn, turn_records


def write_lines(dialogues: Iterable[Dialogue]) -> str:
    """The dialogues as lines.

    >>> write_lines([Dialogue("d1", (Turn("user", "Hello"),))]).startswith('{"key": "d1"')
    True
    """
    records = ({"key": d.key, "turns": turn_records(d.turns), "meta": d.meta} for d in dialogues)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def read_lines(text: str) -> list[Dialogue]:
    """The dialogues of lines that `write_lines` made.

    >>> read_lines(write_lines([Dialogue("d1", (Turn("user", "Hello"),))]))[0].turns[0].text
    'Hello'
    """
    # Not `splitlines`, which also splits at separators inside a text.
    records = [json.loads(line) for line in text.split("\n") if line]
    return [dialogue_of(record["key"], record["turns"], record["meta"]) for record in records]


def dialogue_of(key: str, turns: Sequence[Mapping[str, Any]], meta: Mapping[str, Any]) -> Dialogue:
    """A dialogue from the records of its turns, as `turn_records` makes them."""
    made = (Turn(t["speaker"], t["text"], t.get("system"), t.get("meta", {})) for t in turns)
    return Dialogue(key, tuple(made), dict(meta))
