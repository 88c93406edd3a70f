"""The corpus of a study file: files that were uploaded, or the dialogues that an earlier version stored."""

from __future__ import annotations

import hashlib
import re
import tempfile
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from django.db import transaction
from django.db.models import Sum

from labelwright.corpus import CorpusPart, Dialogue, draw, read_dialogues
from labelwright.corpus.dialogue_lines import dialogue_of, read_lines, write_lines
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.editor import queries
from labelwright.server.store.models import CorpusFile, StudyRow
from labelwright.server.web.errors import NotFound
from labelwright.study import Study

LARGEST_BYTES = 16_000_000
"""All files of a corpus together; larger corpora are loaded by the command line."""
MOST_FILES = 20
MOST_DIALOGUES = 20_000
"""Stored dialogues that the editor reads; larger studies are changed by the command line."""
DRAWN_NAME = "dialogues-of-the-copied-study.jsonl"
_NAME = re.compile(r"(?:[\w][\w .()+-]{0,79}/){0,4}[\w][\w .()+-]{0,99}")


class BadCorpusFile(LabelwrightError):
    """A file that cannot be kept as part of a corpus."""

    code: ClassVar[str] = "bad_corpus_file"


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of a corpus, without its content."""

    name: str
    sha256: str
    bytes: int
    drawn: bool


def get_files(study: StudyRow) -> list[KeptFile]:
    """The files of a study's corpus, by name."""
    found = CorpusFile.objects.filter(study=study).order_by("name")
    return [KeptFile(*row) for row in found.values_list("name", "sha256", "bytes", "drawn")]


def get_content(study: StudyRow, name: str) -> bytes:
    """The content of a file; raises NotFound."""
    found = CorpusFile.objects.filter(study=study, name=name).values_list("content", flat=True).first()
    if found is None:
        raise NotFound
    return bytes(found)


@transaction.atomic
def keep_file(study: StudyRow, name: str, content: bytes, who: str, now: datetime) -> bool:
    """Keeps a file of the corpus under its path relative to the study file, in place of one of the same name.

    Returns whether there was one. For editors of the study. Raises BadCorpusFile. Locks the study, so that two uploads stay within the limit.
    """
    StudyRow.objects.select_for_update(no_key=True).get(pk=study.pk)
    check_name(name)
    others = CorpusFile.objects.filter(study=study).exclude(name=name)
    kept = others.aggregate(bytes=Sum("bytes"))["bytes"] or 0
    if kept + len(content) > LARGEST_BYTES:
        raise too_large(name)
    if others.count() >= MOST_FILES:
        raise BadCorpusFile(f'"{name}" was not kept: a corpus can have at most {MOST_FILES} files here.')
    # What a copy brought along is replaced by the corpus itself.
    others.filter(drawn=True).delete()
    replaced = CorpusFile.objects.filter(study=study, name=name).exists()
    store_file(study, name, content, now)
    log_change(study.pk, who, "corpus_file", name, now, after={"bytes": len(content)})
    return replaced


def too_large(name: str) -> BadCorpusFile:
    """The error for a file that is too large."""
    return BadCorpusFile(
        f'"{name[:80]}" was not kept: the files of the corpus would be larger than {LARGEST_BYTES // 10**6} MB.',
        do="A larger corpus can be loaded through the API or from the command line.",
    )


def store_file(study: StudyRow, name: str, content: bytes, now: datetime, *, drawn: bool = False) -> None:
    """Stores a file whose name and size were checked."""
    values = {
        "content": content,
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "drawn": drawn,
        "added_at": now,
    }
    CorpusFile.objects.update_or_create(study=study, name=name, defaults=values)


@transaction.atomic
def remove_file(study: StudyRow, name: str, who: str, now: datetime) -> None:
    """Removes a file of the corpus; raises NotFound. For editors of the study."""
    removed, _ = CorpusFile.objects.filter(study=study, name=name).delete()
    if not removed:
        raise NotFound
    log_change(study.pk, who, "remove_corpus_file", name, now)


