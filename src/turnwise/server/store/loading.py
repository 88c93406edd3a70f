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
                kind="exchange",
                dialogue_id=ids[item.dialogue],
                target=item.target,
                system=item.system or "",
            )
            for item in items
        ],
        batch_size=AT_ONCE,
        ignore_conflicts=True,
    )
    wanted = {item.key for item in items}
    found = Item.objects.filter(study_id=study, dialogue_id__in=ids.values()).values_list("key", "id")
    return {key: row for key, row in found.iterator() if key in wanted}


def open_batch(
    version: StudyVersion,
    pool: Pool,
    items: dict[str, int],
    designs: dict[str, str],
    redundancy: int,
    seed: int,
    now: datetime,
) -> Batch:
    """A batch with a task for each item in each condition, and a place for each wanted rating.

    `designs` gives the task design of each condition. The order within a condition is
    that of `seeds.rank`: md5 of seed, condition and key.
    """
    batch = Batch.objects.create(
        study_id=version.study_id,
        version=version,
        items=len(items),
        wanted=len(items) * len(designs) * redundancy,
        opened_at=now,
    )
    _plan_tasks(items, designs, seed)
    _open_tasks(version, batch, pool, redundancy)
    rows(
        """INSERT INTO offered (study_id, batch_id, pool_id, rater_group, condition, slot, n)
           SELECT %s, %s, %s, '', condition, slot, 0
           FROM unnest(%s::text[]) AS condition, generate_series(0, %s) AS slot RETURNING 1""",
        [version.study_id, batch.pk, pool.pk, list(designs), SLOTS - 1],
    )
    return batch


def _plan_tasks(items: dict[str, int], designs: dict[str, str], seed: int) -> None:
    run("DROP TABLE IF EXISTS plan")
    run(
        """CREATE TEMPORARY TABLE plan ON COMMIT DROP AS
           SELECT nextval(pg_get_serial_sequence('task', 'id')) AS task, i.id AS item, i.key, c.name AS condition,
                  c.design,
                  row_number() OVER (
                    PARTITION BY c.name
                    ORDER BY md5(concat_ws(chr(31), %s::text, 'task', c.name, i.key)) COLLATE "C") - 1 AS rank
           FROM unnest(%s::text[], %s::bigint[]) AS i(key, id),
                unnest(%s::text[], %s::text[]) AS c(name, design)""",
        [str(seed), list(items), list(items.values()), list(designs), list(designs.values())],
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
           SELECT task, %(study)s, %(version)s, %(batch)s, %(pool)s, design, condition, 1, rank FROM plan""",
        ids,
    )
    run(
        """INSERT INTO task_item (study_id, task_id, position, item_id, spoil_key, role)
           SELECT %(study)s, task, 0, item, key, 'item' FROM plan""",
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
