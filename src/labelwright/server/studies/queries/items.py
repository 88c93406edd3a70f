"""Dialogues and items of a study, stored in sets of rows."""

from __future__ import annotations

from collections.abc import Sequence

from labelwright.corpus import Dialogue, Item, turn_records
from labelwright.server.store.models import DialogueRow, ItemRow
from labelwright.server.store.rows import run

AT_ONCE = 2000


def store_items(study: int, dialogues: Sequence[Dialogue], items: Sequence[Item]) -> dict[str, int]:
    """The ids of the items by key; existing dialogues and items are left unchanged, but for their design weights."""
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
    rows = {key: row for key, row in found.iterator() if key in wanted}
    _store_weights({rows[item.key]: float(item.payload.get("weight", 1)) for item in items})
    _keep_chances(study, list(rows.values()))
    return rows


def _store_weights(weights: dict[int, float]) -> None:
    """Stores the design weights of items, which change if another sample is drawn; 1 is not stored."""
    run(
        """UPDATE item i SET payload = CASE WHEN w.weight = 1 THEN i.payload - 'weight'
                                            ELSE jsonb_set(i.payload, '{weight}', to_jsonb(w.weight)) END
           FROM unnest(%s::bigint[], %s::float8[]) AS w(id, weight)
           WHERE i.id = w.id AND coalesce((i.payload ->> 'weight')::float8, 1) <> w.weight""",
        [list(weights), list(weights.values())],
    )


def _keep_chances(study: int, items: Sequence[int]) -> None:
    """Gives items the chance that was recorded under their key: a corrected dialogue makes a new item, which people get by
    the same chance, and so does one that is taken back.
    """
    run(
        """UPDATE item i SET people_chance = k.chance, chance_at = k.at
           FROM (SELECT key, max(people_chance) AS chance, max(chance_at) AS at FROM item
                 WHERE study_id = %(study)s AND people_chance IS NOT NULL GROUP BY key) k
           WHERE i.study_id = %(study)s AND i.id = ANY(%(items)s) AND i.key = k.key
             AND i.people_chance IS DISTINCT FROM k.chance""",
        {"study": study, "items": list(items)},
    )
