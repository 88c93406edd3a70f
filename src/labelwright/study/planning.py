"""The layout of a study and the demand for each group, as input for the planner and for loading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from labelwright.corpus import Dialogue, Item
from labelwright.crowd import Demand, EarlierWork, LaidBatch, Plan, lay_out, make_plan
from labelwright.study.model import Study
from labelwright.task import group_items


def lay_out_study(
    study: Study,
    items: Sequence[Item],
    dialogues: Sequence[Dialogue],
    kept: Sequence[tuple[str, ...]] = (),
) -> list[LaidBatch]:
    """The batches of a study with their tasks; raises BadLayout.

    `kept` has the groups of items of an earlier version, which stay as they are.
    """
    by_key = {item.key: item for item in items}
    # Gold items do not belong to a batch or set, because they are mixed into each.
    gold = [item for item in items if item.key in study.gold_keys]
    ordinary = [item for item in items if item.key not in study.gold_keys]
    return lay_out(
        _topics(study, ordinary, dialogues),
        lambda keys: group_items(
            [*(by_key[key] for key in keys), *gold], study.tasks, study.seed, study.gold_keys, kept
        ),
        study.sets,
        study.pool.groups,
        study.batches,
        study.seed,
    )


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
        )
        for group, raters in groups.items()
    ]
    return make_plan([demand for demand in demands if demand.batches], study.seed)


def _topics(study: Study, items: Sequence[Item], dialogues: Sequence[Dialogue]) -> dict[str, str]:
    field = study.batches.topic if study.batches else "dialogue"
    topics = {d.key: d.key if field == "dialogue" else str(d.meta.get(field, "")) for d in dialogues}
    return {item.key: topics[item.dialogue] for item in items}
