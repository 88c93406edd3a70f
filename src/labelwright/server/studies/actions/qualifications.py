"""Qualification batches: planned when a study is loaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from labelwright.corpus import Dialogue, Item, ItemsPart, make_items, turn_records
from labelwright.crowd import LaidBatch, Unit
from labelwright.crowd.qualification import CONDITION
from labelwright.errors import LabelwrightError, did_you_mean
from labelwright.server.people.actions.qualification import qualification_keys
from labelwright.server.store.models import Batch
from labelwright.server.studies.actions.layout import Material
from labelwright.server.studies.queries.layout import BatchPlan, ConditionDemand
from labelwright.study import Study
from labelwright.task import StoredItem, TasksPart, group_items, misplaced_gold


class NoSuchItem(LabelwrightError):
    """Reference answers to an item that is not in the corpus."""

    code: ClassVar[str] = "no_such_item"


@dataclass(frozen=True, slots=True)
class PlannedQualifications:
    """The batches of qualifications, and their items."""

    plans: list[BatchPlan]
    items: list[Item]


def plan_qualifications(
    study: Study, dialogues: Sequence[Dialogue], material: Material, contents: Mapping[str, str]
) -> PlannedQualifications:
    """A batch for each qualification, with a place for every applicant; raises NoSuchItem."""
    parts = {name: pool.qualification for name, pool in study.pools.items() if pool.qualification}
    planned = PlannedQualifications([], [])
    if not parts:
        return planned
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
        units = group_items(items, TasksPart(items_per_task=part.items_per_task), study.seed)
        planned.items.extend(items)
        planned.plans.append(
            BatchPlan(
                LaidBatch("", tuple(Unit(keys, ("",)) for keys in units), None, None),
                [material.content(known[key] for key in unit) for unit in units],
                name,
                {
                    CONDITION + name: ConditionDemand(
                        contents[CONDITION + name], {"": study.pools[name].raters}
                    )
                },
                0,
                Batch.Purpose.QUALIFY,
            )
        )
    return planned


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
