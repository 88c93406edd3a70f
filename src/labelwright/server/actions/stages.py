"""Stages: once items have their ratings, what raters chose in them becomes the items of the next stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from labelwright.corpus import Item
from labelwright.crowd import BatchState, LaidBatch, Unit
from labelwright.server.actions.asking import asked_in
from labelwright.server.store import loading, staging
from labelwright.server.store import models as store
from labelwright.server.store.staging import Parent
from labelwright.server.store.versions import study_of
from labelwright.study import Study
from labelwright.task import Chosen, StagePart, StoredItem, group_items, item_parts, stage_items


@dataclass(frozen=True, slots=True)
class Advanced:
    """What a stage was given."""

    stage: str
    items: int
    wanted: int
    waiting: int
    """Items of the stage before it that still want ratings."""


@transaction.atomic
def advance(study: store.Study, now: datetime, *, hurry: bool = False) -> list[Advanced]:
    """Opens what is ready of every later stage of the newest version; run again, it opens nothing twice.

    `hurry` takes the items that have their ratings also where the stage waits for all of them. Locks the
    study, so that two callers do not open the same items.
    """
    store.Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    version = study.versions.latest("n")
    loaded = study_of(version.pk)
    return [_advance(version, loaded, name, now, hurry=hurry) for name in loaded.stages]


def advance_all(now: datetime) -> int:
    """Opens what is ready in every study with stages; how many items. Called by a periodic job."""
    versions = store.Batch.objects.exclude(state=BatchState.CLOSED).values_list("version", flat=True)
    opened = 0
    for version in store.StudyVersion.objects.filter(pk__in=set(versions)).select_related("study"):
        if study_of(version.pk).stages:
            opened += sum(done.items for done in advance(version.study, now))
    return opened


def _advance(
    version: store.StudyVersion, study: Study, stage: str, now: datetime, *, hurry: bool
) -> Advanced:
    part, after = study.stages[stage], study.conditions_before(stage)
    parents = staging.parents(version.pk, after, study.conditions_of(stage))
    waiting = sum(not parent.full for parent in parents)
    ready = [parent for parent in parents if parent.full and not parent.used]
    if not ready or (waiting and part.opens == "together" and not hurry):
        return Advanced(stage, 0, 0, waiting)
    items = _made(version, study, part, after, ready)
    if not items:
        return Advanced(stage, 0, 0, waiting)
    batch = _open(version, study, stage, ready, items, now)
    return Advanced(stage, len(items), batch.wanted, waiting)


def _made(
    version: store.StudyVersion,
    study: Study,
    part: StagePart,
    after: Sequence[str],
    ready: Sequence[Parent],
) -> list[Item]:
    chosen: dict[int, list[Chosen]] = {}
    for choice in staging.choices(version.pk, after, part.question, [parent.id for parent in ready]):
        question = study.design(choice.condition).question(part.question)
        assert question is not None
        chosen.setdefault(choice.item, []).append(Chosen(choice.assignment, question.selected(choice.value)))
    made = []
    for parent in ready:
        stored = StoredItem(parent.kind, parent.turns, parent.target, parent.payload, parent.key)
        text = item_parts(stored, study.conditions[after[0]].context).text
        item = Item(parent.key, parent.dialogue_key, parent.target, parent.system, parent.kind)
        made += stage_items(item, text, chosen.get(parent.id, []), part)
    return made


def _open(
    version: store.StudyVersion,
    study: Study,
    stage: str,
    ready: Sequence[Parent],
    items: Sequence[Item],
    now: datetime,
) -> store.Batch:
    part = study.stages[stage]
    dialogues = {parent.key: parent.dialogue for parent in ready}
    store.Item.objects.bulk_create(
        [
            store.Item(
                study_id=version.study_id,
                key=item.key,
                kind=item.kind,
                dialogue_id=dialogues[item.payload["parent"]],
                target=item.target,
                system=item.system or "",
                payload=item.payload,
            )
            for item in items
        ],
        ignore_conflicts=True,
    )
    keys = [item.key for item in items]
    stored = dict(store.Item.objects.filter(study_id=version.study_id, key__in=keys).values_list("key", "id"))
    groups = tuple(study.pool.groups) or ("",)
    units = tuple(Unit(tuple(unit), groups) for unit in group_items(items, part.tasks, study.seed))
    pool = store.Pool.objects.get(study_id=version.study_id, name=study.pool_name)
    number = store.Batch.objects.filter(version=version).aggregate(most=Max("number"))["most"] + 1
    asking = loading.Asking(asked_in(study, study.conditions_of(stage)), study.seed)
    batch = loading.open_batch(
        version, pool, stored, LaidBatch(stage, units, None, None), asking, now, number
    )
    if part.raters != "any":
        staging.close_to(batch.pk, pool.pk, study.conditions_before(stage), same=part.raters == "same")
    return batch
