"""Records of a file with their places, for all readers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labelwright.corpus.dialogues import BadRecord, Dialogue

LONGEST_KEY = 200


@dataclass(frozen=True, slots=True)
class Record:
    """One value of a JSON file, its place in the file, and its original text."""

    value: Any
    where: str
    number: int
    """Its line."""
    raw: str


def read_text(path: Path) -> str:
    """The text of a file; bytes that are not UTF-8 become surrogates, which `storable` rejects."""
    return path.read_text(encoding="utf-8-sig", errors="surrogateescape")


def json_records(path: Path) -> Iterator[Record | BadRecord]:
    """The values of a file of JSON Lines, or of one JSON list, or the one value of a JSON file."""
    if _is_lines(path):
        yield from _lines(path)
    else:
        yield from _list_or_value(path)


def _is_lines(path: Path) -> bool:
    if path.suffix in (".jsonl", ".ndjson"):
        return True
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        first = file.readline().strip()
    return first.startswith("{") and _parses(first)


def _parses(line: str) -> bool:
    try:
        json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        return False
    return True


def _lines(path: Path) -> Iterator[Record | BadRecord]:
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _one(line, f"{path.name}:{number}", number)


def _one(line: str, where: str, number: int) -> Record | BadRecord:
    try:
        return Record(json.loads(line), where, number, line.strip())
    except (json.JSONDecodeError, RecursionError):
        return BadRecord("this is not JSON.", where=where, expected="one JSON object per line.")


def _list_or_value(path: Path) -> Iterator[Record | BadRecord]:
    text = read_text(path)
    decoder = json.JSONDecoder()
    at = _skip(text, 0, "")
    is_list = text[at : at + 1] == "["
    at = _skip(text, at + 1, "") if is_list else at
    number, counted = 1, 0
    while at < len(text) and not (is_list and text[at] == "]"):
        number, counted = number + text.count("\n", counted, at), at
        where = f"{path.name}:{number}"
        try:
            value, end = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError) as error:
            line = error.lineno if isinstance(error, json.JSONDecodeError) else number
            # It is unknown where the next record begins, so reading stops here.
            yield BadRecord(
                "this is not JSON; what follows it was not read.",
                where=f"{path.name}:{line}",
                expected="a JSON list of objects.",
            )
            return
        yield Record(value, where, number, text[at:end])
        at = _skip(text, end, ",")


def _skip(text: str, at: int, also: str) -> int:
    while at < len(text) and (text[at].isspace() or text[at] in also):
        at += 1
    return at


def each_dialogue(path: Path, make: Callable[[Record], Dialogue]) -> Iterator[Dialogue | BadRecord]:
    """One dialogue for each record of a JSON file, or a BadRecord with the reason."""
    for record in json_records(path):
        yield record if isinstance(record, BadRecord) else _or_bad(record, make)


def _or_bad(record: Record, make: Callable[[Record], Dialogue]) -> Dialogue | BadRecord:
    try:
        return make(record)
    except BadRecord as bad:
        return bad


def as_object(value: Any, where: str) -> dict[str, Any]:
    """The value if it is an object; raises BadRecord."""
    if not isinstance(value, dict):
        raise BadRecord("this is not an object.", where=where, expected="one JSON object for each dialogue.")
    return value


def storable(text: str, where: str) -> str:
    """The unchanged text; text that a database cannot store is a bad record."""
    if "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise BadRecord(
            "the text has a NUL or a broken character.",
            where=where,
            expected="valid UTF-8 without NUL.",
        )
    return text


def usable_key(key: Any, where: str) -> str:
    """The key of a dialogue as text; raises BadRecord."""
    if isinstance(key, bool) or not isinstance(key, str | int) or not 1 <= len(str(key)) <= LONGEST_KEY:
        raise BadRecord(
            '"id" cannot be used.', where=where, expected=f"text of 1 to {LONGEST_KEY} characters."
        )
    return storable(str(key), where)


def storable_meta(meta: dict[str, Any], where: str) -> dict[str, Any]:
    """Metadata without empty fields; raises BadRecord for values that a database cannot store."""
    kept = {name: value for name, value in meta.items() if value not in (None, "", [], {})}
    storable(json.dumps(kept, ensure_ascii=False, default=str), where)
    return kept
