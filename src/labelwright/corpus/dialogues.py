"""Dialogue and turn: the imported data, unchanged."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, ClassVar

from labelwright.errors import LabelwrightError


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a speaker; `speaker` is "user", "system" or a name."""

    speaker: str
    text: str
    system: str | None = None
    """The dialogue system that produced the turn, if the log names it."""
    meta: dict[str, Any] = field(default_factory=dict)


SAMPLE_WEIGHT = "sample_weight"
"""The name of the design weight in the metadata of a dialogue, and of its column in a sampled turns table."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """An ordered list of turns, with the key from the log."""

    key: str
    turns: tuple[Turn, ...]
    meta: dict[str, Any] = field(default_factory=dict)
    original: str | None = field(default=None, compare=False, repr=False)
    """The original record from the log, before any processing."""

    @property
    def weight(self) -> float:
        """The design weight: how many dialogues of the corpus it stands for, relative to the others of the sample."""
        return float(self.meta.get(SAMPLE_WEIGHT, 1.0))

    @property
    def candidates(self) -> list[Any] | None:
        """The candidate replies to the last turn, if there are any."""
        return self.meta.get("candidates")

    @property
    def sha256(self) -> str:
        """A hash of the turns and of the candidates, if any, to detect changes in a dialogue with the same key."""
        shown: list[Any] = turn_records(self.turns)
        if self.candidates:
            shown = [shown, self.candidates]
        return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()


def turn_records(turns: tuple[Turn, ...]) -> list[dict[str, Any]]:
    """Turns as dictionaries, for storing and hashing. Empty fields are left out.

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
    """A record of a log that cannot be read, with its location."""

    code: ClassVar[str] = "bad_record"
