"""Reading a corpus: the reader interface, and the readers by the name used in the study file."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from labelwright.corpus.categories import CategoriesPart
from labelwright.corpus.dialogues import BadRecord, Dialogue
from labelwright.corpus.sampling import SamplePart
from labelwright.corpus.splitting import SplitPart
from labelwright.errors import LabelwrightError
from labelwright.registry import Registry
from labelwright.wording import describe_value_error


class ReaderOptions(BaseModel):
    """The `options` of a reader in a study file; a reader without options uses this class."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def named_files(self, folder: Path) -> Iterator[Path]:
        """The files that the options name besides the corpus, which lies in `folder`; by default none."""
        yield from ()

    def missing_files(self, folder: Path) -> Iterator[str]:
        """The names of the options whose files do not exist, the corpus being in `folder`; by default none."""
        yield from ()


class Reader(Protocol):
    """Yields the dialogues in the order of the file, and a BadRecord for each record that is not a dialogue."""

    def __call__(self, path: Path, options: Any, /) -> Iterator[Dialogue | BadRecord]: ...


@dataclass(frozen=True, slots=True)
class RegisteredReader:
    """A reader with its options."""

    name: str
    read: Reader
    options: type[ReaderOptions]
    what: str
    """One line that helps to choose a reader."""


READERS: Registry[RegisteredReader] = Registry(
    "reader", "labelwright.readers", 'a function with `@reader("name")`', package="labelwright.corpus.readers"
)
"""Every reader by name, including those of installed packages."""


def reader(name: str, options: type[ReaderOptions] = ReaderOptions) -> Callable[[Reader], Reader]:
    """Registers a reader under the name used in the study file."""

    def register(function: Reader) -> Reader:
        what = (function.__doc__ or "").strip().split("\n")[0]
        module = getattr(function, "__module__", "")
        READERS.register(
            name, RegisteredReader(name, function, options, what), source=function, module=module
        )
        return function

    return register


class CorpusPart(BaseModel):
    """Where the dialogues of a study come from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reader: Annotated[str, AfterValidator(READERS.check_name)]
    """How the log is written; `labelwright corpus readers` lists the readers and their options."""
    path: Annotated[str, Field(min_length=1)]
    """The file or folder with the log, relative to the study file."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of the reader, such as the names of columns."""

    categories: CategoriesPart | None = None
    """Rules that classify the dialogues."""
    split: SplitPart | None = None
    """Which dialogues are split into single tasks, before they are classified again."""
    sample: SamplePart | None = None
    """Which dialogues are drawn; by default all."""

    @model_validator(mode="after")
    def _consistent(self) -> CorpusPart:
        if self.split is not None:
            cued = {
                r.category for r in (self.categories.rules if self.categories else ()) if not r.counts_turns
            }
            if self.split.category not in cued:
                raise ValueError(
                    f'dialogues of "{self.split.category}" cannot be split: no rule with a cue gives this category'
                )
        if self.sample is not None:
            self._check_sample(self.sample)
        return self

    def _check_sample(self, sample: SamplePart) -> None:
        if sample.method == "uniform" or sample.by != "category":
            return
        if self.categories is None:
            raise ValueError("a sample by category needs categories")
        unknown = sorted(set(sample.proportions) - set(self.categories.names))
        if unknown:
            known = ", ".join(self.categories.names)
            raise ValueError(
                f"the sample names the category {unknown[0]}, which no rule gives; known: {known}"
            )

    @field_validator("options")
    @classmethod
    def _taken_by_the_reader(cls, options: dict[str, Any], info: Any) -> dict[str, Any]:
        name = info.data.get("reader")
        if name is not None:
            check_options(name, options)
        return options


def check_options(name: str, options: dict[str, Any]) -> ReaderOptions:
    """The options of the reader, validated; raises ValueError with each mistake."""
    kind = READERS[name].options
    try:
        return kind.model_validate(options)
    except ValidationError as invalid:
        wrong = "; ".join(_wrong_option(error, kind) for error in invalid.errors(include_url=False))
        raise ValueError(f'the reader "{name}" rejects these options: {wrong}') from None


