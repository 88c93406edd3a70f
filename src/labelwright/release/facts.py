"""What the documents of a release say about its study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from labelwright.release.data_sheet import SheetAnswers
from labelwright.release.split_table import PublishedTable


@dataclass(frozen=True, slots=True)
class ReleasedQuestion:
    """A question that raters answered."""

    name: str
    condition: str
    text: str
    aspect: str
    kind: str
    """Its type, as the study file writes it."""
    points: Mapping[int, str]
    """The names of the codes; empty for free text."""


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """Everything that documents are made from."""

    name: str
    title: str
    language: str
    version: int
    """The number of the newest version of the study file."""
    labelwright: str
    """The version of the program."""
    made_at: datetime
    sheet: SheetAnswers
    tables: tuple[PublishedTable, ...]
    questions: tuple[ReleasedQuestion, ...]
    conditions: Mapping[str, str]
    """What raters are shown under each condition, in words."""
    aspects: Mapping[str, str]
    """The title of each aspect, by name."""
    systems: tuple[str, ...]
    dialogues: int
    items: int
    raters: int
    models: int
    submissions: int
    answers: int
    excluded: int
    redundancy: int
    first_at: datetime | None
    last_at: datetime | None
    median_seconds: float | None
    pay: str
    """What raters were paid, in words."""
    rules: tuple[str, ...]
    """The quality rules by name."""
    consent: str
    qualification: bool
    gold: int
    """Number of items with known answers."""
    hidden: int
    """Number of texts that a person replaced or left out."""
    pictures: str
    """What the pictures of the task are: screenshots, pages, or nothing."""
