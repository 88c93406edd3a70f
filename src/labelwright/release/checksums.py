"""Checksums of a folder, in the format of the program `sha256sum`."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import ClassVar

from labelwright.errors import LabelwrightError

NAME = "SHA256SUMS"


class ChangedFile(LabelwrightError):
    """A file of a release that is missing, or not as it was published."""

    code: ClassVar[str] = "changed_file"


def sha256_of(path: Path) -> str:
    """The checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_sums(folder: Path) -> None:
    """Writes the checksums of all files of a folder into it; `sha256sum -c SHA256SUMS` checks them."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != NAME)
    lines = [f"{sha256_of(path)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    (folder / NAME).write_text("".join(lines), encoding="utf-8")


def check_sums(folder: Path) -> None:
    """Raises ChangedFile if a file is missing or differs from its checksum."""
    for line in (folder / NAME).read_text(encoding="utf-8").splitlines():
        digest, _, name = line.partition("  ")
        path = folder / name
        if not path.is_file() or sha256_of(path) != digest:
            raise ChangedFile(
                f'the file "{name}" is missing, or it was changed after the release.',
                where=str(folder),
                do="Get the release again.",
            )
