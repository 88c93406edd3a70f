"""SQL of gold tasks: laid out with a batch, but wanted of nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from labelwright.crowd import PlaceState, Unit
from labelwright.server.store.models import Batch, Pool, TaskItem
from labelwright.server.store.rows import run
from labelwright.server.studies.queries.layout import ConditionDemand


def open_gold(
    batch: Batch,
    pool: Pool,
    items: Mapping[str, int],
    units: Sequence[Unit],
    conditions: Mapping[str, ConditionDemand],
) -> None:
    """Creates a task for each gold unit in each condition that knows an answer, with a place for each group.

    These places stand for any number: each rater who meets a gold task gets a place made for them. A rater meets a
    gold item only once, in whichever condition.
    """
    planned = [
        (n, name)
        for n, unit in enumerate(units)
        for name in conditions
        if conditions[name].gold & {*unit.keys}
    ]
    shown = [(n, position, key) for n, unit in enumerate(units) for position, key in enumerate(unit.keys)]
    groups = [(n, group) for n, unit in enumerate(units) for group in unit.groups]
    run(
        """WITH plan AS MATERIALIZED (
             SELECT nextval(pg_get_serial_sequence('task', 'id')) AS task, p.n, p.condition, p.design, p.items
             FROM unnest(%(units)s::int[], %(conditions)s::text[], %(designs)s::text[], %(sizes)s::int[])
               AS p(n, condition, design, items)),
           made AS (
             INSERT INTO task (id, study_id, version_id, batch_id, pool_id, design, condition, items, rank)
             SELECT task, %(study)s, %(version)s, %(batch)s, %(pool)s, design, condition, items, 0 FROM plan),
           shown AS (
             INSERT INTO task_item (study_id, task_id, position, item_id, spoil_key, also_spoils, role)
             SELECT %(study)s, task, i.position, i.item, i.key,
                    (SELECT array_agg(i.key || own) FROM unnest(%(owns)s::text[]) AS own), %(role)s
             FROM plan JOIN unnest(%(of)s::int[], %(positions)s::int[], %(keys)s::text[], %(items)s::bigint[])
               AS i(n, position, key, item) USING (n))
           INSERT INTO place (study_id, task_id, batch_id, pool_id, rater_group, condition, rank, state, gold)
           SELECT %(study)s, task, %(batch)s, %(pool)s, g.name, condition, 0, %(on_demand)s, true
           FROM plan JOIN unnest(%(group_units)s::int[], %(groups)s::text[]) AS g(n, name) USING (n)""",
        {
            "study": batch.study_id,
            "version": batch.version_id,
            "batch": batch.pk,
            "pool": pool.pk,
            "role": TaskItem.Role.GOLD,
            "on_demand": PlaceState.ON_DEMAND,
            "owns": sorted({each.spoil.own for each in conditions.values()} - {""}),
            "units": [n for n, _ in planned],
            "conditions": [name for _, name in planned],
            "designs": [conditions[name].design for _, name in planned],
            "sizes": [len(units[n].keys) for n, _ in planned],
            "of": [n for n, _, _ in shown],
            "positions": [position for _, position, _ in shown],
            "keys": [key for _, _, key in shown],
            "items": [items[key] for _, _, key in shown],
            "group_units": [n for n, _ in groups],
            "groups": [group for _, group in groups],
        },
    )
