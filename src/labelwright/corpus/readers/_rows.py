"""Logs with one turn per row: the columns, and how rows become dialogues."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from labelwright.corpus.dialogues import SAMPLE_WEIGHT, BadRecord, Dialogue, Turn
from labelwright.corpus.readers._records import storable, storable_meta, usable_key
from labelwright.corpus.reading import ReaderOptions

DERIVED = ("normal", "words", SAMPLE_WEIGHT)
"""Columns that an import or a sample adds; they are not part of a turn."""


class RowOptions(ReaderOptions):
    """The columns of the log."""

    dialogue: Annotated[str, Field(min_length=1)] = "dialogue"
    """The column with the key of the dialogue."""
    speaker: Annotated[str, Field(min_length=1)] = "speaker"
    """The column that says who speaks."""
    text: Annotated[str, Field(min_length=1)] = "text"
    """The column with what is said."""
    position: str = "position"
    """The position of the turn in the dialogue; without this column, the order of the rows is used."""
    system: str = "system"
    """The dialogue system that produced the turn; may be absent."""
    speakers: dict[str, str] = Field(
        default_factory=lambda: {"user": "user", "system": "system", "assistant": "system"}
    )
    """The speaker names of the log, and what each means: `user`, `system` or another name."""
    meta: tuple[str, ...] | None = None
    """Columns to keep with the turn; by default all others."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row with its place."""

    values: dict[str, Any]
    where: str


@dataclass(slots=True)
class _Gathered:
    turns: list[tuple[Any, Turn]]
    rows: list[dict[str, Any]]
    bad: BadRecord | None = None


def dialogues_of(rows: Iterable[Row | BadRecord], options: RowOptions) -> Iterator[Dialogue | BadRecord]:
    """Dialogues in the order of their first rows; rows of several may be mixed.

    A row that is not a turn spoils its dialogue: the whole dialogue is left out, at the first such row.
    A row without a dialogue is left out by itself.
    """
    gathered: dict[str, _Gathered] = {}
    for row in rows:
        if isinstance(row, BadRecord):
            yield row
            continue
        try:
            key = usable_key(_given(row, options.dialogue, "dialogue"), row.where)
        except BadRecord as bad:
            yield bad
            continue
        _add(row, gathered.setdefault(key, _Gathered([], [])), options)
    for key, found in gathered.items():
        try:
            yield found.bad or _dialogue(key, found)
        except BadRecord as bad:
            yield bad


def _add(row: Row, found: _Gathered, options: RowOptions) -> None:
    found.rows.append(row.values)
    if found.bad is not None:
        return
    try:
        position = _position(row, options, len(found.turns))
        found.turns.append((position, _turn(row, options)))
    except BadRecord as bad:
        found.bad = bad


def _dialogue(key: str, found: _Gathered) -> Dialogue:
    # Sorting is stable, so rows with the same position keep the order of the file.
    turns = tuple(turn for _, turn in sorted(found.turns, key=lambda pair: pair[0]))
    return Dialogue(key, turns, _facts(found), json.dumps(found.rows, ensure_ascii=False, default=str))


def _facts(found: _Gathered) -> dict[str, Any]:
    """The design weight, if `labelwright corpus sample` wrote the rows."""
    weight = found.rows[0].get(SAMPLE_WEIGHT)
    try:
        return {} if weight in (None, "") else {SAMPLE_WEIGHT: float(str(weight))}
    except ValueError:
        raise BadRecord(f'the {SAMPLE_WEIGHT} "{weight}" is not a number.') from None


def _given(row: Row, column: str, noun: str) -> Any:
    if column not in row.values:
        raise BadRecord(
            f'there is no column "{column}" for the {noun}.',
            where=row.where,
            expected=f"one of {', '.join(map(str, row.values))}.",
            do=f'Name it under options, as "{noun}: ...".',
        )
    value = row.values[column]
    if value is None or value == "":
        raise BadRecord(f"the row has no {noun}.", where=row.where)
    return value


def _position(row: Row, options: RowOptions, default: int) -> float:
    value = row.values.get(options.position)
    if value is None or value == "":
        return default
    try:
        return float(value)
    except (TypeError, ValueError):
        raise BadRecord(f'the position "{value}" is not a number.', where=row.where) from None


def _turn(row: Row, options: RowOptions) -> Turn:
    name = str(_given(row, options.speaker, "speaker"))
    if name not in options.speakers:
        raise BadRecord(
            f'the speaker is "{name}".',
            where=row.where,
            expected=f"{', '.join(options.speakers)}.",
            do='Declare other names under options, as "speakers: {name: user}".',
        )
    text = row.values.get(options.text)
    if options.text not in row.values or not isinstance(text, str):
        text = _given(row, options.text, "text")
    system = row.values.get(options.system)
    return Turn(
        options.speakers[name],
        storable(str(text), row.where),
        storable(str(system), row.where) if system else None,
        storable_meta(_meta(row, options), row.where),
    )


def _meta(row: Row, options: RowOptions) -> dict[str, Any]:
    if options.meta is not None:
        return {name: row.values.get(name) for name in options.meta}
    used = {options.dialogue, options.speaker, options.text, options.position, options.system, *DERIVED}
    meta: dict[str, Any] = {}
    for name, value in row.values.items():
        if name == "meta" and isinstance(value, list | dict):
            # Parquet gives a map as a list of pairs.
            meta |= {key: _plain(inner) for key, inner in dict(value).items()}
        elif name not in used:
            meta[str(name)] = value
    return meta


def _plain(value: Any) -> Any:
    """The original metadata value; text that is not JSON is returned unchanged."""
    if isinstance(value, str) and value[:1] in "[{":
        try:
            return json.loads(value)
        except (json.JSONDecodeError, RecursionError):
            return value
    return value
