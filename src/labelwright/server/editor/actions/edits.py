"""Editing a study file: who saves must have read what is there, so that nobody's work is overwritten unseen."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import ClassVar

import yaml
from django.db import IntegrityError, transaction

from labelwright.crowd import StudyState
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import log_change
from labelwright.server.access.actions.permission import Permission, access_any_study
from labelwright.server.editor.actions.corpus import copy_corpus, store_file
from labelwright.server.store.models import EditedFile, StudyRow, User
from labelwright.study import yaml_lines
from labelwright.study.templates import template as get_template

LARGEST_CHARACTERS = 100_000
"""Reading YAML takes about 10 ms for 1,000 lines, and the editor checks the text after every change."""
LONGEST_TITLE = 120
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")
_NAME_LINE = re.compile(r"^(name:[ \t]*)[^\s#]+", re.MULTILINE)
_TITLE_LINE = re.compile(r"^title:[ \t]*(\S.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class StudyFileState:
    """A study file as somebody reads it in the editor."""

    study: StudyRow
    text: str
    read: str
    """What was read: the newest version and the revision. Saving sends it back."""
    version: int
    """The newest version; 0 if there is none."""
    edited: bool
    """Whether it differs from the newest version."""
    changed_by: str = ""
    changed_at: datetime | None = None
    template: str = ""


class FileTooLong(LabelwrightError):
    """A study file that is longer than the editor takes."""

    code: ClassVar[str] = "file_too_long"

    def __init__(self) -> None:
        super().__init__(
            f"the study file was not saved: it is longer than {LARGEST_CHARACTERS:,} characters.",
            do="Load it with `labelwright study load` instead.",
        )


class ChangedMeanwhile(LabelwrightError):
    """Somebody else saved or loaded the study file after it was read. Nothing was stored."""

    code: ClassVar[str] = "changed_meanwhile"
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT

    def __init__(self, theirs: StudyFileState, ours: str) -> None:
        self.theirs, self.ours = theirs, ours
        who = theirs.changed_by or "somebody"
        super().__init__(
            f"your changes are not saved yet: {who} changed this study file after you opened it.",
            do="Compare both, put what you want into your text, and save again.",
        )


def get_file(user: User, public_id: str) -> StudyFileState:
    """The study file as it is now, for editors: as it was last saved, or else its newest version."""
    return read_file(access_any_study(user, public_id, Permission.EDIT))


def read_file(study: StudyRow) -> StudyFileState:
    """The same for a study that the caller may edit."""
    newest = study.versions.order_by("-n").first()
    edited = EditedFile.objects.filter(study=study).first()
    version = newest.n if newest else 0
    if edited is None:
        assert newest is not None, "a study has a version or an edited file"
        return StudyFileState(
            study, newest.text, f"{version}.0", version, edited=False, changed_at=newest.loaded_at
        )
    return StudyFileState(
        study,
        edited.text,
        f"{version}.{edited.revision}",
        version,
        edited=newest is None or edited.text != newest.text,
        changed_by=edited.changed_by,
        changed_at=edited.changed_at,
        template=edited.template,
    )


@transaction.atomic
def save_file(user: User, public_id: str, text: str, read: str, now: datetime) -> StudyFileState:
    """Saves the text of a study file, with or without mistakes, for editors.

    Raises ChangedMeanwhile if `read` is not what is there, and FileTooLong. Locks the study, so that of two people who
    save at the same time, the second learns of the first. The same text again changes nothing.
    """
    study = access_any_study(user, public_id, Permission.EDIT)
    return save_locked(lock_study(study), user, text, read, now)


def lock_study(study: StudyRow) -> StudyRow:
    """The study, which nobody else edits or loads until the transaction ends."""
    return StudyRow.objects.select_for_update().get(pk=study.pk)


def save_locked(study: StudyRow, user: User, text: str, read: str, now: datetime) -> StudyFileState:
    """`save_file` for a study that is locked."""
    text = _with_newlines(text)
    present = read_file(study)
    if text == present.text:
        return present
    if read != present.read:
        raise ChangedMeanwhile(present, text)
    if len(text) > LARGEST_CHARACTERS:
        raise FileTooLong
    _store(study, text, user.get_username(), now, int(present.read.rpartition(".")[2]), present.template)
    log_change(
        study.pk, user.get_username(), "edit_file", study.name, now, after={"lines": text.count("\n") + 1}
    )
    if not present.version:
        _take_name(study, text)
    return read_file(study)


@transaction.atomic
def discard_edits(user: User, public_id: str, now: datetime) -> None:
    """Returns to the newest version, for editors; does nothing if there is none or nothing was changed."""
    study = lock_study(access_any_study(user, public_id, Permission.EDIT))
    if study.versions.exists() and EditedFile.objects.filter(study=study).delete()[0]:
        log_change(study.pk, user.get_username(), "discard_edits", study.name, now)


@transaction.atomic
def create_from_template(user: User, name: str, now: datetime) -> StudyRow:
    """A new study with the file and the corpus of a template; raises NoTemplate."""
    found = get_template(name)
    study = _create(user, found.study_file, name, now, template=found.name)
    for file, content in found.corpus.items():
        store_file(study, file, content.encode(), now)
    return study


@transaction.atomic
def create_from_file(user: User, text: str, now: datetime) -> StudyRow:
    """A new study with this file, which may have mistakes; raises FileTooLong."""
    return _create(user, text, name_in(text) or "new-study", now)


@transaction.atomic
def create_copy(user: User, public_id: str, now: datetime) -> StudyRow:
    """A new study with the file and the corpus of another one that the user may see, without its raters and answers.

    The file is that of the newest version; of a study without a version, editors can copy what is saved.
    """
    source = access_any_study(user, public_id, Permission.VIEW)
    newest = source.versions.order_by("-n").values_list("text", flat=True).first()
    text = _TITLE_LINE.sub(_copied_title, newest or get_file(user, public_id).text, count=1)
    study = _create(user, text, f"{source.name[:50]}-copy", now)
    copy_corpus(source, study, now)
    return study


def name_in(text: str) -> str:
    """The name in a study file, if it is a valid one; else empty. The file may have other mistakes."""
    return _fact(text, "name") if _SLUG.fullmatch(_fact(text, "name")) else ""


def _create(user: User, text: str, name: str, now: datetime, template: str = "") -> StudyRow:
    text = _with_newlines(text)
    if len(text) > LARGEST_CHARACTERS:
        raise FileTooLong
    study = _unused(user, name, now)
    text = _NAME_LINE.sub(rf"\g<1>{study.name}", text, count=1)
    study.title = _title_in(text) or study.name
    study.save(update_fields=["title"])
    _store(study, text, user.get_username(), now, 0, template)
    log_change(study.pk, user.get_username(), "create_study", study.name, now)
    return study


def _unused(user: User, name: str, now: datetime) -> StudyRow:
    """A new study under this name, or, if another has it, under one with a number."""
    number = 1
    while True:
        tried = name if number == 1 else f"{name[:54]}-{number}"
        try:
            with transaction.atomic():
                return StudyRow.objects.create(
                    name=tried,
                    owner=user,
                    public_id=secrets.token_hex(6),
                    state=StudyState.DRAFT,
                    created_at=now,
                )
        except IntegrityError:
            number += 1


def _store(study: StudyRow, text: str, who: str, now: datetime, revision: int, template: str) -> None:
    values = {
        "text": text,
        "revision": revision + 1,
        "template": template,
        "changed_by": who,
        "changed_at": now,
    }
    EditedFile.objects.update_or_create(study=study, defaults=values)


def _take_name(study: StudyRow, text: str) -> None:
    """Gives a study that is not loaded yet the name and the title in its file, unless another study has the name."""
    if name := name_in(text):
        rename(study, name)
    study.title = _title_in(text) or study.title
    study.save(update_fields=["title"])


def rename(study: StudyRow, name: str) -> bool:
    """Gives a study another name; returns whether it has it now, because another study may."""
    before, study.name = study.name, name
    try:
        with transaction.atomic():
            study.save(update_fields=["name"])
    except IntegrityError:
        study.name = before
    return study.name == name


def _with_newlines(text: str) -> str:
    """The text as a file has it; browsers send other line ends."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _title_in(text: str) -> str:
    return " ".join(_fact(text, "title").split())[:LONGEST_TITLE]


def _fact(text: str, key: str) -> str:
    """The text under a key of a study file that may have mistakes."""
    if len(text) > LARGEST_CHARACTERS:
        return ""
    try:
        data, _ = yaml_lines.load(text)
    except yaml_lines.BadYaml:
        return ""
    found = data.get(key) if isinstance(data, dict) else None
    return found if isinstance(found, str) else ""


def _copied_title(line: re.Match[str]) -> str:
    try:
        title = yaml.safe_load(line[1])
    except yaml.YAMLError:
        return line[0]
    if not isinstance(title, str):
        return line[0]
    copied = f"Copy of {title}"[:LONGEST_TITLE]
    return "title: " + yaml.safe_dump(copied, allow_unicode=True, width=1000).splitlines()[0]
