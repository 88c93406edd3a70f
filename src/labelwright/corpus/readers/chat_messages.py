"""Chat messages: `messages: [{role, content}]` and the shapes in which products export them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from labelwright.corpus.dialogues import BadRecord, Dialogue, Turn
from labelwright.corpus.readers._chat_exports import messages_of
from labelwright.corpus.readers._records import (
    Record,
    as_object,
    each_dialogue,
    storable,
    storable_meta,
    usable_key,
)
from labelwright.corpus.reading import ReaderOptions, reader

SPEAKERS = {
    "user": "user",
    "human": "user",
    "assistant": "system",
    "ai": "system",
    "gpt": "system",
    "model": "system",
}
# Users never see a prompt or the output of a tool, so it is kept but is not a turn.
UNSPOKEN = ("system", "developer", "tool", "function")
TEXT_PARTS = ("text", "input_text", "output_text", "refusal")


@reader("chat_messages")
def read(path: Path, _options: ReaderOptions) -> Iterator[Dialogue | BadRecord]:
    """Messages with role and content, one dialogue per line or in a list, as LLM products log and export them.

    The key is `id` (or `conversation_id`, `uuid`), else the line number. Tool calls become metadata of the
    reply that follows them; prompts, tool replies and empty calls are kept under `unspoken`.
    """
    yield from each_dialogue(path, _dialogue)


@dataclass(slots=True)
class _Told:
    turns: list[Turn] = field(default_factory=list)
    unspoken: list[Any] = field(default_factory=list)
    calls: list[Any] = field(default_factory=list)
    """Tool calls since the last system turn; they belong to the reply that they led to."""


def _dialogue(record: Record) -> Dialogue:
    value, where = as_object(record.value, record.where), record.where
    messages = messages_of(value)
    if not isinstance(messages, list) or not messages:
        raise BadRecord('the record has no "messages".', where=where, expected="a list of {role, content}.")
    told = _Told()
    for position, message in enumerate(messages):
        _tell(message, position, value, told, where)
    if not told.turns:
        raise BadRecord("no message is from a user or a system.", where=where)
    key = next(
        (value[name] for name in ("id", "conversation_id", "uuid") if value.get(name) is not None), None
    )
    meta = storable_meta({"unspoken": told.unspoken, "title": value.get("title")}, where)
    named = usable_key(key if key is not None else f"line-{record.number}", where)
    return Dialogue(named, tuple(told.turns), meta, record.raw)


def _tell(message: Any, position: int, value: dict[str, Any], told: _Told, where: str) -> None:
    role = _role(message, position, where)
    calls = message.get("tool_calls") or message.get("function_call")
    if calls:
        told.calls.extend(calls if isinstance(calls, list) else [calls])
    text, others = _content(message)
    spoken = role in SPEAKERS and bool(text.strip())
    if not spoken:
        _check_unspoken(role, position, bool(calls), others, where)
        told.unspoken.append(message)
        return
    speaker = SPEAKERS[role]
    meta: dict[str, Any] = {"name": message.get("name"), "attachments": others}
    if speaker == "system":
        meta |= {"tool_calls": list(told.calls), "citations": message.get("annotations")}
        told.calls.clear()
    told.turns.append(
        Turn(speaker, storable(text, where), _system(speaker, message, value), storable_meta(meta, where))
    )


def _role(message: Any, position: int, where: str) -> str:
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        raise BadRecord(
            f"message {position + 1} has no role.", where=where, expected='"user" or "assistant".'
        )
    role = message["role"].casefold()
    if role not in SPEAKERS and role not in UNSPOKEN:
        raise BadRecord(
            f'message {position + 1} has the role "{message["role"]}".',
            where=where,
            expected=f"{', '.join([*SPEAKERS, *UNSPOKEN])}.",
        )
    return str(role)


def _content(message: dict[str, Any]) -> tuple[str, list[Any]]:
    """The text, and the parts that are not text (pictures, files)."""
    content = message.get("content")
    if content is None:
        content = message.get("refusal") or ""
    if isinstance(content, str):
        return content, []
    if not isinstance(content, list):
        return "", [content]
    texts: list[str] = []
    others: list[Any] = []
    for part in content:
        text = _text_of(part)
        if text is None:
            others.append(part)
        else:
            texts.append(text)
    return "\n\n".join(text for text in texts if text), others


def _text_of(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and part.get("type", "text") in TEXT_PARTS:
        text = part.get("text") or part.get("refusal")
        return text if isinstance(text, str) else None
    return None


def _check_unspoken(role: str, position: int, calls: bool, others: list[Any], where: str) -> None:
    if role in UNSPOKEN or (calls and SPEAKERS[role] == "system"):
        return
    only = " (only a picture or a file)" if others else ""
    raise BadRecord(f"message {position + 1} has no text{only}.", where=where, expected="content as text.")


def _system(speaker: str, message: dict[str, Any], value: dict[str, Any]) -> str | None:
    if speaker != "system":
        return None
    named = message.get("model") or value.get("system") or value.get("model")
    return named if isinstance(named, str) else None
