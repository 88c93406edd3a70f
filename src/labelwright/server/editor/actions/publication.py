"""Publication: an edited study file becomes a version, after its effect was shown."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import ClassVar

from django.db import transaction

from labelwright.crowd import StudyState, StudyVerb
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.permission import Permission, access_any_study
from labelwright.server.editor.actions.checks import (
    FileProblem,
    PlannedFile,
    check_all,
    describe_problems,
)
from labelwright.server.editor.actions.corpus import get_dialogues
from labelwright.server.editor.actions.edits import StudyFileState, lock_study, read_file, rename
from labelwright.server.store.models import EditedFile, StudyRow, User
from labelwright.server.studies.actions.contents import Declared
from labelwright.server.studies.actions.life import change_state
from labelwright.server.studies.actions.loading import load_study, plan_change
from labelwright.study import Study

CONTEXT_LINES = 3


class NotReady(LabelwrightError):
    """A study file with mistakes, which cannot become a version."""

    code: ClassVar[str] = "not_ready"

    def __init__(self, problems: list[FileProblem]) -> None:
        self.problems = problems
        super().__init__("\n".join(describe_problems(problems)))


class EffectOutdated(LabelwrightError):
    """Somebody changed the file, or loaded a version, after its effect was shown. Nothing was loaded."""

    code: ClassVar[str] = "effect_outdated"
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT

    def __init__(self) -> None:
        super().__init__(
            "nothing was loaded: the study file has changed since you looked at its effect.",
            do="Here is the effect of what is there now; confirm it again.",
        )


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a difference between two texts."""

    kind: str
    """`same`, `removed`, `added`, or `gap` for lines that were left out."""
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What publishing a study file would do."""

    state: StudyFileState
    planned: PlannedFile
    problems: list[FileProblem]
    change: list[str]
    """What stays, what is new and what it costs; empty for a first version."""
    difference: list[DiffLine]
    """From the newest version to the file."""
    rewordable: bool
    """Whether only wording changed in some condition, so that the requester can declare that the meaning is the same."""


def get_effect(user: User, public_id: str, declared: Declared) -> Effect:
    """What publishing would do, for editors; raises NotReady. Changes nothing."""
    row = access_any_study(user, public_id, Permission.EDIT)
    state = read_file(row)
    study, planned, problems = _ready(row, state.text)
    change = None
    if state.version:
        change = plan_change(study, state.text, get_dialogues(row, study), declared)
    return Effect(
        state,
        planned,
        problems,
        change.lines if change else [],
        get_difference(_newest_text(row), state.text) if state.version else [],
        rewordable=bool(change and any(each.reworded for each in change.changes.renewed)),
    )


@transaction.atomic
def publish(user: User, public_id: str, read: str, declared: Declared, now: datetime, *, opens: bool) -> int:
    """Loads the edited file as a version and, if `opens`, opens a draft to raters; returns the number of the version.

    For editors, who have seen the effect of what they read. Raises EffectOutdated if it is not there any more, and
    NotReady. Locks the study.
    """
    row = lock_study(access_any_study(user, public_id, Permission.EDIT))
    state = read_file(row)
    if read != state.read:
        raise EffectOutdated
    study, _, _ = _ready(row, state.text)
    if not rename(row, study.name):
        raise NotReady([FileProblem(1, f'another study has the name "{study.name}" by now.')])
    who = user.get_username()
    loaded = load_study(study, state.text, get_dialogues(row, study), now, declared=declared, who=who)
    EditedFile.objects.filter(study=row).delete()
    row.refresh_from_db()
    if opens and row.state == StudyState.DRAFT:
        change_state(row, StudyVerb.OPEN, who, now)
    return loaded.version


def _ready(row: StudyRow, text: str) -> tuple[Study, PlannedFile, list[FileProblem]]:
    study, planned, problems = check_all(row, text)
    if study is None or planned is None:
        raise NotReady(problems)
    return study, planned, problems


def _newest_text(row: StudyRow) -> str:
    return str(row.versions.order_by("-n").values_list("text", flat=True).first())


def get_difference(old: str, new: str) -> list[DiffLine]:
    """The lines in which two texts differ, with some lines around them; empty if they are equal."""
    before, after = old.splitlines(), new.splitlines()
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    found: list[DiffLine] = []
    for group in matcher.get_grouped_opcodes(CONTEXT_LINES):
        if found or group[0][1] > 0:
            found.append(DiffLine("gap", None, None, ""))
        for opcode in group:
            found += _lines(opcode, before, after)
    return found


def _lines(
    opcode: tuple[str, int, int, int, int], before: Sequence[str], after: Sequence[str]
) -> Iterator[DiffLine]:
    kind, old_start, old_end, new_start, new_end = opcode
    if kind == "equal":
        for step in range(old_end - old_start):
            old, new = old_start + step, new_start + step
            yield DiffLine("same", old + 1, new + 1, before[old])
        return
    for old in range(old_start, old_end):
        yield DiffLine("removed", old + 1, None, before[old])
    for new in range(new_start, new_end):
        yield DiffLine("added", None, new + 1, after[new])
