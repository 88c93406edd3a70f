"""What the batches of a version are laid out by: their units, the content of their tasks, and the ratings wanted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from labelwright.corpus import Dialogue, Item
from labelwright.crowd import LaidBatch, Spoil, Unit
from labelwright.server.store.models import Batch, StudyVersion
from labelwright.server.studies.queries import stages
from labelwright.server.studies.queries.layout import BatchPlan, ConditionDemand
from labelwright.study import Study, gold_content, items_content


@dataclass(frozen=True, slots=True)
class Material:
    """The dialogues of a version by key, as hashes."""

    hashes: Mapping[str, str]

    def content(self, items: Iterable[Item]) -> str:
        """The content of the items of a unit."""
        return items_content(self._pinned(items))

    def gold_content(self, items: Iterable[Item]) -> str:
        """The content of the items of a gold unit."""
        return gold_content(self._pinned(items))

    def _pinned(self, items: Iterable[Item]) -> Iterator[tuple[str, str]]:
        return ((item.key, self.hashes[item.dialogue]) for item in items)


def material_of(dialogues: Sequence[Dialogue]) -> Material:
    """Each dialogue is hashed once, however many tasks it is in."""
    return Material({dialogue.key: dialogue.sha256 for dialogue in dialogues})


def demands_of(
    study: Study, conditions: Iterable[str], contents: Mapping[str, str]
) -> dict[str, ConditionDemand]:
    """What each of these conditions needs in a batch."""
    spoils, groups = study.spoils(), list(study.pool.groups) or [""]
    return {
        name: ConditionDemand(
            contents[name],
            {group: study.redundancy_of(name, group) for group in groups},
            spoils[name],
            study.gold_in(name),
        )
        for name in conditions
    }


def plan_first_stage(
    study: Study,
    laid: Sequence[LaidBatch],
    items: Iterable[Item],
    material: Material,
    contents: Mapping[str, str],
) -> list[BatchPlan]:
    """The batches of the calendar."""
    by_key = {item.key: item for item in items}
    demands = demands_of(study, study.conditions_of(None), contents)
    return [
        BatchPlan(
            batch,
            [material.content(by_key[key] for key in unit.keys) for unit in batch.units],
            study.pool_name,
            demands,
            number,
            gold_contents=[material.gold_content(by_key[key] for key in unit.keys) for unit in batch.gold],
        )
        for number, batch in enumerate(laid)
    ]


def plan_model_batches(study: Study, people: Sequence[BatchPlan]) -> list[BatchPlan]:
    """The batches that models rate: those of people once more, with one place for each task.

    Models have tasks of their own, so that nothing that is counted by task mixes their work with people's.
    """
    plans = []
    for pool in study.model_pools:
        for plan in people:
            asked = {name: _content_for(demand.content, pool) for name, demand in plan.conditions.items()}
            demands = {
                # A model remembers nothing, so it rates an item in every condition, and again if the questions change.
                name: ConditionDemand(content, {"": 1}, Spoil(f"/{name}/{content}", ()))
                for name, content in asked.items()
            }
            units = tuple(Unit(unit.keys, ("",)) for unit in plan.laid.units)
            laid = LaidBatch(plan.laid.topic, units, plan.laid.opens_at, plan.laid.closes_at)
            plans.append(BatchPlan(laid, plan.unit_contents, pool, demands, plan.number, Batch.Purpose.JUDGE))
    return plans


def _content_for(content: str, pool: str) -> str:
    """The content of the same question for a model; another model is asked another."""
    return hashlib.sha256(f"{content}\x1f{pool}".encode()).hexdigest()[: len(content)]


@dataclass(frozen=True, slots=True)
class KeptStages:
    """The batches of later stages that go on in the next version, and the ids of their items."""

    plans: list[BatchPlan]
    items: dict[str, int]


def plan_kept_stages(
    newest: StudyVersion, old: Study, new: Study, contents: Mapping[str, str], first_number: int
) -> KeptStages:
    """The batches of later stages whose items were chosen in conditions that did not change.

    The items of other stages are chosen anew, once the answers for that are there.
    """
    before = {name: content[1] for name, content in newest.contents.items()}
    kept = [
        name
        for name, part in new.stages.items()
        if old.stages.get(name) == part
        and old.conditions_before(name) == new.conditions_before(name)
        and all(before[condition] == contents[condition] for condition in new.conditions_before(name))
    ]
    groups = tuple(new.pool.groups) or ("",)
    found = KeptStages([], {})
    of_people = Batch.objects.filter(version=newest, topic__in=kept, purpose=Batch.Purpose.COLLECT)
    for batch in of_people.order_by("number"):
        units = stages.units_of(batch.pk)
        for unit in units:
            found.items.update(zip(unit.keys, unit.items, strict=True))
        found.plans.append(
            BatchPlan(
                LaidBatch(batch.topic, tuple(Unit(tuple(unit.keys), groups) for unit in units), None, None),
                [items_content(zip(unit.keys, unit.hashes, strict=True)) for unit in units],
                new.pool_name,
                demands_of(new, new.conditions_of(batch.topic), contents),
                first_number + len(found.plans),
            )
        )
    return found
