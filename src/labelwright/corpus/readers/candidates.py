"""Dialogues with several response candidates."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import Field

from labelwright.corpus.dialogues import BadRecord, Dialogue, Turn
from labelwright.corpus.readers._records import Record, as_object, json_records, storable, usable_key
from labelwright.corpus.reading import ReaderOptions, reader


class CandidateOptions(ReaderOptions):
    """The fields of a record."""

    id: str = "id"
    """The field with the key of the dialogue; without it, the line number is used."""
    context: str = "context"
    """The turns so far."""
    candidates: str = "candidates"
    """Texts, or objects with `text` and, if known, `system`."""
    inside: str | None = None
    """The field that holds the list of records, if the file is one object."""
    speakers: dict[str, str] = Field(
        default_factory=lambda: {"user": "user", "system": "system", "A": "A", "B": "B"}
    )
    """The speaker names of the log, and what each means: `user`, `system` or another name."""


@reader("candidates", CandidateOptions)
def read(path: Path, options: CandidateOptions) -> Iterator[Dialogue | BadRecord]:
    """JSON Lines, or a list, of dialogues so far with the response candidates that may follow.

    The candidates are kept in the dialogue's metadata, each with its text and, where known, its system.
    """
    make = functools.partial(_dialogue, options=options)
    for record in json_records(path):
        if isinstance(record, BadRecord):
            yield record
            continue
        for inner in _inside(record, options):
            try:
                yield make(inner)
            except BadRecord as bad:
                yield bad


def _inside(record: Record, options: CandidateOptions) -> Iterator[Record]:
    if options.inside is None:
        yield record
        return
    listed = record.value.get(options.inside) if isinstance(record.value, dict) else None
    for number, value in enumerate(listed if isinstance(listed, list) else [], start=1):
        yield Record(value, f"{record.where}, {options.inside} {number}", number, "")


def _dialogue(record: Record, options: CandidateOptions) -> Dialogue:
    value = as_object(record.value, record.where)
    turns = _turns(value.get(options.context), record.where, options)
    candidates = value.get(options.candidates)
    if not isinstance(candidates, list) or not candidates:
        raise BadRecord("the record has no candidates.", where=record.where, expected="a list of candidates.")
    key = usable_key(value.get(options.id, f"line-{record.number}"), record.where)
    told = [_candidate(candidate, number, record.where) for number, candidate in enumerate(candidates, 1)]
    return Dialogue(key, turns, {"candidates": told}, record.raw or None)


def _turns(said: Any, where: str, options: CandidateOptions) -> tuple[Turn, ...]:
    if not isinstance(said, list) or not said:
        raise BadRecord("the record has no turns.", where=where, expected="a list of {speaker, text}.")
    turns = []
    for number, entry in enumerate(said, start=1):
        speaker = entry.get("speaker") if isinstance(entry, dict) else None
        if speaker not in options.speakers:
            raise BadRecord(
                f'turn {number} has the speaker "{speaker}".',
                where=where,
                expected=f"{', '.join(options.speakers)}.",
            )
        turns.append(Turn(options.speakers[speaker], _text(entry, f"turn {number}", where)))
    return tuple(turns)


def _text(entry: dict[str, Any], what: str, where: str) -> str:
    text = entry.get("text")
    if not isinstance(text, str) or not text.strip():
        raise BadRecord(f"{what} has no text.", where=where)
    return storable(text, where)


def _candidate(entry: Any, number: int, where: str) -> dict[str, Any]:
    entry = {"text": entry} if isinstance(entry, str) else entry
    if not isinstance(entry, dict):
        raise BadRecord(f"candidate {number} is neither text nor an object.", where=where)
    told = {"text": _text(entry, f"candidate {number}", where)}
    return told | ({"system": str(entry["system"])} if entry.get("system") else {})
