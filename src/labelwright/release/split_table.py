"""A table of a release: a file for each split and format."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from labelwright.release.formats import Column, Format, Row, TableWriter

AT_ONCE = 5_000


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table that was written, for those who describe it."""

    name: str
    about: str
    columns: tuple[Column, ...]
    rows: dict[str, int]
    """By split."""

    def path(self, split: str, form: Format) -> str:
        """The file of a split inside the release."""
        return f"data/{self.name}/{split}.{form}"


class SplitTable:
    """Writes the rows of a table, each to the files of its split in all formats, with constant memory."""

    def __init__(
        self, folder: Path, name: str, about: str, columns: tuple[Column, ...], splits: Sequence[str]
    ) -> None:
        self._folder = folder / name
        self._described = name, about, columns
        self._waiting: dict[str, list[Row]] = {split: [] for split in splits}
        self._files = ExitStack()

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True)
        _, _, columns = self._described
        self._writers = {
            split: self._files.enter_context(
                TableWriter({form: self._folder / f"{split}.{form}" for form in Format}, columns)
            )
            for split in self._waiting
        }
        return self

    def add(self, split: str, row: Row) -> None:
        """Writes a row, soon."""
        waiting = self._waiting[split]
        waiting.append(row)
        if len(waiting) >= AT_ONCE:
            self._write(split)

    def _write(self, split: str) -> None:
        self._writers[split].write(self._waiting[split])
        self._waiting[split] = []

    def __exit__(self, error: type[BaseException] | None, *rest: object) -> None:
        if error is None:
            for split, waiting in self._waiting.items():
                if waiting:
                    self._write(split)
        self._files.__exit__(error, *rest)  # type: ignore[arg-type]

    @property
    def published(self) -> PublishedTable:
        """What was written."""
        name, about, columns = self._described
        return PublishedTable(
            name, about, columns, {split: writer.written for split, writer in self._writers.items()}
        )
