"""Loading a study: its file becomes a version, which keeps the tasks that it asks for again and opens new ones."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from django.db import transaction

from labelwright.corpus import Dialogue, Item, make_items
from labelwright.crowd import EarlierWork, LaidBatch, Plan, StudyState
from labelwright.errors import LabelwrightError
from labelwright.server.access.actions.audit import COMMAND_LINE, log_change
from labelwright.server.access.actions.permission import check_loaded
from labelwright.server.contexts.actions.planning import plan_contexts
from labelwright.server.people.actions.pools import make_pools
from labelwright.server.store.changes import note_change, note_changed_tasks
from labelwright.server.store.models import Batch, ItemRow, StudyRow, StudyVersion, User
from labelwright.server.store.versions import study_of
from labelwright.server.studies.actions.adoption import adopt_version
from labelwright.server.studies.actions.batches import open_version
from labelwright.server.studies.actions.change import Change
from labelwright.server.studies.actions.contents import Declared, make_contents
from labelwright.server.studies.actions.layout import (
    KeptStages,
    material_of,
    plan_first_stage,
    plan_kept_stages,
    plan_model_batches,
)
from labelwright.server.studies.actions.plans import register_plan
from labelwright.server.studies.actions.qualifications import plan_qualifications
from labelwright.server.studies.queries import layout, stages
from labelwright.server.studies.queries.items import store_items
from labelwright.server.studies.queries.layout import BatchPlan
from labelwright.study import Study, check_gold, compare, lay_out_study, plan_study

AS_WRITTEN = Declared()
"""What the requester declares unless they say more: the file speaks for itself."""
EXPECTED = {
    "exchange": "a system turn that answers a user turn after {turns} turns.",
    "dialogue": "dialogues of at least {turns} turns.",
    "query": "a user turn with judged passages after {turns} turns.",
    "candidates": "dialogues of at least {turns} turns with response candidates.",
}
"""What a corpus must contain for each kind of item."""


class NoItems(LabelwrightError):
    """A study whose corpus has nothing to judge."""

    code: ClassVar[str] = "no_items"


class NotYours(LabelwrightError):
    """A study that another user owns."""

    code: ClassVar[str] = "not_yours"


class StudyNotFound(LabelwrightError):
    """There is no study of that name; for the command line."""

    code: ClassVar[str] = "study_not_found"

    def __init__(self, name: str) -> None:
        super().__init__(f'there is no study "{name}".', do="Load one with `labelwright study load FILE`.")


@dataclass(frozen=True, slots=True)
class Loaded:
    """The result of loading."""

    study: StudyRow
    version: int
    changed: bool
    """Whether anything is new; the same file over the same corpus changes nothing."""
    items: int
    wanted: int
    batches: int
    plan: Plan | None
    """Whether the raters of the pool can complete it; None if nothing changed."""
    change: Change | None
    """What it kept and what it made new; None for the first version."""


@transaction.atomic
def load_study(
    study: Study,
    text: str,
    dialogues: Sequence[Dialogue],
    now: datetime,
    owner: User | None = None,
    declared: Declared = AS_WRITTEN,
    *,
    opened: bool = False,
    who: str = COMMAND_LINE,
) -> Loaded:
    """Stores the study file as the next version. Tasks whose content is unchanged stay, with their places and ratings.

    A new study is a draft unless `opened`; a study that is there keeps its state. A batch whose release time has
    come is open at once, and offers tasks as long as the study is open. Leased places can still be submitted, and their answers keep
    the version of their lease. Locks the study, so that of two loads the second sees the version of the first.
    """
    row = _study_row(study.name, owner, now, StudyState.OPEN if opened else StudyState.DRAFT)
    versions = list(row.versions.order_by("-n"))
    pinned = _pinned(text, dialogues)
    if _is_unchanged(study, versions, pinned, declared):
        known = Batch.objects.filter(version=versions[0], purpose=Batch.Purpose.COLLECT)
        return _loaded(row, versions[0], list(known), None, None)
    prepared = _prepare(row, study, dialogues, versions, declared)
    version = StudyVersion.objects.create(
        study=row,
        n=versions[0].n + 1 if versions else 1,
        text=text,
        sha256=pinned[0],
        corpus_sha256=pinned[1],
        loaded_at=now,
        contents=prepared.contents,
        same_meaning=declared.same_meaning,
        change=prepared.change.record() if prepared.change else {},
    )
    row.title = study.title
    row.save(update_fields=["title"])
    note_change(row.pk)
    note_changed_tasks(row.pk)
    log_change(
        row.pk,
        who,
        "load",
        row.name,
        now,
        before={"version": version.n - 1} if versions else {},
        after={"version": version.n, "sha256": version.sha256},
    )
    register_plan(version, study, who, now)
    pools = make_pools(row, study, now)
    first = prepared.stored_items(row.pk, dialogues)
    batches = open_version(version, study, prepared.plans, pools, prepared.items, prepared.old, now)
    plan_contexts(version, study, dialogues, first, now)
    collect = [batch for batch in batches if batch.purpose == Batch.Purpose.COLLECT]
    return _loaded(
        row, version, collect, plan_study(study, prepared.laid, 0, prepared.progress), prepared.change
    )


@transaction.atomic
def plan_change(
    study: Study, text: str, dialogues: Sequence[Dialogue], declared: Declared = AS_WRITTEN
) -> Change | None:
    """What loading a study file would keep and make new; None if the study is new or would not change. Changes nothing."""
    row = StudyRow.objects.filter(name=study.name).first()
    versions = list(row.versions.order_by("-n")) if row else []
    if row is None or not versions or _is_unchanged(study, versions, _pinned(text, dialogues), declared):
        return None
    change = _prepare(row, study, dialogues, versions, declared).change
    transaction.set_rollback(True)
    return change


def _pinned(text: str, dialogues: Sequence[Dialogue]) -> tuple[str, str]:
    """The hashes of the file and of the corpus."""
    corpus = "".join(d.key + d.sha256 for d in dialogues)
    return hashlib.sha256(text.encode()).hexdigest(), hashlib.sha256(corpus.encode()).hexdigest()


def _is_unchanged(
    study: Study, versions: Sequence[StudyVersion], pinned: tuple[str, str], declared: Declared
) -> bool:
    """Whether a file says what the newest version says, comments and layout aside, over the same corpus."""
    if not versions or declared.fresh or versions[0].corpus_sha256 != pinned[1]:
        return False
    return versions[0].sha256 == pinned[0] or study_of(versions[0].pk) == study


@dataclass(slots=True)
class _Prepared:
    """A version before it is stored, compared with what is there."""

    plans: list[BatchPlan]
    laid: list[LaidBatch]
    contents: dict[str, tuple[str, str]]
    change: Change | None
    old: Study | None
    first: list[Item]
    qualifying: list[Item]
    progress: dict[str, EarlierWork]
    """What was done in earlier versions, by group."""
    items: dict[str, int]
    """The ids of items by key; those of earlier stages are added when they are stored."""

    def stored_items(self, study: int, dialogues: Sequence[Dialogue]) -> dict[str, int]:
        """Stores the items; the ids of those of the first stage."""
        first = store_items(study, dialogues, self.first)
        self.items |= store_items(study, dialogues, self.qualifying) | first
        return first


def _prepare(
    row: StudyRow,
    study: Study,
    dialogues: Sequence[Dialogue],
    versions: Sequence[StudyVersion],
    declared: Declared,
) -> _Prepared:
    newest = versions[0] if versions else None
    old = study_of(newest.pk) if newest else None
    if newest:
        adopt_version(newest)
    contents = make_contents(study, versions, declared)
    stored = {name: content for name, (_, content) in contents.items()}
    items, material = _items_of(study, dialogues), material_of(dialogues)
    kept = _kept_groups(newest, old, study)
    laid = lay_out_study(study, items, dialogues, kept, drawn=_drawn_keys(row))
    plans = plan_first_stage(study, laid, items, material, stored)
    of_models = _plan_models(study, dialogues, items, kept, stored)
    later = plan_kept_stages(newest, old, study, stored, len(plans)) if newest and old else KeptStages([], {})
    qualifications = plan_qualifications(study, dialogues, material, stored)
    plans += later.plans + qualifications.plans
    of_people = len(plans)
    plans += of_models + plan_model_batches(study, later.plans)
    layout.lay_out(row.pk, plans, study.seed)
    change = None
    if newest and old:
        change = Change(
            study,
            newest.n + 1,
            compare(old, study),
            layout.condition_changes(of_people),
            layout.left_tasks(newest.pk),
            declared.same_meaning,
            declared.fresh,
        )
    return _Prepared(
        plans,
        laid,
        contents,
        change,
        old,
        items,
        qualifications.items,
        _progress(row, study, of_people),
        later.items,
    )


def _plan_models(
    study: Study,
    dialogues: Sequence[Dialogue],
    items: Sequence[Item],
    kept: Sequence[tuple[str, ...]],
    stored: Mapping[str, str],
) -> list[BatchPlan]:
    """The batches of models, which rate all tasks, also those that people do not get."""
    if not study.model_pools:
        return []
    every = lay_out_study(study, items, dialogues, kept, for_models=True)
    return plan_model_batches(study, plan_first_stage(study, every, items, material_of(dialogues), stored))


def _drawn_keys(row: StudyRow) -> set[str]:
    """The items that draws sent to people, besides their share."""
    return set(ItemRow.objects.filter(study=row, drawn=True).values_list("key", flat=True))


def _kept_groups(newest: StudyVersion | None, old: Study | None, study: Study) -> list[tuple[str, ...]]:
    """The groups of items that stay: all of them, if items are grouped in the same way as before."""
    if (
        newest is None
        or old is None
        or not study.tasks.groups_items
        or not old.tasks.groups_like(study.tasks)
    ):
        return []
    return stages.groups_of(newest.pk, old.conditions_of(None))


def _progress(row: StudyRow, study: Study, plans: int) -> dict[str, EarlierWork]:
    kept = layout.kept_by_group(study.conditions_of(None), plans)
    begun = layout.raters_who_began(row.pk, study.pool_name)
    return {
        group: EarlierWork(kept.get(group, 0), tuple(rater.done for rater in begun if rater.group == group))
        for group in study.pool.groups or [""]
    }


def _items_of(study: Study, dialogues: Sequence[Dialogue]) -> list[Item]:
    """The items of the first stage; raises NoItems and BadGold."""
    made = make_items(dialogues, study.items, study.seed)
    items = [item for item in made if item.key not in study.qualification_items]
    if not items:
        raise NoItems(
            f"the corpus of {len(dialogues)} dialogues has no items.",
            expected=EXPECTED[study.items.kind].format(turns=study.items.turns_before),
        )
    check_gold(study, items, dialogues)
    return items


def _loaded(
    row: StudyRow, version: StudyVersion, batches: list[Batch], plan: Plan | None, change: Change | None
) -> Loaded:
    return Loaded(
        row,
        version.n,
        changed=plan is not None,
        items=sum(batch.items for batch in batches),
        wanted=sum(batch.wanted for batch in batches),
        batches=len(batches),
        plan=plan,
        change=change,
    )


def get_study(name: str) -> StudyRow:
    """A loaded study by name, for the command line, which may see all; raises StudyNotFound and NotLoaded."""
    row = get_any_study(name)
    check_loaded(row)
    return row


def get_any_study(name: str) -> StudyRow:
    """The same, loaded or not."""
    try:
        return StudyRow.objects.get(name=name)
    except StudyRow.DoesNotExist:
        raise StudyNotFound(name) from None


def _study_row(name: str, owner: User | None, now: datetime, state: StudyState) -> StudyRow:
    row, _ = StudyRow.objects.select_for_update().get_or_create(
        name=name,
        defaults={"owner": owner, "public_id": secrets.token_hex(6), "created_at": now, "state": state},
    )
    if owner is not None and row.owner_id not in (None, owner.pk):
        raise NotYours(f'the study "{name}" belongs to another user.', do="Give yours another name.")
    if owner is not None and row.owner_id is None:
        row.owner = owner
        row.save(update_fields=["owner"])
    return row
