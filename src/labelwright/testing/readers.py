"""The contract of readers, as a test suite that the author of a reader inherits.

class TestMyReader(ReaderContract):
    name = "my_logs"

    def write_good(self, folder): ...   # two dialogues, GREETING and REQUEST
    def write_with_bad(self, folder): ...   # GREETING, something broken, REQUEST
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from labelwright.corpus import BadRecord, CorpusPart, Dialogue, OnError, Turn, read_dialogues
from labelwright.corpus.reading import READERS, ReaderOptions, reader

GREETING = Dialogue("d1", (Turn("user", "Hello, it’s me."), Turn("system", "مرحبا 🙂 How can I help?")))
REQUEST = Dialogue("d2", (Turn("user", "<b>=1+1</b>, please"), Turn("system", "That is 2.")))


def remember(name: str, records: Sequence[Dialogue | BadRecord]) -> None:
    """Registers a reader that yields these records, whatever the path."""

    @reader(name)
    def read(_path: Path, _options: ReaderOptions) -> Iterator[Dialogue | BadRecord]:
        """Records that a test keeps in memory."""
        yield from records


class ReaderContract(ABC):
    """Inherited by the test of each reader; pytest runs its methods there."""

    name: ClassVar[str]
    options: ClassVar[dict[str, Any]] = {}
    keeps_keys: ClassVar[str | None] = None
    """The reason if the keys of this log cannot be d1 and d2."""

    @abstractmethod
    def write_good(self, folder: Path) -> Path:
        """A file, or a folder, with GREETING and REQUEST and nothing else."""

    @abstractmethod
    def write_with_bad(self, folder: Path) -> Path:
        """A file with GREETING, a record that is not a dialogue, and REQUEST."""

    def part(self, path: Path) -> CorpusPart:
        """The part of a study file that names this reader."""
        return CorpusPart(reader=self.name, path=path.name, options=self.options)

    def _read(self, path: Path, on_error: OnError) -> tuple[list[Dialogue], list[BadRecord]]:
        return read_dialogues(self.part(path), path.parent, on_error)

    def test_gives_the_dialogues_in_order(self, tmp_path: Path) -> None:
        """Speakers and texts come out as they were written."""
        dialogues, left_out = self._read(self.write_good(tmp_path), OnError.STOP)
        assert left_out == []
        assert [_said(dialogue) for dialogue in dialogues] == [_said(GREETING), _said(REQUEST)]
        if self.keeps_keys is None:
            assert [dialogue.key for dialogue in dialogues] == ["d1", "d2"]

    def test_gives_the_same_twice(self, tmp_path: Path) -> None:
        """Reading twice gives equal dialogues."""
        path = self.write_good(tmp_path)
        first, second = (self._read(path, OnError.STOP)[0] for _ in range(2))
        assert [dialogue.sha256 for dialogue in first] == [dialogue.sha256 for dialogue in second]
        assert [dialogue.key for dialogue in first] == [dialogue.key for dialogue in second]

    def test_keeps_the_original(self, tmp_path: Path) -> None:
        """Each dialogue keeps its original text from the log."""
        dialogues, _ = self._read(self.write_good(tmp_path), OnError.STOP)
        assert all("Hello" in (d.original or "") or "please" in (d.original or "") for d in dialogues)

    def test_reports_a_bad_record_with_its_place_and_goes_on(self, tmp_path: Path) -> None:
        """Only the bad record is lost."""
        path = self.write_with_bad(tmp_path)
        dialogues, left_out = self._read(path, OnError.SKIP)
        assert [_said(dialogue) for dialogue in dialogues] == [_said(GREETING), _said(REQUEST)]
        assert left_out
        assert all(bad.where and path.stem in bad.where for bad in left_out)

    def test_stops_at_a_bad_record(self, tmp_path: Path) -> None:
        """With `--on-error stop` nothing is imported."""
        with pytest.raises(BadRecord):
            self._read(self.write_with_bad(tmp_path), OnError.STOP)

    def test_refuses_unknown_options(self) -> None:
        """A mistyped option is reported, not ignored."""
        with pytest.raises(ValueError, match="no_such_option"):
            CorpusPart(reader=self.name, path="x", options={"no_such_option": 1})

    def test_says_what_it_reads(self) -> None:
        """People choose a reader by its first line."""
        assert len(READERS[self.name].what) > 10


def _said(dialogue: Dialogue) -> list[tuple[str, str]]:
    return [dataclasses.astuple(turn)[:2] for turn in dialogue.turns]
