"""Dialogue and turn: the imported material, as it was written."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, ClassVar

from labelwright.errors import LabelwrightError


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said; `speaker` is "user", "system" or a name."""

    speaker: str
    text: str
    system: str | None = None
    """The dialogue system that produced the turn, where the log says so."""
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dialogue:
    """An ordered list of turns under the key that the log gave it."""

    key: str
    turns: tuple[Turn, ...]
    meta: dict[str, Any] = field(default_factory=dict)
    original: str | None = field(default=None, compare=False, repr=False)
    """The record as it stood in the log, before anything was resolved or left out."""

    @property
    def sha256(self) -> str:
        """Tells two dialogues with the same key apart when one was changed."""
        return hashlib.sha256(json.dumps(turn_records(self.turns), sort_keys=True).encode()).hexdigest()


def turn_records(turns: tuple[Turn, ...]) -> list[dict[str, Any]]:
    """Turns as plain values, for storing and hashing; empty fields are left out.

    >>> turn_records((Turn("user", "Hi"),))
    [{'speaker': 'user', 'text': 'Hi'}]
    """
    rows = []
    for turn in turns:
        row: dict[str, Any] = {"speaker": turn.speaker, "text": turn.text}
        if turn.system:
            row["system"] = turn.system
        if turn.meta:
            row["meta"] = turn.meta
        rows.append(row)
    return rows


class BadRecord(LabelwrightError):
    """A record of a log that cannot be read, with its place."""

    code: ClassVar[str] = "bad_record"
