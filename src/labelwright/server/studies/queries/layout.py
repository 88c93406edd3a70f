"""The layout of a version: its units and conditions in temporary tables, compared with the tasks that exist.

`lay_out` makes the tables that the other functions of this module and those of `places` read; they last until the
transaction ends:

- `laid`: a line for each unit and condition of each planned batch
- `known`: a line for each content, with its task where there is one
- `laid_batch`: the batch that each planned batch continues, if any
- `wanted`: how many ratings of each task each group gives
- `placed`: the places of existing tasks
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labelwright import crowd
from labelwright.crowd import CountScope, DataUse, LaidBatch, MemberState, PlaceState, Spoil
from labelwright.crowd.qualification import CONDITION
from labelwright.server.store.models import Batch, TaskItem
from labelwright.server.store.rows import column, counts, literal, records, run

NO_SPOIL = Spoil("", ())
"""A rater meets each item once."""
ALSO = "\x1e"
"""Separates the parts that a condition spoils besides its own."""
FIXED = f"({literal(PlaceState.LEASED)}, {literal(PlaceState.FILLED)})"
"""The states of a place that a rater has, or had."""
STORED = "(" + ", ".join(map(literal, crowd.STORED)) + ")"
LEFT_OUT = literal(DataUse.LEFT_OUT)
OFFERABLE = f"({literal(PlaceState.OPEN)}, {literal(PlaceState.WAITING)})"


@dataclass(frozen=True, slots=True)
class ConditionDemand:
    """What one condition needs: the content of what it asks, the ratings wanted by group, what it spoils, and its gold."""

    content: str
    redundancy: Mapping[str, int]
    spoil: Spoil = NO_SPOIL
    gold: frozenset[str] = frozenset()
    """Keys of gold items that have an answer to its questions."""


@dataclass(frozen=True, slots=True)
class BatchPlan:
    """A batch of a version before it is stored."""

    laid: LaidBatch
    unit_contents: Sequence[str]
    """The content of the items of each unit."""
    pool: str
    conditions: Mapping[str, ConditionDemand]
    number: int
    purpose: Batch.Purpose = Batch.Purpose.COLLECT
    gold_contents: Sequence[str] = ()
    """The content of the items of each gold unit."""


def lay_out(study: int, plans: Sequence[BatchPlan], seed: int) -> None:
    """Makes the temporary tables of a layout, and compares them with the tasks and places that exist. Changes nothing.

    The order within a condition is that of `seeds.rank`: md5 of seed, condition and the key of the first item.
    """
    units = [(n, u, unit) for n, plan in enumerate(plans) for u, unit in enumerate(plan.laid.units)]
    asked = [(n, name, each) for n, plan in enumerate(plans) for name, each in plan.conditions.items()]
    run(
        """CREATE TEMPORARY TABLE laid ON COMMIT DROP AS
           SELECT u.plan, u.unit, u.items, u.groups, c.name AS condition, c.asked || u.content AS content, c.own, c.also,
                  row_number() OVER (
                    PARTITION BY u.plan, c.name
                    ORDER BY md5(concat_ws(chr(31), %s::text, 'task', c.name, u.first)) COLLATE "C") - 1 AS rank
           FROM unnest(%s::int[], %s::int[], %s::text[], %s::int[], %s::text[], %s::text[])
             AS u(plan, unit, first, items, groups, content)
           JOIN unnest(%s::int[], %s::text[], %s::text[], %s::text[], %s::text[]) AS c(plan, name, asked, own, also)
             USING (plan)""",
        [
            str(seed),
            [n for n, _, _ in units],
            [u for _, u, _ in units],
            [unit.keys[0] for _, _, unit in units],
            [len(unit.keys) for _, _, unit in units],
            [",".join(unit.groups) for _, _, unit in units],
            [plans[n].unit_contents[u] for n, u, _ in units],
            [n for n, _, _ in asked],
            [name for _, name, _ in asked],
            [each.content for _, _, each in asked],
            [each.spoil.own for _, _, each in asked],
            [ALSO.join(each.spoil.also) for _, _, each in asked],
        ],
    )
    run(
        """CREATE TEMPORARY TABLE known ON COMMIT DROP AS
           SELECT d.content, d.plan, t.id AS task, t.id IS NULL AS is_new
           FROM (SELECT content, min(plan) AS plan FROM laid GROUP BY 1) d
           LEFT JOIN task t ON t.study_id = %s AND t.content = d.content""",
        [study],
    )
    run("CREATE INDEX ON known (task)")
    run("ANALYZE laid, known")
    _lay_out_batches(plans)
    _lay_out_places(study, plans)


@dataclass(frozen=True, slots=True)
class _Overlap:
    plan: int
    batch: int


def _lay_out_batches(plans: Sequence[BatchPlan]) -> None:
    """Each planned batch continues the batch that holds most places of its tasks."""
    overlaps = records(
        _Overlap,
        """SELECT l.plan, p.batch_id AS batch FROM known k JOIN place p ON p.task_id = k.task
           JOIN laid l ON l.content = k.content GROUP BY 1, 2 ORDER BY count(*) DESC, 1, 2""",
    )
    continued: dict[int, int] = {}
    for found in overlaps:
        if found.plan not in continued and found.batch not in continued.values():
            continued[found.plan] = found.batch
    run(
        """CREATE TEMPORARY TABLE laid_batch ON COMMIT DROP AS
           SELECT *, NULL::bigint AS pool FROM unnest(%s::int[], %s::bigint[], %s::bigint[]) AS b(plan, batch, number)""",
        [
            list(range(len(plans))),
            [continued.get(n) for n in range(len(plans))],
            [plan.number for plan in plans],
        ],
    )


def _lay_out_places(study: int, plans: Sequence[BatchPlan]) -> None:
    demands = [
        (n, name, group, wanted)
        for n, plan in enumerate(plans)
        for name, each in plan.conditions.items()
        for group, wanted in each.redundancy.items()
    ]
    run(
        """CREATE TEMPORARY TABLE wanted ON COMMIT DROP AS
           SELECT l.plan, l.content, l.condition, g AS rater_group, min(l.rank) AS rank, sum(w.n)::int AS n
           FROM laid l
           CROSS JOIN LATERAL regexp_split_to_table(l.groups, ',') AS g
           JOIN unnest(%s::int[], %s::text[], %s::text[], %s::int[]) AS w(plan, condition, rater_group, n)
             ON w.plan = l.plan AND w.condition = l.condition AND w.rater_group = g
           GROUP BY 1, 2, 3, 4""",
        [list(each) for each in zip(*demands, strict=True)],
    )
    # A task can be in several batches; a place elsewhere counts for the first of them. Open places of a pool that no
    # longer rates the task do not count, because nobody would be offered them.
    run(
        f"""CREATE TEMPORARY TABLE placed ON COMMIT DROP AS
            SELECT p.id, k.content, coalesce(l.plan, k.plan) AS plan, p.rater_group, p.ordinal, p.state, p.batch_id AS batch,
                   p.state IN {FIXED} AS fixed, q.name IS NOT NULL AS in_pool
            FROM known k JOIN place p ON p.task_id = k.task
            LEFT JOIN laid_batch b ON b.batch = p.batch_id
            LEFT JOIN laid l ON l.plan = b.plan AND l.content = k.content
            LEFT JOIN pool own ON own.id = p.pool_id
            LEFT JOIN unnest(%s::int[], %s::text[]) AS q(plan, name)
              ON q.plan = coalesce(l.plan, k.plan) AND q.name = own.name""",
        [list(range(len(plans))), [plan.pool for plan in plans]],
    )
    run(
        f"""CREATE TEMPORARY TABLE standing ON COMMIT DROP AS
            SELECT w.*, coalesce(h.fixed, 0) AS fixed, coalesce(h.filled, 0) AS filled,
                   coalesce(h.offerable, 0) AS offerable, greatest(0, w.n - coalesce(h.fixed, 0)) AS needed
            FROM wanted w LEFT JOIN (
              SELECT plan, content, rater_group, count(*) FILTER (WHERE fixed) AS fixed,
                     count(*) FILTER (WHERE state = {literal(PlaceState.FILLED)}) AS filled,
                     count(*) FILTER (WHERE state IN {OFFERABLE} AND in_pool) AS offerable
              FROM placed GROUP BY 1, 2, 3) h USING (plan, content, rater_group)""",
    )
    run("ANALYZE wanted, placed, standing")


@dataclass(frozen=True, slots=True)
class ConditionChange:
    """What a version keeps of a condition and what it adds, in tasks and ratings."""

    condition: str
    kept_tasks: int
    new_tasks: int
    stay: int
    """Ratings of kept tasks."""
    new_ratings: int
    """Ratings wanted of new tasks."""
    added: int
    """Further ratings wanted of kept tasks."""
    closed: int
    """Ratings of kept tasks that are no longer wanted."""
    open: int
    """Ratings still to collect, of kept and new tasks."""


def condition_changes(plans: int) -> list[ConditionChange]:
    """The changes by condition in the first plans, which are those of people; call after `lay_out`."""
    return records(
        ConditionChange,
        """SELECT s.condition,
                  count(DISTINCT s.content) FILTER (WHERE NOT k.is_new) AS kept_tasks,
                  count(DISTINCT s.content) FILTER (WHERE k.is_new) AS new_tasks,
                  sum(s.filled)::bigint AS stay,
                  coalesce(sum(s.n) FILTER (WHERE k.is_new), 0)::bigint AS new_ratings,
                  coalesce(sum(greatest(0, s.needed - s.offerable)) FILTER (WHERE NOT k.is_new), 0)::bigint AS added,
                  sum(greatest(0, s.offerable - s.needed))::bigint AS closed,
                  sum(s.n - least(s.n, s.filled))::bigint AS open
           FROM standing s JOIN known k USING (content) WHERE s.plan < %s GROUP BY 1 ORDER BY min(s.plan), 1""",
        [plans],
    )


@dataclass(frozen=True, slots=True)
class LeftTasks:
    """Tasks of a condition in the newest version that the next version no longer has."""

    condition: str
    tasks: int
    ratings: int
    at_work: int
    open: int
    versions: list[int]
    """The versions under which their ratings were given."""


def left_tasks(version: int) -> list[LeftTasks]:
    """The tasks of a version that the layout does not keep, by condition; call after `lay_out`."""
    return records(
        LeftTasks,
        f"""SELECT p.condition, count(DISTINCT p.task_id) AS tasks,
                   count(*) FILTER (WHERE p.state = {literal(PlaceState.FILLED)}) AS ratings,
                   count(*) FILTER (WHERE p.state = {literal(PlaceState.LEASED)}) AS at_work,
                   count(*) FILTER (WHERE p.state IN {OFFERABLE}) AS open,
                   coalesce(array_agg(DISTINCT v.n) FILTER (WHERE v.n IS NOT NULL), '{{}}') AS versions
            FROM batch b JOIN place p ON p.batch_id = b.id
            LEFT JOIN assignment a ON a.place_id = p.id AND a.state IN {STORED} AND a.data_use <> {LEFT_OUT}
            LEFT JOIN study_version v ON v.id = a.version_id
            WHERE b.version_id = %s AND b.purpose <> {literal(Batch.Purpose.JUDGE)} AND NOT p.gold AND NOT EXISTS (SELECT 1 FROM known k WHERE k.task = p.task_id)
            GROUP BY 1 ORDER BY 1""",
        [version],
    )


def kept_by_group(conditions: Sequence[str], plans: int) -> dict[str, int]:
    """Wanted ratings of conditions in the first plans that are there, by group; call after `lay_out`."""
    return counts(
        "SELECT rater_group, sum(least(n, filled))::int FROM standing WHERE condition = ANY(%s) AND plan < %s GROUP BY 1",
        [list(conditions), plans],
    )


@dataclass(frozen=True, slots=True)
class BegunRater:
    """A rater of a pool who has work, and how much."""

    group: str
    done: int


def raters_who_began(study: int, pool: str) -> list[BegunRater]:
    """The active members of a pool with work in any version, qualifications aside."""
    return records(
        BegunRater,
        """SELECT m.rater_group AS "group", sum(c.n)::int AS done
           FROM pool p JOIN member m ON m.pool_id = p.id
           JOIN rater_count c ON c.rater_id = m.rater_id AND c.scope = %s AND c.key NOT LIKE %s
           WHERE p.study_id = %s AND p.name = %s AND m.state = %s
           GROUP BY m.rater_id, m.rater_group HAVING sum(c.n) > 0 ORDER BY m.rater_id""",
        [CountScope.CONDITION, CONDITION + "%", study, pool, MemberState.ACTIVE],
    )


def make_tasks(study: int, plans: Sequence[BatchPlan], items: Mapping[str, int]) -> None:
    """Creates the tasks whose content is new, with their items."""
    placed = [
        (n, u, position, _seen_as(plan, u, position), items[key])
        for n, plan in enumerate(plans)
        for u, unit in enumerate(plan.laid.units)
        for position, key in enumerate(unit.keys)
    ]
    run(
        """CREATE TEMPORARY TABLE laid_item ON COMMIT DROP AS
           SELECT * FROM unnest(%s::int[], %s::int[], %s::int[], %s::text[], %s::bigint[])
             AS i(plan, unit, position, key, item)""",
        [list(values) for values in zip(*placed, strict=True)] or [[]] * 5,
    )
    run("ANALYZE laid_item")
    run(
        """INSERT INTO task (study_id, content, condition, items)
           SELECT DISTINCT ON (l.content) %s, l.content, l.condition, l.items
           FROM known k JOIN laid l USING (content) WHERE k.is_new ORDER BY l.content, l.plan, l.unit""",
        [study],
    )
    run(
        "UPDATE known SET task = t.id FROM task t WHERE known.is_new AND t.study_id = %s AND t.content = known.content",
        [study],
    )
    run(
        f"""WITH l AS (
              SELECT DISTINCT ON (laid.content) known.task, laid.plan, laid.unit, laid.own, laid.also
              FROM known JOIN laid USING (content) WHERE known.is_new ORDER BY laid.content, laid.plan, laid.unit)
            INSERT INTO task_item (study_id, task_id, position, item_id, spoil_key, also_spoils, role)
            SELECT %(study)s, l.task, i.position, i.item, i.key || l.own, {_ALSO_SPOILS}, %(item)s
            FROM l JOIN laid_item i ON i.plan = l.plan AND i.unit = l.unit""",
        {"study": study, "also": ALSO, "item": TaskItem.Role.ITEM},
    )


def _seen_as(plan: BatchPlan, unit: int, position: int) -> str:
    """What a rater has seen of a unit. A model remembers nothing, so it rates an item again if its unit changes at all."""
    if plan.purpose == Batch.Purpose.JUDGE:
        return f"{plan.unit_contents[unit]}.{position}"
    return plan.laid.units[unit].keys[position]


_ALSO_SPOILS = (
    "(SELECT array_agg(i.key || spoilt) FROM string_to_table(nullif(l.also, ''), %(also)s) AS spoilt)"
)


def change_spoils(study: int) -> None:
    """Gives kept tasks the keys of changed assignment rules, also for the raters who have already seen their items."""
    run(
        f"""UPDATE task_item x SET spoil_key = i.key || l.own, also_spoils = {_ALSO_SPOILS}
           FROM known k JOIN laid l USING (content) JOIN laid_item i ON i.plan = l.plan AND i.unit = l.unit
           WHERE NOT k.is_new AND x.task_id = k.task AND x.position = i.position""",
        {"also": ALSO},
    )
    run(
        """INSERT INTO exposure (study_id, rater_id, spoil_key)
           SELECT DISTINCT %s::bigint, a.rater_id, seen
           FROM known k JOIN task t ON t.id = k.task OR t.base_id = k.task JOIN assignment a ON a.task_id = t.id
           JOIN task_item x ON x.task_id = k.task
           CROSS JOIN LATERAL unnest(x.spoil_key || coalesce(x.also_spoils, '{}')) AS seen
           WHERE NOT k.is_new ON CONFLICT DO NOTHING""",
        [study],
    )


def forget() -> None:
    """Removes the temporary tables, so that another layout can be made in the same transaction."""
    run("DROP TABLE laid, known, laid_batch, wanted, placed, standing, laid_item")


def continued_batches() -> dict[int, int]:
    """The batch that each planned batch continues, by its position among the plans."""
    return counts("SELECT plan, batch FROM laid_batch WHERE batch IS NOT NULL")


def batches_with_kept_work() -> list[int]:
    """Batches that no plan continues, but in which raters worked on kept tasks."""
    return column(
        """SELECT DISTINCT batch FROM placed WHERE fixed AND batch NOT IN (
             SELECT batch FROM laid_batch WHERE batch IS NOT NULL) ORDER BY 1"""
    )


def units_per_group(plan: int) -> dict[str, int]:
    """How many units of a planned batch each group rates."""
    return counts(
        """SELECT g, count(DISTINCT unit) FROM laid CROSS JOIN LATERAL regexp_split_to_table(groups, ',') AS g
           WHERE plan = %s GROUP BY 1""",
        [plan],
    )
