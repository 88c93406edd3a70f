"""Filling the store from a study: sets of rows, never one by one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from turnwise.corpus import Dialogue as CorpusDialogue
from turnwise.corpus import Item as CorpusItem
from turnwise.corpus import tell
from turnwise.server.store.models import Batch, Dialogue, Item, Pool, StudyVersion
from turnwise.server.store.offers import SLOTS
from turnwise.server.store.rows import rows, run

AT_ONCE = 2000


def store_items(
    study: int, dialogues: Sequence[CorpusDialogue], items: Sequence[CorpusItem]
) -> dict[str, int]:
    """The ids of the items by key; dialogues and items that are there already are taken as they are."""
    used = {item.dialogue for item in items}
    hashes = {dialogue.key: dialogue.sha256 for dialogue in dialogues if dialogue.key in used}
    Dialogue.objects.bulk_create(
        [
            Dialogue(study_id=study, key=d.key, sha256=hashes[d.key], turns=tell(d.turns), meta=d.meta)
            for d in dialogues
            if d.key in used
        ],
        batch_size=AT_ONCE,
        ignore_conflicts=True,
    )
    stored = Dialogue.objects.filter(study_id=study).values_list("key", "sha256", "id")
    ids = {key: row for key, sha256, row in stored.iterator() if hashes.get(key) == sha256}
    Item.objects.bulk_create(
        [
            Item(
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
    found = Item.objects.filter(study_id=study, dialogue_id__in=ids.values()).values_list("key", "id")
    return {key: row for key, row in found.iterator() if key in wanted}


def open_batch(  # noqa: PLR0913, PLR0917  all that a batch is laid out by
    version: StudyVersion,
    pool: Pool,
    items: dict[str, int],
    groups: Sequence[Sequence[str]],
    designs: dict[str, str],
    redundancy: int,
    seed: int,
    now: datetime,
    gold: frozenset[str] = frozenset(),
) -> Batch:
    """A batch with a task for each group of items in each condition, and a place for each wanted rating.

    `groups` holds the keys of the items that stand together; `designs` gives the task design of
    each condition. The order within a condition is that of `seeds.rank`: md5 of seed, condition
    and the key of the first item. Items named in `gold` have known answers.
    """
    batch = Batch.objects.create(
        study_id=version.study_id,
        version=version,
        items=len(items),
        tasks=len(groups),
        wanted=len(groups) * len(designs) * redundancy,
        opened_at=now,
    )
    _plan_tasks(groups, designs, seed)
    _plan_items(items, groups, gold)
    _open_tasks(version, batch, pool, redundancy)
    rows(
        """INSERT INTO offered (study_id, batch_id, pool_id, rater_group, condition, slot, n)
           SELECT %s, %s, %s, '', condition, slot, 0
           FROM unnest(%s::text[]) AS condition, generate_series(0, %s) AS slot RETURNING 1""",
        [version.study_id, batch.pk, pool.pk, list(designs), SLOTS - 1],
    )
    return batch


def _plan_tasks(groups: Sequence[Sequence[str]], designs: dict[str, str], seed: int) -> None:
    # One transaction may open several batches.
    run("DROP TABLE IF EXISTS plan, plan_item")
    run(
        """CREATE TEMPORARY TABLE plan ON COMMIT DROP AS
           SELECT nextval(pg_get_serial_sequence('task', 'id')) AS task, g.n AS items_of, g.items,
                  c.name AS condition, c.design,
                  row_number() OVER (
                    PARTITION BY c.name
                    ORDER BY md5(concat_ws(chr(31), %s::text, 'task', c.name, g.first)) COLLATE "C") - 1 AS rank
           FROM unnest(%s::int[], %s::text[], %s::int[]) AS g(n, first, items),
                unnest(%s::text[], %s::text[]) AS c(name, design)""",
        [
            str(seed),
            list(range(len(groups))),
            [group[0] for group in groups],
            [len(group) for group in groups],
            list(designs),
            list(designs.values()),
        ],
    )


def _plan_items(items: dict[str, int], groups: Sequence[Sequence[str]], gold: frozenset[str]) -> None:
    placed = [(n, position, key) for n, group in enumerate(groups) for position, key in enumerate(group)]
    run(
        """CREATE TEMPORARY TABLE plan_item ON COMMIT DROP AS
           SELECT * FROM unnest(%s::int[], %s::int[], %s::text[], %s::bigint[], %s::text[])
             AS i(items_of, position, key, item, role)""",
        [
            [n for n, _, _ in placed],
            [p for _, p, _ in placed],
            [k for _, _, k in placed],
            [items[k] for _, _, k in placed],
            ["gold" if k in gold else "item" for _, _, k in placed],
        ],
    )


def _open_tasks(version: StudyVersion, batch: Batch, pool: Pool, redundancy: int) -> None:
    ids = {
        "study": version.study_id,
        "version": version.pk,
        "batch": batch.pk,
        "pool": pool.pk,
        "redundancy": redundancy,
    }
    run(
        """INSERT INTO task (id, study_id, version_id, batch_id, pool_id, design, condition, items, rank)
           SELECT task, %(study)s, %(version)s, %(batch)s, %(pool)s, design, condition, items, rank FROM plan""",
        ids,
    )
    run(
        """INSERT INTO task_item (study_id, task_id, position, item_id, spoil_key, role)
           SELECT %(study)s, task, position, item, key, role FROM plan JOIN plan_item USING (items_of)""",
        ids,
    )
    run(
        """INSERT INTO place (study_id, task_id, ordinal, batch_id, pool_id, rater_group, condition, rank, state)
           SELECT %(study)s, task, ordinal, %(batch)s, %(pool)s, '', condition,
                  rank * %(redundancy)s + ordinal, 'open'
           FROM plan, generate_series(0, %(redundancy)s - 1) AS ordinal
           ORDER BY condition, rank, ordinal""",
        ids,
    )
