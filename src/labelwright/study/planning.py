"""The layout of a study and the demand for each group, as input for the planner and for loading."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from labelwright.corpus import Dialogue, Item
from labelwright.crowd import Demand, EarlierWork, LaidBatch, Plan, Unit, lay_out, make_plan
from labelwright.crowd.item_sets import BadLayout
from labelwright.seeds import rank
from labelwright.study.gold import gold_warnings
from labelwright.study.model import Study
from labelwright.task import group_gold, group_items


def lay_out_study(
    study: Study,
    items: Sequence[Item],
    dialogues: Sequence[Dialogue],
    kept: Sequence[tuple[str, ...]] = (),
    *,
    drawn: Collection[str] = frozenset(),
    for_models: bool = False,
) -> list[LaidBatch]:
    """The batches of a study with their tasks; raises BadLayout.

    `kept` has the groups of items of an earlier version, which stay as they are. People get the share of tasks that the
    study file says, and those whose first item was drawn for them; `for_models` gives all of them.
    """
    by_key = {item.key: item for item in items}
    # Gold items do not belong to a batch or set, because raters meet them in each.
    gold = [item for item in items if item.key in study.gold_keys]
    ordinary = [item for item in items if item.key not in study.gold_keys]
    laid = lay_out(
        _topics(study, ordinary, dialogues),
        lambda keys: group_items([by_key[key] for key in keys], study.tasks, study.seed, kept),
        study.sets,
        study.pool.groups,
        study.batches,
        study.seed,
    )
    groups = tuple(study.pool.groups) or ("",)
    units = tuple(Unit(keys, groups) for keys in group_gold(gold, study.tasks))
    laid = [replace(batch, gold=units) for batch in laid]
    if for_models:
        return laid
    shared = [_shared(study, batch, drawn) for batch in laid]
    if not any(batch.units for batch in shared):
        raise BadLayout("`people_share` leaves no task for people.", do="Raise it, or add items.")
    return shared


def _shared(study: Study, batch: LaidBatch, drawn: Collection[str]) -> LaidBatch:
    """The batch with the tasks that people rate. Each task is drawn by itself, so that a larger share keeps the others."""
    if study.people_share >= 1:
        return batch
    units = tuple(unit for unit in batch.units if unit.keys[0] in drawn or is_for_people(study, unit.keys[0]))
    return replace(batch, units=units)


def is_for_people(study: Study, key: str) -> bool:
    """Whether people rate the task that begins with this item."""
    return rank(study.seed, "people share", key) < study.people_share * 2**63


def plan_study(
    study: Study,
    laid: Sequence[LaidBatch],
    left_out_share: float = 0.0,
    progress: Mapping[str, EarlierWork] | None = None,
) -> Plan:
    """The plan of a study: whether its raters can complete it, and how balanced it stays.

    `progress` says by group what was done in earlier versions.
    """
    pool = study.pool
    # The number of items in later stages is unknown.
    begun = study.conditions_of(None)
    groups = {name: group.raters for name, group in pool.groups.items()} or {
        "": study.raters_in(study.pool_name)
    }
    demands = [
        Demand(
            group,
            raters,
            tuple(batch for batch in laid if batch.units_of(group)),
            {name: study.redundancy_of(name, group) for name in begun},
            {name: spoil for name, spoil in study.spoils().items() if name in begun},
            pool.caps,
            left_out_share,
            (progress or {}).get(group, EarlierWork()),
            gold_one_in=None if study.tasks.gold_within else study.tasks.gold_one_in,
            gold=_count_gold(study, laid),
        )
        for group, raters in groups.items()
    ]
    demands = [demand for demand in demands if demand.batches]
    most = max((demand.most_tasks for demand in demands), default=0)
    return replace(make_plan(demands, study.seed), warnings=tuple(gold_warnings(study, most)))


def fewest_raters(study: Study, wanted: int) -> int:
    """The fewest raters who can give the wanted ratings, without a look at the items: the plan can need more."""
    begun = study.conditions_of(None)
    spoils = {name: spoil for name, spoil in study.spoils().items() if name in begun}
    demands = [
        Demand(
            group, 0, (), {name: study.redundancy_of(name, group) for name in begun}, spoils, study.pool.caps
        )
        for group in study.pool.groups or [""]
    ]
    by_cap = -(-wanted // study.pool.caps.tasks) if study.pool.caps.tasks else 0
    return max(by_cap, sum(demand.raters_per_item for demand in demands))


def _count_gold(study: Study, laid: Sequence[LaidBatch]) -> int:
    """The number of gold units that raters can meet."""
    known = frozenset[str]().union(*(study.gold_in(name) for name in study.conditions_of(None)))
    return sum(not known.isdisjoint(unit.keys) for unit in laid[0].gold)


def _topics(study: Study, items: Sequence[Item], dialogues: Sequence[Dialogue]) -> dict[str, str]:
    field = study.batches.topic if study.batches else "dialogue"
    topics = {d.key: d.key if field == "dialogue" else str(d.meta.get(field, "")) for d in dialogues}
    return {item.key: topics[item.dialogue] for item in items}
