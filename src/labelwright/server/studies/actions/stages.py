"""Stages: once items have their ratings, the parts that raters chose become the items of the next stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from labelwright.corpus import Item
from labelwright.crowd import BatchState, LaidBatch, Unit
from labelwright.server.access.actions.audit import AUTOMATIC, log_change
from labelwright.server.store.changes import note_change, note_changed_tasks
from labelwright.server.store.models import Batch, ItemRow, Pool, StudyRow, StudyVersion
from labelwright.server.store.versions import study_of
from labelwright.server.studies.actions.adoption import adopt_version
from labelwright.server.studies.actions.batches import open_further_batches
from labelwright.server.studies.actions.layout import demands_of, plan_model_batches
from labelwright.server.studies.queries import stages
from labelwright.server.studies.queries.layout import BatchPlan
from labelwright.server.studies.queries.stages import Parent
from labelwright.study import Study, items_content
from labelwright.task import Chosen, StagePart, StoredItem, group_items, item_parts, stage_items


@dataclass(frozen=True, slots=True)
class Advanced:
    """What a stage gained."""

    stage: str
    items: int
    wanted: int
    waiting: int
    """Items of the previous stage that still need ratings."""


@transaction.atomic
def advance(study: StudyRow, now: datetime, *, hurry: bool = False, who: str = AUTOMATIC) -> list[Advanced]:
    """Opens the items of every later stage that are ready, in the newest version; run again, it opens nothing twice.

    `hurry` opens items that have their ratings even if the stage would wait for all of them. Locks the
    study, so that two callers do not open the same items.
    """
    StudyRow.objects.select_for_update(no_key=True).get(pk=study.pk)
    version = study.versions.latest("n")
    adopt_version(version)
    loaded = study_of(version.pk)
    done = [_advance(version, loaded, name, now, hurry=hurry) for name in loaded.stages]
    for stage in done:
        if stage.items:
            log_change(study.pk, who, "advance", stage.stage, now, after={"items": stage.items})
    return done


def advance_all(now: datetime) -> int:
    """Opens what is ready in every study with stages; returns how many items. Called by a periodic job."""
    versions = Batch.objects.exclude(state=BatchState.CLOSED).values_list("version", flat=True)
    opened = 0
    for version in StudyVersion.objects.filter(pk__in=set(versions)).select_related("study"):
        if study_of(version.pk).stages:
            opened += sum(done.items for done in advance(version.study, now))
    return opened


def _advance(version: StudyVersion, study: Study, stage: str, now: datetime, *, hurry: bool) -> Advanced:
    part, after = study.stages[stage], study.conditions_before(stage)
    parents = stages.parents(version.pk, after, study.conditions_of(stage))
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
    version: StudyVersion,
    study: Study,
    part: StagePart,
    after: Sequence[str],
    ready: Sequence[Parent],
) -> list[Item]:
    chosen: dict[int, list[Chosen]] = {}
    for choice in stages.choosing_answers(version.pk, after, part.question, [parent.id for parent in ready]):
        question = study.design(choice.condition).question(part.question)
        assert question is not None
        chosen.setdefault(choice.item, []).append(Chosen(choice.assignment, question.selected(choice.value)))
    made = []
    for parent in ready:
        stored = StoredItem(parent.kind, parent.turns, parent.target, parent.payload, parent.key)
        text = item_parts(stored, study.conditions[after[0]].context).text
        item = Item(
            parent.key, parent.dialogue_key, parent.target, parent.system, parent.kind, payload=parent.payload
        )
        made += stage_items(item, text, chosen.get(parent.id, []), part)
    return made


def _open(
    version: StudyVersion,
    study: Study,
    stage: str,
    ready: Sequence[Parent],
    items: Sequence[Item],
    now: datetime,
) -> Batch:
    part = study.stages[stage]
    dialogues = {parent.key: parent.dialogue for parent in ready}
    ItemRow.objects.bulk_create(
        [
            ItemRow(
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
    stored = dict(ItemRow.objects.filter(study_id=version.study_id, key__in=keys).values_list("key", "id"))
    groups = tuple(study.pool.groups) or ("",)
    units = group_items(items, part.tasks, study.seed)
    hashes = stages.hashes_of(stored.values())
    pools = {pool.name: pool for pool in Pool.objects.filter(study_id=version.study_id)}
    contents = {name: content for name, (_, content) in version.contents.items()}
    plan = BatchPlan(
        LaidBatch(stage, tuple(Unit(tuple(unit), groups) for unit in units), None, None),
        [items_content((key, hashes[stored[key]]) for key in unit) for unit in units],
        study.pool_name,
        demands_of(study, study.conditions_of(stage), contents),
        Batch.objects.filter(version=version).aggregate(most=Max("number"))["most"] + 1,
    )
    note_change(version.study_id)
    note_changed_tasks(version.study_id)
    plans = [plan, *plan_model_batches(study, [plan])]
    batch, *_ = open_further_batches(version, plans, pools, stored, study.seed, now)
    if part.raters != "any":
        people = pools[study.pool_name]
        stages.close_to(batch.pk, people.pk, study.conditions_before(stage), same=part.raters == "same")
    return batch
