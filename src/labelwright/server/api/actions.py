"""Loading studies that are sent with their corpus, and what one study is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import ClassVar

from django.db import transaction
from django.db.models import Sum

from labelwright.client.models import LoadedStudy, LoadRequest, PlanRequest, StudyMaterial, StudyPlan
from labelwright.corpus import Dialogue, Turn, draw, make_items
from labelwright.crowd import describe_plan
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.permission import Permission, access_study, check_scope, studies_of
from labelwright.server.store.models import Batch, StudyFigures, StudyRow, TaskItem, User
from labelwright.server.studies.actions.contents import Declared
from labelwright.server.studies.actions.loading import NoItems, NotYours, load_study, plan_change
from labelwright.study import BadStudy, Study, check_gold, check_study, lay_out_study, plan_study


class VersionConflict(LabelwrightError):
    """A study that somebody else has changed since the sender read it."""

    code: ClassVar[str] = "version_conflict"
    status: ClassVar[HTTPStatus] = HTTPStatus.CONFLICT


def read_material(sent: StudyMaterial) -> tuple[Study, list[Dialogue]]:
    """The study and its dialogues, drawn as the file says; raises BadStudy."""
    study, mistakes = check_study(sent.text)
    if study is None:
        raise BadStudy("study.yaml", mistakes)
    dialogues = [
        Dialogue(
            each.key,
            tuple(Turn(turn.speaker, turn.text, turn.system, turn.meta) for turn in each.turns),
            each.meta,
        )
        for each in sent.dialogues
    ]
    keys = [dialogue.key for dialogue in dialogues]
    if len(set(keys)) < len(keys):
        raise LabelwrightError("two dialogues have the same key.", expected="a key for each dialogue.")
    if sent.drawn or not dialogues:
        return study, dialogues
    return study, draw(dialogues, study.corpus, study.seed).dialogues


def plan_material(sent: PlanRequest) -> StudyPlan:
    """Whether raters can complete a study; stores nothing."""
    study, dialogues = read_material(sent)
    items = make_items(dialogues, study.items, study.seed)
    if not items:
        raise NoItems(f"the corpus of {len(dialogues)} dialogues has no items.")
    check_gold(study, items, dialogues)
    plan = plan_study(study, lay_out_study(study, items, dialogues), sent.left_out)
    return StudyPlan(
        completes=plan.completes,
        items=len(items),
        ratings=plan.ratings,
        raters=plan.raters,
        raters_needed=plan.raters_needed,
        sentences=describe_plan(plan),
    )


@transaction.atomic
def load_material(user: User, sent: LoadRequest, now: datetime) -> LoadedStudy:
    """Loads a study as a new version, for its editors; a new one belongs to the user.

    Raises BadStudy, NotYours, NotPermitted, and VersionConflict if another version was loaded in between. Locks the
    study.
    """
    check_scope(user, Permission.EDIT)
    study, dialogues = read_material(sent)
    row = StudyRow.objects.filter(name=study.name).first()
    if row is not None:
        if not studies_of(user).filter(pk=row.pk).exists():
            raise NotYours(
                f'the study "{study.name}" belongs to another user.', do="Give yours another name."
            )
        access_study(user, row.public_id, Permission.EDIT)
    declared = Declared(fresh=sent.fresh, same_meaning=sent.same_meaning)
    change = plan_change(study, sent.text, dialogues, declared) if row else None
    if sent.dry_run:
        return _dry_run(row, change.version if change else None, change.lines if change else [])
    owner = user if row is None else None
    loaded = load_study(study, sent.text, dialogues, now, owner, declared, who=user.get_username())
    read = sent.expected_version
    if read is not None and loaded.version != read + loaded.changed:
        raise VersionConflict(
            f'"{study.name}" has version {loaded.version - loaded.changed} by now, and you have read version {read}.',
            do="Read the newest version, put your changes into it and load it again.",
        )
    return LoadedStudy(
        id=loaded.study.public_id,
        version=loaded.version,
        changed=loaded.changed,
        items=loaded.items,
        ratings=loaded.wanted,
        sentences=change.lines if change else [],
    )


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """How far a study is, when its figures were last computed."""

    judgments: int
    """Answers to questions that count."""
    ratings: int
    wanted: int
    """Ratings wanted in the newest version."""


def get_progress(study: StudyRow) -> StudyProgress:
    """The progress of a study."""
    computed = StudyFigures.objects.filter(study=study).defer("pages").first()
    wanted = Batch.objects.filter(
        version=study.versions.latest("n"), purpose=Batch.Purpose.COLLECT
    ).aggregate(wanted=Sum("wanted"))["wanted"]
    judgments, summary = (computed.counted, computed.summary) if computed else (0, {})
    return StudyProgress(judgments or 0, (summary or {}).get("stored", 0), wanted or 0)


def get_item_keys(tasks: Sequence[int]) -> dict[int, list[str]]:
    """The keys of the items of tasks, by task, in the order of the task."""
    keys: dict[int, list[str]] = {task: [] for task in tasks}
    asked = TaskItem.objects.filter(task__in=keys).order_by("task_id", "position")
    for task, key in asked.values_list("task_id", "item__key"):
        keys[task].append(key)
    return keys


def _dry_run(row: StudyRow | None, version: int | None, sentences: list[str]) -> LoadedStudy:
    newest = row.versions.count() if row else 0
    changed = not newest or version is not None
    return LoadedStudy(
        id=row.public_id if row else "",
        version=newest + changed,
        changed=changed,
        items=0,
        ratings=0,
        sentences=sentences,
    )