def _wrong_option(error: Any, kind: type[ReaderOptions]) -> str:
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        return f'"{name}" is not known; known: {", ".join(kind.model_fields) or "none"}'
    described = describe_value_error(error).rstrip(".")
    return f'"{name}" {described}' if described.startswith("should") else f'"{name}": {described}'


class OnError(enum.StrEnum):
    """What an import does with a bad record."""

    STOP = "stop"
    SKIP = "skip"


class NoCorpus(LabelwrightError):
    """A file of a study's corpus does not exist."""

    code = "no_corpus"
    place: tuple[str, ...] = ("corpus", "path")
    """Where the study file names the file."""


class CorpusOutside(LabelwrightError):
    """A study file names a file outside its folder."""

    code = "corpus_outside"


def locate_corpus(part: CorpusPart, folder: Path, root: Path | None = None) -> Path:
    """The path of a corpus, which need not exist; raises CorpusOutside unless all its files lie inside `root`.

    A study file comes from somebody else, so it may only name files in its own folder, which is the default of
    `root`. Only the person who reads the corpus can choose another one.
    """
    path, inside = folder / part.path, (root or folder).resolve()
    for file in _files(path, check_options(part.reader, part.options)):
        if not file.resolve().is_relative_to(inside):
            raise CorpusOutside(
                f'the corpus "{part.path}" is outside the folder "{inside}", or leads there.',
                do="Move it into the folder of the study file, or allow another folder with --corpus-root.",
            )
    return path


def _files(path: Path, options: ReaderOptions) -> Iterator[Path]:
    yield path
    yield from (file for file in path.rglob("*") if file.is_symlink())
    yield from options.named_files(path.parent)


def missing_files(part: CorpusPart, path: Path) -> Iterator[NoCorpus]:
    """An error for each file that a study file names and that does not exist; `path` is that of the corpus."""
    if not path.exists():
        yield _missing(part.path, ("corpus", "path"))
    options = check_options(part.reader, part.options)
    for name in options.missing_files(path.parent):
        yield _missing(getattr(options, name), ("corpus", "options", name))


def _missing(name: str, place: tuple[str, ...]) -> NoCorpus:
    return NoCorpus(
        f'the corpus file "{name}" is missing.', do="Add the file, or correct its name.", place=place
    )


def read_dialogues(
    part: CorpusPart, folder: Path, on_error: OnError = OnError.STOP, root: Path | None = None
) -> tuple[list[Dialogue], list[BadRecord]]:
    """The dialogues of a corpus, and the records that were left out; `root` as in `locate_corpus`.

    With `OnError.STOP` the first bad record is raised. A dialogue with a key that an
    earlier one has is a bad record too.
    """
    left_out: list[BadRecord] = []
    dialogues = list(iterate_dialogues(part, folder, on_error, left_out, root))
    return dialogues, left_out


def iterate_dialogues(
    part: CorpusPart, folder: Path, on_error: OnError, left_out: list[BadRecord], root: Path | None = None
) -> Iterator[Dialogue]:
    """The dialogues one by one, for a corpus that does not fit in memory; bad records go to `left_out`."""
    path = locate_corpus(part, folder, root)
    for missing in missing_files(part, path):
        raise missing
    seen: set[str] = set()
    found = READERS[part.reader]
    for record in found.read(path, check_options(part.reader, part.options)):
        bad = record if isinstance(record, BadRecord) else _repeated(record, seen, path)
        if bad is None:
            assert isinstance(record, Dialogue)
            seen.add(record.key)
            yield record
        elif on_error is OnError.STOP:
            raise bad
        else:
            left_out.append(bad)


def _repeated(dialogue: Dialogue, seen: set[str], path: Path) -> BadRecord | None:
    if dialogue.key not in seen:
        return None
    return BadRecord(
        f'the dialogue "{dialogue.key}" appears twice.',
        where=path.name,
        do="Give each dialogue a unique id.",
    )
