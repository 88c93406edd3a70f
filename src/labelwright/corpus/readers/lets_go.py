"""Logs in the style of Let's Go: CSV with one exchange per row, the prompts of the system first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from labelwright.corpus.dialogues import BadRecord, Dialogue, Turn
from labelwright.corpus.readers._records import storable, storable_meta, usable_key
from labelwright.corpus.readers._rows import Row
from labelwright.corpus.readers.csv_rows import csv_rows
from labelwright.corpus.reading import ReaderOptions, reader

_BETWEEN_PROMPTS = "\u00a0"


class LetsGoOptions(ReaderOptions):
    """The columns of the log."""

    dialogue: Annotated[str, Field(min_length=1)] = "user_id"
    """The column with the key of the call."""
    system_text: Annotated[str, Field(min_length=1)] = "bot_text"
    """The column with the prompts of the system."""
    user_text: Annotated[str, Field(min_length=1)] = "cust_text"
    """The column with the words of the user."""
    system_meta: tuple[str, ...] = ()
    """Columns that belong to the system's turn, such as the grammar tag of its prompt."""
    user_meta: tuple[str, ...] = ()
    """Columns that belong to the user's turn, such as the recogniser's confidence."""
    repeated_prompts: Literal["keep", "drop"] = "keep"
    """`drop` removes prompts at the start of a row that repeat the previous row."""


@reader("lets_go", LetsGoOptions)
def read(path: Path, options: LetsGoOptions) -> Iterator[Dialogue | BadRecord]:
    """CSV with one exchange per row: the prompts of the system, then the words of the user.

    Rows of a dialogue stand together. A row that lacks one side gives one turn. Prompts of a row are parted
    by no-break spaces in the log and by spaces here; `original` in the metadata holds them as logged.
    """
    for key, rows in groupby(csv_rows(path), lambda row: _key(row, options)):
        yield from _dialogue(key, list(rows), options)


def _key(row: Row | BadRecord, options: LetsGoOptions) -> str | None:
    return None if isinstance(row, BadRecord) else row.values.get(options.dialogue)


def _dialogue(
    key: str | None, rows: list[Row | BadRecord], options: LetsGoOptions
) -> Iterator[Dialogue | BadRecord]:
    if key is None:
        yield from (row if isinstance(row, BadRecord) else _no_column(row, options) for row in rows)
        return
    whole = [row for row in rows if isinstance(row, Row)]
    try:
        turns = tuple(_turns(whole, options))
        yield Dialogue(
            usable_key(key, whole[0].where),
            turns,
            {},
            json.dumps([row.values for row in whole], ensure_ascii=False),
        )
    except BadRecord as bad:
        yield bad


def _no_column(row: Row, options: LetsGoOptions) -> BadRecord:
    return BadRecord(
        f'there is no column "{options.dialogue}".',
        where=row.where,
        expected=f"one of {', '.join(row.values)}.",
        do='Name it under options, as "dialogue: ...".',
    )


def _turns(rows: list[Row], options: LetsGoOptions) -> Iterator[Turn]:
    before: list[str] = []
    for row in rows:
        if options.system_text not in row.values or options.user_text not in row.values:
            raise BadRecord(
                f'the columns "{options.system_text}" and "{options.user_text}" are not both there.',
                where=row.where,
                expected=f"one of {', '.join(row.values)}.",
            )
        logged = storable(row.values[options.system_text], row.where)
        prompts = [prompt.strip() for prompt in logged.split(_BETWEEN_PROMPTS) if prompt.strip()]
        shown = _without(before, prompts) if options.repeated_prompts == "drop" else prompts
        before = prompts
        said = storable(row.values[options.user_text], row.where)
        if not shown and not said.strip():
            raise BadRecord("the row has neither a prompt nor words of the user.", where=row.where)
        if shown:
            meta = {"original": logged, **{name: row.values.get(name) for name in options.system_meta}}
            yield Turn("system", " ".join(shown), None, storable_meta(meta, row.where))
        if said.strip():
            meta = {name: row.values.get(name) for name in options.user_meta}
            yield Turn("user", said.strip(), None, storable_meta(meta, row.where))


def _without(before: list[str], prompts: list[str]) -> list[str]:
    """The prompts without those repeated from the previous row; a single repeated prompt is kept.

    >>> _without(["Leaving from A?"], ["Leaving from A?", "Right.", "Where to?"])
    ['Right.', 'Where to?']
    >>> _without(["Leaving from A?"], ["Leaving from A?"])
    ['Leaving from A?']
    """
    repeated = len(before) if before and prompts[: len(before)] == before else 0
    return prompts[repeated:] or prompts
