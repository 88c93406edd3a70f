"""Reading a corpus: what a reader must do, and the readers by the name used in the study file."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Protocol

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from turnwise.corpus.dialogues import BadRecord, Dialogue
from turnwise.errors import TurnwiseError, nearest


class Reader(Protocol):
    """Yields dialogues in the order of the file, and a BadRecord in place of each that is not one."""

    def __call__(self, path: Path) -> Iterator[Dialogue | BadRecord]: ...


_READERS: dict[str, Reader] = {}


def reader(name: str) -> Callable[[Reader], Reader]:
    """Registers a reader under the name used in the study file."""

    def register(function: Reader) -> Reader:
        _READERS[name] = function
        return function

    return register


def reader_names() -> list[str]:
    """The names that a study file may use."""
    return sorted(_READERS)


def _known(name: str) -> str:
    if name not in _READERS:
        meant = nearest(name, _READERS)
        hint = f' Did you mean "{meant}"?' if meant else ""
        raise ValueError(f'unknown reader "{name}"; known: {", ".join(reader_names())}.{hint}')
    return name


class CorpusPart(BaseModel):
    """Where the dialogues of a study come from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reader: Annotated[str, AfterValidator(_known)]
    path: Annotated[str, Field(min_length=1)]
    """Relative to the study file."""


class OnError(enum.StrEnum):
    """What becomes of an import that meets a bad record."""

    STOP = "stop"
    SKIP = "skip"


class NoCorpus(TurnwiseError):
    """The file that a study names is not there."""

    code = "no_corpus"


def read_dialogues(
    part: CorpusPart, folder: Path, on_error: OnError = OnError.STOP
) -> tuple[list[Dialogue], list[BadRecord]]:
    """The dialogues of a corpus, and the records that were left out.

    With `OnError.STOP` the first bad record is raised. Two dialogues with one key
    are a bad record: the second is left out.
    """
    path = folder / part.path
    if not path.is_file():
        raise NoCorpus(
            f'the corpus "{part.path}" is not there.',
            where=str(folder),
            do="The path is taken relative to the study file.",
        )
    dialogues: dict[str, Dialogue] = {}
    left_out: list[BadRecord] = []
    for record in _READERS[part.reader](path):
        bad = record if isinstance(record, BadRecord) else _repeated(record, dialogues, path)
        if bad is None:
            assert isinstance(record, Dialogue)
            dialogues[record.key] = record
        elif on_error is OnError.STOP:
            raise bad
        else:
            left_out.append(bad)
    return list(dialogues.values()), left_out


def _repeated(dialogue: Dialogue, seen: dict[str, Dialogue], path: Path) -> BadRecord | None:
    if dialogue.key not in seen:
        return None
    return BadRecord(
        f'the dialogue "{dialogue.key}" stands twice.',
        where=path.name,
        do="Give each dialogue an id of its own; `--on-error skip` keeps the first.",
    )
