"""Preview: the tasks of a study as raters would see them, for its requester. Reads only; nothing is stored."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from labelwright.context import Surroundings, before_exchange, make_text, mine_phrases
from labelwright.corpus import Dialogue, Item, make_items, split_sentences, turn_records, turns_of
from labelwright.server.actions.context import get_shown_texts
from labelwright.server.actions.errors import NotHere
from labelwright.server.actions.overview import get_owned
from labelwright.server.actions.rater_page import ShownItem
from labelwright.server.store import models as store
from labelwright.server.store.rows import rows
from labelwright.server.store.versions import study_of
from labelwright.study import Study
from labelwright.tables import read
from labelwright.task import Chosen, StoredItem, group_items, item_parts, stage_items

NOT_MADE = "[A language model makes this text once the study is loaded.]"
"""Stands for a text in the preview of a file."""


@dataclass(frozen=True, slots=True)
class PreviewItem:
    """An item with every text that a condition may show with it, by kind."""

    item: StoredItem
    texts: Mapping[str, str] = field(default_factory=dict)

    def under(self, study: Study, condition: str) -> ShownItem:
        """The item as a condition shows it; in a later stage, its first sentence stands for what raters will choose."""
        stage = study.condition(condition).stage
        if stage is not None:
            return ShownItem(_stand_in(study, stage, self.item))
        kinds = study.condition(condition).context.kinds
        return ShownItem(self.item, [(kind, self.texts[kind]) for kind in kinds if kind in self.texts])


def _stand_in(study: Study, stage: str, item: StoredItem) -> StoredItem:
    before = study.conditions[study.conditions_before(stage)[0]].context
    text = item_parts(item, before).text
    first = [(sentence.start, sentence.end) for sentence in split_sentences(text)[:1]]
    parent = Item(item.key, "", item.target, None, item.kind)
    made = stage_items(parent, text, [Chosen(0, tuple(first))], study.stages[stage])
    return StoredItem(made[0].kind, item.turns, item.target, made[0].payload, made[0].key) if made else item


def get_task_preview(
    user: store.User, public_id: str, number: int
) -> tuple[store.Study, Study, list[PreviewItem], int]:
    """The items of a task of the newest version, and how many tasks there are; raises NotHere."""
    row = get_owned(user, public_id)
    version = row.versions.latest("n").pk
    study = study_of(version)
    first = next(iter(study.conditions))
    found = rows(
        "SELECT id FROM task WHERE version_id = %s AND condition = %s ORDER BY rank, id", [version, first]
    )
    if not 0 <= number < len(found):
        raise NotHere
    items = rows(
        """SELECT i.kind, d.turns::text, i.target, i.payload::text, i.key, i.id
           FROM task_item x JOIN item i ON i.id = x.item_id JOIN dialogue d ON d.id = i.dialogue_id
           WHERE x.task_id = %s ORDER BY x.position""",
        [found[number][0]],
    )
    texts = get_shown_texts(version, [row[5] for row in items], _kinds(study))
    shown = [
        PreviewItem(
            StoredItem(kind, json.loads(turns), target, json.loads(payload), key), dict(texts.get(item, []))
        )
        for kind, turns, target, payload, key, item in items
    ]
    return row, study, shown, len(found)


def preview_tasks(study: Study, dialogues: Sequence[Dialogue], wanted: int) -> list[list[PreviewItem]]:
    """The first tasks that a study file would make of its corpus; without a database and without a model."""
    items = make_items(dialogues, study.items, study.seed)
    groups = group_items(items, study.tasks, study.seed, study.gold_keys)[:wanted]
    by_key, turns = {item.key: item for item in items}, {dialogue.key: dialogue for dialogue in dialogues}
    around = _surroundings(study, dialogues)
    return [
        [_previewed(study, by_key[key], turns[by_key[key].dialogue], around) for key in group]
        for group in groups
    ]


def _previewed(study: Study, item: Item, dialogue: Dialogue, around: Surroundings) -> PreviewItem:
    before = before_exchange(dialogue.turns, item.target)
    texts = {}
    for kind in _kinds(study):
        made = NOT_MADE if kind.endswith(":llm") else make_text(kind, before, around)
        if made is not None:
            texts[kind] = made if isinstance(made, str) else made.text
    stored = StoredItem(item.kind, turn_records(dialogue.turns), item.target, item.payload, item.key)
    return PreviewItem(stored, texts)


def _surroundings(study: Study, dialogues: Sequence[Dialogue]) -> Surroundings:
    mined = (
        tuple(phrase.text for phrase in mine_phrases(read(turns_of(dialogues)), study.context.phrases))
        if "need:heuristic" in _kinds(study)
        else ()
    )
    return Surroundings(mined, study.context)


def _kinds(study: Study) -> list[str]:
    return sorted({kind for condition in study.conditions.values() for kind in condition.context.kinds})
