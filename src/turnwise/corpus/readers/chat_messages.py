"""Chat messages: JSON Lines with `messages: [{role, content}]`, the format that LLM products log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnwise.corpus.dialogues import BadRecord, Dialogue, Turn
from turnwise.corpus.reading import reader

SPEAKERS = {"user": "user", "assistant": "system"}
# A prompt or a tool's reply was never said to the user, so it is kept but is no turn.
UNSPOKEN = ("system", "developer", "tool")


@reader("chat_messages")
def read(path: Path) -> Iterator[Dialogue | BadRecord]:
    """One dialogue a line; its key is `id`, else the line number."""
    with path.open(encoding="utf-8", errors="surrogateescape") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _dialogue_or_bad(line, f"{path.name}:{number}", f"line-{number}")


def _dialogue_or_bad(line: str, where: str, default_key: str) -> Dialogue | BadRecord:
    try:
        return _dialogue(line, where, default_key)
    except BadRecord as bad:
        return bad


def _dialogue(line: str, where: str, default_key: str) -> Dialogue:
    record = _record(line, where)
    messages = record.get("messages")
    if not isinstance(messages, list) or not messages:
        raise BadRecord('the record has no "messages".', where=where, expected="a list of {role, content}.")
    turns: list[Turn] = []
    unspoken: list[dict[str, Any]] = []
    for position, message in enumerate(messages):
        turn = _turn(message, position, record.get("system"), where)
        if turn is None:
            unspoken.append(message)
        else:
            turns.append(turn)
    key = record.get("id", default_key)
    if not isinstance(key, str | int) or not 1 <= len(str(key)) <= 200:
        raise BadRecord('"id" is not usable.', where=where, expected="text of 1 to 200 characters.")
    return Dialogue(_storable(str(key), where), tuple(turns), {"unspoken": unspoken} if unspoken else {})


def _record(line: str, where: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadRecord("this is not JSON.", where=where, expected="one JSON object a line.") from error
    if not isinstance(record, dict):
        raise BadRecord("this is not an object.", where=where, expected="one JSON object a line.")
    return record


def _turn(message: Any, position: int, system: Any, where: str) -> Turn | None:
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        raise BadRecord(
            f"message {position + 1} has no role.", where=where, expected='"user" or "assistant".'
        )
    role = message["role"]
    if role in UNSPOKEN:
        return None
    if role not in SPEAKERS:
        raise BadRecord(
            f'message {position + 1} has the role "{role}".',
            where=where,
            expected=f"{', '.join([*SPEAKERS, *UNSPOKEN])}.",
        )
    content = message.get("content")
    if not isinstance(content, str) or not content.strip():
        raise BadRecord(f"message {position + 1} has no text.", where=where, expected="content as text.")
    speaker = SPEAKERS[role]
    named = system if speaker == "system" and isinstance(system, str) else None
    return Turn(speaker, _storable(content, where), named)


def _storable(text: str, where: str) -> str:
    """The text as it is; what no database can store is a bad record, never silently changed."""
    if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise BadRecord(
            "the text has a NUL or a broken character.",
            where=where,
            expected="valid UTF-8 without NUL.",
        )
    return text