def check_name(name: str) -> None:
    """Raises BadCorpusFile unless a name is a path inside the folder of the study file."""
    if not _NAME.fullmatch(name) or any(part.strip(" .") != part for part in name.split("/")):
        raise BadCorpusFile(
            f'"{name[:80]}" cannot be the name of a corpus file.',
            expected="letters, digits, spaces and . - _ + ( ), in folders inside that of the study file.",
        )


def get_dialogues(row: StudyRow, study: Study) -> list[Dialogue]:
    """The dialogues that a study file draws from its corpus; raises LabelwrightError with what is wrong with it.

    Read once per process for the same corpus, because the editor asks after every change of the file.
    """
    files = get_files(row)
    if not files:
        return _stored_dialogues(row)
    if files[0].drawn:
        return list(_read_drawn(row.pk, files[0].sha256))
    if "://" in study.corpus.path:
        raise LabelwrightError(
            f'the corpus "{study.corpus.path}" is not a file.', do="Upload the corpus, and give its name."
        )
    kept = tuple((file.name, file.sha256) for file in files)
    return list(_read_files(row.pk, kept, study.corpus.model_dump_json(), study.seed))


def is_large(row: StudyRow) -> bool:
    """Whether the corpus is too large to be read after every change of the file."""
    files = get_files(row)
    if files:
        return sum(file.bytes for file in files) > LARGEST_BYTES // 8
    stored = queries.size_of_dialogues(row.pk, MOST_DIALOGUES // 8)
    return stored.n > MOST_DIALOGUES // 8 or stored.bytes > LARGEST_BYTES // 8


def copy_corpus(source: StudyRow, target: StudyRow, now: datetime) -> None:
    """Gives a study the corpus of another: its files, or else the dialogues of its newest version."""
    files = CorpusFile.objects.filter(study=source)
    for file in files:
        store_file(target, file.name, bytes(file.content), now, drawn=file.drawn)
    if not files:
        store_file(target, DRAWN_NAME, write_lines(_stored_dialogues(source)).encode(), now, drawn=True)


def _stored_dialogues(row: StudyRow) -> list[Dialogue]:
    version = row.versions.order_by("-n").values_list("pk", flat=True).first()
    if version is None:
        raise LabelwrightError("the corpus is not there yet.", do="Upload the file that `corpus` names.")
    stored = queries.size_of_dialogues(row.pk, MOST_DIALOGUES)
    if stored.n > MOST_DIALOGUES or stored.bytes > LARGEST_BYTES:
        raise LabelwrightError(
            "the study is too large for the editor.", do="Change it through the API or from the command line."
        )
    return list(_read_stored(version))


@lru_cache(maxsize=4)
def _read_stored(version: int) -> tuple[Dialogue, ...]:
    return tuple(dialogue_of(d.key, d.turns, d.meta) for d in queries.dialogues_of_version(version))


@lru_cache(maxsize=4)
def _read_drawn(study: int, sha256: str) -> tuple[Dialogue, ...]:
    content = CorpusFile.objects.values_list("content", flat=True).get(study_id=study, sha256=sha256)
    return tuple(read_lines(bytes(content).decode()))


@lru_cache(maxsize=4)
def _read_files(
    study: int, kept: tuple[tuple[str, str], ...], corpus: str, seed: int
) -> tuple[Dialogue, ...]:
    """The hashes in `kept` make sure that a changed file is read again."""
    part = CorpusPart.model_validate_json(corpus)
    with tempfile.TemporaryDirectory(prefix="labelwright-corpus-") as folder:
        for file in CorpusFile.objects.filter(study_id=study):
            path = Path(folder) / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(bytes(file.content))
        dialogues, _ = read_dialogues(part, Path(folder))
    return tuple(draw(dialogues, part, seed).dialogues)
