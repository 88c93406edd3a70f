"""The turns table: a corpus with one row per turn. Everything after the import uses it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from labelwright.corpus.cues import meta_text
from labelwright.corpus.dialogues import Dialogue
from labelwright.corpus.normalisation import normalise

TURNS_FILE, DIALOGUES_FILE = "turns.parquet", "dialogues.parquet"
DIALOGUES_AT_ONCE = 5_000
"""The number of dialogues that are held in memory and written as one row group."""

TURNS = pa.schema(
    [
        pa.field("dialogue", pa.string(), nullable=False),
        pa.field("position", pa.int32(), nullable=False),
        pa.field("speaker", pa.string(), nullable=False),
        pa.field("system", pa.string()),
        pa.field("text", pa.string(), nullable=False),
        pa.field("normal", pa.string(), nullable=False),
        pa.field("words", pa.int32(), nullable=False),
        pa.field("meta", pa.map_(pa.string(), pa.string()), nullable=False),
    ]
)
DIALOGUES = pa.schema(
    [
        pa.field("dialogue", pa.string(), nullable=False),
        pa.field("turns", pa.int32(), nullable=False),
        pa.field("sha256", pa.string(), nullable=False),
        pa.field("meta", pa.string(), nullable=False),
        pa.field("original", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class ImportedCorpus:
    """The files and counts of an import."""

    dialogues: int
    turns: int
    turns_file: Path
    dialogues_file: Path


def write_turns(dialogues: Iterable[Dialogue], folder: Path) -> ImportedCorpus:
    """Writes the turns table and the dialogues with their metadata as Parquet files.

    Both files appear only when they are complete; an interrupted import leaves none. Memory use is bounded.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = (folder / TURNS_FILE, folder / DIALOGUES_FILE)
    unfinished = [file.with_suffix(".unfinished") for file in files]
    try:
        counts = _write(dialogues, *unfinished)
        for made, file in zip(unfinished, files, strict=True):
            made.replace(file)
    finally:
        for made in unfinished:
            made.unlink(missing_ok=True)
    return ImportedCorpus(*counts, *files)


def _write(dialogues: Iterable[Dialogue], turns_file: Path, dialogues_file: Path) -> tuple[int, int]:
    count = turns = 0
    with (
        pq.ParquetWriter(turns_file, TURNS, compression="zstd") as turns_writer,
        pq.ParquetWriter(dialogues_file, DIALOGUES, compression="zstd") as dialogues_writer,
    ):
        for block in _blocks(dialogues):
            rows = turns_of(block)
            turns_writer.write_table(rows)
            dialogues_writer.write_table(_dialogues_of(block))
            count, turns = count + len(block), turns + rows.num_rows
    return count, turns


def _blocks(dialogues: Iterable[Dialogue]) -> Iterator[list[Dialogue]]:
    waiting = iter(dialogues)
    while block := list(islice(waiting, DIALOGUES_AT_ONCE)):
        yield block


def turns_of(dialogues: Iterable[Dialogue]) -> pa.Table:
    """The turns table of these dialogues, in memory.

    >>> from labelwright.corpus import Turn
    >>> turns_of([Dialogue("d", (Turn("user", "It\u2019s ME"),))]).to_pylist()[0]["normal"]
    "it's me"
    """
    rows = [
        _turn_row(dialogue.key, position, turn.speaker, turn.system, turn.text, turn.meta)
        for dialogue in dialogues
        for position, turn in enumerate(dialogue.turns)
    ]
    return pa.Table.from_pylist(rows, schema=TURNS)


def _turn_row(
    key: str, position: int, speaker: str, system: str | None, text: str, meta: Mapping[str, Any]
) -> dict[str, Any]:
    normal = normalise(text)
    return {
        "dialogue": key,
        "position": position,
        "speaker": speaker,
        "system": system,
        "text": text,
        "normal": normal,
        # Counted in Python, because engines split words differently.
        "words": len(normal.split()),
        "meta": [(name, meta_text(value)) for name, value in meta.items()],
    }


def _dialogues_of(dialogues: Iterable[Dialogue]) -> pa.Table:
    rows = [
        {
            "dialogue": dialogue.key,
            "turns": len(dialogue.turns),
            "sha256": dialogue.sha256,
            "meta": json.dumps(dialogue.meta, ensure_ascii=False, default=str),
            "original": dialogue.original,
        }
        for dialogue in dialogues
    ]
    return pa.Table.from_pylist(rows, schema=DIALOGUES)
