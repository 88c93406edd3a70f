"""SQL of gold tasks: laid out with the batches of a version, but wanted of nobody. Called after `places.open_places`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from labelwright.crowd import PlaceState
from labelwright.server.store.models import TaskItem
from labelwright.server.store.rows import literal, run
from labelwright.server.studies.queries.layout import BatchPlan

ON_DEMAND = literal(PlaceState.ON_DEMAND)
STANDS = f"({ON_DEMAND}, {literal(PlaceState.WAITING)})"
"""The states of a place that stands for a gold task."""


def open_gold(study: int, plans: Sequence[BatchPlan], items: Mapping[str, int]) -> None:
    """Creates a task for each gold unit in each condition that knows an answer, with a place for each batch and group.

    These places stand for any number: each rater who meets a gold task gets a place made for them. Places that an
    earlier version has, and that this version does not, are closed.
    """
    _lay_out_gold(plans)
    run(
        """INSERT INTO task (study_id, content, condition, items)
           SELECT DISTINCT %s::bigint, content, condition, items FROM laid_gold ON CONFLICT (study_id, content) DO NOTHING""",
        [study],
    )
    _store_items(study, plans, items)
    run(
        f"""UPDATE place p SET state = {literal(PlaceState.CLOSED)} FROM batch b
            WHERE b.id = p.batch_id AND b.study_id = %(study)s AND p.gold AND p.state IN {STANDS} AND NOT EXISTS (
              SELECT 1 FROM laid_gold g JOIN laid_batch l USING (plan)
              JOIN task t ON t.study_id = %(study)s AND t.content = g.content
              WHERE t.id = p.task_id AND l.batch = p.batch_id AND l.pool = p.pool_id
                AND g.rater_group = p.rater_group)""",
        {"study": study},
    )
    run(
        f"""INSERT INTO place (study_id, task_id, batch_id, pool_id, rater_group, condition, rank, state, gold)
            SELECT %(study)s, t.id, l.batch, l.pool, g.rater_group, g.condition, 0, {ON_DEMAND}, true
            FROM laid_gold g JOIN laid_batch l USING (plan)
            JOIN task t ON t.study_id = %(study)s AND t.content = g.content
            WHERE NOT EXISTS (
              SELECT 1 FROM place p WHERE p.task_id = t.id AND p.batch_id = l.batch AND p.pool_id = l.pool
                AND p.rater_group = g.rater_group AND p.state IN {STANDS})""",
        {"study": study},
    )
    run("DROP TABLE laid_gold")


def _lay_out_gold(plans: Sequence[BatchPlan]) -> None:
    """A line for each gold unit, condition and group of each planned batch."""
    rows = [
        (n, u, name, each.content + plan.gold_contents[u], len(unit.keys), group)
        for n, plan in enumerate(plans)
        for u, unit in enumerate(plan.laid.gold)
        for name, each in plan.conditions.items()
        if not each.gold.isdisjoint(unit.keys)
        for group in unit.groups
    ]
    run(
        """CREATE TEMPORARY TABLE laid_gold ON COMMIT DROP AS
           SELECT * FROM unnest(%s::int[], %s::int[], %s::text[], %s::text[], %s::int[], %s::text[])
             AS g(plan, unit, condition, content, items, rater_group)""",
        [[row[column] for row in rows] for column in range(6)],
    )
    run("ANALYZE laid_gold")


def _store_items(study: int, plans: Sequence[BatchPlan], items: Mapping[str, int]) -> None:
    """The items of gold tasks. A rater meets a gold item only once, in whichever condition."""
    shown = [
        (n, u, position, key)
        for n, plan in enumerate(plans)
        for u, unit in enumerate(plan.laid.gold)
        for position, key in enumerate(unit.keys)
    ]
    owns = {each.spoil.own for plan in plans if plan.laid.gold for each in plan.conditions.values()}
    run(
        """INSERT INTO task_item AS x (study_id, task_id, position, item_id, spoil_key, also_spoils, role)
           SELECT DISTINCT ON (t.id, i.position) %(study)s::bigint, t.id, i.position, i.item, i.key,
                  (SELECT array_agg(i.key || own) FROM unnest(%(owns)s::text[]) AS own), %(role)s
           FROM laid_gold g JOIN task t ON t.study_id = %(study)s AND t.content = g.content
           JOIN unnest(%(plans)s::int[], %(units)s::int[], %(positions)s::int[], %(keys)s::text[], %(items)s::bigint[])
             AS i(plan, unit, position, key, item) USING (plan, unit)
           ON CONFLICT (task_id, position, study_id) DO UPDATE
           SET spoil_key = excluded.spoil_key, also_spoils = excluded.also_spoils""",
        {
            "study": study,
            "owns": sorted(owns - {""}),
            "role": TaskItem.Role.GOLD,
            "plans": [n for n, _, _, _ in shown],
            "units": [u for _, u, _, _ in shown],
            "positions": [position for _, _, position, _ in shown],
            "keys": [key for _, _, _, key in shown],
            "items": [items[key] for _, _, _, key in shown],
        },
    )
