"""Qualification batches: opened when a study is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from labelwright.corpus import Dialogue, Item, ItemsPart, make_items, turn_records
from labelwright.crowd import LaidBatch, Unit
from labelwright.crowd.qualification import CONDITION
from labelwright.errors import LabelwrightError, did_you_mean
from labelwright.server.people.actions.qualification import qualification_keys
from labelwright.server.store.models import Batch, Pool, StudyVersion
from labelwright.server.studies.queries import layout
from labelwright.study import Study
from labelwright.task import StoredItem, TasksPart, group_items, misplaced_gold


class NoSuchItem(LabelwrightError):
    """Reference answers to an item that is not in the corpus."""

    code: ClassVar[str] = "no_such_item"


def open_qualifications(
    version: StudyVersion,
    study: Study,
    pools: dict[str, Pool],
    dialogues: Sequence[Dialogue],
    now: datetime,
) -> None:
    """Opens a batch for each qualification, with a place for every applicant. Part of loading."""
    parts = {name: pool.qualification for name, pool in study.pools.items() if pool.qualification}
    if not parts:
        return
    whole = ItemsPart(kind=study.items.kind, passages=study.items.passages)
    known = {item.key: item for item in make_items(dialogues, whole, study.seed)}
    for name, part in parts.items():
        keys = qualification_keys(study, part)
        missing = [key for key in keys if key not in known]
        if missing:
            raise NoSuchItem(
                f'the corpus has no item "{missing[0]}", which pool "{name}" asks about.',
                do=did_you_mean(missing[0], known),
            )
        items = [known[key] for key in keys]
        _check_references(study, CONDITION + name, items, dialogues)
        stored = layout.store_items(version.study_id, dialogues, items)
        units = group_items(items, TasksPart(items_per_task=part.items_per_task), study.seed)
        laid = LaidBatch("", tuple(Unit(keys, ("",)) for keys in units), None, None)
        demand = layout.ConditionDemand(part.design, {"": study.pools[name].raters})
        demands = layout.BatchDemand({CONDITION + name: demand}, study.seed)
        batch = layout.open_batch(version, pools[name], stored, laid, demands, now)
        Batch.objects.filter(pk=batch.pk).update(purpose=Batch.Purpose.QUALIFY)


def _check_references(
    study: Study, condition: str, items: Sequence[Item], dialogues: Sequence[Dialogue]
) -> None:
    """Raises NoSuchItem for a reference answer that does not fit its item, such as a span beyond its text."""
    turns = {dialogue.key: turn_records(dialogue.turns) for dialogue in dialogues}
    askings = {
        item.key: [
            study.asking(
                condition, StoredItem(item.kind, turns[item.dialogue], item.target, item.payload, item.key)
            )
        ]
        for item in items
    }
    gold = {item.key: study.gold[item.key] for item in items}
    for problem in misplaced_gold(gold, askings, [study.design(condition)]):
        raise NoSuchItem(f"{problem}.", do="Correct `gold` in the study file.")
