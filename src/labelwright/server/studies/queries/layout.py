"""Filling the store from a study: in sets of rows, never one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from labelwright.corpus import Dialogue, Item, turn_records
from labelwright.crowd import BatchState, LaidBatch, PlaceState, Spoil
from labelwright.server.store.models import Batch, DialogueRow, ItemRow, Offered, Pool, StudyVersion, TaskItem
from labelwright.server.store.rows import records, run

AT_ONCE = 2000
RANK_BITS = 40
"""Ranks of one batch come before those of the next; no batch has more places than fit into these bits."""
NO_SPOIL = Spoil("", ())
"""A rater meets each item once."""
ALSO = "\x1e"
"""Separates the parts that a condition spoils besides its own."""


def store_items(study: int, dialogues: Sequence[Dialogue], items: Sequence[Item]) -> dict[str, int]:
    """The ids of the items by key; existing dialogues and items are left unchanged."""
    used = {item.dialogue for item in items}
    hashes = {dialogue.key: dialogue.sha256 for dialogue in dialogues if dialogue.key in used}
    DialogueRow.objects.bulk_create(
        [
            DialogueRow(
                study_id=study, key=d.key, sha256=hashes[d.key], turns=turn_records(d.turns), meta=d.meta
            )
            for d in dialogues
            if d.key in used
        ],
        batch_size=AT_ONCE,
        ignore_conflicts=True,
    )
    stored = DialogueRow.objects.filter(study_id=study).values_list("key", "sha256", "id")
    ids = {key: row for key, sha256, row in stored.iterator() if hashes.get(key) == sha256}
    ItemRow.objects.bulk_create(
        [
            ItemRow(
                study_id=study,
                key=item.key,
                kind=item.kind,
                dialogue_id=ids[item.dialogue],
                target=item.target,
                system=item.system or "",
                payload=item.payload,
            )
            for item in items
        ],
        batch_size=AT_ONCE,
        ignore_conflicts=True,
    )
    wanted = {item.key for item in items}
    found = ItemRow.objects.filter(study_id=study, dialogue_id__in=ids.values()).values_list("key", "id")
    return {key: row for key, row in found.iterator() if key in wanted}


@dataclass(frozen=True, slots=True)
class ConditionDemand:
    """What one condition needs: its task design, the ratings wanted by group, what it spoils, and its gold items."""

    design: str
    redundancy: Mapping[str, int]
    spoil: Spoil = NO_SPOIL
    gold: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BatchDemand:
    """What every batch of a version needs; the same in all of them."""

    conditions: Mapping[str, ConditionDemand]
    seed: int


def open_batch(
    version: StudyVersion,
    pool: Pool,
    items: dict[str, int],
    laid: LaidBatch,
    demand: BatchDemand,
    now: datetime,
    number: int = 0,
) -> Batch:
    """Creates a batch with a task for each unit in each condition, and a place for each rating wanted of each group.

    It is open at once unless its release is in the future. The order within a condition is that of
    `seeds.rank`: md5 of seed, condition and the key of the first item; batches come one after the other.
    """
    opens_at = laid.opens_at or now
    state = BatchState.OPEN if opens_at <= now else BatchState.PLANNED
    batch = Batch.objects.create(
        study_id=version.study_id,
        version=version,
        number=number,
        topic=laid.topic,
        state=state,
        items=sum(len(unit.keys) for unit in laid.units),
        tasks=0,
        wanted=0,
        opens_at=opens_at,
        closes_at=laid.closes_at,
        opened_at=now if state == BatchState.OPEN else None,
    )
    conditions = demand.conditions
    _plan_tasks(laid, conditions, demand.seed)
    _plan_items(items, laid)
    _open_tasks(version, batch, pool, conditions)
    _count_batch(batch, conditions)
    run(
        """INSERT INTO offered (study_id, batch_id, pool_id, rater_group, condition, slot, n)
           SELECT %s, %s, %s, g, condition, slot, 0
           FROM unnest(%s::text[]) AS condition, unnest(%s::text[]) AS g, generate_series(0, %s) AS slot""",
        [version.study_id, batch.pk, pool.pk, list(conditions), _groups(laid), Offered.SLOTS - 1],
    )
    run("DROP TABLE plan, plan_item")
    return batch


def _groups(laid: LaidBatch) -> list[str]:
    return sorted({group for unit in laid.units for group in unit.groups})


def _plan_tasks(laid: LaidBatch, conditions: Mapping[str, ConditionDemand], seed: int) -> None:
    run(
        """CREATE TEMPORARY TABLE plan ON COMMIT DROP AS
           SELECT nextval(pg_get_serial_sequence('task', 'id')) AS task, g.n AS items_of, g.items, g.groups,
                  c.name AS condition, c.design, c.own, c.also,
                  row_number() OVER (
                    PARTITION BY c.name
                    ORDER BY md5(concat_ws(chr(31), %s::text, 'task', c.name, g.first)) COLLATE "C") - 1 AS rank
           FROM unnest(%s::int[], %s::text[], %s::int[], %s::text[]) AS g(n, first, items, groups),
                unnest(%s::text[], %s::text[], %s::text[], %s::text[]) AS c(name, design, own, also)""",
        [
            str(seed),
            list(range(len(laid.units))),
            [unit.keys[0] for unit in laid.units],
            [len(unit.keys) for unit in laid.units],
            [",".join(unit.groups) for unit in laid.units],
            list(conditions),
            [each.design for each in conditions.values()],
            [each.spoil.own for each in conditions.values()],
            [ALSO.join(each.spoil.also) for each in conditions.values()],
        ],
    )


def _plan_items(items: dict[str, int], laid: LaidBatch) -> None:
    placed = [
        (n, position, key) for n, unit in enumerate(laid.units) for position, key in enumerate(unit.keys)
    ]
    run(
        """CREATE TEMPORARY TABLE plan_item ON COMMIT DROP AS
           SELECT * FROM unnest(%s::int[], %s::int[], %s::text[], %s::bigint[])
             AS i(items_of, position, key, item)""",
        [
            [n for n, _, _ in placed],
            [p for _, p, _ in placed],
            [k for _, _, k in placed],
            [items[k] for _, _, k in placed],
        ],
    )


def _open_tasks(
    version: StudyVersion, batch: Batch, pool: Pool, conditions: Mapping[str, ConditionDemand]
) -> None:
    wanted = [(name, group, n) for name, each in conditions.items() for group, n in each.redundancy.items()]
    ids = {
        "study": version.study_id,
        "version": version.pk,
        "batch": batch.pk,
        "pool": pool.pk,
        "first_rank": batch.number << RANK_BITS,
        "also": ALSO,
        "conditions": [name for name, _, _ in wanted],
        "groups": [group for _, group, _ in wanted],
        "redundancies": [n for _, _, n in wanted],
        "most": max(n for _, _, n in wanted),
        "item": TaskItem.Role.ITEM,
        "open": PlaceState.OPEN,
    }
    run(
        """INSERT INTO task (id, study_id, version_id, batch_id, pool_id, design, condition, items, rank)
           SELECT task, %(study)s, %(version)s, %(batch)s, %(pool)s, design, condition, items,
                  %(first_rank)s + rank FROM plan""",
        ids,
    )
    run(
        """INSERT INTO task_item (study_id, task_id, position, item_id, spoil_key, also_spoils, role)
           SELECT %(study)s, task, position, item, key || own,
                  (SELECT array_agg(key || spoilt) FROM string_to_table(nullif(also, ''), %(also)s) AS spoilt), %(item)s
           FROM plan JOIN plan_item USING (items_of)""",
        ids,
    )
    run(
        """INSERT INTO place (study_id, task_id, ordinal, batch_id, pool_id, rater_group, condition, rank, state)
           SELECT %(study)s, task, row_number() OVER (PARTITION BY task ORDER BY g, ordinal) - 1,
                  %(batch)s, %(pool)s, g, plan.condition, %(first_rank)s + rank * %(most)s + ordinal, %(open)s
           FROM plan
           CROSS JOIN LATERAL regexp_split_to_table(plan.groups, ',') AS g
           JOIN unnest(%(conditions)s::text[], %(groups)s::text[], %(redundancies)s::int[])
             AS w(condition, rater_group, n) ON w.condition = plan.condition AND w.rater_group = g
           CROSS JOIN LATERAL generate_series(0, w.n - 1) AS ordinal
           ORDER BY plan.condition, rank, ordinal""",
        ids,
    )


@dataclass(frozen=True, slots=True)
class _GroupSize:
    name: str
    places: int
    units: int


def _count_batch(batch: Batch, conditions: Mapping[str, ConditionDemand]) -> None:
    """Stores how many ratings are wanted, and how many tasks a rater of each group can do."""
    kinds = len({each.spoil.own for each in conditions.values()})
    found = records(
        _GroupSize,
        """SELECT rater_group AS name, count(*) AS places, count(DISTINCT plan.items_of) AS units
           FROM place JOIN plan ON plan.task = place.task_id GROUP BY 1""",
    )
    batch.wanted = sum(group.places for group in found)
    batch.group_tasks = {group.name: group.units * kinds for group in found}
    batch.tasks = max(batch.group_tasks.values())
    batch.save(update_fields=["wanted", "group_tasks", "tasks"])
